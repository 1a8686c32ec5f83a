"""The fields of a server's answers in each revision of the protocol, checked strictly.

The published schemas allow unknown fields. Here they are errors: a field that a revision does not
have is as wrong as a missing one.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from jsonschema import Draft202012Validator, ValidationError  # type: ignore[import-untyped]

SESSION_VERSION: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
SESSIONLESS_VERSION: Final = "2026-07-28"
REVISIONS: Final = (*SESSION_VERSION, SESSIONLESS_VERSION)

Wrong = ValidationError

_SCHEMAS: Final = Path(__file__).parents[2] / "schemas"

# By definition of 2025-11-25: fields, and the revision that added them. Other fields exist since
# the first revision.
_BROUGHT: Final[dict[str, dict[str, str]]] = {
    "2025-03-26": {"Tool": "annotations", "ProgressNotificationParams": "message"},
    "2025-06-18": {
        "Implementation": "title",
        "Tool": "title outputSchema _meta",
        "CallToolResult": "structuredContent",
        "Resource": "title _meta",
        "ResourceTemplate": "title _meta",
        "TextContent": "_meta",
        "ImageContent": "_meta",
        "EmbeddedResource": "_meta",
        "TextResourceContents": "_meta",
        "BlobResourceContents": "_meta",
        "Annotations": "lastModified",
    },
    "2025-11-25": {
        "Implementation": "description icons websiteUrl",
        "Tool": "execution icons",
        "Resource": "icons",
        "ResourceTemplate": "icons",
        "ResourceLink": "icons",
        "ServerCapabilities": "tasks",
    },
}
_BLOCKS: Final = {"AudioContent": "2025-03-26", "ResourceLink": "2025-06-18"}
# Objects with any keys.
_OPEN: Final = {"Result", "EmptyResult", "JSONObject", "MetaObject", "ResultMetaObject"}


def check(definition: str, value: Any, revision: str) -> None:
    """Check a value against a definition.

    Args:
        definition: In the schema of the revision.

    Raises:
        Wrong: The value does not match the definition.
    """
    schema = _schema(revision)
    Draft202012Validator({**schema, "$ref": f"#/$defs/{definition}"}).validate(value)


def matches(schema: dict[str, Any], value: Any) -> None:
    """Check a value against a schema from the server.

    Raises:
        Wrong: The value does not match the schema.
    """
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(value)


def _schema(revision: str) -> dict[str, Any]:
    published = SESSIONLESS_VERSION if revision == SESSIONLESS_VERSION else SESSION_VERSION[-1]
    schema: dict[str, Any] = json.loads((_SCHEMAS / f"{published}.json").read_text())
    definitions = schema["$defs"]
    for since, brought in _BROUGHT.items():
        for name, fields in brought.items() if revision < since else ():
            for field in fields.split():
                definitions[name]["properties"].pop(field)
    for block, since in _BLOCKS.items():
        if revision < since:
            definitions["ContentBlock"]["anyOf"].remove({"$ref": f"#/$defs/{block}"})
    for name, definition in definitions.items():
        if "properties" in definition and name not in _OPEN:
            definition["additionalProperties"] = False
    return schema

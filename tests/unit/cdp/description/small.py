"""A small protocol, of which a test can know everything."""

from __future__ import annotations

from cdp_protocol.description import Description, Json

SHAPE: Json = {
    "id": "Shape",
    "type": "object",
    "properties": [
        {"name": "width", "type": "integer"},
        {"name": "colour", "$ref": "Colour", "optional": True},
        {"name": "parts", "type": "array", "items": {"$ref": "Shape"}, "optional": True},
    ],
}
COLOUR: Json = {"id": "Colour", "type": "string", "enum": ["red", "green"]}
DRAW: Json = {
    "name": "draw",
    "description": "Draws a shape.",
    "parameters": [
        {"name": "shape", "description": "What to draw.", "$ref": "Shape"},
        {"name": "scale", "type": "number", "optional": True},
        {"name": "data", "type": "binary", "optional": True, "experimental": True},
        {"name": "isFilled", "type": "boolean", "optional": True},
        {"name": "names", "type": "array", "items": {"type": "string"}, "optional": True},
        {"name": "anything", "type": "any", "optional": True},
    ],
    "returns": [{"name": "id", "$ref": "Other.Id"}],
}
DRAWN: Json = {"name": "drawn", "parameters": [{"name": "id", "$ref": "Other.Id"}]}
CLEAR: Json = {"name": "clear", "deprecated": True}
PAPER: Json = {
    "domain": "Paper",
    "experimental": True,
    "types": [SHAPE, COLOUR],
    "commands": [DRAW, CLEAR],
    "events": [DRAWN],
}
OTHER: Json = {"domain": "Other", "types": [{"id": "Id", "type": "string"}]}


def small() -> Description:
    return Description("r1", [PAPER, OTHER])

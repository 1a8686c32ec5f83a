"""The writers by language."""

from __future__ import annotations

from collections.abc import Mapping

from viewpoint_mcp.accessibility.search.locator_code import LocatorLanguage
from viewpoint_mcp.tools.codegen.code_writer import CodeWriter


def make_writer(language: LocatorLanguage, secrets: Mapping[str, str]) -> CodeWriter:
    """Return the writer of a language.

    Args:
        secrets: The values of secrets by name.
    """
    if language == "python":
        from viewpoint_mcp.tools.codegen.python_writer import PythonWriter

        return PythonWriter(secrets)
    from viewpoint_mcp.tools.codegen.typescript_writer import TypeScriptWriter

    return TypeScriptWriter(secrets)

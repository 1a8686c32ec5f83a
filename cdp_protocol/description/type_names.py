"""Names of protocol types, as help texts and error messages show them."""

from __future__ import annotations

from typing import Any


def type_name(spec: dict[str, Any], domain: str) -> str:
    """Return the short name of a type: "array of DOM.NodeId".

    Args:
        spec: The description of a parameter, property or type.
        domain: The domain that contains this description.
    """
    if ref := spec.get("$ref"):
        return qualify_type_name(ref, domain)
    if spec.get("type") == "array":
        return f"array of {type_name(spec['items'], domain)}" if "items" in spec else "array"
    if spec.get("type") == "binary":
        return "string (base64)"
    return str(spec.get("type", "any"))


def qualify_type_name(ref: str, domain: str) -> str:
    """Return a `$ref` with its domain prefix."""
    return ref if "." in ref else f"{domain}.{ref}"

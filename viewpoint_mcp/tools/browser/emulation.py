"""The tool that emulates CSS media features, and the parser of the emulation of a context."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from msgspec import UNSET, UnsetType

from viewpoint_mcp.config.emulation import parsers
from viewpoint_mcp.config.emulation.devices import find_device, override_device
from viewpoint_mcp.config.settings import ColorScheme
from viewpoint_mcp.errors import CallError
from viewpoint_mcp.tools.core.args import Args, parse_arguments
from viewpoint_mcp.tools.core.result import ToolResult
from viewpoint_mcp.tools.core.tool import page_tool

if TYPE_CHECKING:
    from viewpoint_mcp.page.page import Page

T = TypeVar("T")


class EmulateMediaArgs(Args):
    color_scheme: ColorScheme | UnsetType | None = UNSET
    """`prefers-color-scheme`. `null` restores that of the context."""
    reduced_motion: Literal["reduce", "no-preference"] | UnsetType | None = UNSET
    """`prefers-reduced-motion`. `null` resets it."""
    forced_colors: Literal["active", "none"] | UnsetType | None = UNSET
    """`forced-colors`. `null` resets it."""
    contrast: Literal["more", "less", "custom", "no-preference"] | UnsetType | None = UNSET
    """`prefers-contrast`. `null` resets it."""
    media: Literal["screen", "print"] | UnsetType | None = UNSET
    """Media type. `null` resets it."""


@page_tool("browser_emulate_media", title="Emulate media", kind="view")
async def emulate_media(page: Page, args: EmulateMediaArgs) -> ToolResult:
    """Emulate CSS media features; null resets.

    The features hold for the tab until they are changed. Features that a call does not name stay as
    they are. Give at least one.

    Reply: the features that the call has set, and the changes of the page.

    Errors: a value does not exist (the message lists the values).
    """
    names = dict(zip(_MEDIA_FEATURES, EmulateMediaArgs.__struct_encode_fields__, strict=True))
    features = {
        field: value for field in _MEDIA_FEATURES if (value := getattr(args, field)) is not UNSET
    }
    if not features:
        listed = ", ".join(names.values())
        raise CallError("Give at least one media feature.", f"The features are {listed}.")
    emulated = [f"{names[field]} {value or 'reset'}" for field, value in features.items()]
    media_type = (features.pop("media") or "") if "media" in features else None
    async with page.settle_afterwards():
        await page.emulation.emulate_media(media_type, features)
    return ToolResult(f"Emulated: {', '.join(emulated)}", snapshot=True)


_MEDIA_FEATURES = EmulateMediaArgs.__struct_fields__


class EmulateArgs(Args):
    """The fields of the object `emulate` of browser_context_create; its description lists them."""

    device: str | None = None
    """Device to emulate, such as `iPhone 15` or `Pixel 7 landscape`, with its viewport, scale,
    touch and user agent. The other keys override it."""
    viewport: str | None = None
    """Size of the viewport in CSS pixels, such as `1280x720`."""
    user_agent: str | None = None
    """User agent. Its client hints are set to match."""
    locale: str | None = None
    """Locale and language as a BCP 47 tag, such as `de-DE`."""
    timezone: str | None = None
    """Time zone by its IANA name, such as `Europe/Berlin`."""
    geolocation: str | None = None
    """Position in degrees, `LATITUDE,LONGITUDE`, or with an accuracy in metres, `52.52,13.4,100`.
    Pages get the permission to read it."""
    permissions: list[str] | None = None
    """Permissions to grant to every page, such as `clipboard-read` and `notifications`."""
    color_scheme: ColorScheme | None = None
    """Preferred color scheme."""
    offline: bool | None = None
    """Whether pages have no network."""


def parse_context_emulation(
    fields_from_client: Mapping[str, Any], argument_name: str
) -> dict[str, Any]:
    """Return the fields of `Emulation` that a client requests for a context.

    A requested device sets the fields that it defines; the other fields override them.

    Args:
        fields_from_client: An object with the fields of `EmulateArgs` in camelCase.
        argument_name: The name of the argument, for error messages.

    Raises:
        CallError: A field is unknown or malformed.
    """
    args = parse_arguments(EmulateArgs, dict(fields_from_client), tool_name=argument_name)
    return override_device(
        _parse_if_given(find_device, args.device) or {},
        viewport=_parse_if_given(parsers.parse_size, args.viewport),
        user_agent=args.user_agent,
        locale=_parse_if_given(parsers.parse_locale, args.locale),
        time_zone=_parse_if_given(parsers.parse_time_zone, args.timezone),
        geolocation=_parse_if_given(parsers.parse_geolocation, args.geolocation),
        permissions=_parse_if_given(parsers.parse_permissions, args.permissions),
        color_scheme=args.color_scheme,
        offline=args.offline,
    )


def _parse_if_given(parse: Callable[[Any], T], value: object) -> T | None:
    return None if value is None else parse(value)

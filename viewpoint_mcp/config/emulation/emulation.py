"""The emulation of a device and its user: the settings, with their flags."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Struct, field

from viewpoint_mcp.config.emulation.devices import DEFAULT_PHONE
from viewpoint_mcp.config.emulation.parsers import (
    DEFAULT_ACCURACY,
    format_headers,
    parse_extra_headers,
    parse_geolocation,
    parse_locale,
    parse_permissions,
    parse_size,
    parse_time_zone,
    read_init_scripts,
)
from viewpoint_mcp.config.flag_annotations import ConfigKey, Flag, Heading

ColorScheme = Literal["light", "dark", "no-preference"]


def _format_size(viewport: Mapping[str, int]) -> str:
    return f"{viewport['width']}x{viewport['height']}"


def _format_geolocation(position: Mapping[str, float]) -> str:
    numbers = (
        position["latitude"],
        position["longitude"],
        position.get("accuracy", DEFAULT_ACCURACY),
    )
    return ",".join(map(str, numbers))


def _should_block_service_workers(service_workers: str) -> bool:
    return service_workers == "block"


class Emulation(Struct, frozen=True, kw_only=True):
    """The device and the user that pages perceive.

    Args:
        viewport: Width and height in CSS pixels; None for the size of the window.
        mobile: Whether pages are laid out as on a phone, with `meta viewport` and overlay scroll
            bars. The flag --mobile chooses a whole device.
        scale: Device pixels per CSS pixel; None for the value of the screen.
        touch: Whether the device has a touch screen.
        user_agent: User agent; None for that of the browser. `%s` in it is replaced by the version
            of the running Chrome.
        hints: Client hints of the user agent (CDP `Emulation.UserAgentMetadata`). They override
            those derived from the user agent; None to use only these.
        locale: BCP 47 tag; None for that of the browser.
        time_zone: IANA name; None for that of the system.
        geolocation: Latitude and longitude in degrees, accuracy in metres. Pages then have the
            permission to read it.
        permissions: Names of permissions that are granted to every page.
        color_scheme: Preferred color scheme; None for that of the browser.
        offline: Whether pages have no network.
        ignore_https_errors: Whether certificates that are not valid are accepted.
        block_service_workers: Whether pages cannot register service workers.
        extra_headers: HTTP headers by name, which all requests of pages and workers carry.
        init_scripts: Sources that run in the main world of each document, before its own scripts.
    """

    viewport: Annotated[
        tuple[int, int] | None,
        Flag(
            "--viewport-size",
            Heading.PAGES,
            "Viewport in CSS pixels, such as 1280x720.",
            metavar="WxH",
            parse=parse_size,
            config_keys=(ConfigKey("browser.contextOptions.viewport", _format_size),),
        ),
    ] = None
    mobile: Annotated[
        bool,
        Flag("--mobile", Heading.PAGES, f"The same as --device '{DEFAULT_PHONE}'."),
    ] = False
    scale: float | None = None
    touch: bool = False
    user_agent: Annotated[
        str | None,
        Flag(
            "--user-agent",
            Heading.PAGES,
            "User agent. Its client hints are set to match.",
            config_keys=("browser.contextOptions.userAgent",),
        ),
    ] = None
    hints: Mapping[str, str | bool] | None = None
    locale: Annotated[
        str | None,
        Flag(
            "--locale",
            Heading.PAGES,
            "Locale and language of pages, such as de-DE.",
            metavar="TAG",
            parse=parse_locale,
            config_keys=("browser.contextOptions.locale",),
        ),
    ] = None
    time_zone: Annotated[
        str | None,
        Flag(
            "--timezone",
            Heading.PAGES,
            "Time zone of pages, such as Europe/Berlin.",
            metavar="NAME",
            parse=parse_time_zone,
            config_keys=("browser.contextOptions.timezoneId",),
        ),
    ] = None
    geolocation: Annotated[
        tuple[float, float, float] | None,
        Flag(
            "--geolocation",
            Heading.PAGES,
            "Location that pages get, in degrees and metres. Pages get the geolocation permission.",
            metavar="LAT,LON[,ACCURACY]",
            parse=parse_geolocation,
            config_keys=(ConfigKey("browser.contextOptions.geolocation", _format_geolocation),),
        ),
    ] = None
    permissions: Annotated[
        tuple[str, ...],
        Flag(
            "--grant-permissions",
            Heading.PAGES,
            'Permissions granted to pages, such as "clipboard-read,notifications".',
            metavar="NAME,...",
            parse=parse_permissions,
            is_repeatable=True,
            config_keys=("browser.contextOptions.permissions",),
        ),
    ] = ()
    color_scheme: Annotated[
        ColorScheme | None,
        Flag(
            "--color-scheme",
            Heading.PAGES,
            "Preferred color scheme that pages get.",
            config_keys=("browser.contextOptions.colorScheme",),
        ),
    ] = None
    offline: Annotated[
        bool,
        Flag(
            "--offline",
            Heading.PAGES,
            "Emulate a missing network connection for pages.",
            config_keys=("browser.contextOptions.offline",),
        ),
    ] = False
    ignore_https_errors: Annotated[
        bool,
        Flag(
            "--ignore-https-errors",
            Heading.PAGES,
            "Accept invalid certificates.",
            config_keys=("browser.contextOptions.ignoreHTTPSErrors",),
        ),
    ] = False
    block_service_workers: Annotated[
        bool,
        Flag(
            "--block-service-workers",
            Heading.PAGES,
            "Prevent pages from registering service workers.",
            config_keys=(
                ConfigKey("browser.contextOptions.serviceWorkers", _should_block_service_workers),
            ),
        ),
    ] = False
    extra_headers: Annotated[
        Mapping[str, str],
        Flag(
            "--extra-headers",
            Heading.PAGES,
            "HTTP header to send with all requests of pages, to every site. Repeatable.",
            metavar="NAME:VALUE",
            parse=parse_extra_headers,
            is_repeatable=True,
            can_contain_spaces=True,
            config_keys=(ConfigKey("browser.contextOptions.extraHTTPHeaders", format_headers),),
        ),
    ] = field(default_factory=dict)
    init_scripts: Annotated[
        tuple[str, ...],
        Flag(
            "--init-script",
            Heading.PAGES,
            "JavaScript file to run in every page and frame before its own scripts. Repeatable.",
            metavar="PATH",
            parse=read_init_scripts,
            path_kind="file",
            is_repeatable=True,
            config_keys=("browser.initScript",),
        ),
    ] = ()

    def __repr__(self) -> str:
        return "Emulation(...)"

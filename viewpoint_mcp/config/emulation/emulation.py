"""The emulation of a device and its user: the settings, with their flags."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from msgspec import Struct, field

from viewpoint_mcp.config.emulation.devices import DEFAULT_PHONE
from viewpoint_mcp.config.emulation.http_credentials import (
    HttpCredentials,
    format_http_credentials,
    mask_http_credentials,
    parse_http_credentials,
)
from viewpoint_mcp.config.emulation.parsers import (
    DEFAULT_ACCURACY,
    format_headers,
    parse_extra_headers,
    parse_geolocation,
    parse_locale,
    parse_permissions,
    parse_scale,
    parse_size,
    parse_time_zone,
    read_init_scripts,
)
from viewpoint_mcp.config.flag_annotations import ConfigKey, Flag, Heading, make_key_only_flag

ColorScheme = Literal["light", "dark", "no-preference"]
ReducedMotion = Literal["reduce", "no-preference"]
ForcedColors = Literal["active", "none"]
Contrast = Literal["more", "less", "custom", "no-preference"]


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


def _to_size_object(size: tuple[int, int]) -> dict[str, int]:
    return {"width": size[0], "height": size[1]}


def _to_geolocation_object(position: tuple[float, float, float]) -> dict[str, float]:
    return dict(zip(("latitude", "longitude", "accuracy"), position, strict=True))


def _to_service_workers(are_blocked: bool) -> str:
    return "block" if are_blocked else "allow"


def _describe_scripts(sources: Sequence[str]) -> list[str]:
    return [f"(script of {len(source):,} characters)" for source in sources]


class Emulation(Struct, frozen=True, kw_only=True):
    """The device and the user that pages perceive.

    Args:
        viewport: Width and height in CSS pixels; None for the size of the window.
        screen: Width and height of the screen in CSS pixels; None for the real one, or on a mobile
            device for the viewport.
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
        color_scheme: `prefers-color-scheme`; None for that of the browser.
        reduced_motion: `prefers-reduced-motion`; None for that of the browser.
        forced_colors: `forced-colors`; None for that of the browser.
        contrast: `prefers-contrast`; None for that of the browser.
        offline: Whether pages have no network.
        cpu_throttling: How many times slower the main thread of pages is; 1 for its real speed.
        ignore_https_errors: Whether certificates that are not valid are accepted.
        block_service_workers: Whether pages cannot register service workers.
        bypass_csp: Whether pages ignore their Content-Security-Policy.
        javascript_enabled: Whether pages run their scripts.
        extra_headers: HTTP headers by name, which all requests of pages and workers carry.
        http_credentials: User names and passwords for HTTP authentication. The first that is valid
            for a URL is sent.
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
            to_config=_to_size_object,
        ),
    ] = None
    screen: Annotated[
        tuple[int, int] | None,
        make_key_only_flag(
            "browser.contextOptions.screen",
            convert=_format_size,
            parse=parse_size,
            to_config=_to_size_object,
        ),
    ] = None
    mobile: Annotated[
        bool,
        Flag("--mobile", Heading.PAGES, f"The same as --device '{DEFAULT_PHONE}'."),
        make_key_only_flag("browser.contextOptions.isMobile"),
    ] = False
    scale: Annotated[
        float | None,
        make_key_only_flag(
            "browser.contextOptions.deviceScaleFactor", parse=parse_scale, value_type=float
        ),
    ] = None
    touch: Annotated[bool, make_key_only_flag("browser.contextOptions.hasTouch")] = False
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
            to_config=_to_geolocation_object,
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
    reduced_motion: Annotated[
        ReducedMotion | None, make_key_only_flag("browser.contextOptions.reducedMotion")
    ] = None
    forced_colors: Annotated[
        ForcedColors | None, make_key_only_flag("browser.contextOptions.forcedColors")
    ] = None
    contrast: Annotated[Contrast | None, make_key_only_flag("browser.contextOptions.contrast")] = (
        None
    )
    offline: Annotated[
        bool,
        Flag(
            "--offline",
            Heading.PAGES,
            "Emulate a missing network connection for pages.",
            config_keys=("browser.contextOptions.offline",),
        ),
    ] = False
    cpu_throttling: float = 1.0
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
            to_config=_to_service_workers,
        ),
    ] = False
    bypass_csp: Annotated[bool, make_key_only_flag("browser.contextOptions.bypassCSP")] = False
    javascript_enabled: Annotated[
        bool, make_key_only_flag("browser.contextOptions.javaScriptEnabled")
    ] = True
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
    http_credentials: Annotated[
        tuple[HttpCredentials, ...],
        Flag(
            "--http-credentials",
            Heading.PAGES,
            "User name and password for HTTP authentication; as https://USER:PASSWORD@HOST for one "
            "site only. Repeatable. Other users can read a command line, but not the environment.",
            metavar="USER:PASSWORD",
            parse=parse_http_credentials,
            is_repeatable=True,
            can_contain_spaces=True,
            config_keys=(
                ConfigKey("browser.contextOptions.httpCredentials", format_http_credentials),
            ),
            to_config=mask_http_credentials,
        ),
    ] = ()
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
            to_config=_describe_scripts,
        ),
    ] = ()

    @property
    def media_features(self) -> dict[str, str]:
        """The values of the CSS media features that are set, by the names of the features."""
        features = {
            "prefers-color-scheme": self.color_scheme,
            "prefers-reduced-motion": self.reduced_motion,
            "forced-colors": self.forced_colors,
            "prefers-contrast": self.contrast,
        }
        return {name: value for name, value in features.items() if value is not None}

    def __repr__(self) -> str:
        return "Emulation(...)"

"""Changes of the emulation of a context, while the context is open."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from viewpoint_mcp.config.emulation.devices import find_device, override_device
from viewpoint_mcp.config.emulation.emulation import Emulation


class EmulationChanges(Struct, frozen=True, kw_only=True):
    """The changes that a client has made to the emulation of a context. None means no change.

    Args:
        device: Name of a device. It sets the fields that it defines; the other changes override it.
        viewport: See `Emulation`, as for the other fields.
    """

    device: str | None = None
    viewport: tuple[int, int] | None = None
    user_agent: str | None = None
    geolocation: tuple[float, float, float] | None = None
    locale: str | None = None
    time_zone: str | None = None
    cpu_throttling: float | None = None

    def apply_to(self, emulation: Emulation) -> Emulation:
        """Return an emulation with the changes.

        Raises:
            CallError: The device does not exist.
        """
        fields = override_device(
            {} if self.device is None else find_device(self.device),
            viewport=self.viewport,
            user_agent=self.user_agent,
            geolocation=self.geolocation,
            locale=self.locale,
            time_zone=self.time_zone,
            cpu_throttling=self.cpu_throttling,
        )
        return replace(emulation, **fields)

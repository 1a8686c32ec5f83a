"""Maximum waits of settling, one for each kind of pending work."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SettleLimits:
    """Maximum waits, in seconds.

    Attributes:
        navigation: From the start of a navigation to its load event.
        late_load: From DOMContentLoaded to the load event, which one slow picture can delay
            forever.
        requested_navigation: From the request for a navigation to its start. A link that opens
            another program never starts one.
        requests: From the start of a request to its response.
        requests_after_load: The same in a new document that already shows content. There, the
            request may be a long poll.
        all_requests: For all requests and their consequences together, because a page may send
            requests forever.
        pause_in_changes: From a change of the document to a pause.
        patience: For the first consequence of a script, and for a new document to show content.
        further_change: From a change by a timer to the next change. All these changes together get
            `patience`.
        popup: For a requested window to open.
        download: From the start of a download to its end.
    """

    navigation: float = 60.0
    late_load: float = 5.0
    requested_navigation: float = 1.0
    requests: float = 5.0
    requests_after_load: float = 2.5
    all_requests: float = 10.0
    pause_in_changes: float = 0.5
    patience: float = 0.5
    further_change: float = 0.15
    popup: float = 1.0
    download: float = 5.0

"""The live view of one client's tabs, for a person: pictures, the list of calls, and the input.

    live_views      the open views of a server, by their keys
      live_view     one view: its viewers, its state, and who has control
        page_watch      follows the active tab, and receives its pictures
        view_state      what a viewer gets beside the picture
        call_list       the calls of the client
        person_events   what a viewer sends
        person_input    performs it on the page

Tools open a view, and `transports.http.live_view` serves it to browsers. Nothing of it runs without
a viewer. The package knows neither HTTP nor MCP.
"""

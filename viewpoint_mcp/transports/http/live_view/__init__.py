"""The page of the live views, over HTTP.

    app        serves the page alone, for servers on stdio and the shell
    endpoint   checks the key, and passes updates and input on
    page.html, view.css, view.js, input.js   what the person's browser loads

The views come from the package `live_view`, through the interface in `endpoint`.
"""

"""Where the time of an action goes: the commands that the server sends to the browser for it."""

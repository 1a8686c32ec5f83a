"""The recorded sessions."""

from __future__ import annotations

from scripts.reading.sessions.administration import DATASETTE, DJANGO, GRID
from scripts.reading.sessions.dashboards import GRADIO, STREAMLIT
from scripts.reading.sessions.notebooks import JUPYTERLAB, MONACO, TIDDLYWIKI
from scripts.reading.sessions.texts import WAGTAIL

SESSIONS = (
    DJANGO,
    DATASETTE,
    GRID,
    JUPYTERLAB,
    MONACO,
    TIDDLYWIKI,
    GRADIO,
    STREAMLIT,
    WAGTAIL,
)

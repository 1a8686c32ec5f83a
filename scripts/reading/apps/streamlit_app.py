"""A dashboard of Streamlit: filters, figures, a chart, a table and a form."""

from __future__ import annotations

import os
import sys

DASHBOARD = "STREAMLIT_SERVER_PORT"


def show() -> None:
    """Draw the dashboard, as `streamlit run` does at each change."""
    import pandas as pd
    import streamlit

    rows = pd.DataFrame(
        [
            {"city": city, "month": month, "visits": (n * 271 + month * 97) % 4000}
            for n, city in enumerate(("Porto", "Lyon", "Ghent", "Turin", "Graz", "Bergen"))
            for month in range(1, 13)
        ]
    )
    streamlit.title("Visits")
    city = streamlit.sidebar.selectbox("City", sorted(rows["city"].unique()))
    first, last = streamlit.sidebar.slider("Months", 1, 12, (1, 12))
    totals_only = streamlit.sidebar.checkbox("Totals only")
    chosen = rows[(rows["city"] == city) & rows["month"].between(first, last)]
    left, right = streamlit.columns(2)
    left.metric("Total visits", f"{int(chosen['visits'].sum()):,}")
    right.metric("Best month", int(chosen.loc[chosen["visits"].idxmax(), "month"]))
    if not totals_only:
        streamlit.bar_chart(chosen, x="month", y="visits")
        streamlit.dataframe(chosen, hide_index=True)
    with streamlit.form("note"), streamlit.container():
        note = streamlit.text_input("Note for the report")
        level = streamlit.radio("Urgency", ["low", "normal", "high"], horizontal=True)
        if streamlit.form_submit_button("Save note"):
            streamlit.success(f"Saved for {city}: {note} ({level})")


if __name__ == "__main__":
    if os.environ.get(DASHBOARD):
        show()
    else:
        os.environ[DASHBOARD] = sys.argv[1]
        flags = ["--server.headless=true", "--browser.gatherUsageStats=false"]
        flags += ["--server.address=127.0.0.1", "--server.fileWatcherType=none"]
        command = [sys.executable, "-m", "streamlit", "run", __file__, *flags]
        os.execv(sys.executable, command)

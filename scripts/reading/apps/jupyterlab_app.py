"""JupyterLab with one notebook and a table of sales."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

CELLS = (
    ("markdown", "# Sales of 2026\nThe table is `sales.csv`."),
    ("code", "import csv\nrows = list(csv.DictReader(open('sales.csv')))\nlen(rows)"),
    ("code", "total = sum(int(row['amount']) for row in rows)\ntotal"),
    ("code", "north = [row for row in rows if row['region'] == 'nort']\nlen(north)"),
)


def write_files() -> None:
    """Write the notebook and the table."""
    regions = ("north", "south", "east")
    lines = [f"{n},{regions[n % 3]},{n * 13 % 97}" for n in range(60)]
    Path("sales.csv").write_text("\n".join(["id,region,amount", *lines]) + "\n")
    code: dict[str, object] = {"outputs": [], "execution_count": None}
    cells = [
        {"cell_type": kind, "id": f"cell-{n}", "metadata": {}, "source": source}
        | (code if kind == "code" else {})
        for n, (kind, source) in enumerate(CELLS)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = {
        "cells": cells,
        "metadata": {"kernelspec": kernel},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    Path("sales.ipynb").write_text(json.dumps(notebook))


if __name__ == "__main__":
    write_files()
    home = Path.cwd() / ".home"
    os.environ |= {"HOME": str(home), "JUPYTER_RUNTIME_DIR": str(home / "runtime")}
    options = [f"--port={sys.argv[1]}", "--no-browser", "--allow-root", "--IdentityProvider.token="]
    options += [
        "--LabApp.news_url=",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]
    os.execv(sys.executable, [sys.executable, "-m", "jupyterlab", *options])

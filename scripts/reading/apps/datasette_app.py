"""Datasette with a database of 400 museums and their visits."""

from __future__ import annotations

import os
import sqlite3
import sys
from pathlib import Path

CITIES = ("Porto", "Lyon", "Ghent", "Turin", "Graz", "Bergen", "Split", "Cork")
KINDS = ("art", "history", "science", "maritime", "design")


def fill() -> None:
    """Create the tables; every value follows from its row's number."""
    with sqlite3.connect("museums.db") as database:
        database.executescript(
            "create table museums (id integer primary key, name text, city text, kind text,"
            " opened integer, website text);"
            "create table visits (id integer primary key, museum_id integer references museums(id),"
            " year integer, visitors integer);"
        )
        for n in range(1, 401):
            city, kind = CITIES[n % 8], KINDS[n * 3 % 5]
            name = f"{city} {kind} museum {n}"
            site = f"https://museums.example/{city.lower()}/{kind}/{n}?ref=catalogue"
            row = (n, name, city, kind, 1850 + n % 170, site)
            database.execute("insert into museums values (?, ?, ?, ?, ?, ?)", row)
            for year in (2023, 2024, 2025):
                visits = (n, year, n * 7919 % 90000 + year)
                database.execute(
                    "insert into visits (museum_id, year, visitors) values (?, ?, ?)", visits
                )


if __name__ == "__main__":
    fill()
    python = str(Path(sys.executable))
    options = ["--port", sys.argv[1], "--setting", "default_page_size", "50"]
    os.execv(python, [python, "-m", "datasette", "museums.db", *options])

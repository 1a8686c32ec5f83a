"""The protocol generator: its output, and its check of the committed files."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cdp_protocol.description import Description, Json
from scripts import generate_protocol
from scripts.generate_protocol import dump

ROOT = Path(generate_protocol.__file__).parents[1]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A copy of the files that the generator reads and writes."""
    generated = shutil.ignore_patterns("__pycache__", "benchmark", "demo*")
    for folder in ("scripts", "cdp_protocol"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=generated)
    return tmp_path


def run(clone: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, clone / "scripts" / "generate_protocol.py", *arguments],
        env={**os.environ, "PYTHONPATH": str(clone)},
        capture_output=True,
        text=True,
        check=False,
    )


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


def test_the_committed_files_are_fresh(clone: Path) -> None:
    result = run(clone, "--check")

    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize("file", ["domains.pyi", "types/page.py"])
def test_a_generated_file_edited_by_hand_is_stale(clone: Path, file: str) -> None:
    change(clone / "cdp_protocol" / file, "Page", "Pages")

    result = run(clone, "--check")

    assert result.returncode == 1
    assert f"cdp_protocol/{file} is stale" in result.stderr


def test_a_description_edited_by_hand_makes_the_files_stale(clone: Path) -> None:
    change(clone / "cdp_protocol" / "protocol.json", '"name": "navigate"', '"name": "go"')

    result = run(clone, "--check")

    assert result.returncode == 1
    assert "cdp_protocol/domains.pyi is stale" in result.stderr


def test_a_description_in_another_format_is_stale(clone: Path) -> None:
    file = clone / "cdp_protocol" / "protocol.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8"))), "utf-8")

    result = run(clone, "--check")

    assert result.returncode == 1
    assert result.stderr.startswith("cdp_protocol/protocol.json is stale")


def test_a_generator_edited_without_running_it_makes_the_files_stale(clone: Path) -> None:
    change(clone / "scripts" / "generate_protocol.py", '"number": "float"', '"number": "int"')

    result = run(clone, "--check")

    assert result.returncode == 1
    assert "cdp_protocol/domains.pyi is stale" in result.stderr


def test_a_missing_and_a_left_over_file_are_stale(clone: Path) -> None:
    types = clone / "cdp_protocol" / "types"
    (types / "page.py").rename(types / "pages.py")

    result = run(clone, "--check")

    assert "types/page.py is stale" in result.stderr
    assert "types/pages.py is stale" in result.stderr


def test_running_the_generator_updates_stale_files(clone: Path) -> None:
    shutil.rmtree(clone / "cdp_protocol" / "types")

    assert run(clone).returncode == 0
    assert run(clone, "--check").returncode == 0


def test_a_description_file_is_read_and_its_changes_are_reported(clone: Path) -> None:
    described = json.loads((clone / "cdp_protocol" / "protocol.json").read_text("utf-8"))
    page = next(domain for domain in described["domains"] if domain["domain"] == "Page")
    page["commands"].append({"name": "fold", "description": "Folds the page."})
    (clone / "new.json").write_text(json.dumps(described))

    options = ("--from-json", str(clone / "new.json"), "--revision", "next")
    checked = run(clone, "--check", *options)
    written = run(clone, *options)

    assert checked.returncode == 0
    assert "next against the committed Chrome/" in checked.stdout
    assert "new:     Page.fold" in checked.stdout
    assert written.returncode == 0
    assert "async def fold(" in (clone / "cdp_protocol" / "domains.pyi").read_text("utf-8")


@pytest.mark.parametrize("file", sorted((ROOT / "cdp_protocol" / "types").glob("*.py")))
def test_the_types_can_also_be_imported_at_run_time(file: Path) -> None:
    module = importlib.import_module(f"cdp_protocol.types.{file.stem}")

    assert module.__doc__


A: Json = {
    "domain": "A",
    "types": [{"id": "Tree", "type": "array", "items": {"$ref": "B.Leaf"}}],
    "commands": [{"name": "grow", "parameters": [{"name": "tree", "$ref": "Tree"}]}],
}
B: Json = {
    "domain": "B",
    "types": [
        {"id": "Leaf", "type": "object", "properties": [{"name": "c", "$ref": "C.Cell"}]},
        {"id": "Root", "type": "string"},
    ],
    "commands": [{"name": "wither"}],
}
C: Json = {"domain": "C", "types": [{"id": "Cell", "type": "integer"}]}


def test_a_description_lists_one_member_a_line_and_reads_back_the_same() -> None:
    written = dump(Description("r1", [C, B, A]))

    assert json.loads(written) == {"revision": "r1", "domains": [A, B, C]}
    assert sum(line.startswith('{"id": "Leaf"') for line in written.splitlines()) == 1


def test_a_domain_without_types_is_a_module_that_imports_nothing() -> None:
    files = generate_protocol.generate(Description("r1", [{"domain": "D", "commands": []}]))

    module = files[ROOT / "cdp_protocol" / "types" / "d.py"]
    assert module.endswith('"""\n\nfrom __future__ import annotations\n')


def test_files_without_a_description_are_refused(clone: Path) -> None:
    (clone / "other.json").write_text("{}")

    result = run(clone, "--from-json", str(clone / "other.json"), "--revision", "next")

    assert result.returncode == 1
    assert result.stderr.startswith("There is no description: ")


def test_a_browser_that_does_not_run_is_refused(clone: Path) -> None:
    result = run(clone, "--from", "127.0.0.1:1")

    assert result.returncode == 1
    assert result.stderr.startswith("There is no description: Cannot connect to a browser")


def test_a_member_that_python_cannot_name_is_refused() -> None:
    odd = {**A, "commands": [{"name": "import"}]}

    with pytest.raises(SystemExit, match="'import', which needs a rule"):
        generate_protocol.generate(Description("r1", [odd, B, C]))


def test_a_field_named_by_a_keyword_is_written_in_the_functional_form() -> None:
    spec = {"type": "object", "properties": [{"name": "not", "type": "string", "optional": True}]}

    text = generate_protocol.render_type("Rule", spec, "A")

    assert text.startswith('Rule = TypedDict(\n    "Rule",\n')
    assert '"not": "NotRequired[str]",' in text


@pytest.mark.parametrize(
    ("domain", "module"),
    [
        ("Page", "page"),
        ("DOM", "dom"),
        ("DOMDebugger", "dom_debugger"),
        ("IndexedDB", "indexed_db"),
    ],
)
def test_domains_become_modules(domain: str, module: str) -> None:
    assert generate_protocol.module_of(domain) == module

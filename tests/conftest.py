"""Fixtures and checks for every test: a browser, a site, a time limit, and a check at the end of
the run."""

from __future__ import annotations

import asyncio
import functools
import inspect
import os
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from tests.leftovers import describe_leftovers, end_processes
from tests.site import Site

RUN_DIRECTORY = pytest.StashKey[Path]()
DEFAULT_TIME_LIMIT = 30.0
TASK_GRACE = 2.0
PROVE = Path(__file__).parent / "prove"
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM_PATHS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)


# ---- the run: its temporary directory, and a check for left-overs


def pytest_configure(config: pytest.Config) -> None:
    """Give the run its own temporary directory, which shows what the run leaves behind; each worker
    has one inside it."""
    run_directory = _make_run_directory(config)
    os.environ["TMPDIR"] = str(run_directory)
    tempfile.tempdir = None
    # Servers keep no profiles, because no directory can be created below a file. So all that a run
    # makes is removed, and a test that keeps a profile chooses the directory.
    (run_directory / "no-cache").touch()
    os.environ["VIEWPOINT_MCP_CACHE_DIR"] = str(run_directory / "no-cache" / "cache")
    config.stash[RUN_DIRECTORY] = run_directory
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A shell starts a background job with SIGINT ignored. The spawned processes would inherit
        # that, and ignore Ctrl+C.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the same for a run below nohup
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
        # The tests spawn hundreds of servers. All of them share one directory of compiled modules.
        os.environ["PYTHONPYCACHEPREFIX"] = str(run_directory / "compiled")


def _make_run_directory(config: pytest.Config) -> Path:
    worker = _worker_name(config)
    if worker is None:
        return Path(tempfile.mkdtemp(prefix="vmt-")).resolve()
    directory = Path(os.environ["TMPDIR"], worker)
    directory.mkdir()
    return directory


def _worker_name(config: pytest.Config) -> str | None:
    """Return the name that pytest-xdist gave this process, or None for the process that controls
    the run."""
    worker_input = getattr(config, "workerinput", None)
    return None if worker_input is None else str(worker_input["workerid"])


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the run's temporary directory."""
    run_directory = config.stash.get(RUN_DIRECTORY, None)
    if run_directory is not None and _worker_name(config) is None:
        shutil.rmtree(run_directory, ignore_errors=True)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail the run if it left processes or profiles behind, and in CI if it skipped a test."""
    if _worker_name(session.config) is not None:
        return  # Only the process that controls the run checks all workers.
    run_directory = session.config.stash[RUN_DIRECTORY]
    if leftovers := describe_leftovers(run_directory):
        _fail_run(session, "left-overs", "The run left behind:\n" + "\n".join(leftovers))
        end_processes(run_directory)
    if skipped := _skipped_in_ci(session.config):
        _fail_run(session, "skips", "Nothing may be skipped in CI:\n" + "\n".join(skipped))


def _skipped_in_ci(config: pytest.Config) -> list[str]:
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if not os.environ.get("CI") or reporter is None:
        return []
    return [str(report.nodeid) for report in reporter.stats.get("skipped", [])]


def _fail_run(session: pytest.Session, name: str, text: str) -> None:
    """Report `text` as an error of the run, so that the closing line counts it."""
    report = pytest.TestReport(
        nodeid=name,
        location=("", None, name),
        keywords={},
        outcome="failed",
        longrepr=text,
        when="teardown",
    )
    session.config.hook.pytest_runtest_logreport(report=report)
    session.exitstatus = pytest.ExitCode.TESTS_FAILED


# ---- each test: a time limit, and no task left running


@pytest.hookimpl(tryfirst=True)  # before `-m` selects by marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests in tests/prove, and give each async test its time limit."""
    for item in items:
        if PROVE in item.path.parents:
            item.add_marker("prove")
        if isinstance(item, pytest.Function) and inspect.iscoroutinefunction(item.obj):
            marker = item.get_closest_marker("time_limit")
            item.obj = _limited(item.obj, marker.args[0] if marker else DEFAULT_TIME_LIMIT)


def _limited(
    test: Callable[..., Awaitable[None]], seconds: float
) -> Callable[..., Awaitable[None]]:
    @functools.wraps(test)
    async def limited(*args: object, **kwargs: object) -> None:
        try:
            async with asyncio.timeout(seconds) as limit:
                await test(*args, **kwargs)
        except TimeoutError as error:
            if not limit.expired():
                raise
            pytest.fail(f"The test took longer than {seconds:g} s: {error.__cause__!r}")

    return limited


@pytest.fixture(autouse=True)
async def no_task_left() -> AsyncIterator[None]:
    """Fail a test if a task outlives it and its fixtures."""
    before = asyncio.all_tasks()
    yield
    left = asyncio.all_tasks() - before - {asyncio.current_task()}
    if left:
        _, left = await asyncio.wait(left, timeout=TASK_GRACE)
    assert not left, f"Tasks outlive the test: {left}"


# ---- fixtures


@pytest.fixture(scope="session")
def chromium() -> str:
    """Return the path of the Chromium to test with."""
    named = [os.environ.get(name) for name in ("VIEWPOINT_MCP_EXECUTABLE", "CHROMIUM_PATH")]
    for candidate in (*named, *CHROMIUM_NAMES, *CHROMIUM_PATHS):
        if candidate and (path := shutil.which(candidate)):
            return path
    pytest.fail(
        "No Chromium found. Run `make setup`, or set VIEWPOINT_MCP_EXECUTABLE to its path.",
        pytrace=False,
    )


@pytest.fixture(scope="session")
def web_server() -> Iterator[HTTPServer]:
    """Serve on loopback for the whole run. Tests use `site`."""
    with HTTPServer(host="127.0.0.1", threaded=True) as server:
        yield server


@pytest.fixture
def site(web_server: HTTPServer) -> Iterator[Site]:
    """Return an empty site for this test."""
    web_server.clear()  # handlers of a module's fixture
    yield Site(web_server)
    web_server.clear()

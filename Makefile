# `make demo` and `make test` are each alone enough on a fresh machine.

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PYTEST := $(BIN)/pytest -q
# One worker more than cores, for tests of browsers wait as well; see docs/testing.md.
SIDE_BY_SIDE := -n $(shell echo $$(( $$(getconf _NPROCESSORS_ONLN) + 1 ))) --dist worksteal

# Each of the test workers would compile all modules otherwise.
unexport PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX := $(CURDIR)/$(VENV)/compiled

.DEFAULT_GOAL := help

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "%-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# ---- what most people want

setup: $(STAMP)  ## make .venv with the locked tools, and find or install Chromium
	@scripts/setup.sh chromium

demo: setup  ## play a short session against a bundled shop, and print the client configuration
	@$(BIN)/python scripts/demo.py

test: setup check  ## set up what is missing, then prove each tool, flag, transport and failure once: `make check`

prove: setup corpus suite  ## everything else, after `make test`: suites of others, matrices, platforms, repeated runs
	$(MAKE) types-elsewhere
	$(MAKE) site
	$(PYTEST) $(SIDE_BY_SIDE) -m "prove and not timing" tests
	$(PYTEST) -m "prove and timing" tests
	for run in 1 2 3; do $(PYTEST) -m "timing and not prove" tests || exit; done
	$(BIN)/python scripts/test_versions.py

# Reads the tree, changes nothing in it, needs no network after the first run. The tests come last: their line closes the run.
check: format-check lint prose types types-inpage layers size fresh tests  ## everything that must hold before a change lands

# ---- the parts of check

format-check: $(STAMP)  ## is everything formatted?
	$(BIN)/ruff format --check .

lint: $(STAMP)  ## lint
	$(BIN)/ruff check .

prose: $(STAMP)  ## no word that docs/glossary.md forbids, and no misspelling
	$(BIN)/python scripts/check_prose.py

types: $(STAMP)  ## mypy, strict
	$(BIN)/mypy

types-inpage: $(STAMP)  ## the scripts of inpage, by the TypeScript compiler; fetches it at the first run
	$(BIN)/python -m scripts.check_inpage

types-elsewhere: $(STAMP)  ## mypy, strict, as on macOS and Windows
	$(BIN)/mypy --platform darwin --no-warn-unreachable --cache-dir .mypy_cache/darwin viewpoint_mcp cdp_protocol
	$(BIN)/mypy --platform win32 --no-warn-unreachable --cache-dir .mypy_cache/win32 viewpoint_mcp cdp_protocol

layers: $(STAMP)  ## who may import whom
	$(BIN)/lint-imports --no-cache

size: $(STAMP)  ## no folder over 15 files, no file over 400 lines, no function over 40
	$(BIN)/python scripts/check_size.py

fresh: $(STAMP)  ## are the generated files what their generators write?
	$(BIN)/python scripts/generate_protocol.py --check
	$(BIN)/python scripts/generate_docs.py --check
	$(BIN)/python scripts/generate_devices.py --check

tests: $(STAMP)  ## the tests of `make test`: those that measure time alone, then the others side by side
	$(PYTEST) -m "timing and not prove" tests
	$(PYTEST) $(SIDE_BY_SIDE) -m "not prove and not timing" tests

cover: $(STAMP)  ## the tests of `make test`, with branch coverage
	$(PYTEST) $(SIDE_BY_SIDE) --cov --cov-report= -m "not prove and not timing" tests
	$(PYTEST) --cov --cov-append --cov-report=term -m "timing and not prove" tests

# ---- parts of the tests

test-for: $(STAMP)  ## what a change of FILES needs first: make test-for FILES="viewpoint_mcp/tools/browser/tabs.py"
	@$(BIN)/python scripts/test_for.py $(FILES)

test-unit: $(STAMP)  ## tests that need no browser
	$(BIN)/pytest tests/unit

test-replay: $(STAMP)  ## the replies of whole sessions at recorded browsers; no browser, seconds
	$(BIN)/pytest tests/replay

test-browser: $(STAMP)  ## tests on one real Chromium
	$(BIN)/pytest tests/browser

test-e2e: $(STAMP)  ## tests that call a server through MCP
	$(BIN)/pytest tests/e2e

fidelity: setup corpus  ## how far the snapshot agrees with Chrome's own tree; EVERY=1 tells each difference
	@$(BIN)/python -m tests.prove.fidelity $(if $(EVERY),--every) $(if $(ONLY),--only $(ONLY)) $(if $(WPT),--wpt $(WPT))

conformance: $(STAMP) suite  ## run the protocol's conformance suite, and tell of each scenario
	@$(BIN)/python -m tests.prove.conformance

clients: setup  ## have the clients that others wrote talk to the server; needs the network once
	@$(BIN)/python -m tests.prove.clients

fuzz: $(STAMP)  ## feed mutated messages to living servers; COUNT=1000 for fewer
	@$(BIN)/python -m tests.prove.fuzz $(COUNT)

# ---- what writes files

suite: $(STAMP)  ## fetch the conformance suite and pyright, and the Node that they need
	@$(BIN)/python scripts/npm.py tests/prove/conformance tests/prove/typing

corpus: $(STAMP)  ## fetch the packages whose HTML `make fidelity` and its test read
	@$(BIN)/python scripts/fetch_corpus.py

format: $(STAMP)  ## format and mend in place
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

protocol: $(STAMP)  ## generate the typed protocol facade; FROM=9222 takes what the browser there serves
	$(BIN)/python scripts/generate_protocol.py $(if $(FROM),--from $(FROM))

recordings: setup  ## record the sessions of tests/replay anew; ONLY=shop for one
	@$(BIN)/python -m tests.replay $(ONLY)

devices: $(STAMP)  ## generate the devices that can be emulated
	$(BIN)/python scripts/generate_devices.py

docs: setup  ## generate docs/tools.md and docs/flags.md; plays the examples of tools.md in a browser
	$(BIN)/python scripts/generate_docs.py --play

site: build/site-venv/.installed  ## build docs as a web site in build/site
	NO_MKDOCS_2_WARNING=1 build/site-venv/bin/mkdocs build --strict --quiet
	@echo "The site begins with build/site/index.html. Its search needs a web server:"
	@echo "python3 -m http.server 8001 --directory build/site"

build/site-venv/.installed: requirements-site.txt
	@scripts/setup.sh site

replies: setup  ## write the replies of the tool calls that docs shows
	UPDATE_DOCS=1 $(PYTEST) tests/e2e/documentation

bench: setup  ## measure the server
	$(BIN)/python scripts/bench.py

bench-client: setup  ## measure the CDP client beside others, which are installed for the run
	$(BIN)/python scripts/bench_client.py --peers

clean:  ## remove .venv, caches and reports
	rm -rf $(VENV) .corpus .npm build dist htmlcov .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(STAMP): requirements-dev.txt pyproject.toml scripts/setup.sh
	@scripts/setup.sh environment

.PHONY: test-for prove types-inpage types-elsewhere recordings test-replay help setup demo test check format-check lint prose types layers size fresh tests cover \
	test-unit test-browser test-e2e fidelity conformance clients fuzz suite corpus format protocol devices docs site replies bench bench-client clean
.NOTPARALLEL:

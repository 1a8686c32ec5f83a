# `make demo` and `make test` each work on a fresh machine.

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PYTEST := $(BIN)/pytest -q
# One worker more than cores, because tests of browsers also wait; see docs/testing.md.
SIDE_BY_SIDE := -n $(shell echo $$(( $$(getconf _NPROCESSORS_ONLN) + 1 ))) --dist worksteal
# Runs tests in parallel, and those that fail once more, alone; see docs/testing.md.
in_parallel = $(PYTEST) $(SIDE_BY_SIDE) $(1) || $(PYTEST) --last-failed --last-failed-no-failures none $(1)

# Otherwise each test worker would compile all modules.
unexport PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX := $(CURDIR)/$(VENV)/compiled

.DEFAULT_GOAL := help

help:  ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "%-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# ---- the most frequent targets

setup: $(STAMP)  ## Make .venv with the locked tools, and find or install Chromium
	@scripts/setup.sh chromium

demo: setup  ## Run a short session with a bundled shop, and print the client configuration
	@$(BIN)/python scripts/demo.py

test: setup check  ## Set up, then run `make check`: one test for each tool, flag, transport and kind of failure

prove: setup corpus suite  ## Run everything else, after `make test`: conformance and other suites, matrices, platforms, repeated runs
	@scripts/setup.sh shells
	$(MAKE) types-elsewhere
	$(MAKE) site
	$(call in_parallel,-m "prove and not timing" --ignore tests/prove/hostile tests)
	$(PYTEST) -m "prove and timing" tests
	for run in 1 2 3; do $(PYTEST) -m "timing and not prove" tests || exit; done
	$(BIN)/python scripts/test_versions.py

# Changes no file of the project, and needs no network after the first run. The tests run last, so their summary is the last line.
check: format-check lint prose types types-inpage layers size fresh tests  ## Run all checks and tests that a change must pass

# ---- the parts of check

format-check: $(STAMP)  ## Check the formatting
	$(BIN)/ruff format --check .

lint: $(STAMP)  ## Run the linter
	$(BIN)/ruff check .

prose: $(STAMP)  ## Find misspellings and the words that docs/glossary.md forbids
	$(BIN)/python scripts/check_prose.py

types: $(STAMP)  ## Check the types with mypy, strict
	$(BIN)/mypy

types-inpage: $(STAMP)  ## Check the in-page scripts with the TypeScript compiler, which the first run downloads
	$(BIN)/python -m scripts.check_inpage

types-elsewhere: $(STAMP)  ## Check the types with mypy as on macOS and Windows
	$(BIN)/mypy --platform darwin --no-warn-unreachable --cache-dir .mypy_cache/darwin viewpoint_mcp cdp_protocol
	$(BIN)/mypy --platform win32 --no-warn-unreachable --cache-dir .mypy_cache/win32 viewpoint_mcp cdp_protocol

layers: $(STAMP)  ## Check the permitted imports between layers
	$(BIN)/lint-imports --no-cache

size: $(STAMP)  ## Check the limits: 15 files in a folder, 400 lines in a file, 40 lines in a function
	$(BIN)/python scripts/check_size.py

fresh: $(STAMP)  ## Check that the generated files match their generators
	$(BIN)/python scripts/generate_protocol.py --check
	$(BIN)/python scripts/generate_docs.py --check
	$(BIN)/python scripts/generate_devices.py --check

tests: $(STAMP)  ## Run the tests of `make test`: first those that measure time, then the others in parallel
	$(PYTEST) -m "timing and not prove" tests
	$(call in_parallel,-m "not prove and not timing" tests)

cover: $(STAMP)  ## Run the tests of `make test` with branch coverage
	$(PYTEST) $(SIDE_BY_SIDE) --cov --cov-report= -m "not prove and not timing" tests
	$(PYTEST) --cov --cov-append --cov-report=term -m "timing and not prove" tests

# ---- parts of the tests

test-for: $(STAMP)  ## Run the tests to start with after a change of FILES: make test-for FILES="viewpoint_mcp/tools/browser/tabs.py"
	@$(BIN)/python scripts/test_for.py $(FILES)

test-unit: $(STAMP)  ## Run the tests that need no browser
	$(BIN)/pytest tests/unit

test-replay: $(STAMP)  ## Replay recorded sessions and compare the replies; needs no browser
	$(BIN)/pytest tests/replay

test-browser: $(STAMP)  ## Run the tests with one real Chromium
	$(BIN)/pytest tests/browser

test-e2e: $(STAMP)  ## Run the tests that call a server through MCP
	$(BIN)/pytest tests/e2e

fidelity: setup corpus  ## Measure the agreement of the snapshot with Chrome's own tree; EVERY=1 prints each difference
	@$(BIN)/python -m tests.prove.fidelity $(if $(EVERY),--every) $(if $(ONLY),--only $(ONLY)) $(if $(WPT),--wpt $(WPT))

conformance: $(STAMP) suite  ## Run the official conformance suite, and print the result of each scenario
	@$(BIN)/python -m tests.prove.conformance

dropin: $(STAMP) suite  ## Play a session on playwright-mcp and on the server with ten configurations; ONLY=cursor one of them
	@$(BIN)/python -m tests.prove.dropin $(ONLY)

clients: setup  ## Test the server with other MCP clients; needs the network once
	@$(BIN)/python -m tests.prove.clients

fuzz: $(STAMP)  ## Send mutated messages, tool arguments and hostile pages to running servers; COUNT=1000 sends fewer, ONLY=forgeries one part
	@$(BIN)/python -m tests.prove.fuzz $(COUNT) $(if $(ONLY),--only $(ONLY))

# ---- targets that write files

suite: $(STAMP)  ## Download the conformance suite, pyright, Playwright, playwright-mcp, the Node for them, the tool for bundles, and TodoMVC
	@$(BIN)/python scripts/npm.py tests/prove/conformance tests/prove/typing tests/prove/playwright tests/prove/dropin tests/prove/packages scripts/reading/todomvc

corpus: $(STAMP)  ## Download the packages whose HTML `make fidelity` and its test read
	@$(BIN)/python scripts/fetch_corpus.py

format: $(STAMP)  ## Format the code, and fix what the linter can fix
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

protocol: $(STAMP)  ## Generate the typed protocol facade; FROM=9222 reads the description of the browser at that port
	$(BIN)/python scripts/generate_protocol.py $(if $(FROM),--from $(FROM))

recordings: setup  ## Record the sessions of tests/replay again; ONLY=shop records one
	@$(BIN)/python -m tests.replay $(ONLY)

dist: $(STAMP)  ## Build and check the packages in dist: sdist, wheel, and the bundle for desktop clients
	@$(BIN)/python -m scripts.packages dist

devices: $(STAMP)  ## Generate the list of devices for emulation
	$(BIN)/python scripts/generate_devices.py

docs: setup  ## Generate docs/tools.md, docs/comparison.md and docs/flags.md; runs the examples of tools.md in a browser
	$(BIN)/python scripts/generate_docs.py --play

site: build/site-venv/.installed  ## Build docs as a web site in build/site
	NO_MKDOCS_2_WARNING=1 build/site-venv/bin/mkdocs build --strict --quiet
	@echo "The site begins with build/site/index.html. Its search needs a web server:"
	@echo "python3 -m http.server 8001 --directory build/site"

build/site-venv/.installed: requirements-site.txt
	@scripts/setup.sh site

replies: setup  ## Write the replies of the tool calls that docs shows
	UPDATE_DOCS=1 $(PYTEST) tests/e2e/documentation

bench: setup  ## Measure the server
	$(BIN)/python scripts/bench.py

bench-client: setup  ## Measure the CDP client and others, which are installed for the run
	$(BIN)/python scripts/bench_client.py --peers

hostile: setup  ## Attack a server with pages that loop, flood or are very large, one after the other; takes 20 minutes
	$(PYTEST) -o faulthandler_timeout=310 tests/prove/hostile

faults: setup  ## Kill, stop and starve the server and each process of the browser in each kind of call; takes 3 minutes
	$(PYTEST) $(SIDE_BY_SIDE) tests/prove/faults

timeline: setup  ## Print the commands of each action of the benchmark, and when each is sent and answered; ONLY=click some of them
	@$(BIN)/python -m scripts.timeline $(if $(ONLY),--only $(ONLY))

scale: setup  ## Measure 1 to 64 agents at once, beside the same work by bare protocol calls
	@$(BIN)/python -m scripts.scale

soak: setup  ## Repeat operations on one server for ten minutes, and report whether anything grows
	@$(BIN)/python -m scripts.soak $(if $(PLOT),--plot $(PLOT))

reading: setup  ## Replay tasks on real applications, and count what an agent reads; ONLY=gradio one of them, PEERS=DIR with peers
	@$(BIN)/python -m scripts.reading $(if $(ONLY),--only $(ONLY)) $(if $(PEERS),--peers $(PEERS)) $(if $(CONTESTANTS),--contestants $(CONTESTANTS))

todomvc: setup  ## Do one task on each application of TodoMVC; ONLY=vue one of them, PEERS=DIR with peers
	@$(BIN)/python -m scripts.reading --todomvc $(if $(ONLY),--only $(ONLY)) $(if $(PEERS),--peers $(PEERS)) $(if $(CONTESTANTS),--contestants $(CONTESTANTS))

clean:  ## Remove .venv, caches and reports
	rm -rf $(VENV) .corpus .npm build dist htmlcov .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(STAMP): requirements-dev.txt pyproject.toml scripts/setup.sh
	@scripts/setup.sh environment

.PHONY: test-for prove types-inpage types-elsewhere recordings test-replay help setup demo test check format-check lint prose types layers size fresh tests cover \
	test-unit test-browser test-e2e fidelity conformance dropin clients fuzz suite corpus format protocol dist devices docs site replies bench bench-client faults hostile timeline scale soak reading todomvc clean
.NOTPARALLEL:

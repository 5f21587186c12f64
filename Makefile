# pyplay: `make demo` shows it at work, `make test` runs what must hold. Both need Python 3.11 or newer and nothing else.
PYTHON ?= python3
# what ansible-core, Mitogen and pyinfra run on: the newest ansible-core wants a newer Python than pyplay
RIVALS_PYTHON ?= $(PYTHON)
VENV ?= .venv
BIN = $(VENV)/bin
DEMO = .demo
AGAIN = --last-failed --last-failed-no-failures none

.PHONY: demo test lint unit bench bench-full wheel clean

demo: $(VENV)/.installed
	$(BIN)/python examples/demo.py --dir $(DEMO)

test: lint unit

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright --pythonpath $(BIN)/python

unit: $(VENV)/.installed-dev
	# real hosts: one test after another, since some cut off or kill hosts that others need
	$(BIN)/python -m pytest -m lab || $(BIN)/python -m pytest -m lab $(AGAIN)
	# the others side by side; what fails so, on a busy machine, must pass alone
	$(BIN)/python -m pytest -m 'not lab' -n auto || $(BIN)/python -m pytest -m 'not lab' $(AGAIN)

bench: $(VENV)/.installed-bench
	$(BIN)/python benchmarks/run.py
	$(BIN)/python benchmarks/report.py

bench-full: $(VENV)/.installed-bench $(VENV)/.rivals
	$(BIN)/python benchmarks/run.py --ansible $(VENV)/ansible/bin --rivals $(VENV)/rivals/bin
	$(BIN)/python benchmarks/report.py

wheel: $(VENV)/.installed-dev
	$(BIN)/python -m pip wheel --no-deps -w dist .

clean:
	rm -rf $(VENV) $(DEMO) dist build

$(VENV)/.created:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "pyplay needs Python 3.11 or newer: make PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.installed: $(VENV)/.created pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/.installed-dev: $(VENV)/.created pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@ $(VENV)/.installed

$(VENV)/.installed-bench: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	touch $@

$(VENV)/.rivals: $(VENV)/.created
	$(RIVALS_PYTHON) -m venv $(VENV)/ansible
	$(VENV)/ansible/bin/python -m pip install --quiet --disable-pip-version-check ansible-core
	$(RIVALS_PYTHON) -m venv $(VENV)/rivals
	$(VENV)/rivals/bin/python -m pip install --quiet --disable-pip-version-check ansible-core mitogen pyinfra
	touch $@

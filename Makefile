# pyplay: `make demo` shows it at work, `make test` runs what must hold. Both need Python 3.11 or newer and nothing else.
PYTHON ?= python3
# what ansible-core, Mitogen and pyinfra run on: the newest ansible-core wants a newer Python than pyplay
RIVALS_PYTHON ?= $(PYTHON)
VENV ?= .venv
BIN = $(VENV)/bin
DEMO = .demo
PYTEST = $(BIN)/python -m pytest
OF_LAB = -o cache_dir=.pytest_cache/lab
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
	# Tests of real hosts run one after another, since some cut off or kill hosts that others need; the rest beside them,
	# on all cores. What fails so, on a busy machine, must pass alone.
	@$(PYTEST) -m lab $(OF_LAB) > $(VENV)/lab.log 2>&1 & lab=$$!; \
	$(PYTEST) -m 'not lab' -n auto --dist worksteal; others=$$?; wait $$lab; lab=$$?; cat $(VENV)/lab.log; \
	{ [ $$lab = 0 ] || $(PYTEST) -m lab $(OF_LAB) $(AGAIN); } && { [ $$others = 0 ] || $(PYTEST) -m 'not lab' $(AGAIN); }

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

# The course in a virtual environment of its own. `make help` lists what there is.
PYTHON  ?= python3
WORKERS ?= 2
VENV    := .venv
BIN     := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.DEFAULT_GOAL := help
.PHONY: help learn real test test-all coverage mutants notebooks site lint bench lock oldest newest new-exercise

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1	/p' $(MAKEFILE_LIST) | expand -t 14

learn: $(VENV)/lab ## set up, copy the notebooks into workspace/ and open JupyterLab there
	@test -e $(VENV)/real || echo "Notebook 14 runs your attention in real models. For that, \`make real\` adds transformers."
	$(BIN)/course-attention start workspace

real: $(VENV)/real ## add the library transformers, with which notebook 14 runs real models

# One pytest for everything. Each worker, and each kernel it starts, keeps to one thread: two workers, two cores.
# Many tests start a process. It reads what Python has compiled before, also where the machine forbids to keep that.
# tests/conftest.py says what stays on one worker, such as a notebook with its kernel, and what is started first.
PYTEST = PYTHONDONTWRITEBYTECODE= OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n $(WORKERS) --no-loadscope-reorder -ra --nbval

test: $(VENV)/dev ## set up, then run every test once; what has passed, only after a change that decides over it (FRESH=1: all)
	@tools/debian_packages.sh chromium:chromium bwrap:bubblewrap
	$(PYTEST) $(if $(FRESH),,--leave-out-passed) tests course_attention notebooks

test-all: $(VENV)/dev ## the same at many seeds, and with the notebooks solved and half wrong (CI, a release)
	@tools/debian_packages.sh chromium:chromium bwrap:bubblewrap
	$(PYTEST) --exhaustive tests course_attention notebooks

coverage: $(VENV)/dev ## test-all, and which share of each room's lines and branches it ran; less than 95 % of the lines fails
	@tools/debian_packages.sh chromium:chromium bwrap:bubblewrap
	rm -rf .cache/coverage && mkdir -p .cache/coverage
	$(subst -m pytest,-m coverage run -m pytest,$(PYTEST)) --exhaustive tests course_attention notebooks
	$(BIN)/python tools/coverage_by_room.py

oldest: $(VENV)/dev ## the tests that call libraries, with the lowest versions that pyproject.toml admits
	$(BIN)/python tools/at_bounds.py oldest $(ARGS)

newest: $(VENV)/dev ## the same with the newest versions that there are
	$(BIN)/python tools/at_bounds.py newest $(ARGS)

mutants: $(VENV)/dev ## change right answers mechanically and count what the judge lets pass (NAMES="softmax …" for some)
	nice -n 5 env OMP_NUM_THREADS=1 $(BIN)/python -m tests.mutants --workers $(WORKERS) $(ARGS) $(NAMES)

notebooks: $(VENV)/dev ## execute the notebooks, save them in canonical form and count their time (NAMES="01 02" for some)
	$(BIN)/python tools/notebooks.py $(NAMES)
	$(BIN)/python tools/study_time.py

# No notebook is executed: they carry their outputs. The judge makes the cards; each of its two workers keeps to one thread.
SITE = OMP_NUM_THREADS=1 PYTHONPATH=site:. $(BIN)/python

site: $(VENV)/site ## the lessons, a page for each misconception and the museum, as a web site in site/_build/html
	$(SITE) -m course_site.stage site/_build/source
	$(SITE) -m sphinx --fail-on-warning --quiet -j $(WORKERS) -c site -d site/_build/doctrees site/_build/source site/_build/html
	@echo "The site is in site/_build/html/index.html"

lint: $(VENV)/lint ## ruff, on the notebooks too, mypy, the imports between rooms, and the notebooks' form; needs no torch
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python tools/notebooks.py --check

new-exercise: $(VENV)/lint ## start an exercise: make new-exercise NAME=cosine_scores TOPIC=attention
	@$(BIN)/python tools/new_exercise.py "$(NAME)" "$(TOPIC)"

bench: $(VENV)/dev ## figures of speed and memory, a file of benchmarks/ after another; kept in benchmarks/measured/
	@for one in $(sort $(wildcard benchmarks/*.py)); do echo; $(BIN)/python tools/keep_benchmark.py $$one || exit 1; done

# Universal: one file for Linux, macOS and Windows. UPGRADE=--upgrade takes the newest that tools/held_back.txt allows.
lock: $(VENV)/dev ## write requirements.lock again; versions in it stay where the ranges allow
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-annotate --custom-compile-command "make lock" \
		--extra lab --extra real --extra instructor --extra cluster --extra site --extra dev \
		--constraint tools/held_back.txt $(UPGRADE) \
		pyproject.toml -o requirements.lock

# The stamps: installing happens again only when what is to be installed has changed.
$(VENV)/lab: pyproject.toml requirements.lock | $(BIN)/python
	@$(BIN)/python tools/install.py lab
	@touch $@

$(VENV)/real: pyproject.toml requirements.lock | $(BIN)/python
	@$(BIN)/python tools/install.py lab,real
	@touch $@ $(VENV)/lab

$(VENV)/dev: pyproject.toml requirements.lock | $(BIN)/python
	@$(BIN)/python tools/install.py lab,real,instructor,cluster,site,dev
	@touch $@ $(VENV)/lab $(VENV)/real $(VENV)/site $(VENV)/lint

$(VENV)/site: pyproject.toml requirements.lock | $(BIN)/python
	@$(BIN)/python tools/install.py site
	@touch $@

# Only what reads the source, and the small libraries whose types mypy needs: torch is Any to it.
$(VENV)/lint: requirements.lock | $(BIN)/python
	$(BIN)/python -m pip install --quiet -c requirements.lock ruff mypy import-linter nbformat numpy pillow jaxtyping filelock jinja2
	@touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "The course needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -V 2>&1)." \
			"Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@tools/debian_packages.sh $(PYTHON):python3-venv
	@echo "Setting up the course in $(VENV). This takes half a minute or more the first time, by your network, and a second from then on."
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

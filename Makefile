# Works on a machine with Python 3.11 or newer, pip and make; everything else goes into .venv here.
#   make PYTHON=/path/to/python3.12 test    uses that interpreter for a new .venv
#   make test ARGS='-k packaging'           passes arguments on to pytest
#   make test WORKERS=8                     tests with eight processes; 0 is one after another

VENV := .venv
PY := $(VENV)/bin/python
CREATED := $(VENV)/.created
INSTALLED := $(VENV)/.installed
ENGINES := $(VENV)/.engines
PYTHON ?=
ARGS ?=
WORKERS ?= 2
# where Python keeps no compiled files by itself, each of the tests' many processes would compile
COMPILE = $(PY) -m compileall -qq rulespec checker
# a round of the Star's example log with a seeded fault; examples/make_logs.py names it
EXPLAINED := $(shell cat examples/explained-round.txt 2>/dev/null)

.DEFAULT_GOAL := help
.PHONY: help demo serve pictures test slow lint check-all bench mutate mutated edits million docs example-logs clean always

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

demo: $(INSTALLED) ## check the rulebooks, replay the logs, explain a round, diff an amendment
	$(call show,check)
	$(call show,coverage)
	$(call show,replay examples/*.jsonl.gz --limit 5)
	$(call show,explain examples/nsw-star-pontoon.jsonl.gz --round $(EXPLAINED))
	$(call show,diff nsw-star-pontoon examples/amendments/star-bands.rules)

	@echo; echo "To look at these logs in a browser: make serve"

serve: $(INSTALLED) ## open the workbench in a browser, on the shipped logs
	@mkdir -p $(VENV)/audit && cp -r examples/*.jsonl.gz examples/amendments $(VENV)/audit/
	$(PY) -m rulespec serve $(VENV)/audit $(ARGS)

pictures: $(INSTALLED) ## make the pictures of the docs again (needs Chromium)
	$(PY) docs/make_pictures.py

test: $(INSTALLED) $(ENGINES) ## run the tests
	@$(COMPILE)
	$(PY) -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

slow: $(INSTALLED) $(ENGINES) ## slow: all of what `make test` tries a sample of
	@$(COMPILE)
	RULESPEC_SLOW=1 $(PY) -m pytest -n $(WORKERS) --dist worksteal -m slow $(ARGS)

lint: $(INSTALLED) ## ruff and mypy
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy

check-all: test lint ## test and lint, as .ci/run does

mutate: $(INSTALLED) ## slow: which rules could be lost without any scenario noticing?
	$(PY) -m rulespec coverage --mutate

mutated: ROUNDS ?= 10000000
mutated: $(INSTALLED) $(ENGINES) ## slow: mutated rounds through both engines (ROUNDS=…)
	$(PY) benchmarks/mutated_rounds.py $(ROUNDS)

edits: EDITS ?= 200
edits: SEED ?= 1
edits: $(INSTALLED) ## slow: random edits of the rulebooks, diff against the evaluator (EDITS=… SEED=…)
	$(PY) benchmarks/random_edits.py $(EDITS) $(SEED)

million: ROUNDS ?= 1000000
million: $(INSTALLED) ## slow: a million simulated rounds, lawful and with faults (ROUNDS=…)
	$(PY) benchmarks/million_rounds.py $(ROUNDS)

docs: $(INSTALLED) ## write the pages that are made from the code
	$(PY) -c "from rulespec.load.games import shipped_games; \
	  from rulespec.tree.vocabulary_page import vocabulary_page; \
	  print(vocabulary_page(shipped_games()), end='')" > docs/vocabulary.md
	$(PY) -c "from checker.prove.cover import proofs_page; print(proofs_page(), end='')" \
	  > docs/proofs.md
	$(PY) -c "from rulespec.base.codes import codes_page; print(codes_page(), end='')" \
	  > docs/diagnostics/index.md

example-logs: $(INSTALLED) ## make the logs in examples/ again
	$(PY) examples/make_logs.py

bench: $(INSTALLED) $(ENGINES) ## run every benchmarks/bench_*.py
	@$(PY) -m pip install -qq --disable-pip-version-check -e '.[bench]' \
	|| echo "make bench: some peers could not be installed; they are left out" >&2
	@set -- benchmarks/bench_*.py; \
	if [ ! -e "$$1" ]; then echo "make bench: there is no benchmarks/bench_*.py" >&2; exit 1; fi; \
	for script in "$$@"; do echo "== $$script"; $(PY) "$$script" || exit $$?; done

clean: ## remove all that make and the tools created, .venv too
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Run one rulespec command for the demo. Findings (1) and undecided (3) are results worth showing,
# not failures; any other status stops the demo.
define show
	@printf '\n$$ rulespec %s\n' '$(1)'; \
	$(PY) -m rulespec $(1); status=$$?; \
	echo "(exit status $$status)"; \
	case $$status in 0|1|3) ;; *) exit $$status ;; esac
endef

# Installed again whenever pyproject.toml, and so perhaps a dependency, changes.
$(INSTALLED): pyproject.toml $(CREATED)
	@echo "installing rulespec and its tools into $(VENV) ..." >&2
	@$(PY) -m pip install -qq --disable-pip-version-check -e '.[dev]'
	@$(COMPILE)
	@touch $@

# What the columnar engine, Parquet and Spark need. Where one of them cannot be had, its tests are
# skipped and say so.
$(ENGINES): $(INSTALLED)
	@echo "installing what the other engines need into $(VENV) ..." >&2
	@for extra in fast parquet spark; do \
	  $(PY) -m pip install -qq --disable-pip-version-check -e ".[$$extra]" \
	  || echo "rulespec[$$extra] cannot be installed here; its tests are skipped" >&2; \
	done
	@touch $@

# A virtual environment that has pip. Debian and Ubuntu ship Python without ensurepip; then
# virtualenv serves, or an environment without pip that the pip outside fills. Made again when its
# interpreter is gone, as after an upgrade of the system.
$(CREATED): $(shell test -x $(PY) || echo always)
	@found=; \
	for python in $(PYTHON) $(if $(PYTHON),,python3 python3.14 python3.13 python3.12 python3.11 python); do \
	  if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
	  then found=$$python; break; fi; \
	done; \
	if [ -z "$$found" ]; then \
	  echo "rulespec needs Python 3.11 or newer, and $(or $(PYTHON),python3) is" \
	    "$$({ $(or $(PYTHON),python3) --version || echo 'not there'; } 2>/dev/null)." >&2; \
	  echo "Install a newer Python, or name one: make PYTHON=/path/to/python3.12 test" >&2; \
	  exit 1; \
	fi; \
	echo "creating $(VENV) with $$found ($$("$$found" --version 2>&1)) ..." >&2; \
	"$$found" -m venv --clear $(VENV) >/dev/null 2>&1 \
	|| "$$found" -m virtualenv --quiet --clear $(VENV) 2>/dev/null \
	|| { "$$found" -m venv --clear --without-pip $(VENV) \
	     && "$$found" -m pip --python $(PY) install -qq --disable-pip-version-check pip; } \
	|| { rm -rf $(VENV); \
	     echo "$$found can make no virtual environment with pip." >&2; \
	     echo "On Debian or Ubuntu: apt install python3-venv (or: pip install virtualenv)" >&2; \
	     exit 1; }
	@touch $@

always:

# The two commands for everybody: make serve, make test. For developers: make check, make fix, make lock.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PACKAGES := engine protocol bots server
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
LOCKS := requirements.lock requirements-dev.lock

.PHONY: serve test test-python test-web web-budget kill-cycles cluster-cycles walk verify-matches simulate fuzz kernel-proof bot-speed expert-tables ladder soak check fix lock dev tools clean

serve: $(VENV)/.runtime
	$(BIN)/doublesix serve $(ARGS)

test: test-web test-python

# Whole files to each worker: what a file's tests share (a server, a browser, a Redis) starts once. One worker more than
# there are processors: much of the time is spent waiting for a page, a lease, another process.
test-python: $(VENV)/.dev tools
	$(BIN)/pytest --numprocesses=$$($(BIN)/python -c 'import os; print(os.cpu_count() + 1)') --dist=loadfile --no-loadscope-reorder

test-web: tools
	node --test tests/web/*.test.mjs

# What a page costs: sizes, counts and times of the browser client beside their budgets.
web-budget: $(VENV)/.dev tools
	$(BIN)/python -m tests.browser.budget

# A server that is killed and started again so many times under load, and what was lost by it.
kill-cycles: CYCLES ?= 100
kill-cycles: DURABILITY ?= process
kill-cycles: $(VENV)/.dev
	$(BIN)/python -m tests.load.kill_cycles --cycles $(CYCLES) --durability $(DURABILITY) $(ARGS)

# Three nodes behind nginx, killed, frozen, drained, and Redis killed, so many times under load: what was lost by it, and
# for how long rooms stood still.
cluster-cycles: KILLS ?= 100
cluster-cycles: FREEZES ?= 30
cluster-cycles: REDIS_RESTARTS ?= 20
cluster-cycles: DRAINS ?= 12
cluster-cycles: $(VENV)/.dev tools
	$(BIN)/python -m tests.cluster.cycles --kills $(KILLS) --freezes $(FREEZES) --redis-restarts $(REDIS_RESTARTS) --drains $(DRAINS) $(ARGS)

# A random walk of act, undo, redo, restart, reconnect and server restart, held to the acts that count after each step.
walk: STEPS ?= 100000
walk: SEED ?= 1
walk: $(VENV)/.dev
	$(BIN)/python -m tests.server.walk $(STEPS) $(SEED)

# So many matches, played by bots and people with take-backs and everything else, and their records verified twice.
verify-matches: MATCHES ?= 1000
verify-matches: FIRST ?= 0
verify-matches: $(VENV)/.dev
	$(BIN)/python -m tests.server.verify_matches $(MATCHES) $(FIRST)

# Node, a browser, Redis and nginx: installed where that is possible, named plainly where they are not.
tools:
	@tests/require_tools.sh

# The whole server in one virtual loop, with everything going wrong, under so many seeds from FIRST on.
simulate: SEEDS ?= 1000
simulate: FIRST ?= 0
simulate: $(VENV)/.dev
	$(BIN)/python -m tests.simulation --seeds $(SEEDS) --first $(FIRST) $(ARGS)

# Frames in every phase of a match, most of them valid messages with one thing changed.
fuzz: FRAMES ?= 100000
fuzz: SEED ?= 1
fuzz: $(VENV)/.dev
	$(BIN)/python -m tests.fuzz --frames $(FRAMES) --seed $(SEED) $(ARGS)

# The kernel of the bots beside the engine: so many steps in all, shared evenly by all games and numbers of seats.
kernel-proof: STEPS ?= 5000000
kernel-proof: SEED ?= 1
kernel-proof: $(VENV)/.dev
	$(BIN)/python -m tests.bots.kernel.proof --steps $(STEPS) --seed $(SEED)

# What the parts of the bots do in a second of processor time.
bot-speed: $(VENV)/.dev
	$(BIN)/python -m tests.bots.speed

# Each level of the bots against the one below, in every game and number of seats: hours, and it goes on where it was.
ladder: LOGS ?= ladder
ladder: MATCHES ?= 200
ladder: $(VENV)/.dev
	$(BIN)/python -m bots.arena --logs $(LOGS) --matches $(MATCHES) $(ARGS)

# How late the event loop is while bots that search sit at many tables, and how many of their choices come too late.
expert-tables: $(VENV)/.dev
	$(BIN)/python -m tests.bots.tables_of_experts $(ARGS)

# Connections that end at every moment and short matches: has anything grown? And is a seat that does not read in the way?
soak: CYCLES ?= 20000
soak: MATCHES ?= 5000
soak: $(VENV)/.dev
	$(BIN)/python -m tests.limits.soak --cycles $(CYCLES) --matches $(MATCHES)
	$(BIN)/python -m tests.limits.slow_reader

check: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy $(PACKAGES) tests
	$(BIN)/lint-imports
	@! grep -nE '://|^ *-(i|f|-index-url|-extra-index-url|-find-links)\b' $(LOCKS) || { echo 'an address in a lock file' >&2; exit 1; }

fix: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Renews every pinned version. For one of them: make lock ARGS="--upgrade-package NAME".
lock: ARGS ?= --upgrade
lock: COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header $(ARGS)
lock: $(VENV)/.dev
	$(COMPILE) --extra build pyproject.toml --output-file requirements.lock
	$(COMPILE) --all-extras pyproject.toml --output-file requirements-dev.lock

dev: $(VENV)/.dev

# The stamps carry the time of the last install, so a changed lock or pyproject.toml brings the environment up to date.
$(VENV)/.runtime: requirements.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install --require-hashes -r requirements.lock
	$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.runtime
	$(PIP) install --require-hashes -r requirements-dev.lock
	@touch $@

clean:
	rm -rf $(VENV) dist build .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

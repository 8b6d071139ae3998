# `make help` lists the targets; README.md says the two that matter.
.DEFAULT_GOAL := help
PREFIX ?= /usr/local
export PREFIX DESTDIR
.PHONY: help setup compare test quick affected slowest torture check nightly lint contracts audit cases apple-code operations recordings clients pages screenshots schemas fuzz docs site bench install uninstall dist dist-test fresh-test workflows

help: ## This list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 20

setup: ## Install the system libraries that are missing (apt)
	@.ci/setup

compare: setup ## Drive the same journeys through the three providers and print what differs
	@.ci/swift build --product lockstep >&2
	@"$$(.ci/swift build --show-bin-path)/lockstep" compare $(ARGS)

test: setup ## Each contract in its provider's first variant, and every test that is fast
	@.ci/test

quick: setup ## Core, models, wire and stores, without an emulator, in a build of their own (ARGS='--filter SharedRefreshTests')
	@.ci/quick $(ARGS)

affected: setup ## What the change concerns: its target's own tests, a provider's contracts in the first variant (ARGS=main)
	@.ci/affected $(ARGS)

slowest: setup ## The 50 slowest tests and targets by processor time (ARGS='--filter LockstepTests')
	@.ci/slowest $(ARGS)

torture: setup ## Kills, races and starves it in large numbers (ARGS='--count 100 session')
	@.ci/swift build -c release --product lockstep-worker >&2
	@.ci/swift build -c release --product lockstep-lab >&2
	@"$$(.ci/swift build -c release --show-bin-path)/lockstep-lab" torture $(ARGS)

lint: setup ## Format and house rules
	@.ci/lint

workflows: ## Check .github/workflows with actionlint, which it installs into .build if there is none
	@.ci/workflows

check: lint workflows ## What CI runs: lint, the tests, and the packages outside if a file that they read has changed
	@.ci/test others contracts processes timed changed-packages

nightly: setup ## What CI leaves out: the other variants, the packages in any case, the audit
	@.ci/test variants packages
	@$(MAKE) audit

contracts: setup ## The contract suite on the three emulators (ARGS='--provider gotrue')
	@.ci/swift build --product lockstep >&2
	@"$$(.ci/swift build --show-bin-path)/lockstep" contracts $(ARGS)

audit: setup ## Before a release: each mutant on each provider, and the statements of the contracts that no fault breaks (ARGS='session.token')
	@.ci/swift build --build-tests >&2
	@LOCKSTEP_TEST_SCOPE=audit swift test --skip-build --filter 'ProviderContractTests.*ContractTests/notices'
	@.ci/swift build -c release --product lockstep-lab >&2
	@"$$(.ci/swift build -c release --show-bin-path)/lockstep-lab" audit $(ARGS)

cases: setup ## The requirements of moves, and the tests of each; status 1 at a gap that is not declared
	@.ci/swift build --product lockstep-lab >&2
	@"$$(.ci/swift build --show-bin-path)/lockstep-lab" cases

apple-code: ## The code that only Apple systems compile: files, lines, conditions, doubles
	@awk '/<!-- apple code -->/ { inside = !inside; next } inside && NF' docs/apple.md

operations: setup ## The operations of Clerk's documents: built, partly, refused by name (lists: Tests/Fixtures/Clerk/operations.py)
	@.ci/swift build --product lockstep-lab >&2
	@"$$(.ci/swift build --show-bin-path)/lockstep-lab" operations

recordings: setup ## Have the recorded conversations again with the emulators (ARGS='--provider gotrue --area verify')
	@.ci/swift build --product lockstep-lab >&2
	@"$$(.ci/swift build --show-bin-path)/lockstep-lab" recordings $(ARGS)

clients: setup ## Drive the vendors' own clients against the emulators, each installed into a folder that is removed (ARGS='firebase links')
	@.ci/swift build --product lockstep >&2
	@Tests/Clients/run "$$(.ci/swift build --show-bin-path)/lockstep" $(ARGS)

pages: setup ## Open every page of the dashboard in Chromium, which it installs: with and without scripts, hostile values, axe (ARGS='axe')
	@.ci/chromium
	@.ci/swift build --product lockstep >&2
	@Tests/Clients/run "$$(.ci/swift build --show-bin-path)/lockstep" dashboard $(ARGS)

screenshots: setup ## Make the pictures of README and docs with Chromium, the animated one, and every page in both schemes and widths in .build/screenshots
	@.ci/chromium
	@.ci/swift build --product lockstep >&2
	@Tests/Clients/screenshots "$$(.ci/swift build --show-bin-path)/lockstep"
	@Tests/Clients/animation "$$(.ci/swift build --show-bin-path)/lockstep" docs/pictures/tour.svg

schemas: setup ## Hold the control API to docs/control.openapi.json, and Clerk's emulator to Clerk's documents (ARGS='control gotrue')
	@.ci/swift build --product lockstep >&2
	@.ci/swift build --product lockstep-lab >&2
	@Tests/Clients/schemas "$$(.ci/swift build --show-bin-path)/lockstep" $(ARGS)

fuzz: setup ## Send the emulators what no client would send; --readers: answer the adapters as no backend would (ARGS='--provider gotrue --seconds 600')
	@.ci/swift build --product lockstep-lab >&2
	@"$$(.ci/swift build --show-bin-path)/lockstep-lab" fuzz $(ARGS)

docs: setup ## The DocC pages, into .build/docs; status 1 where a module or a link is missing
	@.ci/docs

site: setup ## The pages of docs, DocC's, and the report of a real comparison as a site in .build/site/html (ARGS=/lockstep: its place on a server)
	@.ci/swift build --product lockstep >&2
	@.ci/site "$$(.ci/swift build --show-bin-path)/lockstep" $(ARGS)

bench: setup ## Figures, in release, as ratios of one run
	@.ci/bench

install: setup ## Build in release, and install program, manual page, completions and schemas (PREFIX=/usr/local DESTDIR=)
	@.ci/swift build -c release --product lockstep >&2
	@.ci/install install "$$(.ci/swift build -c release --show-bin-path)/lockstep"

uninstall: ## Remove what `make install` has put there (the same PREFIX and DESTDIR)
	@.ci/install uninstall

dist: setup ## A release: a stripped program with the static standard library as tar.gz and .deb, with sums, in .build/dist
	@.ci/dist

dist-test: dist ## Install the .deb in a bare Debian without Swift, and run the command there as an ordinary user (needs root)
	@.ci/dist-test

fresh-test: ## Run `make compare` and `make test` in a bare Debian, as root and as an ordinary user (needs root, ARGS=compare)
	@.ci/fresh-test $(ARGS)

# SPDX-License-Identifier: Apache-2.0
# The front door.  `make run` and `make test` need a Debian machine with make and a C
# compiler; tools/setup installs the rest, or nothing with CLEAVE_SETUP=0.  Everything is built
# by CMake in build/.

BUILD ?= build
PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
# Some tests use two threads or ranks each: more at a time only on request.
TEST_JOBS ?= $(if $(filter 1,$(JOBS)),1,2)
FUZZ_SECONDS ?= 120
CMAKE_FLAGS ?=

# Configuring again costs half a second, rebuilds nothing, and notices new packages.
configure = cmake -S . -B $(BUILD) --log-level=WARNING $(CMAKE_FLAGS)
# Without our MAKEFLAGS: the number of jobs is given, directories need no announcement.
compile = env -u MAKEFLAGS -u MAKELEVEL cmake --build $(BUILD) --parallel $(JOBS)
ctest = cd $(BUILD) && ctest -j$(TEST_JOBS) --output-on-failure --no-tests=error

.PHONY: all run test test-full check fuzz campaign bench format tidy install uninstall deb deb-test \
    bare-test clean help

all: ## build the library and the program
	@tools/setup build
	@$(configure)
	@$(compile)

run: ## build, then cut a mesh and a DAG into parts and judge them
	@tools/setup run
	@$(configure)
	@$(compile) --target cleave_cli
	@tools/demo $(BUILD)

test: ## build and run every test that is quick enough to run always
	@tools/setup test
	@$(configure)
	@$(compile)
	@$(ctest) -LE long

test-full: ## the same and the long ones
	@tools/setup test
	@$(configure)
	@$(compile)
	@$(ctest)

check: ## layers, symbols, format, header, install and documentation only
	@tools/setup check
	@$(configure)
	@$(compile)
	@$(ctest) -L check

tidy: ## clang-tidy over the library and the program
	@tools/setup check
	@$(configure)
	@tools/tidy $(BUILD)

fuzz: ## every fuzz target for FUZZ_SECONDS (120) each
	@tools/setup fuzz
	@tools/fuzz $(FUZZ_SECONDS)

campaign: ## random instances, processes, failing allocations, kills, every fuzz target
	@tools/setup fuzz
	@$(configure)
	@$(compile) --target cleave_cli campaign_instances failing_malloc
	@tools/campaign --build $(BUILD)

bench: all ## measure; see bench/run
	@tools/setup test
	@bench/run $(BENCH)

format: ## clang-format all sources in place
	@tools/setup check
	@tools/check-format --fix

install: all ## into PREFIX (/usr/local), below DESTDIR when set
	@cmake --install $(BUILD) --prefix $(PREFIX)
	@cp $(BUILD)/install_manifest.txt $(BUILD)/installed.txt

uninstall: ## remove what the last `make install` put there, below DESTDIR when set
	@cmake -DMANIFEST=$(BUILD)/installed.txt -P cmake/uninstall.cmake

deb: ## Debian packages in build/deb
	@tools/setup deb
	@JOBS=$(JOBS) tools/deb $(BUILD)

deb-test: ## and try them in a clean root (as root)
	@tools/setup deb
	@JOBS=$(JOBS) tools/deb-test $(BUILD)

bare-test: ## make run and make test in a clean root with one CPU (as root)
	@tools/setup root
	@tools/bare-test

clean: ## remove what was built
	@rm -rf $(BUILD) build-dev build-asan build-tsan build-release build-fuzz build-clang

help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

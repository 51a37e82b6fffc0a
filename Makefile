# SPDX-License-Identifier: Apache-2.0
# Front end of CMake, which builds everything in build/.  `make run` and `make test` need a Debian
# machine with make and a C compiler; tools/setup installs the other packages, unless
# CLEAVE_SETUP=0.

BUILD ?= build
PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
# Some tests use two threads or ranks each: more tests run in parallel only on request.
TEST_JOBS ?= $(if $(filter 1,$(JOBS)),1,2)
FUZZ_SECONDS ?= 120
CMAKE_FLAGS ?=

# Configuring again takes half a second, rebuilds nothing, and detects new packages.
configure = cmake -S . -B $(BUILD) --log-level=WARNING $(CMAKE_FLAGS)
# Without MAKEFLAGS: the number of jobs is given, and directories are not printed.
compile = env -u MAKEFLAGS -u MAKELEVEL cmake --build $(BUILD) --parallel $(JOBS)
ctest = cd $(BUILD) && ctest -j$(TEST_JOBS) --output-on-failure --no-tests=error

.PHONY: all run test test-full check fuzz campaign bench format tidy install uninstall deb deb-test \
    bare-test clean help

all: ## build the library and the program
	@tools/setup build
	@$(configure)
	@$(compile)

run: ## build, then partition a mesh and a DAG and evaluate the results
	@tools/setup run
	@$(configure)
	@$(compile) --target cleave_cli
	@tools/demo $(BUILD)

test: ## build and run all tests but the long ones
	@tools/setup test
	@$(configure)
	@$(compile)
	@$(ctest) -LE long

test-full: ## build and run all tests
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

bench: all ## run benchmarks; see bench/run
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

deb-test: ## install and test the packages in a clean root (as root)
	@tools/setup deb
	@JOBS=$(JOBS) tools/deb-test $(BUILD)

bare-test: ## make run and make test in a clean root with one CPU (as root)
	@tools/setup root
	@tools/bare-test

clean: ## remove the build directories
	@rm -rf $(BUILD) build-dev build-asan build-tsan build-release build-fuzz build-clang

help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

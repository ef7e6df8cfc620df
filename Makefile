# A menu: the work is done by CMake presets and by the scripts in cmake/scripts.
PREFIX ?= /usr/local
programs = cmake --preset release && cmake --build --preset release --target odsgd odsgd-prep

.DEFAULT_GOAL := all
.NOTPARALLEL: # deps before all; Ninja below uses every core
.PHONY: all deps test demo bench experiments format tidy asan tsan cuda install clean help

all: ## build everything into build/release (the default)
	cmake --preset release
	cmake --build --preset release

deps: ## install the Debian packages that are missing, or list them
	cmake/scripts/deps.sh

test: deps all ## install what is missing, build, run all tests
	ctest --preset release

demo: deps ## train LeNet on Fashion-MNIST: 1 server, 4 workers, OD-SGD
	$(programs)
	cmake/scripts/demo.sh

bench: deps ## measure the speed of the parts on this machine
	cmake --preset release
	cmake --build --preset release --target bench

experiments: ## redo the reference runs: make experiments MNIST=<folder with the idx files>
	cmake/scripts/deps.sh build test
	$(programs)
	cmake/scripts/experiments.sh "$(MNIST)"

format: ## clang-format every source file in place
	cmake/scripts/format.sh --fix

tidy: ## clang-tidy over everything (slow)
	cmake/scripts/deps.sh build tidy
	cmake --preset tidy
	cmake --build --preset tidy

asan: deps ## build and test under the address and undefined-behaviour sanitizers
	cmake --preset asan
	cmake --build --preset asan
	ctest --preset asan

tsan: deps ## build and test under the thread sanitizer
	cmake --preset tsan
	cmake --build --preset tsan
	ctest --preset tsan

cuda: ## build with the CUDA backend into build/cuda
	cmake --preset cuda
	cmake --build --preset cuda

install: all ## install to PREFIX (default /usr/local), below DESTDIR when set
	DESTDIR="$(DESTDIR)" cmake --install build/release --prefix "$(PREFIX)"

clean: ## remove everything that was built (not the demo's data and runs)
	cmake -E rm -rf build

help: ## print this list
	@sed -n 's/^\([a-z]*\):[^#]*## /\1\t/p' Makefile | expand -t 14

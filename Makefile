# `make help` lists the targets. Each target installs the packages that it needs, once.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-builtin-rules
.DELETE_ON_ERROR:

export PYTHON ?= python3
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(shell nproc)
export CTEST_PARALLEL_LEVEL ?= $(CMAKE_BUILD_PARALLEL_LEVEL)

BIN := .venv/bin
RELEASE := build/release
# GCC's ThreadSanitizer cannot place its shadow memory where the kernel randomises addresses widely.
NO_ASLR := $(shell setarch -R true 2>/dev/null && echo setarch -R)
CXX_FILES := find include src tests examples bench python -name '*.h' -o -name '*.cpp'

CLANG ?= clang++-16
CHECKS := build/checks-venv/bin

.PHONY: help demo test adopt corpus differential torture fuzz has-clang partners root java jar bench instructions format format-check hooks tidy typecheck docs sanitize tsan coverage wheel clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

demo: $(RELEASE)/build.ninja $(BIN)/kaon ## write, read and plot real top-quark events
	cmake --build $(RELEASE) --target ttbar_demo kaon_python
	$(RELEASE)/examples/ttbar/ttbar_demo examples/ttbar/sample.kaon build/demo
	PYTHONPATH=python $(BIN)/python examples/ttbar/plots.py build/demo
	@ls build/demo/*.png | sed 's/^/The picture: /'
	@ls build/demo/*.kaon | sed 's,^,The events: $(BIN)/kaon show ,'
	@$(BIN)/kaon --version

test: $(RELEASE)/build.ninja ## run all tests, C++ and Python
	cmake --build $(RELEASE)
	ctest --preset release
	PYTHONPATH='$(CURDIR)/python' $(BIN)/python -m pytest --numprocesses $(CTEST_PARALLEL_LEVEL) --dist loadscope

differential: $(RELEASE)/build.ninja ## compare random inputs with the rules of the documentation, for MINUTES=10
	cmake --build $(RELEASE) --target kaon_python kaon_pipelines
	PYTHONPATH='$(CURDIR)/python:$(CURDIR)/tests' $(BIN)/python -m differential --minutes $(or $(MINUTES),10)

torture: $(RELEASE)/build.ninja ## fail each allocation and system call, then damage files, kill writers and so on, for MINUTES=10
	cmake --build $(RELEASE) --target kaon_python kaon_recorder kaon_faults kaon_fuzz_tests
	$(RELEASE)/tests/kaon_faults
	PYTHONPATH='$(CURDIR)/python:$(CURDIR)/tests' $(BIN)/python -m torture --minutes $(or $(MINUTES),10)

fuzz: has-clang build/checks-venv/.installed $(RELEASE)/build.ninja ## let libFuzzer make inputs for all readers; MINUTES=10: for how long; TARGET="hipo sio": only these
	cmake --preset fuzz -D CMAKE_CXX_COMPILER=$(CLANG)
	cmake --build build/fuzz --target kaon_fuzz_targets
	cmake --build $(RELEASE) --target kaon_python
	PYTHONPATH='$(CURDIR)/python:$(CURDIR)/tests' $(CHECKS)/python -m fuzz --minutes $(or $(MINUTES),10) $(patsubst %,--target %,$(TARGET))

# ROOT's wheel crashes beside Debian's clang, so nothing installs it for fuzzing.
has-clang:
	@command -v $(CLANG) >/dev/null || { echo "make fuzz needs $(CLANG) and its libclang-rt-*-dev: install them in a container" \
		"or chroot, because ROOT's wheel crashes beside them; CLANG=... names another clang" >&2; exit 1; }

# Sample files of installed packages, of this project, and of the folder of shared files if it exists.
CORPUS := $(wildcard .venv/lib build/root-venv/lib tests/data $(or $(KAON_SHARED),shared)/data)

corpus: $(RELEASE)/build.ninja ## compare kaon with other readers on sample files, or on those of CORPUS="DIR..."
	cmake --build $(RELEASE) --target kaon_python
	PYTHONPATH='$(CURDIR)/python' $(BIN)/python scripts/corpus.py $(CORPUS) --keep build/corpus.jsonl \
		$(patsubst %,--root %,$(wildcard build/root-venv/bin/python))

partners: build/partners-venv/.installed $(RELEASE)/build.ninja ## install Dask, coffea, polars and PyTorch (3.5 GB), and run the tests that need them
	cmake --build $(RELEASE) --target kaon_python
	PYTHONPATH='$(CURDIR)/python' build/partners-venv/bin/python -m pytest tests/python/partners
	PYTHONPATH='$(CURDIR)/python' build/partners-venv/bin/python -m pytest tests/differential -k pipelines # with Numba

adopt: $(RELEASE)/build.ninja ## compile and run the tests of podio and EDM4hep; PODIO=DIR EDM4HEP=DIR CATCH2=DIR: checkouts
	cmake --build $(RELEASE) --target kaon
	PYTHONPATH='$(CURDIR)/python' $(BIN)/python scripts/adopt.py --catch2 $(CATCH2) \
		$(patsubst %,--podio %,$(PODIO)) $(patsubst %,--edm4hep %,$(EDM4HEP))

root: build/root-venv/.installed ## install ROOT's wheel (248 MB); `make test` then also tests kaon::root

java: build/junit.jar ## fetch JUnit; with a JDK of Java 22 or newer, `make test` then also tests kaon for Java

jar: build/jar/build.ninja ## make a self-contained jar for machines like this one, in build/jar/maven
	cmake --build build/jar --target kaon_c kaon_java
	PATH="$(abspath $(BIN)):$$PATH" scripts/make-jar.sh build/jar

bench: $(RELEASE)/build.ninja $(if $(ROOT),root) ## run the benchmarks, with ROOT=1 also ROOT's; results are in build/bench
	cmake --build $(RELEASE) --target kaon_bench $(if $(ROOT),kaon_root)
	$(BIN)/python bench/run.py --build $(RELEASE) --out build/bench $(if $(ROOT),--root build/root-venv)

instructions: build/.system-instructions $(RELEASE)/build.ninja ## compare instruction counts of benchmarks with the recorded ones; UPDATE=1 records them
	cmake --build $(RELEASE) --target kaon_bench_counted
	$(BIN)/python scripts/check-instructions.py --build $(RELEASE) $(if $(UPDATE),--update)

format: build/.system-format .venv/.installed ## format all sources
	$(CXX_FILES) | xargs clang-format-16 -i
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

format-check: build/.system-format .venv/.installed ## check formatting, style, layers, names, interface, version and words
	$(CXX_FILES) | xargs clang-format-16 --dry-run -Werror
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python scripts/check-layers.py
	$(BIN)/python scripts/check-names.py
	$(BIN)/python scripts/check-portable.py
	$(BIN)/python scripts/check-surface.py
	$(BIN)/python scripts/check-release.py
	$(BIN)/python scripts/check-words.py
	$(BIN)/python scripts/check-words.py --sources

hooks: build/.system-format .venv/.installed ## let git run the checks of format-check before each commit
	$(BIN)/pre-commit install

tidy: build/.system-tidy ## run clang-tidy on the sources that differ from main, or on FILES="..."
	cmake --preset tidy
	clang-tidy-16 --quiet -p build/tidy $(or $(FILES),$(shell git diff --name-only --diff-filter=d main -- 'src/*.cpp'))

typecheck: .venv/.installed ## check the types of the Python package
	$(BIN)/mypy

docs: build/docs-venv/.installed ## build the site, build/site/index.html
	mkdir -p build/doxygen && doxygen docs/Doxyfile
	NO_MKDOCS_2_WARNING=1 build/docs-venv/bin/mkdocs build --strict

# The tests that read bytes of files. ALL=1 selects all tests.
SANITIZED := $(if $(ALL),all,$(foreach layer,io codec formats fuzz,kaon_$(layer)_tests) kaon_fuzz_targets)

sanitize: build/sanitize/build.ninja ## run the C++ tests that read bytes, or ALL=1, under ASan and UBSan
	cmake --build build/sanitize --target $(SANITIZED)
	ctest --preset sanitize$(if $(ALL),-all)

tsan: build/tsan/build.ninja ## run the C++ tests with threads under TSan
	cmake --build build/tsan --target kaon_base_tests kaon_batch_tests kaon_reading_tests kaon_writing_tests kaon_dataset_tests kaon_event_tests kaon_io_tests kaon_loop_tests kaon_train_tests
	$(NO_ASLR) ctest --preset tsan

COVERED := io codec formats/kaonfile binding

coverage: build/coverage/build.ninja build/checks-venv/.installed ## tell which branches the C++ tests reach, by folder; files in build/coverage/*.txt
	cmake --build build/coverage --target $(foreach layer,base io codec formats binding,kaon_$(layer)_tests)
	find build/coverage -name '*.gcda' -delete
	ctest --preset coverage
	$(CHECKS)/gcovr --root . --exclude-throw-branches --exclude-unreachable-branches --json build/coverage/trace.json build/coverage
	@for folder in $(COVERED); do $(CHECKS)/gcovr --root . --add-tracefile build/coverage/trace.json --txt-metric branch \
		--filter "(src|include)/kaon/(detail/)?$$folder/" --txt build/coverage/$${folder//\//-}.txt; \
		echo "$$folder: $$(grep TOTAL build/coverage/$${folder//\//-}.txt)"; done

wheel: .venv/.installed ## build a wheel for other machines, and try it in an empty root file system
	rm -rf build/wheel
	$(BIN)/python -m build --wheel --outdir build/wheel/linked -C cmake.define.KAON_HDF5=OFF # libhdf5 needs too many other libraries
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/auditwheel repair --wheel-dir build/wheel build/wheel/linked/*.whl
	$(BIN)/python scripts/try-wheel.py build/wheel/*.whl build/wheel/root

clean: ## remove everything that the other targets made
	rm -rf build .venv python/kaon/*.so

build/.system-%: scripts/setup-system.sh
	scripts/setup-system.sh $*
	mkdir -p build && touch $@

.venv/.installed: requirements.lock build/.system-build
	$(PYTHON) -c 'import sys; sys.version_info >= (3, 10) or sys.exit("kaon needs Python 3.10 or newer")'
	$(PYTHON) -m venv --clear .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	touch $@

build/root-venv/.installed: scripts/setup-root.sh .venv/.installed
	scripts/setup-root.sh build/root-venv $(BIN)/python
	touch $@

build/junit.jar: scripts/setup-junit.sh
	scripts/setup-junit.sh $@

build/partners-venv/.installed: requirements-partners.lock .venv/.installed
	$(BIN)/python -m venv --clear build/partners-venv
	build/partners-venv/bin/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-partners.lock
	touch $@

build/checks-venv/.installed: requirements-checks.lock .venv/.installed
	$(BIN)/python -m venv --clear build/checks-venv
	build/checks-venv/bin/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-checks.lock
	touch $@

build/docs-venv/.installed: requirements-docs.lock build/.system-docs
	$(PYTHON) -m venv --clear build/docs-venv
	build/docs-venv/bin/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-docs.lock
	touch $@

# The command `kaon` of the package in python/.
$(BIN)/kaon: .venv/.installed
	printf '#!/bin/sh\nPYTHONPATH="%s" exec "%s" -m kaon "$$@"\n' '$(CURDIR)/python' '$(abspath $(BIN))/python' >$@
	chmod +x $@

build/%/build.ninja: CMakePresets.json .venv/.installed
	cmake --preset $*

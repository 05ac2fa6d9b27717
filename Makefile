# make demo | lint | docs | test | test-lab | test-page | test-packages | release-check | test-minimum | test-integrations | test-notebooks | test-images | test-images-large | test-gpu | test-cluster | coverage | bench | bench-guard | bench-images | fuzz | soak | sanitize | model | clean
#
# Each target sets up what it needs in .venv, once: stamp files remember what is done. A changed
# source is compiled again, and only it: the build folder is kept, and the build's own tools stay
# in .venv so that CMake finds them where they were.

# The first Python that really runs: a version manager may leave names that do not.
PYTHON ?= $(shell for python in python3.13 python3.12 python3.11 python3; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& { echo $$python; break; }; done)
# One that has CuPy, pytest, hypothesis, scipy and the requirements of the build (pyproject.toml):
# nothing but skerry itself is installed there.
GPU_PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet
ARGS ?=
# Processes that share the tests of `make test` and `make coverage`.
WORKERS ?= auto

# Folders too: adding or removing a file changes its folder.
SOURCES := $(shell find src -not -name '*.pyc' -not -name __pycache__ -not -name _native.pyi) CMakeLists.txt pyproject.toml
LAB_SOURCES := $(shell find benchmarks/src -not -name '*.pyc' -not -name __pycache__) benchmarks/pyproject.toml
NATIVE := $(shell find src tests tools -name '*.h' -o -name '*.cpp' -o -name '*.cu')

THREAD_SIZE ?= 3000
ADDRESS_SIZE ?= 3000

.PHONY: demo docs lint lint-sources lint-examples lint-docstrings test test-lab test-page test-packages release-check test-minimum test-integrations test-notebooks test-images test-images-large test-gpu test-cluster coverage bench bench-guard bench-images fit fuzz soak sanitize model clean
.DELETE_ON_ERROR:

demo: .venv/installed
	@$(BIN)/skerry demo

lint: lint-sources lint-docstrings lint-examples

lint-sources: .venv/group-lint src/skerry/_native.pyi
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy --strict
	$(BIN)/python tools/lint_prose.py
	@echo clang-format; $(BIN)/clang-format --dry-run -Werror $(NATIVE)
	@! LC_ALL=C.UTF-8 grep -HnE '^.{101,}' $(NATIVE) || { echo "over 100 columns" >&2; exit 1; }

# Examples of README.md and docs/, with mypy and pyright: what a reader's editor says of them.
lint-examples: .venv/group-lint .venv/group-examples
	$(BIN)/python tools/lint_examples.py

lint-docstrings: .venv/group-lint .venv/installed
	$(BIN)/python tools/lint_docstrings.py

# The site, into build/site, and the examples of its pages.
docs: .venv/group-test .venv/group-lab .venv/group-docs .venv/lab-installed
	$(BIN)/python tools/site/kernel_trace.py
	$(BIN)/python tools/site/build.py
	$(BIN)/python -m pytest tests/docs/test_docs.py

# The product's core tier: what takes minutes of compiling has targets of its own.
test: .venv/group-test .venv/installed
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup -m "not slow" $(ARGS)

# Wheel and sdist: built, checked, installed where nothing else is, and run.
test-packages: .venv/group-test .venv/group-release .venv/installed
	$(BIN)/python -m pytest tests/project/test_packaging.py tests/project/test_release.py \
		tests/project/test_extras.py -m "not large" $(ARGS)

# All of a release that one machine can prove, cross builds included: docs/releasing.md.
release-check: .venv/group-test .venv/group-release .venv/group-cross .venv/installed
	$(BIN)/python tools/release_check.py $(ARGS)
	$(BIN)/python -m pytest tests/project/test_extras.py

# The core tier with the oldest versions that pyproject.toml allows, of Python too: an environment
# of its own.
# They may use what newer versions of their own dependencies call deprecated.
MINIMUM := build/minimum
OLD_PYTHON ?= $(shell for python in python3.11 python3.12 python3.13 python3; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& { echo $$python; break; }; done)
OLD_PIP := $(MINIMUM)/venv/bin/python -m pip install --quiet --constraint $(MINIMUM)/constraints.txt
test-minimum: $(MINIMUM)/installed
	$(MINIMUM)/venv/bin/python -m pytest -n $(WORKERS) --dist loadgroup -m "not slow" \
		-W ignore::DeprecationWarning $(ARGS)

# The lab: benchmarks/, a package of its own. Its page is tested where there is a browser.
LAB_TESTS := benchmarks/tests
test-lab: .venv/group-test .venv/group-lab .venv/lab-installed
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup $(LAB_TESTS) $(ARGS)

# The pages of `explore`, of the report and of the site in a Chromium that comes from a package
# registry. Nothing is skipped: where no browser can be had, this fails.
test-page: .venv/group-page docs
	browser=$$($(BIN)/python benchmarks/tools/get_browser.py build/browser) && \
		SKERRY_BROWSER="$$browser" $(BIN)/python -m pytest tests/page \
		$(LAB_TESTS)/test_report_page*.py $(ARGS)

# Other projects' own tests with their calls answered by skerry, and ours of what needs their
# packages: an environment of its own, and gigabytes of packages. ARGS names some of the projects.
INTEGRATIONS := build/integrations
INTEGRATIONS_PIP := $(INTEGRATIONS)/venv/bin/python -m pip install --quiet
test-integrations: $(INTEGRATIONS)/installed
	$(INTEGRATIONS)/venv/bin/python tools/integrations.py $(ARGS)

# The notebooks of docs/tours, run: an environment of its own. ARGS="--write" keeps what they print.
NOTEBOOKS := build/notebooks
NOTEBOOKS_PIP := $(NOTEBOOKS)/venv/bin/python -m pip install --quiet
test-notebooks: $(NOTEBOOKS)/installed
	$(NOTEBOOKS)/venv/bin/python tools/run_notebooks.py $(ARGS)

# `skerry.ndimage` and the calls of other libraries, compared with these: an environment of its own.
IMAGES := build/images
test-images: $(IMAGES)/installed
	$(IMAGES)/venv/bin/python -m pytest tests/unit/ndimage $(ARGS)
	$(IMAGES)/venv/bin/python tools/skimage_tests.py $(IMAGES)/tests

# More than 2^31 pixels: slab by slab, and at once where there is memory for it.
test-images-large: .venv/group-test .venv/installed
	$(BIN)/python -m pytest -m slow tests/unit/ndimage/test_large.py $(ARGS)

# One thread and two, with OpenCV, cc3d, scipy and scikit-image alternating.
bench-images: $(IMAGES)/installed
	$(IMAGES)/venv/bin/python tools/bench_images.py $(ARGS)

test-gpu: build/gpu-installed
	PYTHONPATH=$(CURDIR)/benchmarks/src $(GPU_PYTHON) -u -m pytest tests/gpu $(LAB_TESTS)/gpu -vv --durations=10 $(ARGS)
	$(GPU_PYTHON) tools/gpu_sanitize.py

# Ray and Spark on local clusters, with workers that are killed: an environment of its own. Java 17
# is a package of the system.
CLUSTER := build/cluster
CLUSTER_PIP := $(CLUSTER)/venv/bin/python -m pip install --quiet
test-cluster: $(CLUSTER)/installed
	@java -version 2>/dev/null || test -n "$$JAVA_HOME" || { echo "make test-cluster: Spark needs \
	Java 17: install it, for instance openjdk-17-jre-headless" >&2; exit 1; }
	$(CLUSTER)/venv/bin/python -m pytest tests/cluster $(ARGS)

# Python and C++: a build of its own, without optimization and with counters.
COVERED := build/coverage
coverage: .venv/group-test .venv/group-lab .venv/group-coverage .venv/group-build
	@rm -rf $(COVERED)/site && mkdir -p $(COVERED) && find $(COVERED) -name '*.gcda' -delete
	$(PIP) --no-build-isolation --no-deps --target $(COVERED)/site . ./benchmarks \
		-C build-dir=$(COVERED)/native -C cmake.build-type=Debug \
		-C cmake.define.CMAKE_CXX_FLAGS=--coverage
	PYTHONPATH=$(CURDIR)/$(COVERED)/site $(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup \
		tests $(LAB_TESTS) --cov --cov-report=html:$(COVERED)/python --cov-report=term:skip-covered $(ARGS)
	$(BIN)/gcovr --root . --filter src/skerry/kernels $(COVERED)/native --merge-lines --txt \
		--html-nested $(COVERED)/native.html --print-summary

bench: .venv/group-bench .venv/lab-installed
	$(BIN)/python -m skerry_bench $(or $(ARGS),families)

# What the records of forced paths say of the numbers that decide; ARGS: files of `bench record`.
fit: .venv/group-bench .venv/lab-installed
	$(BIN)/python -m skerry_bench fit $(ARGS)

# 77: nothing can be counted or compared here, and it says why; so do the sanitizers.
bench-guard: .venv/installed
	$(BIN)/python tools/bench_guard.py $(ARGS) || test $$? -eq 77

# Readers and native code, guided by coverage, for TIME seconds of all cores; docs/reliability.md.
# ARGS="--keep" minimizes what was found into tests/fuzz, which `make test` and `make sanitize` run.
TIME ?= 120
fuzz: .venv/group-test .venv/group-fuzz .venv/installed
	$(BIN)/python tools/fuzz.py --time $(TIME) $(ARGS) || test $$? -eq 77

# Random forms, graphs and kills for TIME seconds; a few of them are part of `make test`.
soak: .venv/group-test .venv/installed
	$(BIN)/python tools/soak.py --time $(TIME) $(ARGS)

sanitize: .venv/pip
	$(BIN)/python tools/sanitize.py thread --size $(THREAD_SIZE) || test $$? -eq 77
	$(BIN)/python tools/sanitize.py address --size $(ADDRESS_SIZE) || test $$? -eq 77

# All schedules of the lock-free core on a few vertices; MODEL: a section of check_core.cpp.
MODEL ?= whole
model:
	@mkdir -p build/model
	$(CXX) -std=c++20 -O2 -Isrc/skerry/kernels tests/native/model/*.cpp -o build/model/check_core
	build/model/check_core $(MODEL)

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src tests tools benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/pip:
	@test -n "$(PYTHON)" || { echo "make: needs Python 3.11 or newer; set PYTHON" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(PIP) --upgrade "pip>=25.1"
	@touch $@

.venv/group-%: pyproject.toml | .venv/pip
	$(PIP) --group $*
	@touch $@

.venv/installed: .venv/group-build $(SOURCES)
	@echo "building skerry; the first time takes minutes"
	$(PIP) --no-build-isolation .
	@touch $@

# For mypy: the types of the compiled module.
src/skerry/_native.pyi: .venv/installed tools/native_stub.py tools/native_stub.patterns
	$(BIN)/python tools/native_stub.py

.venv/lab-installed: .venv/installed $(LAB_SOURCES)
	$(PIP) --no-build-isolation --no-deps ./benchmarks
	@touch $@

$(MINIMUM)/environment: tools/minimum_versions.py pyproject.toml benchmarks/pyproject.toml
	@rm -rf $(MINIMUM)/venv && mkdir -p $(MINIMUM)
	$(OLD_PYTHON) tools/minimum_versions.py > $(MINIMUM)/constraints.txt
	$(OLD_PYTHON) -m venv $(MINIMUM)/venv
	$(MINIMUM)/venv/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	$(OLD_PIP) --group build --group test
	@touch $@

$(MINIMUM)/installed: $(MINIMUM)/environment $(SOURCES)
	@echo "building skerry with the oldest build tools; this takes minutes"
	$(OLD_PIP) --no-build-isolation . -C build-dir=$(MINIMUM)/native
	@touch $@

$(CLUSTER)/environment: pyproject.toml
	@rm -rf $(CLUSTER)/venv && mkdir -p $(CLUSTER)
	$(PYTHON) -m venv $(CLUSTER)/venv
	$(CLUSTER_PIP) --upgrade "pip>=25.1"
	$(CLUSTER_PIP) --group build --group cluster
	@touch $@

$(CLUSTER)/installed: $(CLUSTER)/environment $(SOURCES)
	@echo "building skerry for the clusters; this takes minutes"
	$(CLUSTER_PIP) --no-build-isolation . -C build-dir=$(CLUSTER)/native
	@touch $@

$(INTEGRATIONS)/environment: pyproject.toml
	@rm -rf $(INTEGRATIONS)/venv && mkdir -p $(INTEGRATIONS)
	$(PYTHON) -m venv $(INTEGRATIONS)/venv
	$(INTEGRATIONS_PIP) --upgrade "pip>=25.1"
	$(INTEGRATIONS_PIP) --group build --group test
	@touch $@

$(INTEGRATIONS)/installed: $(INTEGRATIONS)/environment $(SOURCES)
	@echo "building skerry for the integrations; this takes minutes"
	$(INTEGRATIONS_PIP) --no-build-isolation . -C build-dir=$(INTEGRATIONS)/native
	@touch $@

$(NOTEBOOKS)/environment: pyproject.toml
	@rm -rf $(NOTEBOOKS)/venv && mkdir -p $(NOTEBOOKS)
	$(PYTHON) -m venv $(NOTEBOOKS)/venv
	$(NOTEBOOKS_PIP) --upgrade "pip>=25.1"
	$(NOTEBOOKS_PIP) --group build --group notebooks
	@touch $@

$(NOTEBOOKS)/installed: $(NOTEBOOKS)/environment $(SOURCES)
	@echo "building skerry for the notebooks; this takes minutes"
	$(NOTEBOOKS_PIP) --no-build-isolation . -C build-dir=$(NOTEBOOKS)/native
	@touch $@

$(IMAGES)/environment: pyproject.toml
	@rm -rf $(IMAGES)/venv && mkdir -p $(IMAGES)
	$(PYTHON) -m venv $(IMAGES)/venv
	$(IMAGES)/venv/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	$(IMAGES)/venv/bin/python -m pip install --quiet --group build --group test --group images
	@touch $@

$(IMAGES)/installed: $(IMAGES)/environment $(SOURCES)
	@echo "building skerry for the images; this takes minutes"
	$(IMAGES)/venv/bin/python -m pip install --quiet --no-build-isolation . -C build-dir=$(IMAGES)/native
	@touch $@

# Not where the package that is imported already is the one in this folder. skerry-bench, which is
# Python only, is read from its folder: its build tool may be missing there.
build/gpu-installed: $(SOURCES)
	@$(GPU_PYTHON) -c 'import sys, skerry; sys.exit("$(CURDIR)/" not in skerry.__file__)' \
		2>/dev/null || SKERRY_NO_SCM=1 $(GPU_PYTHON) -m pip install --quiet --no-build-isolation --no-deps .
	@mkdir -p build && touch $@

# Palimpsest: see README.md. Every target prints what it does; `make quickstart` is the place to begin.

SWIFT ?= swift
CONFIGURATION := -c release
TOOL := .build/release/palimpsest
# How long make fuzz takes, all targets together.
SECONDS ?= 600

# Known to the program (`palimpsest --version`), and by it to the results.
ifneq ($(wildcard .git),)
export PALIMPSEST_COMMIT ?= $(shell git describe --always --abbrev=40 --dirty --exclude='*' 2>/dev/null)
endif

.PHONY: quickstart build test test-slow fuzz sanitize as-user slurm gridengine counts docs arm64 examples analysis format lint clean hdf5

quickstart: build
	$(TOOL) run Experiments/quickstart.json

build: hdf5
	@test -e $(TOOL) || echo "The first build takes some minutes (3 on two cores)."
	$(SWIFT) build $(CONFIGURATION) --product palimpsest

# Release, as users run it.
test: hdf5
	$(SWIFT) build $(CONFIGURATION) --build-tests
	env -u PALIMPSEST_TIER sh Scripts/tests.sh $(SWIFT) test $(CONFIGURATION) --skip-build

# The statistics that take minutes as well, then everything that tries to break the program.
test-slow: hdf5
	$(SWIFT) build $(CONFIGURATION) --build-tests
	PALIMPSEST_TIER=slow sh Scripts/tests.sh $(SWIFT) test $(CONFIGURATION) --skip-build
	sh Scripts/as-user.sh
	bash Scripts/slurm-trial.sh
	bash Scripts/gridengine-trial.sh
	$(MAKE) sanitize fuzz

# Drawn inputs for every reader, guided by what they reach, under the address sanitizer: make fuzz SECONDS=60 for a short one.
fuzz: hdf5
	SWIFT="$(SWIFT)" sh Scripts/fuzz.sh $(SECONDS)

# Address, undefined-behaviour and thread sanitizers, each in a build folder of its own.
sanitize: hdf5
	SWIFT="$(SWIFT)" sh Scripts/sanitize.sh

# Sweeps on a real Slurm on this machine, with all faults: some minutes; wants root and Debian's packages.
slurm: build
	bash Scripts/slurm-trial.sh faults

# Sweeps by the script for Grid Engine on a real one on this machine: some minutes; wants root and Debian's packages.
gridengine: build
	bash Scripts/gridengine-trial.sh

# The tests of files and folders as a user whom permissions bind, where root runs them.
as-user: hdf5
	$(SWIFT) build $(CONFIGURATION) --build-tests
	sh Scripts/as-user.sh

# Instructions of a training step beside those of Benchmarks/instructions.tsv; wants valgrind.
counts: hdf5
	$(SWIFT) build $(CONFIGURATION) --package-path Benchmarks --scratch-path .build/benchmarks
	SWIFT="$(SWIFT)" sh Scripts/counts.sh

# The reference of all public names, by the toolchain's docc; a broken link is an error.
docs: hdf5
	$(SWIFT) build $(CONFIGURATION) --build-tests
	SWIFT="$(SWIFT)" sh Scripts/docs.sh

# The kernels as arm64 code beside those of this processor, bit by bit; wants a cross C library and QEMU.
arm64:
	sh Scripts/arm64.sh

# Packages of users: each is built and tested, and what it makes is run. They share this package's build folder, so that nothing is built twice;
# SwiftPM keeps one plan a folder and is told to make each anew.
define user-package
	$(SWIFT) build $(CONFIGURATION) --disable-build-manifest-caching --package-path Examples/$(1) --scratch-path $(CURDIR)/.build --build-tests
	$(SWIFT) test $(CONFIGURATION) --package-path Examples/$(1) --scratch-path $(CURDIR)/.build --skip-build
endef
# An experiment of such a package, run by its own tool: folder, tool, file.
define user-experiment
	.build/release/$(2) run Examples/$(1)/$(3).json --output results/$(2)-$(3).h5
endef
examples: hdf5
	$(call user-package,CustomStrategy)
	$(call user-experiment,CustomStrategy,custom-strategy,experiment)
	$(call user-package,CustomMethods)
	$(call user-experiment,CustomMethods,custom-methods,experiment)
	$(call user-experiment,CustomMethods,custom-methods,stream)
	.build/release/custom-methods export results/custom-methods-stream.h5 --csv --what boundary | grep -q 'ewc at alarms'
	$(call user-package,CustomScenario)
	$(call user-experiment,CustomScenario,custom-scenario,experiment)
	$(call user-package,CustomMeasures)
	$(call user-experiment,CustomMeasures,custom-measures,experiment)
	$(call user-experiment,CustomMeasures,custom-measures,select)
	.build/release/custom-measures describe layer_norm | grep -q 'after_task, tensor'
	.build/release/custom-measures list measures | grep -q final_norm
	.build/release/custom-measures list metrics | grep -q first_task_kept
	.build/release/custom-measures merge results/custom-measures-experiment.h5 results/custom-measures-select.h5 -o results/custom-measures-merged.h5
	.build/release/custom-measures report results/custom-measures-merged.h5 --metrics final_norm,first_task_kept | grep 'final norm.*first task kept'
	.build/release/custom-measures export results/custom-measures-merged.h5 --csv --what after_task-tensor | grep -q layer_norm
	.build/release/custom-measures export results/custom-measures-merged.h5 --csv | grep -q expected_first_task_kept
	python3 Examples/OwnTable/make-log.py results/own/datasets/activity
	PALIMPSEST_DATASETS=results/own/datasets $(TOOL) run Examples/OwnTable/activity.json --output results/own-table.h5
	$(call user-package,LearnerApp)
	.build/release/learner-app
	! ldd .build/release/learner-app 2>/dev/null | grep Foundation
	$(call user-package,HabitApp)
	rm -rf results/habit-app
	.build/release/habit-life results/habit-app --user 3
	.build/release/habit-app run results/habit-app --days 100
	.build/release/habit-app run results/habit-app
	.build/release/habit-app measure results/habit-app
	! ldd .build/release/habit-app 2>/dev/null | grep -E 'Foundation|hdf5|crypto|libz'
	$(SWIFT) build $(CONFIGURATION) --disable-build-manifest-caching --product palimpsest

# The analysis outside: the Python reader's tests, the notebook and the R script; says what it leaves out where pip or R is not here.
analysis: build
	sh Scripts/analysis.sh

SWIFT_FILES := Sources Tests Fuzz Package.swift Examples/*/Package.swift Examples/*/Sources Examples/*/Tests \
  Benchmarks/Package.swift Benchmarks/Sources
format:
	$(SWIFT) format --in-place --recursive $(SWIFT_FILES)

lint:
	$(SWIFT) format lint --strict --recursive $(SWIFT_FILES)

clean:
	$(SWIFT) package clean

# libhdf5 (and zlib) where they are missing: apt, asking before sudo unless it is root or CI; brew on macOS (untried).
hdf5:
	@sh Scripts/install.sh

# Start with `make demo` or `make test`. Both install missing Debian packages.

PREFIX ?= /usr/local
DESTDIR ?=
DIR ?= ../shared/geo
SWIFT ?= swift
# Link the Swift runtime statically: the program starts faster and runs without Swift installed.
RELEASE = -c release --static-swift-stdlib
# Tests run on an optimized build, because they are much faster there. It has its own folder, so that the builds don't replace each other.
TEST = -c release -Xswiftc -enable-testing --scratch-path .build-test

.PHONY: build demo test examples docs test-debug zones differential fuzz-places lint bench bench-tracks bench-geo bench-thumbnails faults fuzz sanitize scale-spark scale-dask scale-objects soak install uninstall clean

build:
	Scripts/bootstrap
	$(SWIFT) build $(RELEASE) --product metatag
	$(SWIFT) build $(RELEASE) --product metatag-codecs
	$(SWIFT) build $(RELEASE) --product metatag-pictures

demo: build
	Scripts/demo "$$($(SWIFT) build $(RELEASE) --show-bin-path)/metatag"

test:
	Scripts/bootstrap --tests
	$(MAKE) lint
	$(SWIFT) build $(TEST) --build-tests
	SWIFT=$(SWIFT) Scripts/test $(TEST)
	Scripts/captures "$$($(SWIFT) build $(TEST) --show-bin-path)/metatag"

# Builds and runs the library client in Examples, by the commands in README.
examples:
	SWIFT=$(SWIFT) Scripts/examples

# Builds the documentation of the libraries: Documentation/site/MetaTag and GeoIndex. Warnings are errors.
docs:
	Scripts/bootstrap
	SWIFT=$(SWIFT) Scripts/docs

# The same tests on a debug build, with checks for overflow and exclusive access. Slower.
test-debug:
	Scripts/bootstrap --tests
	$(SWIFT) build --build-tests
	SWIFT=$(SWIFT) Scripts/test

# Runs the tests of times and places in five time zones and three locales.
zones:
	Scripts/bootstrap --tests
	$(SWIFT) build $(TEST) --build-tests
	SWIFT=$(SWIFT) Scripts/zones $(TEST)

# Compares random photos on random tracks, 20 per scene, with exiftool and gpscorrelate (see Tests/DIFFERENCES.md), and runs simulated trips.
SCENES ?= 500
differential:
	Scripts/bootstrap --tests
	$(SWIFT) build $(TEST) --build-tests
	METATAG_DIFFERENTIAL=$(SCENES) $(SWIFT) test $(TEST) --skip-build --filter 'DifferentialTests|StagingTests|TripTests'

# Imports changed files of places: make fuzz-places CASES=100000 (of each sample)
CASES ?= 100000
fuzz-places:
	Scripts/bootstrap --tests
	$(SWIFT) build $(TEST) --build-tests
	METATAG_FUZZ_PLACES=$(CASES) $(SWIFT) test $(TEST) --skip-build --filter 'HostilePlacesTests'

# Recovers simulated disks after power failures. Then runs commands with system calls that fail or kill them, while other programs
# change the same photos, or on damaged photos, and checks what is left: make faults STATES=10000000 SECONDS=3600 SEED=7
STATES ?= 1000000
SECONDS ?= 120
RACING ?= 40
KILLING ?= 30
faults:
	Scripts/bootstrap --tests
	$(SWIFT) build $(TEST) --build-tests
	METATAG_STATES=$(STATES) $(if $(SEED),METATAG_SEED=$(SEED)) $(SWIFT) test $(TEST) --skip-build --filter 'CrashTests|NegativeControlTests'
	Scripts/faults "$$($(SWIFT) build $(TEST) --show-bin-path)/metatag" --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))
	Scripts/races "$$($(SWIFT) build $(TEST) --show-bin-path)/metatag" --seconds $(RACING) $(if $(SEED),--seed $(SEED))
	Scripts/hostile "$$($(SWIFT) build $(TEST) --show-bin-path)/metatag" SampleImages --mutants 40 $(if $(SEED),--seed $(SEED))
	Scripts/workers "$$($(SWIFT) build $(TEST) --show-bin-path)/metatag" --seconds $(KILLING) $(if $(SEED),--seed $(SEED))
	Scripts/workers "$$($(SWIFT) build $(TEST) --show-bin-path)/metatag" --engine parallel --engine xargs

# Lets Spark and Dask run workers, or gives workers the objects of a simulated S3 store (moto). They are installed into .build-engines;
# Spark also needs Java.
scale-spark: ENGINE = --engine spark --engine spark-cluster
scale-spark: PACKAGES = pyspark==4.0.0
scale-objects: TRIAL = Scripts/try-objects
scale-objects: PACKAGES = boto3==1.44.8 "moto[s3,server]==5.2.5"
scale-dask: ENGINE = --engine dask
scale-dask: PACKAGES = "dask[bag]"
scale-spark scale-dask scale-objects: build
	python3 -m venv .build-engines
	.build-engines/bin/pip install --quiet $(PACKAGES)
	.build-engines/bin/python $(or $(TRIAL),Scripts/workers) "$$($(SWIFT) build $(RELEASE) --show-bin-path)/metatag" $(ENGINE)

# Runs every parser on changed bytes: make fuzz SECONDS=60 (for each; 2 by default), or RUNS=5000000; ONLY=jpeg for one.
fuzz:
	Scripts/bootstrap --tests
	SWIFT=$(SWIFT) Scripts/fuzz $(if $(RUNS),--runs $(RUNS),--seconds $(if $(filter file,$(origin SECONDS)),2,$(SECONDS))) $(if $(ONLY),--only $(ONLY)) $(if $(SEED),--seed $(SEED))

# The tests with a sanitizer of memory (address) or threads (thread): make sanitize SANITIZER=thread. The decoders are built without
# it, because a sanitizer can't work in their sandbox.
SANITIZER ?= address
SANITIZED = -c release -Xswiftc -enable-testing --sanitize $(SANITIZER) --scratch-path .build-$(SANITIZER)
LOCKS = $(CURDIR)/.build-thread/locks.o
ifeq ($(SANITIZER),thread)
SANITIZED += -Xlinker $(LOCKS)
sanitize: $(LOCKS)
$(LOCKS): Scripts/thread-sanitizer.c
	mkdir -p $(@D)
	clang -c -O2 -fPIC -o $@ $<
endif
sanitize:
	Scripts/bootstrap --tests
	$(SWIFT) build $(TEST) --build-tests
	$(SWIFT) build $(SANITIZED) --build-tests
	cp "$$($(SWIFT) build $(TEST) --show-bin-path)/"metatag-codecs "$$($(SWIFT) build $(TEST) --show-bin-path)/"metatag-pictures "$$($(SWIFT) build $(SANITIZED) --show-bin-path)"
	LSAN_OPTIONS=suppressions=$(CURDIR)/Scripts/leak-sanitizer.txt:print_suppressions=0 \
	TSAN_OPTIONS=suppressions=$(CURDIR)/Scripts/thread-sanitizer.txt \
	METATAG_SLOWDOWN=4 SWIFT=$(SWIFT) Scripts/test $(SANITIZED)

# The same for hours, on file systems and kernels that lose power (as root), with more damaged journals and changed files of
# places: make soak SEED=7
soak:
	Scripts/bootstrap --soak
	$(MAKE) faults STATES=20000000 SECONDS=7200 RACING=1800 KILLING=1800
	Scripts/faults "$$($(SWIFT) build $(TEST) --show-bin-path)/metatag" --mixed --seconds 7200 $(if $(SEED),--seed $(SEED))
	Scripts/powercuts "$$($(SWIFT) build $(TEST) --show-bin-path)/metatag" --seconds 1800 $(if $(SEED),--seed $(SEED))
	Scripts/hostile "$$($(SWIFT) build $(TEST) --show-bin-path)/metatag" --mutants 5000 $(if $(SEED),--seed $(SEED))
	METATAG_FLIPS=20000 $(if $(SEED),METATAG_SEED=$(SEED)) $(SWIFT) test $(TEST) --skip-build --filter 'JournalFlipTests'
	$(MAKE) fuzz-places
	$(MAKE) fuzz SECONDS=300
	$(MAKE) sanitize SANITIZER=address
	$(MAKE) sanitize SANITIZER=thread

lint:
	$(SWIFT) format lint -s -r Sources Tests Examples
	Scripts/folders
	Scripts/prose Sources Tests Examples

bench: build
	Benchmarks/compare "$$($(SWIFT) build $(RELEASE) --show-bin-path)/metatag"

# Reads a track of 10 million points and matches 100,000 photos with it: make bench-tracks POINTS=10000000
POINTS ?= 10000000
bench-tracks:
	$(SWIFT) build $(RELEASE) --product metatag-bench
	Benchmarks/tracks/run "$$($(SWIFT) build $(RELEASE) --show-bin-path)/metatag-bench" $(POINTS)

# Scores the gazetteer on test cases of other projects and measures its speed: make bench-geo DIR=../shared/geo
bench-geo: build
	Scripts/score-geo "$$($(SWIFT) build $(RELEASE) --show-bin-path)/metatag" "$(DIR)"
	Scripts/score-reverse "$(DIR)" "$$($(SWIFT) build $(RELEASE) --show-bin-path)/metatag"
	$(SWIFT) build $(RELEASE) --product geo-bench
	bin="$$($(SWIFT) build $(RELEASE) --show-bin-path)" && Scripts/bench-geo "$$bin/geo-bench" "$$bin/metatag" "$(DIR)"

# Measures thumbnails from embedded previews, and how much eight thumbnails at once delay an unrelated task.
bench-thumbnails:
	$(SWIFT) build $(TEST) --build-tests
	METATAG_BENCH=1 $(SWIFT) test $(TEST) --skip-build --filter ThumbnailSpeedTests

install: build
	Scripts/install "$$($(SWIFT) build $(RELEASE) --show-bin-path)" "$(DESTDIR)$(PREFIX)"

uninstall:
	Scripts/install --remove "$(DESTDIR)$(PREFIX)"

clean:
	$(SWIFT) package clean
	$(SWIFT) package --scratch-path .build-test clean

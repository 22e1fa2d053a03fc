# The two commands: `make demo` and `make test`. Both install the Debian packages that are missing.

PREFIX ?= /usr/local
DESTDIR ?=
DIR ?= ../shared/geo
SWIFT ?= swift
# The Swift runtime inside the program: it starts faster, and runs where no Swift is installed.
RELEASE = -c release --static-swift-stdlib

.PHONY: build demo test lint bench bench-geo install uninstall clean

build:
	Scripts/bootstrap
	$(SWIFT) build $(RELEASE) --product metatag
	$(SWIFT) build $(RELEASE) --product metatag-codecs

demo: build
	Scripts/demo "$$($(SWIFT) build $(RELEASE) --show-bin-path)/metatag"

test:
	Scripts/bootstrap --tests
	$(MAKE) lint
	$(SWIFT) build --build-tests
	$(SWIFT) test --parallel

lint:
	$(SWIFT) format lint -s -r Sources Tests

bench: build
	Benchmarks/compare "$$($(SWIFT) build $(RELEASE) --show-bin-path)/metatag"

# Scores the gazetteer on cases of others, and measures its speed: make bench-geo DIR=../shared/geo
bench-geo: build
	Scripts/score-geo "$$($(SWIFT) build $(RELEASE) --show-bin-path)/metatag" "$(DIR)"
	Scripts/score-reverse "$(DIR)" "$$($(SWIFT) build $(RELEASE) --show-bin-path)/metatag"
	$(SWIFT) build $(RELEASE) --product geo-bench
	Scripts/bench-geo "$$($(SWIFT) build $(RELEASE) --show-bin-path)/geo-bench" "$(DIR)"

install: build
	Scripts/install "$$($(SWIFT) build $(RELEASE) --show-bin-path)" "$(DESTDIR)$(PREFIX)"

uninstall:
	Scripts/install --remove "$(DESTDIR)$(PREFIX)"

clean:
	$(SWIFT) package clean

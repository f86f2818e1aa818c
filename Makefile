# Everything a person or the gate runs. `make help` lists it.

GO      ?= go
# Without a tag the version is the commit on the way to the next one. Builds of a commit are the same wherever they are made.
TAG     := $(shell git describe --tags --match 'v[0-9]*' 2>/dev/null)
COMMIT  := $(or $(COMMIT),$(shell git rev-parse --short=12 HEAD 2>/dev/null),unknown)
DATE    := $(or $(DATE),$(shell git show -s --format=%ct 2>/dev/null),0)
VERSION := $(or $(VERSION),$(TAG:v%=%),0.1.0~$(shell date -u -d @$(DATE) +%Y%m%d).$(COMMIT))
LDFLAGS  = -s -w -X main.version=$(VERSION) -X dashboard/wall/daemon.commit=$(COMMIT)
BUILD    = $(GO) build -mod=readonly -buildvcs=false -ldflags '$(LDFLAGS)'
# One set of flags for run, build and test, because Go's build cache keeps a package once for each set.
# net/http without HTTP/2: half a megabyte less, and no service needs it (docs/dev/decisions/http2.md).
export GOFLAGS += -trimpath -tags=nethttpomithttp2
# Without cgo, as what ships is built. Tests, vet and programs then share one set of compiled packages.
export CGO_ENABLED ?= 0
PROGRAMS = ./cmd/dashboard ./cmd/dashboard-client

.DEFAULT_GOAL := help
.PHONY: help run test long check fmt vet staticcheck tidy race arm arm32 cross foreign windows-test build deb oci deb-test reproducible release vendor golden bench bench-once fuzz web web-check docs editing-pictures device-test input-test image image-release image-test vulnerabilities clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

run: ## the dashboard, live, with its built-in configuration: http://127.0.0.1:5000/
	$(BUILD) -o bin/ ./cmd/dashboard
	bin/dashboard --demo

# What takes longest is begun first, and more packages at once than there are processors, because theirs mostly wait.
LONGEST = ./cmd/... ./wall/... ./internal/mdns ./control/device ./server ./widgets/... ./provider/sources ./control/bridge ./provider/mqtt ./output/panel
# Tests of a package that run at a time: more than there are processors, for the same reason.
TOGETHER = 8

# Tools that make images and packages and emulate machines: their own tests are of make long.
MACHINERY = image|inputs|oci|packaging|qemu|rig

# Without vet, which `make check` runs whole, and without a list of certificates of this machine, which each test would read.
test: ## the tests of all that ships, and of the documents, in a few minutes
	env -u REQUESTS_CA_BUNDLE -u CURL_CA_BUNDLE $(GO) test -short -vet=off -timeout 20m -p 6 -parallel $(TOGETHER) $(LONGEST) $$($(GO) list ./... | grep -vE '/tools/($(MACHINERY))(/|$$)')

# The packages whose tests know -long, and those that only know -short, all of them whole, so that none is forgotten.
SHORTENED = $(sort $(dir $(shell git grep -l 'flag.Bool."long"' -- '*_test.go')))
SKIPPING = $(filter-out $(SHORTENED),$(sort $(dir $(shell git grep -l 'testing.Short()' -- '*_test.go'))))

long: ## what `make test` shortens, whole, and the tests of tools: weeks of the panels, thousands of streams, a year of the wall
	$(GO) test -vet=off -timeout 25m $$($(GO) list ./... | grep -E '/tools/($(MACHINERY))(/|$$)')
	$(GO) test -vet=off -timeout 25m -parallel $(TOGETHER) ./server/ ./config/edit/ ./wall/ $(SHORTENED:%=./%) -long # longest first
	$(GO) test -vet=off -timeout 25m -p 6 -parallel $(TOGETHER) $(SKIPPING:%=./%)

build: ## both programs for this machine, in bin/
	$(BUILD) -o bin/ $(PROGRAMS)

check: fmt vet staticcheck tidy ## formatting, vet, staticcheck, tidy go.mod

fmt:
	@out=$$(gofmt -l cmd $$(git ls-files '*.go' | cut -d/ -f1 | sort -u | grep -v '^cmd$$')); test -z "$$out" || { echo "gofmt: $$out"; exit 1; }

# One test of fb needs cgo. It is checked where there is a C compiler. The program of the card has a tag of its own.
vet:
	$(GO) vet ./...
	$(GO) vet -tags=nethttpomithttp2,appliance ./cmd/dashboard
	CGO_ENABLED= $(GO) vet ./fb

staticcheck:
	$(GO) tool staticcheck ./...
	CGO_ENABLED= $(GO) tool staticcheck ./fb

tidy:
	$(GO) mod tidy -diff
	$(GO) mod verify

# The packages that start goroutines or share memory between them: elsewhere the detector has nothing to find. The tests of the
# documents, in the top folder, have none.
CONCURRENT = $(filter-out ././,$(patsubst %,./%,$(sort $(dir $(shell git grep -lE '^[[:space:]]+go [a-zA-Z]|"sync|"testing/synctest"' -- '*.go' ':!tools')))))
# The packages in which -short omits tests of goroutines. In the others it shortens loops of one goroutine, drawing and browsers.
WHOLE_RACE = ./cmd/shared/viewer/ ./control/device/ ./internal/mdns/ ./provider/sources/

# The newest version that its users have tried. Its database is not a Go module, so a registry of modules does not have it.
GOVULNCHECK = golang.org/x/vuln/cmd/govulncheck@v1.1.4
vulnerabilities: ## compare the modules with Go's database of vulnerabilities, where it can be reached
	@if curl -fsS -m 20 -o /dev/null https://vuln.go.dev/index/db.json; then $(GO) run $(GOVULNCHECK) ./... || { sleep 15 && $(GO) run $(GOVULNCHECK) ./...; }; \
	else echo 'not checked: the database of vulnerabilities (vuln.go.dev) cannot be reached from here'; fi

race: ## the tests of every package with goroutines, under the race detector
	CGO_ENABLED=1 $(GO) test -race -vet=off -timeout 25m -p 4 $(WHOLE_RACE)
	CGO_ENABLED=1 $(GO) test -race -vet=off -timeout 25m -p 4 -short ./wall/ ./cmd/dashboard/ ./widgets/ ./wall/draft/ $(filter-out $(WHOLE_RACE),$(CONCURRENT)) # longest first

# The packages that hold pixels, run as arm64 code. Needs qemu-user-static (Debian).
PIXELS = ./render/... ./fb/... ./netstream ./netstream/bilinear ./netstream/jpegtile ./netstream/pngtile ./netstream/bmp

arm: ## the pixel packages' tests as arm64 code under qemu-user
	GOARCH=arm64 $(GO) test -short -vet=off -timeout 20m -exec qemu-aarch64-static $(PIXELS)

# 32-bit code: the packages that read bytes from outside or paint, as x86 code at full speed. The packages that hold pixels
# also run as ARMv6 code, which a Pi Zero runs, under qemu-user. The rest is left out there because its words are as long as x86's.
# On virtual machines that cannot start x86 code of 32 bits, the packages that read bytes run as ARMv6 code too. What only paints
# is left out then: under emulation it takes half an hour, and its pixels come from packages that run.
BYTES = ./appliance/... ./config/... ./internal/... ./render/picture ./render/damage ./netstream/... ./fb/... ./provider/... ./control/... ./theme/...
PAINT = ./render/... ./widgets/... ./server/... ./client/... ./output/...

arm32: ## the tests of everything that reads bytes from outside or paints, as 32-bit code (qemu-user-static)
	@if GOARCH=386 $(GO) test -vet=off -run '^$$' ./internal/budget >/dev/null 2>&1; then \
		echo 'as x86 code of 32 bits' && \
		GOARCH=386 $(GO) test -short -vet=off -timeout 20m -p 6 -parallel $(TOGETHER) $(BYTES) $(PAINT) && \
		GOARCH=arm GOARM=6 $(GO) test -short -vet=off -timeout 20m -exec qemu-arm-static $(PIXELS); \
	else echo 'as ARMv6 code, because this machine cannot start x86 code of 32 bits' && \
		GOARCH=arm GOARM=6 $(GO) test -short -vet=off -timeout 30m -p 2 -exec qemu-arm-static $(sort $(BYTES) $(PIXELS)); fi

# ARMv6 code is what a Pi Zero and a Pi 1 run.
BOARDS = amd64 arm64 armv7 armv6 riscv64
BOARDS_OCI = amd64 arm64 armv7 armv6

cross: $(BOARDS:%=cross-%) ## both programs for every board, in bin/linux-<board>/

cross-%:
	GOOS=linux GOARCH=$(patsubst armv%,arm,$*) GOARM=$(patsubst armv%,%,$(filter armv%,$*)) $(BUILD) -o bin/linux-$*/ $(PROGRAMS)
	GOOS=linux GOARCH=$(patsubst armv%,arm,$*) $(GO) vet ./fb/... # sizes of the kernel's structures

# Where people write and look at their walls: the framebuffer is only on Linux.
FOREIGN = darwin-arm64 darwin-amd64 windows-amd64 windows-arm64

foreign: $(FOREIGN:%=foreign-%) ## the programs for other systems, in bin/<system>-<processor>/

foreign-%:
	GOOS=$(word 1,$(subst -, ,$*)) GOARCH=$(word 2,$(subst -, ,$*)) $(BUILD) -o bin/$*/ $(PROGRAMS)
	GOOS=$(word 1,$(subst -, ,$*)) GOARCH=$(word 2,$(subst -, ,$*)) $(GO) vet ./fb/... # tests that only Linux can run must not break it

windows-test: foreign-windows-amd64 ## run the Windows programs under Wine (Debian: wine wine64 gcc-mingw-w64-x86-64-win32)
	$(GO) test -count=1 -v ./cmd/dashboard -run TestWindows -windows $(CURDIR)/bin/windows-amd64

# Debian's name of an architecture, and the programs for it.
DEBS = amd64:linux-amd64 arm64:linux-arm64 armhf:linux-armv6
MAINTAINER ?= Dashboard maintainers <maintainers@dashboard.home.arpa>

deb: cross ## Debian packages of both programs, in dist/
	@rm -rf dist/stage dist/*.deb dist/*.tar.gz
	$(GO) run ./tools/packaging -out dist/stage -version '$(VERSION)' -maintainer '$(MAINTAINER)' -date $(DATE) -programs bin/linux-amd64
	@set -e; export GOFLAGS=-mod=readonly; for deb in $(DEBS); do for name in dashboard dashboard-client; do \
		ARCH=$${deb%:*} BIN=bin/$${deb#*:} STAGE=dist/stage VERSION='$(VERSION)' MAINTAINER='$(MAINTAINER)' SOURCE_DATE_EPOCH=$(DATE) \
		$(GO) tool -modfile=packaging/nfpm.mod nfpm package --config packaging/$$name.yaml --packager deb --target dist/; \
	done; done

oci: $(BOARDS_OCI:%=cross-%) ## the container image for amd64, arm64, armv7 and armv6, in dist/ (docs/containers.md)
	@rm -f dist/*_container-*.tar
	$(GO) run ./tools/oci -out dist -programs bin -version '$(VERSION)' -date $(DATE)

deb-test: deb oci ## install, start, reload and purge the packages in a clean Debian, start the container (root; Debian: mmdebstrap, lintian)
	$(GO) test -count=1 -v -timeout 45m ./tools/packaging -packages $(CURDIR)/dist

reproducible: ## build the last commit twice, in two folders, and compare
	packaging/reproducible

release: deb oci ## programs, packages, an apt repository (signed by KEY), container images, the card's image if it was built, a bill of materials and checksums, in dist/ (docs/releasing.md)
	packaging/repository dist $(DATE)
	@set -e; for dir in bin/linux-*; do \
		tar --sort=name --mtime=@$(DATE) --owner=0 --group=0 --numeric-owner -cf - --transform "s,^,dashboard-$(VERSION)/," \
		-C $$dir dashboard dashboard-client -C $(CURDIR) systemd/*.service systemd/*.timer | gzip -9n >dist/dashboard_$(VERSION)_$${dir#bin/}.tar.gz; \
	done
	[ ! -e dist/dashboard.img ] || { xz -9 -T2 -kf dist/dashboard.img && \
		$(GO) run ./packaging/imager -url '$(RELEASES)' -version '$(VERSION)' -date $(DATE) dist/dashboard.img >dist/dashboard.rpi-imager-manifest; }
	$(GO) run ./packaging/sbom -version '$(VERSION)' -date $(DATE) $(if $(PACKAGES),-debian $(PACKAGES)) bin/linux-arm64/dashboard bin/linux-arm64/dashboard-client >dist/dashboard_$(VERSION).cdx.json
	cd dist && find . -maxdepth 1 -type f ! -name SHA256SUMS ! -name '*.img' -printf '%P\n' | LC_ALL=C sort | xargs sha256sum >SHA256SUMS

vendor: ## the Go modules in vendor/, for builds without a network, such as Buildroot's
	$(GO) mod vendor

golden: ## draw the golden pictures again; look at every one that changed
	$(GO) test $(patsubst %/testdata/golden,./%,$(wildcard widgets/testdata/golden widgets/*/testdata/golden)) ./client -run . -update

bench: ## the table of docs/benchmarks.md: ours beside its peers
	$(GO) run ./tools/bench

BENCHMARKED = $(patsubst %,./%,$(sort $(dir $(shell git grep -l '^func Benchmark' -- '*_test.go'))))

bench-once: ## every benchmark for one round, so that none is broken
	$(GO) test -run '^$$' -bench . -benchtime 1x $(BENCHMARKED) >/dev/null

FUZZTIME ?= 1m
fuzz: ## every parser of bytes from outside, a minute each (FUZZTIME)
	@set -e; for file in $$(git ls-files '*_test.go' | xargs grep -l '^func Fuzz'); do \
		for name in $$(sed -n 's/^func \(Fuzz[A-Za-z]*\)(.*/\1/p' $$file); do \
			echo "== $${file%/*} $$name"; $(GO) test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x ./$${file%/*}; \
		done; \
	done

web: web/node_modules/.package-lock.json ## bundle the browser pages into web/dist (Node.js and npm)
	cd web && node_modules/.bin/tsc --noEmit -p . && $(GO) run ./build

web-check: web/node_modules/.package-lock.json ## types of the browser pages, whether web/dist is their bundle, and schema/openapi.json
	cd web && node check/openapi.mjs
	cd web && node_modules/.bin/tsc --noEmit -p . && $(GO) run ./build .dist && diff -r .dist dist && diff -r .dist-packed dist-packed && rm -r .dist .dist-packed

web/node_modules/.package-lock.json: web/package-lock.json
	cd web && npm ci --silent --no-audit --no-fund --fetch-retries=5
	@touch $@

editing-pictures: ## draw the pictures of docs/editing.md anew (Chromium)
	$(GO) test ./server -run TestEditorPictures -long -editor-pictures

docs: ## write the reference pages and their pictures anew
	$(GO) test ./internal/locale ./recipes ./samples ./wall/trial -update
	$(GO) run ./tools/docgen

device-test: ## boot a real kernel in QEMU and compare its screen with what was painted
	$(GO) test -count=1 -v -timeout 60m ./tools/rig -device -parallel 3

input-test: ## boot a real kernel in QEMU and touch its screen, its keys and a line of it
	$(GO) test -count=1 -v -timeout 20m ./tools/inputs -inputs

BOARD ?= arm64
image: ## the SD card image of the appliance and its update, in dist/, signed by minisign's KEY, that also knows the public key NEXT; BOARD=amd64: for a PC; KERNEL=folder: with another kernel (root on Debian)
	$(GO) run ./tools/image needs
	$(GO) run ./tools/image build -arch $(BOARD) -version '$(VERSION)' $(if $(KEY),-key $(KEY)) $(if $(NEXT),-next-key $(NEXT)) $(if $(KERNEL),-kernel $(KERNEL))

CHANNEL ?= stable
PERCENT ?= 100
image-release: ## what cards fetch, in dist/: the update's manifest, signed by minisign's KEY, and its differences from the updates OLD (docs/releasing.md)
	$(GO) run ./packaging/release -version '$(VERSION)' -date $(DATE) -arch $(BOARD) -key $(KEY) -channel $(CHANNEL) -percent $(PERCENT) $(if $(NEXT),-next-key $(NEXT)) $(if $(NOTES),-notes $(NOTES)) \
		dist/dashboard$(if $(filter-out arm64,$(BOARD)),-$(BOARD)).update $(OLD)

IMAGE_CASES ?= TestImage
image-test: ## boot the image in QEMU, cut its power, update it (an hour; docs/image.md)
	$(GO) test -count=1 -v -timeout 4h ./tools/image -image dist -run '$(IMAGE_CASES)'

clean:
	rm -rf bin dist

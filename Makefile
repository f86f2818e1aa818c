# The commands for developers and for the gate (.ci/run). `make help` lists them.

GO      ?= go
# If there is no tag, the version contains the date and the commit. Builds of the same commit are identical on all machines.
TAG     := $(shell git describe --tags --match 'v[0-9]*' 2>/dev/null)
COMMIT  := $(or $(COMMIT),$(shell git rev-parse --short=12 HEAD 2>/dev/null),unknown)
DATE    := $(or $(DATE),$(shell git show -s --format=%ct 2>/dev/null),0)
VERSION := $(or $(VERSION),$(TAG:v%=%),0.1.0~$(shell date -u -d @$(DATE) +%Y%m%d).$(COMMIT))
LDFLAGS  = -s -w -X main.version=$(VERSION) -X dashboard/wall/daemon.commit=$(COMMIT)
BUILD    = $(GO) build -mod=readonly -buildvcs=false -ldflags '$(LDFLAGS)'
# The commands run, build and test use the same flags, because Go's build cache stores each package separately for each set of flags.
# The tag omits HTTP/2 from net/http. This saves half a megabyte, and no service needs HTTP/2 (docs/dev/decisions/http2.md).
export GOFLAGS += -trimpath -tags=nethttpomithttp2
# The released programs are built without cgo. Tests and vet also run without cgo, so that they share the compiled packages.
export CGO_ENABLED ?= 0
PROGRAMS = ./cmd/dashboard ./cmd/dashboard-client

.DEFAULT_GOAL := help
.PHONY: help run test long check fmt vet staticcheck tidy race arm arm32 cross foreign windows-test build deb oci deb-test reproducible release vendor golden bench bench-once fuzz web web-check docs editing-pictures device-test input-test image image-release image-test vulnerabilities clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

run: ## run the dashboard with its built-in configuration: http://127.0.0.1:5000/
	$(BUILD) -o bin/ ./cmd/dashboard
	bin/dashboard --demo

# The packages with the longest tests. They start first. More packages run at once than there are processors, because these tests mostly wait.
LONGEST = ./cmd/... ./wall/... ./internal/mdns ./control/device ./server ./widgets/... ./provider/sources ./control/bridge ./provider/mqtt ./output/panel
# Number of parallel tests in a package. It may be greater than the number of processors, because most tests wait.
TOGETHER = 8

# Tools that create images and packages, and tools that emulate machines. Only `make long` runs their tests.
MACHINERY = image|inputs|oci|packaging|qemu|rig

# -vet=off, because `make check` runs all of vet. The two variables are unset, because each test would read their list of certificates.
test: ## test the released programs and the documents, in a few minutes
	env -u REQUESTS_CA_BUNDLE -u CURL_CA_BUNDLE GOGC=400 $(GO) test -short -vet=off -timeout 20m -p 6 -parallel $(TOGETHER) $(LONGEST) $$($(GO) list ./... | grep -vE '/tools/($(MACHINERY))(/|$$)')

# SHORTENED are the packages whose tests support -long. SKIPPING are the packages whose tests support only -short. `make long` runs both
# completely. The lists are computed, so that no package is forgotten.
SHORTENED = $(sort $(dir $(shell git grep -l 'flag.Bool."long"' -- '*_test.go')))
SKIPPING = $(filter-out $(SHORTENED),$(sort $(dir $(shell git grep -lE 'testing.Short\(\)|thorough.Only' -- '*_test.go'))))

long: ## run the tests that `make test` shortens or skips, and the tests of tools: weeks of the panels, thousands of streams, a year of the wall
	$(GO) test -vet=off -timeout 25m $$($(GO) list ./... | grep -E '/tools/($(MACHINERY))(/|$$)')
	$(GO) test -vet=off -timeout 25m -parallel $(TOGETHER) ./server/ ./config/edit/ ./wall/ $(SHORTENED:%=./%) -long # longest first
	$(GO) test -vet=off -timeout 25m -p 6 -parallel $(TOGETHER) $(SKIPPING:%=./%)

build: ## build both programs for this machine, in bin/
	$(BUILD) -o bin/ $(PROGRAMS)

check: fmt vet staticcheck tidy ## check the format, vet, staticcheck and go.mod

fmt:
	@out=$$(gofmt -l cmd $$(git ls-files '*.go' | cut -d/ -f1 | sort -u | grep -v '^cmd$$')); test -z "$$out" || { echo "gofmt: $$out"; exit 1; }

# One test of fb needs cgo, so fb is also checked with the default of CGO_ENABLED. The program on the card is built with the tag appliance.
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

# The packages that start goroutines or share memory between goroutines. In all other packages, and in the tests of the documents in the top
# folder, the race detector has nothing to find.
CONCURRENT = $(filter-out ././,$(patsubst %,./%,$(sort $(dir $(shell git grep -lE '^[[:space:]]+go [a-zA-Z]|"sync|"testing/synctest"' -- '*.go' ':!tools')))))
# The packages in which -short omits tests of goroutines. In the other packages, -short only shortens loops in one goroutine, drawing and
# tests in browsers.
WHOLE_RACE = ./cmd/shared/viewer/ ./control/device/ ./internal/mdns/ ./provider/sources/

# The version of govulncheck. It reads Go's database of vulnerabilities from vuln.go.dev, because the Go module proxy does not have it.
GOVULNCHECK = golang.org/x/vuln/cmd/govulncheck@v1.1.4
vulnerabilities: ## compare the modules with Go's database of vulnerabilities, if it can be reached
	@if curl -fsS -m 20 -o /dev/null https://vuln.go.dev/index/db.json; then $(GO) run $(GOVULNCHECK) ./... || { sleep 15 && $(GO) run $(GOVULNCHECK) ./...; }; \
	else echo 'not checked: the database of vulnerabilities (vuln.go.dev) cannot be reached from here'; fi

race: ## test every package with goroutines under the race detector
	CGO_ENABLED=1 $(GO) test -race -vet=off -timeout 25m -p 4 $(WHOLE_RACE)
	CGO_ENABLED=1 $(GO) test -race -vet=off -timeout 25m -p 4 -short ./wall/ ./cmd/dashboard/ ./widgets/ ./wall/draft/ $(filter-out $(WHOLE_RACE),$(CONCURRENT)) # longest first

# The packages that process pixels. `make arm` runs their tests as arm64 code and needs qemu-user-static (Debian).
PIXELS = ./render/... ./fb/... ./netstream ./netstream/bilinear ./netstream/jpegtile ./netstream/pngtile ./netstream/bmp

arm: ## test the packages that process pixels as arm64 code under qemu-user
	GOARCH=arm64 $(GO) test -short -vet=off -timeout 20m -exec qemu-aarch64-static $(PIXELS)

# Tests with 32-bit code. BYTES are the packages that read bytes from outside, and PAINT are the packages that paint. Both run as x86 code at
# full speed. The packages in PIXELS also run as ARMv6 code (the code for a Pi Zero) under qemu-user. The other packages do not run as
# ARMv6 code, because 32-bit x86 code has the same word size.
# Some virtual machines cannot start 32-bit x86 code. On these machines, BYTES and PIXELS run as ARMv6 code. PAINT does not run there: it
# would take half an hour under emulation, and the packages that compute its pixels are in PIXELS.
BYTES = ./appliance/... ./config/... ./internal/... ./render/picture ./render/damage ./netstream/... ./fb/... ./provider/... ./control/... ./theme/...
PAINT = ./render/... ./widgets/... ./server/... ./client/... ./output/...

arm32: ## test the packages that read bytes from outside, paint or process pixels, as 32-bit code (qemu-user-static)
	@if GOARCH=386 $(GO) test -vet=off -run '^$$' ./internal/budget >/dev/null 2>&1; then \
		echo 'as x86 code of 32 bits' && \
		GOARCH=386 $(GO) test -short -vet=off -timeout 20m -p 6 -parallel $(TOGETHER) $(BYTES) $(PAINT) && \
		GOARCH=arm GOARM=6 $(GO) test -short -vet=off -timeout 20m -exec qemu-arm-static $(PIXELS); \
	else echo 'as ARMv6 code, because this machine cannot start x86 code of 32 bits' && \
		GOARCH=arm GOARM=6 $(GO) test -short -vet=off -timeout 30m -p 2 -exec qemu-arm-static $(sort $(BYTES) $(PIXELS)); fi

# A Pi Zero and a Pi 1 need ARMv6 code.
BOARDS = amd64 arm64 armv7 armv6 riscv64
BOARDS_OCI = amd64 arm64 armv7 armv6

cross: $(BOARDS:%=cross-%) ## build both programs for every board, in bin/linux-<board>/

cross-%:
	GOOS=linux GOARCH=$(patsubst armv%,arm,$*) GOARM=$(patsubst armv%,%,$(filter armv%,$*)) $(BUILD) -o bin/linux-$*/ $(PROGRAMS)
	GOOS=linux GOARCH=$(patsubst armv%,arm,$*) $(GO) vet ./fb/... # checks the sizes of the kernel's structures

# Systems on which people write their configurations and view their walls. They have no framebuffer.
FOREIGN = darwin-arm64 darwin-amd64 windows-amd64 windows-arm64

foreign: $(FOREIGN:%=foreign-%) ## build both programs for other systems, in bin/<system>-<processor>/

foreign-%:
	GOOS=$(word 1,$(subst -, ,$*)) GOARCH=$(word 2,$(subst -, ,$*)) $(BUILD) -o bin/$*/ $(PROGRAMS)
	GOOS=$(word 1,$(subst -, ,$*)) GOARCH=$(word 2,$(subst -, ,$*)) $(GO) vet ./fb/... # checks that tests for Linux do not break other systems

windows-test: foreign-windows-amd64 ## run the Windows programs under Wine (Debian: wine wine64 gcc-mingw-w64-x86-64-win32)
	$(GO) test -count=1 -v ./cmd/dashboard -run TestWindows -windows $(CURDIR)/bin/windows-amd64

# Debian's name of each architecture, and the folder in bin/ with its programs.
DEBS = amd64:linux-amd64 arm64:linux-arm64 armhf:linux-armv6
MAINTAINER ?= Dashboard maintainers <maintainers@dashboard.home.arpa>

deb: cross ## build Debian packages of both programs, in dist/
	@rm -rf dist/stage dist/*.deb dist/*.tar.gz
	$(GO) run ./tools/packaging -out dist/stage -version '$(VERSION)' -maintainer '$(MAINTAINER)' -date $(DATE) -programs bin/linux-amd64
	@set -e; export GOFLAGS=-mod=readonly; for deb in $(DEBS); do for name in dashboard dashboard-client; do \
		ARCH=$${deb%:*} BIN=bin/$${deb#*:} STAGE=dist/stage VERSION='$(VERSION)' MAINTAINER='$(MAINTAINER)' SOURCE_DATE_EPOCH=$(DATE) \
		$(GO) tool -modfile=packaging/nfpm.mod nfpm package --config packaging/$$name.yaml --packager deb --target dist/; \
	done; done

oci: $(BOARDS_OCI:%=cross-%) ## build the container image for amd64, arm64, armv7 and armv6, in dist/ (docs/containers.md)
	@rm -f dist/*_container-*.tar
	$(GO) run ./tools/oci -out dist -programs bin -version '$(VERSION)' -date $(DATE)

deb-test: deb oci ## install, start, reload and purge the packages in a clean Debian, and start the container (root; Debian: mmdebstrap, lintian)
	$(GO) test -count=1 -v -timeout 45m ./tools/packaging -packages $(CURDIR)/dist

reproducible: ## build the last commit twice, in two folders, and compare the results
	packaging/reproducible

PACKAGES ?= $(wildcard dist/dashboard.packages)
release: deb oci ## create a release in dist/: programs, packages, an apt repository (signed with KEY), container images, the card's image if it was built, a bill of materials and checksums (docs/releasing.md)
	packaging/repository dist $(DATE)
	@set -e; for dir in bin/linux-*; do \
		tar --sort=name --mtime=@$(DATE) --owner=0 --group=0 --numeric-owner -cf - --transform "s,^,dashboard-$(VERSION)/," \
		-C $$dir dashboard dashboard-client -C $(CURDIR) systemd/*.service systemd/*.timer | gzip -9n >dist/dashboard_$(VERSION)_$${dir#bin/}.tar.gz; \
	done
	[ ! -e dist/dashboard.img ] || { xz -9 -T2 -kf dist/dashboard.img && \
		$(GO) run ./packaging/imager -url '$(RELEASES)' -version '$(VERSION)' -date $(DATE) dist/dashboard.img >dist/dashboard.rpi-imager-manifest; }
	$(GO) run ./packaging/sbom -version '$(VERSION)' -date $(DATE) $(PACKAGES:%=-debian %) bin/linux-arm64/dashboard bin/linux-arm64/dashboard-client >dist/dashboard_$(VERSION).cdx.json
	packaging/checksums dist

vendor: ## copy the Go modules to vendor/, for builds without a network, such as Buildroot's builds
	$(GO) mod vendor

golden: ## draw the golden pictures again. Look at each picture that changed
	$(GO) test $(patsubst %/testdata/golden,./%,$(wildcard widgets/testdata/golden widgets/*/testdata/golden)) ./client -run . -update

bench: ## measure the table of docs/benchmarks.md, which compares this project with others
	$(GO) run ./tools/bench

BENCHMARKED = $(patsubst %,./%,$(sort $(dir $(shell git grep -l '^func Benchmark' -- '*_test.go'))))

bench-once: ## run every benchmark once, to find broken benchmarks
	$(GO) test -run '^$$' -bench . -benchtime 1x $(BENCHMARKED) >/dev/null

FUZZTIME ?= 1m
fuzz: ## fuzz every parser of bytes from outside, each for FUZZTIME (default: one minute)
	@set -e; for file in $$(git ls-files '*_test.go' | xargs grep -l '^func Fuzz'); do \
		for name in $$(sed -n 's/^func \(Fuzz[A-Za-z]*\)(.*/\1/p' $$file); do \
			echo "== $${file%/*} $$name"; $(GO) test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x ./$${file%/*}; \
		done; \
	done

web: web/node_modules/.package-lock.json ## bundle the browser pages into web/dist (Node.js and npm)
	cd web && node_modules/.bin/tsc --noEmit -p . && $(GO) run ./build

web-check: web/node_modules/.package-lock.json ## check the types of the browser pages, that web/dist is their bundle, and schema/openapi.json
	cd web && node check/openapi.mjs
	cd web && node_modules/.bin/tsc --noEmit -p . && $(GO) run ./build .dist && diff -r .dist dist && diff -r .dist-packed dist-packed && rm -r .dist .dist-packed

web/node_modules/.package-lock.json: web/package-lock.json
	cd web && npm ci --silent --no-audit --no-fund --fetch-retries=5
	@touch $@

editing-pictures: ## draw the pictures of docs/editing.md again (Chromium)
	$(GO) test ./server -run TestEditorPictures -long -editor-pictures

docs: ## write the reference pages and their pictures again
	$(GO) test ./internal/locale ./recipes ./samples ./wall/trial -update
	$(GO) run ./tools/docgen

device-test: ## boot a real kernel in QEMU and compare its screen with the painted picture
	$(GO) test -count=1 -v -timeout 60m ./tools/rig -device -parallel 3

input-test: ## boot a real kernel in QEMU and simulate its touch screen, its keys and a GPIO line
	$(GO) test -count=1 -v -timeout 20m ./tools/inputs -inputs

BOARD ?= arm64
image: ## build the SD card image of the appliance and its update, in dist/ (root on Debian). KEY: minisign key for the signature. NEXT: public key that the image also accepts. BOARD=amd64: for a PC. KERNEL: folder of another kernel
	$(GO) run ./tools/image needs
	$(GO) run ./tools/image build -arch $(BOARD) -version '$(VERSION)' $(if $(KEY),-key $(KEY)) $(if $(NEXT),-next-key $(NEXT)) $(if $(KERNEL),-kernel $(KERNEL))

CHANNEL ?= stable
PERCENT ?= 100
image-release: ## write the files that cards fetch, in dist/: the update's manifest, signed with minisign's KEY, and delta files for the older updates OLD (docs/releasing.md)
	$(GO) run ./packaging/release -version '$(VERSION)' -date $(DATE) -arch $(BOARD) -key $(KEY) -channel $(CHANNEL) -percent $(PERCENT) $(if $(NEXT),-next-key $(NEXT)) $(if $(NOTES),-notes $(NOTES)) \
		dist/dashboard$(if $(filter-out arm64,$(BOARD)),-$(BOARD)).update $(OLD)

IMAGE_CASES ?= TestImage
image-test: ## boot the image in QEMU, cut its power, and update it (an hour; docs/image.md)
	$(GO) test -count=1 -v -timeout 4h ./tools/image -image dist -run '$(IMAGE_CASES)'

clean:
	rm -rf bin dist

# Everything a person or the gate runs. `make help` lists it.

GO      ?= go
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS  = -s -w -X main.version=$(VERSION)
BUILD    = CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)'
PROGRAMS = ./cmd/...

.DEFAULT_GOAL := help
.PHONY: help run test check fmt vet staticcheck tidy race arm cross build golden bench fuzz docs device-test clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

run: ## the dashboard, live, with its built-in configuration: http://127.0.0.1:5000/
	$(GO) run ./cmd/dashboard --demo

test: ## every test
	$(GO) test ./...

build: ## both programs for this machine, in bin/
	$(BUILD) -o bin/ $(PROGRAMS)

check: fmt vet staticcheck tidy ## formatting, vet, staticcheck, tidy go.mod

fmt:
	@out=$$(gofmt -l cmd $$(git ls-files '*.go' | cut -d/ -f1 | sort -u | grep -v '^cmd$$')); test -z "$$out" || { echo "gofmt: $$out"; exit 1; }

vet:
	$(GO) vet ./...

staticcheck:
	$(GO) tool staticcheck ./...

tidy:
	$(GO) mod tidy -diff
	$(GO) mod verify

race: ## every test under the race detector
	CGO_ENABLED=1 $(GO) test -race ./...

# The packages that hold pixels, run as arm64 code. Needs qemu-user-static (Debian).
PIXELS = ./damage ./render/... ./fb/... ./netstream/bilinear ./netstream/jpegtile ./netstream/pngtile ./netstream/bmp ./picture

arm: ## the pixel packages' tests as arm64 code under qemu-user
	GOARCH=arm64 CGO_ENABLED=0 $(GO) test -exec qemu-aarch64-static $(PIXELS)

cross: ## both programs for every board, in bin/<system>-<arch>/
	GOOS=linux GOARCH=amd64            $(BUILD) -o bin/linux-amd64/   $(PROGRAMS)
	GOOS=linux GOARCH=arm64            $(BUILD) -o bin/linux-arm64/   $(PROGRAMS)
	GOOS=linux GOARCH=arm   GOARM=7    $(BUILD) -o bin/linux-armv7/   $(PROGRAMS)
	GOOS=linux GOARCH=arm   GOARM=6    $(BUILD) -o bin/linux-armv6/   $(PROGRAMS)
	GOOS=linux GOARCH=riscv64          $(BUILD) -o bin/linux-riscv64/ $(PROGRAMS)

golden: ## draw the golden pictures again; look at every one that changed
	$(GO) test ./widgets ./client -run Golden -update

bench: ## every benchmark, once and short; docs/benchmarks.md tells how to compare
	$(GO) test -run '^$$' -bench . -benchmem -benchtime 200ms ./...

docs: ## write the reference pages and their pictures anew
	$(GO) run ./internal/docgen

device-test: ## boot a real kernel in QEMU and compare its screen with what was painted
	$(GO) run ./internal/rig

clean:
	rm -rf bin dist

package dashboard_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// maxBinary is the maximum size in bytes of the service's stripped program for arm64. Code for arm64 is longer than code for the other
// boards. The space above 24 MB is for seven languages and the bundled web pages.
const maxBinary = 26_000_000

// inFull is true in `make long`.
var inFull = flag.Bool("long", false, "link the service for arm64, for its size")

// The program stays small. If code found methods by computed names, as text/template does, the linker would keep every exported method of
// the program.
func TestBinarySize(t *testing.T) {
	if !*inFull {
		t.Skip("it links the service for arm64: with -long")
	}
	out := filepath.Join(t.TempDir(), "dashboard")
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -dumpdep", "-o", out, "./cmd/dashboard")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=arm64", "GOFLAGS=-mod=readonly -tags=nethttpomithttp2")
	var said bytes.Buffer
	build.Stderr = &said
	if err := build.Run(); err != nil {
		t.Fatalf("%v: %.2000s", err, said.Bytes())
	}
	for line := range strings.Lines(said.String()) {
		caller, _, _ := strings.Cut(line, " -> ")
		if of, found := strings.CutSuffix(caller, " <ReflectMethod>"); found && !strings.HasPrefix(of, "reflect.") {
			t.Fatalf("%s finds methods by name: the linker keeps all", of)
		}
	}
	info, err := os.Stat(out)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > maxBinary {
		t.Errorf("got a binary of %d bytes, want at most %d", info.Size(), maxBinary)
	}
	t.Logf("%d bytes", info.Size())
}

// TestSharedSort checks that the programs sort with the package internal/stable. For each type of elements, [slices.SortStableFunc] adds
// 4 kB of code, and [slices.SortFunc] about 8 kB.
func TestSharedSort(t *testing.T) {
	sorts := regexp.MustCompile(`slices\.Sort(ed)?(Stable)?Func\b`)
	eachProgram(t, func(path string, _ int, data []byte) {
		switch {
		case strings.HasSuffix(path, "_test.go"), strings.HasPrefix(path, "tools/"), strings.HasPrefix(path, "packaging/"),
			strings.HasPrefix(path, "internal/testing/"):
			return
		}
		if at := sorts.FindIndex(data); at != nil {
			t.Errorf("%s:%d: %s: use stable.Sort", path, 1+bytes.Count(data[:at[0]], []byte("\n")), data[at[0]:at[1]])
		}
	})
}

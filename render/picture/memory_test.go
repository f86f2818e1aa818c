package picture

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"dashboard/internal/testing/race"
	"dashboard/internal/testing/testpic"
	"dashboard/internal/testing/thorough"
)

func unpacked(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "large", name+".jpg.gz"))
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if data, err = io.ReadAll(z); err != nil {
		t.Fatal(err)
	}
	return data
}

// `large` lists small files that need much memory, and large photographs that must be shown.
var large = []struct {
	name  string
	data  func(t testing.TB) []byte
	shown bool
	times int // number of times that the file is decoded, one after the other, as for several notifications
}{
	{"progressive 6320x6320 4:4:4", func(t testing.TB) []byte { return unpacked(t, "square-444-progressive") }, true, 1},
	{"progressive 6000x4000", func(t testing.TB) []byte { return unpacked(t, "photo-24-progressive") }, true, 1},
	{"48 megapixels", func(t testing.TB) []byte { return unpacked(t, "photo-48") }, true, 1},
	{"48 megapixels progressive", func(t testing.TB) []byte { return unpacked(t, "photo-48-progressive") }, true, 1},
	{"200 megapixels", func(t testing.TB) []byte { return unpacked(t, "photo-200") }, true, 1},
	{"16 bits, interlaced", func(t testing.TB) []byte { return testpic.EmptyPNG(6320, 6320, 16, 6, 1, 64) }, false, 1},
	{"one row", func(t testing.TB) []byte { return testpic.EmptyPNG(40_000_000, 1, 8, 6, 0, 32) }, false, 1},
	{"8 bits", func(t testing.TB) []byte { return testpic.EmptyPNG(4000, 2600, 8, 2, 0, 24) }, true, 1},
	{"30 frames of 6320x6320", func(t testing.TB) []byte { return longGIF(t, image.Pt(6320, 6320), 30) }, false, 1},
	{"six of 1,000 frames", func(t testing.TB) []byte { return longGIF(t, image.Pt(400, 300), 1000) }, true, 6},
}

const (
	childFile  = "PICTURE_TEST_FILE"  // the environment variable with the file that a child process decodes
	childTimes = "PICTURE_TEST_TIMES" // the environment variable with the number of times that the child process decodes the file
)

// TestMemoryOfOne decodes each picture in a separate process and reads the process's peak memory.
func TestMemoryOfOne(t *testing.T) {
	thorough.Only(t)
	if name := os.Getenv(childFile); name != "" {
		child(t, name)
		return
	}
	if race.Enabled {
		t.Skip("the race detector multiplies memory")
	}
	if err := exec.Command(os.Args[0], "-test.run=^$").Run(); errors.Is(err, syscall.ENOEXEC) {
		t.Skip("an emulated program cannot start itself")
	}
	for _, tt := range large {
		t.Run(tt.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "picture")
			if err := os.WriteFile(name, tt.data(t), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(os.Args[0], "-test.run=^TestMemoryOfOne$", "-test.v")
			cmd.Env = append(os.Environ(), childFile+"="+name, fmt.Sprintf("%s=%d", childTimes, tt.times), "GOMEMLIMIT=160MiB")
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			_, rest, _ := strings.Cut(string(out), "peak ")
			var peak int
			var result string
			fmt.Sscanf(rest, "%d kB, %s", &peak, &result)
			t.Logf("peak %d MiB, %s", peak>>10, result)
			const most = MaxMemory + 64<<20 // memory for the file, the program and garbage that is not collected yet
			if peak == 0 || peak > most>>10 {
				t.Errorf("peak %d MiB, want at most %d\n%s", peak>>10, most>>20, out)
			}
			if shown := result == "shown"; shown != tt.shown {
				t.Errorf("got shown %v, want %v\n%s", shown, tt.shown, out)
			}
		})
	}
}

func child(t *testing.T, name string) {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	times, err := strconv.Atoi(os.Getenv(childTimes))
	if err != nil {
		t.Fatal(err)
	}
	var shown *Picture // keep each picture until the next picture is decoded
	for range times {
		var next *Picture
		if next, err = Decode(t.Context(), data, image.Pt(1920, 1080), Contain, true); err != nil {
			break
		}
		shown = next
	}
	runtime.KeepAlive(shown)
	result := "shown"
	if errors.Is(err, ErrTooLarge) {
		result = "refused"
	} else if err != nil {
		t.Fatal(err)
	}
	status, err2 := os.ReadFile("/proc/self/status")
	if err2 != nil {
		t.Skip(err2)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	peak, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	fmt.Printf("peak %s kB, %s\n%v\n", peak, result, err)
}

// TestWordsOfTooLarge: the error text names the size and the remedy.
func TestWordsOfTooLarge(t *testing.T) {
	_, err := Decode(t.Context(), testpic.EmptyPNG(6000, 6000, 16, 6, 0, 0), image.Pt(100, 100), Contain, true)
	const want = "png: picture is too large: 6000x6000 pixels take 274 MB to decode, the limit is 56; save it smaller, or as a JPEG"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestJPEGBytesUnknownFrame: if jpegFrame does not find the frame of a damaged file, jpegBytes returns the memory for the most expensive
// kind of frame. Go's decoder can still find the frame, because it skips markers without a length, and bytes between segments.
func TestJPEGBytesUnknownFrame(t *testing.T) {
	size := image.Pt(640, 480)
	frame := append([]byte{0xff, 0xc2, 0, 20, 8, 1, 224, 2, 128, 4}, make([]byte, 12)...)
	most := jpegBytes(append([]byte{0xff, 0xd8}, frame...), size)
	gray := append([]byte{0xff, 0xc0, 0, 11, 8, 1, 224, 2, 128, 1}, make([]byte, 3)...)
	for name, before := range map[string][]byte{
		"garbage": {1, 2, 3}, "a restart with a segment": append([]byte{0xff, 0xd0, 0, 2}, gray...), "a stuffed byte": append([]byte{0xff, 0, 0, 2}, gray...),
	} {
		if got := jpegBytes(append(append([]byte{0xff, 0xd8}, before...), frame...), size); got < most {
			t.Errorf("%s: got %d bytes, want at least %d", name, got, most)
		}
	}
}

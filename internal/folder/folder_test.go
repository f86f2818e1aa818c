//go:build unix

package folder

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"
)

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	wall := filepath.Join(dir, "wall")
	if err := errors.Join(os.Mkdir(wall, 0o755), os.WriteFile(filepath.Join(wall, "a.txt"), []byte("inside"), 0o600),
		os.WriteFile(filepath.Join(dir, "b.txt"), []byte("beside"), 0o600), os.Symlink("a.txt", filepath.Join(wall, "link")),
		syscall.Mkfifo(filepath.Join(wall, "pipe"), 0o600)); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", filepath.Join(wall, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	for _, tt := range []struct{ name, want, err string }{
		{"a.txt", "inside", ""},
		{"./a.txt", "inside", ""},
		{"link", "inside", ""},
		{"../b.txt", "beside", ""},
		{filepath.Join(dir, "b.txt"), "beside", ""},
		{"none", "", "open none: no such file or directory"},
		{".", "", "open .: is a directory, not a file"},
		{"pipe", "", "open pipe: is a pipe, not a file"},
		{"socket", "", "open socket: is a socket, not a file"},
		{"/dev/null", "", "open /dev/null: is a device, not a file"},
		{"", "", "open : is a directory, not a file"},
	} {
		got, err := Read(Dir(wall), tt.name, 100)
		if string(got) != tt.want || errText(err) != tt.err {
			t.Errorf("%q: got %q, %v, want %q, %q", tt.name, got, err, tt.want, tt.err)
		}
		var p *fs.PathError
		if err != nil && !errors.As(err, &p) {
			t.Errorf("%q: %T is no PathError", tt.name, err)
		}
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestRootStays checks that a root continues to use its folder if the working directory changes.
func TestRootStays(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	here := Dir("")
	t.Chdir(t.TempDir())
	if got, err := Read(here, "a", 10); string(got) != "x" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if got := here.Path("../b"); got != filepath.Join(filepath.Dir(dir), "b") {
		t.Errorf("got %s", got)
	}
}

func TestReadLimit(t *testing.T) {
	big := strings.Repeat("x", 3*maxChunk+7)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "big"), []byte(big), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, fsys := range map[string]fs.FS{"folder": Dir(dir), "memory": fstest.MapFS{"big": {Data: []byte(big)}}} {
		size := int64(len(big))
		for limit, fits := range map[int64]bool{size: true, size + 1: true, size - 1: false, 10: false, 0: false} {
			got, err := Read(fsys, "big", limit)
			var long *TooLong
			if fits && (string(got) != big || err != nil) || !fits && (got != nil || !errors.As(err, &long)) {
				t.Errorf("%s, limit %d: got %d bytes, %v", name, limit, len(got), err)
			}
		}
	}
}

// TestSizeIsNotBelieved reads files in /proc, for which the system reports a size of 0.
func TestSizeIsNotBelieved(t *testing.T) {
	got, err := Read(Dir("/"), "proc/self/status", 1<<20)
	if err != nil || len(got) < 600 {
		t.Errorf("got %d bytes, %v", len(got), err)
	}
}

// TestHung makes MaxHung calls that the system does not answer. Each call returns an error after OpenTime, and further calls return an
// error at once. A late result is dropped. After that, another call is possible.
func TestHung(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := Dir("/")
		end := make(chan struct{})
		var dropped atomic.Int32
		hang := func() (int, error) { <-end; return 7, nil }
		begin := time.Now()
		for range MaxHung {
			if _, err := within(r, "open", "share/a", hang, func(int) { dropped.Add(1) }); !errors.Is(err, ErrHung) {
				t.Errorf("got %v", err)
			}
		}
		if got := time.Since(begin); got != MaxHung*OpenTime {
			t.Errorf("waited %v", got)
		}
		if _, err := r.Open("proc/self/status"); !errors.Is(err, ErrHung) || time.Since(begin) != MaxHung*OpenTime {
			t.Errorf("got %v after %v: one too many must fail at once", err, time.Since(begin))
		}
		close(end)
		synctest.Wait()
		if dropped.Load() != MaxHung || r.hung.Load() != 0 {
			t.Errorf("dropped %d, %d still hang", dropped.Load(), r.hung.Load())
		}
		if v, err := within(r, "open", "share/a", hang, nil); v != 7 || err != nil {
			t.Errorf("got %d, %v", v, err)
		}
	})
}

// TestHungRead checks a file on which a read hangs. The file cannot be used any more, and Close does not close it during this read.
func TestHungRead(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer write.Close()
	f := &file{root: Dir("/"), name: "share/a", file: read, dead: true}
	if _, err := f.Read(make([]byte, 1)); !errors.Is(err, ErrHung) {
		t.Errorf("got %v", err)
	}
	if _, err := f.Stat(); !errors.Is(err, ErrHung) {
		t.Errorf("got %v", err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if _, err := write.Write([]byte("x")); err != nil {
		t.Errorf("the file was closed under the call: %v", err)
	}
	read.Close()
}

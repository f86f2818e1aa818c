package wall

import (
	"encoding/json"
	"errors"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/image/bmp"

	"dashboard/internal/testing/thorough"
)

// tickingWall is a wall that changes each second. It has a red border.
const tickingWall = "widgets:\n  - widget: grid\n    background_color: red\n    padding: 10\n    children:\n" +
	"      - {widget: dateclock, time_format: '%H:%M:%S', color: white}\n"

// launchTicking is like launchWall, but with the widgets of tickingWall.
func launchTicking(t *testing.T, edit func(f files)) *binary {
	t.Helper()
	return launchWall(t, func(f files) {
		f["widgets.yaml"] = tickingWall
		if edit != nil {
			edit(f)
		}
	})
}

// goesOn waits until the wall has changed twice, and checks a frame.
func (p site) goesOn() {
	p.t.Helper()
	const frames = "dashboard_frames_total"
	before := p.metric(frames)
	eventually(p.t, "the clock on the wall goes on", func() bool { return p.metric(frames) >= before+2 })
	p.readable()
}

// readable() checks that the server sends a complete frame of tickingWall.
func (p site) readable() {
	p.t.Helper()
	status, body := p.get("/frame")
	img, err := png.Decode(strings.NewReader(body))
	if status != 200 || err != nil {
		p.t.Fatalf("/frame: got %d, %v", status, err)
	}
	ink := 0
	for y := range testH {
		for x := range testW {
			if r, g, b, _ := img.At(x, y).RGBA(); r&g&b == 0xffff {
				ink++
			}
		}
	}
	if r, g, b, _ := img.At(1, 1).RGBA(); r != 0xffff || g != 0 || b != 0 || ink < 100 {
		p.t.Errorf("/frame: got %x %x %x in the corner and %d white pixels, want a red frame and a clock", r, g, b, ink)
	}
}

// outputHealth is an output's part of /healthz.
type outputHealth struct {
	Type      string
	OK        bool
	Frames    int
	LastError string `json:"last_error"`
	Device    struct {
		Open  bool
		Error string
	}
}

func (p site) output(kind string) outputHealth {
	p.t.Helper()
	var h struct{ Outputs []outputHealth }
	_, body := p.get("/healthz")
	if err := json.Unmarshal([]byte(body), &h); err != nil {
		p.t.Fatalf("healthz: %v in %q", err, body)
	}
	for _, o := range h.Outputs {
		if o.Type == kind {
			return o
		}
	}
	p.t.Fatalf("healthz: no output %s in %s", kind, body)
	return outputHealth{}
}

// diskBytes is the size of a test's disk in bytes. The disk has room for four pictures of testW by testH px, but not for a fifth picture.
const diskBytes = 256 << 10

// mount mounts a small tmpfs for the test. Only root can do this.
func mount(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	err := syscall.Mount("none", dir, "tmpfs", 0, fmt.Sprintf("size=%d", diskBytes))
	switch {
	case err != nil && os.Getenv("DASHBOARD_CI") != "":
		t.Fatal("mount:", err)
	case err != nil:
		t.Skip("needs a disk of its own, which root may mount:", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// fill writes into a file until the disk is full.
func fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for page := make([]byte, 4096); err == nil; {
		_, err = f.Write(page)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
}

// wholePictures checks that each picture in `dir` and the link to the latest picture are complete. `dir` must contain at most `keep`
// pictures.
func wholePictures(t *testing.T, dir string, keep int) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if most := keep + 3; len(entries) < 2 || len(entries) > most { // the link, an unfinished picture and an unfinished link may exist too
		t.Errorf("got %d files, want at most %d: %v", len(entries), most, entries)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue // this file is being written
		}
		f, err := os.Open(filepath.Join(dir, e.Name()))
		if errors.Is(err, os.ErrNotExist) {
			continue // the oldest file was removed a moment ago
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := bmp.Decode(f); err != nil {
			t.Errorf("%s: %v", e.Name(), err)
		}
		f.Close()
	}
}

// If the disk is full or read-only, the wall continues and earlier files stay complete. The next picture is written as soon as the disk
// accepts data again.
func TestDiskOfFileOutputFails(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	const keep = 3
	for _, tc := range []struct {
		name, says string
		fail, mend func(t *testing.T, disk string)
	}{
		{"full", "no space left on device",
			func(t *testing.T, disk string) { fill(t, filepath.Join(disk, "filler")) },
			func(t *testing.T, disk string) { os.Remove(filepath.Join(disk, "filler")) }},
		{"read-only", "read-only file system",
			func(t *testing.T, disk string) { remount(t, disk, syscall.MS_RDONLY) },
			func(t *testing.T, disk string) { remount(t, disk, 0) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			disk := mount(t)
			out := filepath.Join(disk, "out")
			b := launchTicking(t, func(f files) {
				f["conf.yaml"] += fmt.Sprintf("  - {type: file, output_path: %s, image_format: bmp, render_interval: 1, keep_images: %d, create_latest_symlink: true}\n", out, keep)
			})
			eventually(t, "some pictures", func() bool { return b.output("file").Frames > keep })
			eventually(t, "it says why", func() bool {
				tc.fail(t, disk) // fail again, because the removal of the oldest picture may have made room
				o := b.output("file")
				return !o.OK && strings.Contains(o.LastError, tc.says)
			})
			b.Says(tc.says)
			b.goesOn()
			wholePictures(t, out, keep)
			tc.mend(t, disk)
			before := b.output("file").Frames
			eventually(t, "pictures again", func() bool { o := b.output("file"); return o.OK && o.Frames > before+1 })
			wholePictures(t, out, keep)
		})
	}
}

// remount changes the flags of a mounted disk. Before that, it waits until the current picture is written completely.
func remount(t *testing.T, disk string, flags uintptr) {
	t.Helper()
	eventually(t, "remount", func() bool {
		err := syscall.Mount("none", disk, "", syscall.MS_REMOUNT|flags, "")
		if err != nil && !errors.Is(err, syscall.EBUSY) {
			t.Fatal(err)
		}
		return err == nil
	})
}

// A virtual framebuffer is on a disk that has no room for its pixels. The error appears when the
// pixels are written. The screen then counts as missing.
func TestScreenOnAFullDisk(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	disk := mount(t)
	fill(t, filepath.Join(disk, "filler"))
	port := freePort(t)
	f := files{"conf.yaml": wallConf(port, ""), "widgets.yaml": tickingWall}
	f["conf.yaml"] = strings.Replace(f["conf.yaml"], "screen.raw", filepath.Join(disk, "screen.raw"), 1)
	b := launch(t, port, f)
	b.serves("/frame", 200)
	eventually(t, "there is no screen", func() bool { o := b.output("window"); return !o.OK && o.LastError != "" })
	b.goesOn()
	if err := os.Remove(filepath.Join(disk, "filler")); err != nil {
		t.Fatal(err)
	}
	b.dir = disk // shows() reads the screen's file in this folder
	b.shows(1, 1, red)
	eventually(t, "there is a screen", func() bool { return b.output("window").OK })
}

// The log is written to a full disk.
func TestLogOnAFullDisk(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	b := launchLogging(t, full)
	b.stillObeys()
}

// launchLogging starts a plain red wall that writes its log to the writer `log`.
func launchLogging(t *testing.T, log io.Writer) *binary {
	t.Helper()
	port := freePort(t)
	b := prepare(t, port, files{"conf.yaml": wallConf(port, ""), "widgets.yaml": plainWall("red")})
	b.Cmd.Stderr = log
	b.Run()
	b.shows(1, 1, red)
	return b
}

// stillObeys checks that a program can be reloaded and ended although its log is not read.
func (b *binary) stillObeys() {
	b.t.Helper()
	for _, name := range []string{"blue", "white", "blue"} {
		files{"widgets.yaml": plainWall(name)}.write(b.t, b.dir)
		b.Signal(syscall.SIGUSR1)
		eventually(b.t, name, func() bool {
			return b.pixel(1, 1) == map[string]color.RGBA{"blue": blue, "white": white}[name]
		})
	}
	b.serves("/frame", 200)
	if status, _ := b.End(syscall.SIGTERM); status != 0 {
		b.t.Errorf("got status %d, want 0", status)
	}
}

package output

import (
	"context"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/image/bmp"
)

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var n []string
	for _, e := range entries {
		n = append(n, e.Name())
	}
	return n
}

func newFile(t *testing.T, o FileOptions) *File {
	t.Helper()
	if o.Dir == "" {
		o.Dir = filepath.Join(t.TempDir(), "made", "by", "it")
	}
	o.Location = time.UTC
	f, err := NewFile(o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The first file name contains the time at which a synctest bubble begins: midnight UTC on 2000-01-01.
func TestFileWritesEachInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFile(t, FileOptions{RenderInterval: 10 * time.Second, Latest: true})
		defer start(t, f.Run)()
		time.Sleep(3 * time.Second)
		if _, err := os.Stat(f.o.Dir); err == nil {
			t.Fatal("something was written before the first frame")
		}
		fr := frame(6, 4, 1)
		_ = f.DrawFrame(fr, rects(fr.Rect))
		synctest.Wait()
		if got, want := names(t, f.o.Dir), []string{"grydgets_20000101_000003.png", "latest.png"}; !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
		for i := range 5 { // these changes wait until the interval is over
			fill(fr, fr.Rect, uint8(10+i))
			_ = f.DrawFrame(fr, rects(fr.Rect))
		}
		time.Sleep(9 * time.Second)
		synctest.Wait()
		if got := names(t, f.o.Dir); len(got) != 2 {
			t.Errorf("after 9 s: got %v, want no new file", got)
		}
		time.Sleep(11 * time.Second) // long enough for a file with the changes, and for one more file although nothing has changed since
		synctest.Wait()
		want := []string{"grydgets_20000101_000003.png", "grydgets_20000101_000013.png", "grydgets_20000101_000023.png", "latest.png"}
		if got := names(t, f.o.Dir); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if got, _ := os.Readlink(filepath.Join(f.o.Dir, "latest.png")); got != want[2] {
			t.Errorf("latest: got %q, want %q", got, want[2])
		}
		equal(t, decodeFile(t, filepath.Join(f.o.Dir, "latest.png"), png.Decode), fr)
		if st := f.Stats(); st.Frames != 3 || st.Errors != 0 {
			t.Errorf("got %+v, want 3 files", st)
		}
	})
}

func decodeFile(t *testing.T, path string, decode func(io.Reader) (image.Image, error)) *image.RGBA {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	img, err := decode(file)
	if err != nil {
		t.Fatal(err)
	}
	rgba := image.NewRGBA(img.Bounds())
	for y := range rgba.Rect.Dy() {
		for x := range rgba.Rect.Dx() {
			rgba.Set(x, y, img.At(x, y))
		}
	}
	return rgba
}

func TestFileFormatsAndNames(t *testing.T) {
	tests := []struct {
		format, pattern string
		want            []string
		decode          func(io.Reader) (image.Image, error)
	}{
		{"", "", []string{"grydgets_20000101_000000.png"}, png.Decode},
		{"png", "{sequence}", []string{"0.png", "1.png"}, png.Decode},
		{"jpg", "a-{sequence}-{timestamp}", []string{"a-0-20000101_000000.jpg", "a-1-20000101_000100.jpg"}, jpeg.Decode},
		{"jpeg", "wall", []string{"wall.jpeg"}, jpeg.Decode},
		{"bmp", "x.y", []string{"x.y.bmp"}, bmp.Decode},
	}
	for _, tt := range tests {
		t.Run(tt.format+" "+tt.pattern, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFile(t, FileOptions{Format: tt.format, Pattern: tt.pattern})
				defer start(t, f.Run)()
				fr := frame(16, 8, 200)
				_ = f.DrawFrame(fr, rects(fr.Rect))
				time.Sleep(time.Duration(len(tt.want)-1)*DefaultRenderInterval + time.Second)
				synctest.Wait()
				if got := names(t, f.o.Dir); !slices.Equal(got, tt.want) {
					t.Fatalf("got %v, want %v", got, tt.want)
				}
				equal(t, decodeFile(t, filepath.Join(f.o.Dir, tt.want[0]), tt.decode), fr)
			})
		})
	}
}

func TestFileKeepsTheNewest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		put := func(name string, age time.Duration) {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			// The modification times of files come from the real clock, not from the clock of the synctest bubble.
			old := fileTime(t, path).Add(-age)
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
		}
		put("n71.png", time.Minute)
		put("n94.png", time.Hour)
		put("mine.png", 3*time.Hour)                          // a user's file
		put("n5b.png", 3*time.Hour)                           // the name almost matches the pattern n{sequence}
		put("an5.png", 3*time.Hour)                           // the name almost matches the pattern n{sequence}
		put("old.jpg", 2*time.Hour)                           // another format
		put("latest.backup.png", 2*time.Hour)                 // the name begins like the link's name
		put(".grydgets_20000101_000000.png4711", 2*time.Hour) // a temporary file from before a power failure
		put(".hidden.png", 2*time.Hour)
		f := newFile(t, FileOptions{Dir: dir, Keep: 2, Latest: true, Pattern: "n{sequence}"})
		defer start(t, f.Run)()
		fr := frame(6, 4, 1)
		_ = f.DrawFrame(fr, rects(fr.Rect))
		synctest.Wait()
		want := []string{".hidden.png", "an5.png", "latest.backup.png", "latest.png", "mine.png", "n0.png", "n5b.png", "n71.png", "old.jpg"}
		if got := names(t, dir); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		time.Sleep(3*DefaultRenderInterval + time.Second)
		synctest.Wait()
		want = []string{".hidden.png", "an5.png", "latest.backup.png", "latest.png", "mine.png", "n2.png", "n3.png", "n5b.png", "old.jpg"}
		if got := names(t, dir); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func fileTime(t *testing.T, path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.ModTime()
}

// If the clock is set back by a year, new files still count as newer than the existing files.
func TestFileKeepsTheNewestWhenTheClockIsSetBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		for i, name := range []string{"n97.png", "n98.png", "n99.png"} {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			ahead := fileTime(t, path).Add(365*24*time.Hour + time.Duration(i)*time.Hour)
			if err := os.Chtimes(path, ahead, ahead); err != nil {
				t.Fatal(err)
			}
		}
		f := newFile(t, FileOptions{Dir: dir, Keep: 3, Latest: true, Pattern: "n{sequence}"})
		defer start(t, f.Run)()
		fr := frame(6, 4, 1)
		_ = f.DrawFrame(fr, rects(fr.Rect))
		synctest.Wait()
		for i, want := range [][]string{
			{"latest.png", "n0.png", "n98.png", "n99.png"},
			{"latest.png", "n0.png", "n1.png", "n99.png"},
			{"latest.png", "n0.png", "n1.png", "n2.png"},
			{"latest.png", "n1.png", "n2.png", "n3.png"},
		} {
			if got := names(t, dir); !slices.Equal(got, want) {
				t.Errorf("after %d files: got %v, want %v", i+1, got, want)
			}
			time.Sleep(DefaultRenderInterval)
			synctest.Wait()
		}
	})
}

// TestFileAtTheEndOfSummerTime makes file names during the repeated hour. Every name is unique, and prune() recognizes it.
func TestFileAtTheEndOfSummerTime(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	end := time.Date(2026, 10, 25, 1, 0, 0, 0, time.UTC) // at this time, 3:00 summer time becomes 2:00
	for at, want := range map[time.Duration]string{
		-time.Hour:                "20261025_020000",
		-time.Second:              "20261025_025959",
		0:                         "20261025_020000+0100",
		time.Hour - time.Second:   "20261025_025959+0100",
		time.Hour:                 "20261025_030000",
		155 * 24 * time.Hour:      "20270329_030000", // summer time began the day before
		-210 * 24 * time.Hour / 2: "20260712_030000", // in its middle
	} {
		if got := timestamp(end.Add(at).In(zone)); got != want {
			t.Errorf("%v: got %q, want %q", end.Add(at), got, want)
		}
	}
	if got := timestamp(end); got != "20261025_010000" {
		t.Errorf("UTC: got %q", got)
	}
	seen := map[string]bool{}
	f := newFile(t, FileOptions{Pattern: "wall {timestamp}"})
	f.o.Location = zone
	for at := -3 * time.Hour; at < 3*time.Hour; at += time.Minute {
		name := f.fileName(end.Add(at))
		if seen[name] || !f.ours.MatchString(name) {
			t.Fatalf("%v: %q came before (%v) or is not known as ours", end.Add(at), name, seen[name])
		}
		seen[name] = true
	}
}

// TestFileSurvivesAFullDisk: no incomplete file is visible, the failure is logged and retried soon, and Run continues.
func TestFileSurvivesAFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lines, log := newBook()
		f := newFile(t, FileOptions{Log: log, RenderInterval: time.Hour})
		var full atomic.Bool
		full.Store(true)
		write := f.write
		f.write = func(path string, data []byte) error {
			if full.Load() {
				return errors.New("no space left on device")
			}
			return write(path, data)
		}
		defer start(t, f.Run)()
		fr := frame(6, 4, 1)
		_ = f.DrawFrame(fr, rects(fr.Rect))
		time.Sleep(25 * time.Second)
		synctest.Wait()
		if st := f.Stats(); st.Errors != 3 || st.Frames != 0 || st.OK() {
			t.Errorf("got %+v, want 3 errors", st)
		}
		if got := names(t, f.o.Dir); len(got) != 0 {
			t.Errorf("got %v, want no file", got)
		}
		if got := strings.Count(lines.String(), "no space left"); got != 1 {
			t.Errorf("got %d lines about it, want 1", got)
		}
		full.Store(false)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if st := f.Stats(); st.Frames != 1 || !st.OK() {
			t.Errorf("got %+v, want a file", st)
		}
	})
}

// TestFileFolderGone: a folder that was removed is created again. If a file has replaced the folder, the error names this file.
func TestFileFolderGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFile(t, FileOptions{})
		defer start(t, f.Run)()
		fr := frame(6, 4, 1)
		_ = f.DrawFrame(fr, rects(fr.Rect))
		synctest.Wait()
		if err := os.RemoveAll(f.o.Dir); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.o.Dir, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		time.Sleep(DefaultRenderInterval)
		synctest.Wait()
		if st := f.Stats(); st.Errors != 1 || !strings.Contains(st.LastError, f.o.Dir) {
			t.Errorf("got %+v, want an error that names %s", st, f.o.Dir)
		}
		if err := os.Remove(f.o.Dir); err != nil {
			t.Fatal(err)
		}
		time.Sleep(rewriteAfter)
		synctest.Wait()
		if st := f.Stats(); st.Frames != 2 || !st.OK() {
			t.Errorf("got %+v, want a second file", st)
		}
	})
}

// TestFileEncoderPanics: a panic of an encoder is reported in the same way as an error.
func TestFileEncoderPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFile(t, FileOptions{Encoder: encoderFunc(func(io.Writer, *image.RGBA) error { panic("bad table") })})
		defer start(t, f.Run)()
		_ = f.DrawFrame(frame(6, 4, 1), nil)
		synctest.Wait()
		if st := f.Stats(); st.Errors != 1 || st.LastError != "encode png: panic: bad table" {
			t.Errorf("got %+v, want the panic", st)
		}
	})
}

type encoderFunc func(io.Writer, *image.RGBA) error

func (f encoderFunc) Encode(w io.Writer, img *image.RGBA) error { return f(w, img) }

// TestWriteSyncedIsAtomic: a reader sees either the old file or the complete new file. After a failure, no temporary file is left.
func TestWriteSyncedIsAtomic(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.png")
	if err := ReplaceFile(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	reader, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if err := ReplaceFile(path, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if got, _ := io.ReadAll(reader); string(got) != "old" {
		t.Errorf("a reader of the old file got %q, want it whole", got)
	}
	if err := os.Mkdir(filepath.Join(dir, "b.png"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := ReplaceFile(filepath.Join(dir, "b.png"), []byte("new")); err == nil {
		t.Error("replaced a folder by a file, want an error")
	}
	if got, want := names(t, dir), []string{"a.png", "b.png"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestNewFileErrors(t *testing.T) {
	tests := []struct {
		name string
		o    FileOptions
		want string
	}{
		{"format", FileOptions{Format: "gif"}, "image_format"},
		{"pattern", FileOptions{Pattern: "../{sequence}"}, "filename_pattern"},
		{"interval", FileOptions{RenderInterval: -1}, "render_interval"},
		{"keep", FileOptions{Keep: -1}, "keep_images"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := NewFile(tt.o); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error about %s", err, tt.want)
			}
		})
	}
}

func TestFileStopsWithoutAFrame(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	newFile(t, FileOptions{}).Run(ctx) // must return
}

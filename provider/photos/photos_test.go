package photos

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"dashboard/internal/folder"
	"dashboard/provider"
	"dashboard/render/picture"
)

// taken() returns a JPEG of one color with a date. `when` is "" for no date.
func taken(t testing.TB, c color.Color, size image.Point, when string) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(m, m.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	if when == "" {
		return b.Bytes()
	}
	le := binary.LittleEndian
	tiff := []byte("II*\x00\x08\x00\x00\x00")
	tiff = le.AppendUint16(tiff, 1)
	tiff = le.AppendUint16(le.AppendUint16(tiff, 0x8769), 4)
	tiff = le.AppendUint32(le.AppendUint32(tiff, 1), 26)
	tiff = le.AppendUint32(tiff, 0)
	tiff = le.AppendUint16(tiff, 1)
	tiff = le.AppendUint16(le.AppendUint16(tiff, 0x9003), 2)
	tiff = le.AppendUint32(le.AppendUint32(tiff, 20), 44)
	tiff = append(le.AppendUint32(tiff, 0), when+"\x00"...)
	segment := append([]byte("Exif\x00\x00"), tiff...)
	out := append([]byte{0xff, 0xd8, 0xff, 0xe1}, byte((len(segment)+2)>>8), byte(len(segment)+2))
	return append(append(out, segment...), b.Bytes()[2:]...)
}

// album returns a folder with three photos, one of them in a subfolder, and other files.
func album(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, data []byte) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("b.jpg", taken(t, color.RGBA{200, 0, 0, 255}, image.Pt(80, 40), "2020:05:15 10:00:00"))
	write("a.jpg", taken(t, color.RGBA{0, 200, 0, 255}, image.Pt(80, 40), "2024:12:24 18:00:00"))
	write("sea/c.JPEG", taken(t, color.RGBA{0, 0, 200, 255}, image.Pt(40, 80), "2022:05:15 12:00:00"))
	write("notes.txt", []byte("x"))
	write(".hidden/d.jpg", []byte("x"))
	write("broken.jpg", []byte("\xff\xd8 no picture"))
	return dir
}

func config(dir string) Config {
	return Config{Path: ".", Order: ByName, Dwell: time.Minute, Box: image.Pt(40, 20), Fit: picture.Cover, Files: folder.Dir(dir), Seed: 7, Smooth: true, Zone: time.UTC}
}

// names() returns the names of the next n photos.
func names(t *testing.T, p *Provider, n int) string {
	t.Helper()
	var all []string
	for range n {
		photo, err := p.next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, photo.Name)
	}
	return strings.Join(all, " ")
}

func TestOrders(t *testing.T) {
	dir := album(t)
	c := config(dir)
	if got := names(t, New(c), 4); got != "a b c a" {
		t.Errorf("by name: got %s", got)
	}
	c.Order = ByDate
	os.Remove(filepath.Join(dir, "broken.jpg"))
	if got := names(t, New(c), 3); got != "b c a" {
		t.Errorf("by date: got %s", got)
	}
	p := New(c)
	if err := p.fill(t.Context()); err != nil {
		t.Fatal(err)
	}
	chosen := p.onThisDay(t.Context(), time.Date(2026, 5, 15, 9, 0, 0, 0, time.UTC))
	if len(chosen) != 2 {
		t.Errorf("on this day: got %v", chosen)
	}
	c.Order = Shuffle
	seen := map[string]int{}
	for _, n := range strings.Fields(names(t, New(c), 30)) {
		seen[n]++
	}
	for n, times := range seen {
		if times != 10 {
			t.Errorf("shuffled: %s came %d times of 30, want each once before any again", n, times)
		}
	}
}

func TestPhotoSaysWhenAndWhere(t *testing.T) {
	p := New(config(album(t)))
	for range 3 {
		photo, err := p.next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if photo.Name == "c" && (photo.Folder != "sea" || !photo.Taken.Equal(time.Date(2022, 5, 15, 12, 0, 0, 0, time.UTC))) {
			t.Errorf("got %+v", photo)
		}
		if got := photo.Picture.Rect.Size(); got != image.Pt(40, 20) {
			t.Errorf("%s: got %v, want the size of its place", photo.Name, got)
		}
	}
}

func TestBlurredFillsItsPlace(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "a.jpg"), taken(t, color.RGBA{0, 0, 250, 255}, image.Pt(40, 80), ""), 0o600)
	c := config(dir)
	c.Fit, c.Blurred = picture.Contain, true
	photo, err := New(c).next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m := photo.Picture.Frames[0].Img
	side, middle := m.RGBAAt(1, 10), m.RGBAAt(20, 10)
	if photo.Picture.Rect != image.Rect(0, 0, 40, 20) || side.A != 255 || side.B < 60 || side.B > middle.B-60 {
		t.Errorf("got %v, %v beside, %v in the middle", photo.Picture.Rect, side, middle)
	}
}

// A scaled picture is available without its folder. At most MaxKept pictures are stored.
func TestKept(t *testing.T) {
	dir, state := album(t), t.TempDir()
	keep, err := Keep(state)
	if err != nil {
		t.Fatal(err)
	}
	c := config(dir)
	c.Keep = keep
	names(t, New(c), 3)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if c.Keep, err = Keep(state); err != nil {
		t.Fatal(err)
	}
	photo, err := New(c).next(t.Context())
	if photo == nil || err == nil || photo.Picture.Rect.Size() != c.Box {
		t.Errorf("without the folder: got %v, %v, want a kept photo and the reason", photo, err)
	}
	for i := range MaxKept + 20 {
		c.Keep.save(file{path: fmt.Sprint(i)}, c, photo)
	}
	files, _ := os.ReadDir(state)
	if len(files) > MaxKept+1 || len(c.Keep.list) != MaxKept {
		t.Errorf("got %d files, %d listed, want %d", len(files), len(c.Keep.list), MaxKept)
	}
	os.WriteFile(filepath.Join(state, indexName), []byte(`[{"file":"../../etc/passwd","for":"x"}]`), 0o600)
	if k, _ := Keep(state); len(k.list) != 0 {
		t.Errorf("a file outside the folder is believed: %v", k.list)
	}
}

// Without a seed in the configuration, the order differs at each start.
func TestRandomSeed(t *testing.T) {
	c := config(t.TempDir())
	c.Seed = 0
	if one, other := New(c).random.Uint64(), New(c).random.Uint64(); one == other {
		t.Errorf("two providers begin with %d", one)
	}
}

func TestNothingToShow(t *testing.T) {
	for name, path := range map[string]string{"no folder": "none", "empty": "."} {
		c := config(t.TempDir())
		c.Path = path
		ctx, cancel := context.WithCancel(t.Context())
		cell := provider.NewCell(nil)
		ended := make(chan struct{})
		go func() { defer close(ended); New(c).Run(ctx, cell) }()
		for cell.Load().Err == nil {
			time.Sleep(time.Millisecond)
		}
		if cell.Load().Has() {
			t.Errorf("%s: got a photo", name)
		}
		cancel()
		<-ended
	}
}

func TestTakenIsBounded(t *testing.T) {
	good := taken(t, color.White, image.Pt(8, 8), "2020:05:15 10:00:00")
	for i := range len(good) {
		picture.Taken(good[:i], time.UTC) // this must not panic
		bad := bytes.Clone(good)
		bad[i] ^= 0xff
		picture.Taken(bad, time.UTC)
	}
}

// TestNextDay: on the first day, no picture was taken on this day of another year. At midnight, the pictures of the second day come at
// once, although pictures of the first day are left. On the third day, all pictures come again.
func TestNextDay(t *testing.T) {
	dir := t.TempDir()
	write := func(name, when string) {
		if err := os.WriteFile(filepath.Join(dir, name), taken(t, color.White, image.Pt(8, 8), when), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 8 {
		write(fmt.Sprintf("other%d.jpg", i), "1990:07:07 12:00:00")
	}
	write("second.jpg", "1990:01:02 12:00:00")
	write("second2.jpg", "1991:01:02 12:00:00")
	c := config(dir)
	c.Order = OnThisDay
	synctest.Test(t, func(t *testing.T) { // the clock of the test begins at midnight on January 1
		p := New(c)
		names(t, p, 2)
		time.Sleep(24*time.Hour + time.Second)
		if got := names(t, p, 3); strings.Count(got, "second") != 3 {
			t.Errorf("second day: got %s, want only pictures of this day", got)
		}
		time.Sleep(24 * time.Hour)
		if got := names(t, p, 4); !strings.Contains(got, "other") {
			t.Errorf("third day: got %s, want other pictures too", got)
		}
	})
}

// A counter counts how often files are opened.
type counter struct {
	fs.FS
	opened int
}

func (c *counter) Open(name string) (fs.File, error) {
	c.opened++
	return c.FS.Open(name)
}

// TestDatesAreReadOnce: the dates of an unchanged folder are not read again each time the pictures of this day begin again.
func TestDatesAreReadOnce(t *testing.T) {
	files := fstest.MapFS{}
	for i := range 50 {
		files[fmt.Sprintf("other%d.jpg", i)] = &fstest.MapFile{Data: taken(t, color.White, image.Pt(8, 8), "1990:07:07 12:00:00")}
	}
	files["today.jpg"] = &fstest.MapFile{Data: taken(t, color.White, image.Pt(8, 8), "1990:01:01 12:00:00")}
	c := config("")
	count := &counter{FS: files}
	c.Files, c.Order = count, OnThisDay
	synctest.Test(t, func(t *testing.T) {
		p := New(c)
		names(t, p, 1)
		count.opened = 0
		if got := names(t, p, 3); got != "today today today" || count.opened > 10 {
			t.Errorf("got %s after %d files were opened, want three pictures and a few files", got, count.opened)
		}
	})
}

// TestUnreadableDay: if no picture of this day can be read, other pictures are shown. The pictures of this day are tried again each time.
func TestUnreadableDay(t *testing.T) { synctest.Test(t, unreadableDay) }

func unreadableDay(t *testing.T) {
	now := time.Now().UTC()
	that := now.AddDate(-4, 0, 0)
	file := func(data string, at time.Time) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(data), ModTime: at}
	}
	good := func(at time.Time) *fstest.MapFile { return file(string(taken(t, color.White, image.Pt(8, 8), "")), at) }
	files := fstest.MapFS{
		"x.jpg": file("no picture", that), "y.jpg": file("no picture", that), "a.jpg": good(now.AddDate(0, 0, -40)), "b.jpg": good(now.AddDate(0, 0, -50)),
	}
	c := config("")
	c.Files, c.Order = files, OnThisDay
	p := New(c)
	for range 5 {
		photo, err := p.next(t.Context())
		if err != nil || photo.Name != "a" && photo.Name != "b" {
			t.Fatalf("got %v, %v, want another picture", photo, err)
		}
	}
	files["x.jpg"] = good(that)
	if photo, err := p.next(t.Context()); err != nil || photo.Name != "x" {
		t.Errorf("got %v, %v, want the picture of this day", photo, err)
	}
}

// TestOrderWithoutThisDay: if no picture is of this day, each picture is shown once before one is shown again, although one cannot be read.
func TestOrderWithoutThisDay(t *testing.T) { synctest.Test(t, orderWithoutThisDay) }

func orderWithoutThisDay(t *testing.T) {
	at := time.Now().UTC().AddDate(0, 0, -40)
	files := fstest.MapFS{"broken.jpg": {Data: []byte("no picture"), ModTime: at}}
	const n = 30
	for i := range n {
		files[fmt.Sprintf("%d.jpg", i)] = &fstest.MapFile{Data: taken(t, color.White, image.Pt(8, 8), ""), ModTime: at}
	}
	c := config("")
	c.Files, c.Order = files, OnThisDay
	p := New(c)
	seen := map[string]bool{}
	for range n {
		photo, err := p.next(t.Context())
		if err != nil || seen[photo.Name] {
			t.Fatalf("got %v again, %v", photo, err)
		}
		seen[photo.Name] = true
	}
}

// TestKeptIsTidied: a start removes stored pictures that are not in the index, and temporary files of a power cut. New files and files of
// other programs stay.
func TestKeptIsTidied(t *testing.T) {
	dir := t.TempDir()
	one := strings.Repeat("a", 32) + ".jpg"
	two := strings.Repeat("b", 32) + ".jpg"
	write := func(name, text string, age time.Duration) {
		t.Helper()
		path, at := filepath.Join(dir, name), time.Now().Add(-age)
		if err := errors.Join(os.WriteFile(path, []byte(text), 0o600), os.Chtimes(path, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	write(indexName, `[{"file":"`+one+`"}]`, 2*leftAfter)
	want := map[string]bool{one: true, two: false, "." + one + "123": false, "." + indexName + "45": false, "." + two + "6": true, "notes.jpg": true}
	for name := range want {
		age := 2 * leftAfter
		if name == "."+two+"6" {
			age = 0
		}
		write(name, "x", age)
	}
	if _, err := Keep(dir); err != nil {
		t.Fatal(err)
	}
	for name, stays := range want {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil != stays {
			t.Errorf("%s is there: %v, want %v", name, err == nil, stays)
		}
	}
}

package photos

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"dashboard/provider"
)

// A server is an album that can be made unavailable.
type server struct {
	items []Item
	data  []byte
	err   error

	reading, most, reads atomic.Int32
	hold                 time.Duration
}

func (s *server) List(context.Context) ([]Item, error) { return slices.Clone(s.items), nil }

func (s *server) Read(ctx context.Context, id string, most int64) ([]byte, func(), error) {
	s.reads.Add(1)
	if s.err != nil {
		return nil, nil, s.err
	}
	s.most.Store(max(s.most.Load(), s.reading.Add(1)))
	time.Sleep(s.hold)
	return s.data, func() { s.reading.Add(-1) }, nil
}

// TestAlbum: the pictures of a server are shown in order with their data. If the server is unavailable, stored pictures are shown at
// once, and the sample has the error.
func TestAlbum(t *testing.T) {
	keep, err := Keep(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &server{data: taken(t, color.RGBA{0, 200, 0, 255}, image.Pt(80, 40), "")}
	for i := range 4 {
		s.items = append(s.items, Item{ID: fmt.Sprint("id", i), Name: fmt.Sprintf("IMG_%d.HEIC", 4-i), Place: "Lisboa, Portugal", Taken: time.Date(2020+i, 5, 15, 10, 0, 0, 0, time.UTC)})
	}
	c := config("")
	c.Path, c.Album, c.Keep = "immich x", s, keep
	if got := names(t, New(c), 5); got != "IMG_1 IMG_2 IMG_3 IMG_4 IMG_1" {
		t.Errorf("by name: got %s", got)
	}
	c.Order = ByDate
	p := New(c)
	if got := names(t, p, 4); got != "IMG_4 IMG_3 IMG_2 IMG_1" {
		t.Errorf("by date: got %s", got)
	}
	if photo, err := p.next(t.Context()); err != nil || photo.Folder != "Lisboa, Portugal" || photo.Taken.Year() != 2020 {
		t.Errorf("got %+v, %v", photo, err)
	}
	if n := s.reads.Load(); n != 4 {
		t.Errorf("%d pictures were fetched, want each once", n)
	}
	for i := range s.items {
		s.items[i].ID = fmt.Sprint("other", i) // no picture with these IDs was stored
	}
	s.err = fmt.Errorf("%w: no route", ErrUnreached)
	synctest.Test(t, func(t *testing.T) {
		p, cell, began := New(c), provider.NewCell(nil), time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); _ = p.Run(ctx, cell) }()
		synctest.Wait()
		v := cell.Load()
		photo, _ := v.Value.(*Photo)
		if photo == nil || !strings.HasPrefix(photo.Name, "IMG_") || v.Err == nil || time.Since(began) > 0 {
			t.Errorf("out of reach, after %v: got %+v, %v", time.Since(began), photo, v.Err)
		}
		cancel()
		<-done
	})
	if n := s.reads.Load(); n > 4+3 {
		t.Errorf("a server that does not answer was asked %d times for two pictures", n-4)
	}
}

// TestAlbumGoesOn: after a search that finds the same album, the order continues and does not begin again.
func TestAlbumGoesOn(t *testing.T) {
	s := &server{data: taken(t, color.RGBA{0, 200, 0, 255}, image.Pt(80, 40), "")}
	for i := range 4 {
		s.items = append(s.items, Item{ID: fmt.Sprint("id", i), Name: fmt.Sprintf("IMG_%d", i), Taken: time.Date(2020+i, 5, 15, 10, 0, 0, 0, time.UTC)})
	}
	c := config("")
	c.Path, c.Album = "webdav x", s
	synctest.Test(t, func(t *testing.T) {
		p := New(c)
		got := names(t, p, 2)
		time.Sleep(walkEvery + time.Second) // the next picture follows a search
		if got += " " + names(t, p, 2); got != "IMG_0 IMG_1 IMG_2 IMG_3" {
			t.Errorf("got %s, want each picture once", got)
		}
	})
}

// TestOriginals: files of an album whose format is not supported are omitted, counted and named.
func TestOriginals(t *testing.T) {
	s := &server{data: taken(t, color.RGBA{0, 200, 0, 255}, image.Pt(80, 40), "")}
	for _, name := range []string{"a.JPG", "b.heic", "c.avif", "d.txt", "e.HEIC"} {
		s.items = append(s.items, Item{ID: name, Name: name, Original: true})
	}
	c := config("")
	c.Path, c.Album = "webdav x", s
	p := New(c)
	photo, err := p.next(t.Context())
	if photo == nil || photo.Name != "a" || err == nil || err.Error() != "files that cannot be read: 3 (AVIF, HEIC); convert them to JPEG" {
		t.Errorf("got %+v, %v", photo, err)
	}
	s.items = s.items[1:]
	if photo, err := New(c).next(t.Context()); photo != nil || err == nil || !strings.Contains(err.Error(), "the album has no pictures: files that cannot be read: 3") {
		t.Errorf("none can be read: got %+v, %v", photo, err)
	}
}

// TestOneAtATime: if several widgets show photos, there are never two original files in memory.
func TestOneAtATime(t *testing.T) {
	s := &server{data: taken(t, color.RGBA{0, 200, 0, 255}, image.Pt(80, 40), ""), hold: time.Millisecond}
	for i := range 8 {
		s.items = append(s.items, Item{ID: fmt.Sprint(i)})
	}
	c := config("")
	c.Album, c.Turn = s, make(chan struct{}, 1)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			p := New(c)
			for range 8 {
				if _, err := p.next(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if s.most.Load() != 1 || s.reading.Load() != 0 {
		t.Errorf("%d originals at a time, %d kept", s.most.Load(), s.reading.Load())
	}
}

// TestManyFiles: if a folder has more files than are listed, only the first files are shown, and the memory is limited.
func TestManyFiles(t *testing.T) {
	files := fstest.MapFS{}
	photo := &fstest.MapFile{Data: taken(t, color.RGBA{0, 200, 0, 255}, image.Pt(80, 40), ""), Mode: fs.ModePerm}
	for i := range MaxFiles + 500 {
		files[fmt.Sprintf("%03d/IMG_2024_%06d.jpg", i/1000, i)] = photo
	}
	c := config("")
	c.Files, c.Order = files, Shuffle
	p := New(c)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	if _, err := p.next(t.Context()); err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if len(p.all) > MaxFiles || len(p.all) < MaxFiles-200 { // folders count too
		t.Errorf("looks at %d files, want %d", len(p.all), MaxFiles)
	}
	const most = 48 << 20
	if kept := int64(after.HeapAlloc) - int64(before.HeapAlloc); kept > most {
		t.Errorf("keeps %d MB of a folder of %d files, want at most %d", kept>>20, MaxFiles, most>>20)
	} else {
		t.Logf("keeps %d MB", kept>>20)
	}
	runtime.KeepAlive(p)
}

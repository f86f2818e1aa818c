package text

import (
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/image/font/gofont/goregular"
)

// fontOf returns the font Go Regular with a character table of only one character.
func fontOf(r rune) []byte {
	be := binary.BigEndian
	n := int(be.Uint16(goregular.TTF[4:]))
	cmap := be.AppendUint16(nil, 0)
	cmap = be.AppendUint16(cmap, 1)
	cmap = append(cmap, 0, 3, 0, 10, 0, 0, 0, 12) // platform Windows, encoding full Unicode, offset 12 of the subtable
	for _, v := range []uint32{12 << 16, 28, 0, 1, uint32(r), uint32(r), 40} {
		cmap = be.AppendUint32(cmap, v)
	}
	out := append([]byte(nil), goregular.TTF...)
	for i := range n {
		entry := out[12+16*i:]
		if string(entry[:4]) == "cmap" {
			be.PutUint32(entry[8:], uint32(len(out)))
			be.PutUint32(entry[12:], uint32(len(cmap)))
		}
	}
	return append(out, cmap...)
}

// manyFonts writes n fonts of 400 KB each, and returns their folder. It also returns a text with
// one letter for each font. No built-in font has these letters.
func manyFonts(t *testing.T, n int) (dir, text string) {
	t.Helper()
	dir = t.TempDir()
	var b strings.Builder
	for i := range n {
		r := rune(0x4e00 + i)
		b.WriteRune(r)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d.ttf", i)), fontOf(r), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, b.String()
}

// found() returns the number of glyphs in a block that show a letter. Boxes do not count. Blanks in place of letters without a font do
// not count.
func found(b *Block) (n int) {
	for _, r := range b.rows {
		for _, s := range r.line.segments {
			for _, g := range s.glyphs {
				if g.gid < awaited {
					n++
				}
			}
		}
	}
	return n
}

// TestManySystemFonts shapes one line of text that needs 150 fonts with 60 MB in total. Shaping does not wait for fonts. Fonts are loaded
// up to the limit, and text is painted with the loaded fonts.
func TestManySystemFonts(t *testing.T) {
	dir, text := manyFonts(t, 150)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)

	c := NewCache(4 << 20)
	c.SystemFonts(dir)
	arrived, held := make(chan struct{}, 1), make(chan struct{})
	c.system.open = func(path string) (*os.File, error) { <-held; return openSystem(path) }
	c.OnFonts(func() { arrived <- struct{}{} })
	img := image.NewRGBA(image.Rect(0, 0, 1500, 40))
	b := NewBlock(c, Options{Box: img.Rect.Max, Size: 10})
	paint := func() { b.Paint(img, img.Rect, image.Point{}, color.RGBA{255, 255, 255, 255}) }

	b.Set(text)
	paint()
	<-arrived // the list has arrived. Opening a font now blocks until `held` is closed
	paint()
	if got := c.Fonts(); got.Loaded != 0 || found(b) != 0 {
		t.Errorf("nothing has arrived: got %+v, %d letters", got, found(b))
	}
	other := NewBlock(c, Options{Box: img.Rect.Max})
	if other.Set("still alive"); found(other) == 0 {
		t.Error("other text waits for the fonts")
	}
	close(held)
	<-arrived
	paint()
	st := c.Fonts()
	if st.Loaded < 10 || st.Loaded >= 150 || st.Bytes > MaxFontBytes || st.Refused == 0 {
		t.Errorf("got %+v, want some of 150 fonts, at most %d bytes", st, MaxFontBytes)
	}
	if got := found(b); got != st.Loaded {
		t.Errorf("%d letters are drawn with %d fonts", got, st.Loaded)
	}
	select {
	case <-arrived:
		t.Error("fonts go on arriving")
	default:
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > MaxFontBytes {
		t.Errorf("the heap grew by %d MiB, want at most %d", grown>>20, MaxFontBytes>>20)
	}
	runtime.KeepAlive(c)
}

// TestSystemFontsMakeRoom checks that unused fonts are dropped if there is no memory for another font.
func TestSystemFontsMakeRoom(t *testing.T) {
	dir, text := manyFonts(t, 150)
	c := NewCache(4 << 20)
	c.SystemFonts(dir)
	var l Line
	c.Shape(&l, Default(), 10, text)
	full := c.Fonts()
	for _, f := range c.system.fonts {
		f.used = f.used.Add(-2 * unusedFor)
	}
	last := string([]rune(text)[149:])
	c.Shape(&l, Default(), 10, last)
	for range 2000 { // c.Fonts reports the freed memory only after the cleanups, which run concurrently with the garbage collector
		if runtime.GC(); c.Fonts().Bytes < full.Bytes/2 {
			break
		}
		<-time.After(10 * time.Millisecond)
	}
	c.Shape(&l, Default(), 11, "")
	c.segments.init(1 << 20)
	c.Shape(&l, Default(), 10, last)
	if got := l.segments[0].glyphs[0]; got.gid >= awaited {
		t.Errorf("no room for one more font: %+v, before %+v", c.Fonts(), full)
	}
}

// If a cache is no longer used, for example after a reload, it is freed together with the system fonts that it loaded.
func TestSystemFontsGoWithTheirCache(t *testing.T) {
	dir, text := manyFonts(t, 3)
	gone := make(chan struct{})
	func() {
		c := NewCache(1 << 20)
		c.SystemFonts(dir)
		var l Line
		c.Shape(&l, Default(), 10, text)
		if c.Fonts().Loaded != 3 {
			t.Fatalf("got %+v, want 3 fonts", c.Fonts())
		}
		runtime.AddCleanup(c, func(gone chan struct{}) { close(gone) }, gone)
	}()
	for range 2000 {
		runtime.GC()
		select {
		case <-gone:
			return
		case <-time.After(10 * time.Millisecond): // cleanups run concurrently with the garbage collector
		}
	}
	t.Error("the cache is kept")
}

// TestEveryFamilyCounts checks that scan() finds all fonts, also among very many files. If there is no memory for all files, the best
// font of each family comes first.
func TestEveryFamilyCounts(t *testing.T) {
	dir, _ := manyFonts(t, 250)
	if got := len(scan([]string{dir})); got != 250 {
		t.Errorf("got %d of 250 fonts", got)
	}
	var all []*candidate
	for _, name := range []string{"NotoSans-Bold.ttf", "NotoSans-Light.ttf", "NotoSans-Regular.ttf", "NotoSansTamil-Bold.ttf", "NotoSansTamil-Regular.otf", "NotoSerifTibetan-Regular.ttf"} {
		all = append(all, newCandidate("/fonts/"+name))
	}
	slices.SortStableFunc(all, func(a, b *candidate) int { return a.rank - b.rank })
	var first []string
	for _, c := range familiesFirst(all)[:3] {
		first = append(first, c.family())
	}
	slices.Sort(first)
	if got := strings.Join(first, " "); got != "notosans notosanstamil notoseriftibetan" {
		t.Errorf("got %s first", got)
	}
}

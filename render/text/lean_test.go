package text

import (
	"image"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// The files of Debian's fonts-noto-cjk and fonts-noto-core.
const (
	notoCJK  = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"
	notoCore = "/usr/share/fonts/truetype/noto"
)

// notoOf returns `path`. If the file does not exist, notoOf skips the test.
func notoOf(t *testing.T, path string) string {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		t.Skip("SKIPPED, Debian's fonts NOT checked: ", err)
	}
	return path
}

// folderOf returns a folder with links to the given font files.
func folderOf(t *testing.T, paths ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, p := range paths {
		if err := os.Symlink(notoOf(t, p), filepath.Join(dir, filepath.Base(p))); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// inked() returns how many letters of a text have ink, and how many have no glyph.
func inked(c *Cache, f *Font, text string) (ink, boxes int) {
	var l Line
	c.Shape(&l, f, 32, text)
	for _, s := range l.segments {
		for _, g := range s.glyphs {
			switch {
			case g.gid >= awaited:
				boxes++
			case len(c.mask(maskKey{face: g.face, gid: g.gid, size: 32}).Pix) > 0:
				ink++
			}
		}
	}
	return ink, boxes
}

// TestJapaneseTakesLittleMemory loads all weights of Debian's largest fonts, and draws the letters of a wall. The fonts and the letters
// together take at most 16 MiB of memory.
func TestJapaneseTakesLittleMemory(t *testing.T) {
	notoOf(t, notoCJK)
	var before, after runtime.MemStats
	c := NewCache(1 << 20)
	c.SystemFonts("/usr/share/fonts")
	runtime.GC()
	runtime.ReadMemStats(&before)
	for _, weight := range []int{300, 400, 500, 700} {
		f := c.Style(Inter(), Style{Weight: weight})
		for _, text := range []string{"資源ごみ歯医者さくらカレンダー", "周末市场图书馆", "한국어날씨", "طقس الأحد", "שלום", "मौसम", "อากาศ"} {
			if ink, boxes := inked(c, f, text); boxes > 0 || ink == 0 {
				t.Errorf("weight %d, %q: %d letters and %d boxes", weight, text, ink, boxes)
			}
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if got := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) >> 20; got > 16 {
		t.Errorf("the heap grew by %d MiB, want at most 16", got)
	}
	if st := c.Fonts(); st.Refused > 0 || st.Bytes > MaxFontBytes/2 {
		t.Errorf("got %+v, want half of the room and no refused font", st)
	}
	runtime.KeepAlive(c)
}

// TestLeanOutlinesAreTheFontsOwn compares outlines that are read from the file with the outlines of
// a parser that has read the whole font.
func TestLeanOutlinesAreTheFontsOwn(t *testing.T) {
	const gothic = "/usr/share/fonts/opentype/ipafont-gothic/ipag.ttf"
	for _, path := range []string{notoCJK, gothic} {
		t.Run(filepath.Base(path), func(t *testing.T) { leanOutlinesOf(t, notoOf(t, path)) })
	}
}

func leanOutlinesOf(t *testing.T, path string) {
	var files [2]*os.File
	for i := range files {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		files[i] = f
	}
	st, _ := files[0].Stat()
	whole, err := parseFile(files[0], st.Size(), 0)
	if err != nil {
		t.Fatal(err)
	}
	lean, err := parseSystem(files[1], st.Size())
	if err != nil || lean.outlines == nil {
		t.Fatalf("got %+v, %v, want outlines in the file", lean, err)
	}
	c := NewCache(1 << 20)
	for _, r := range "資源ごみ歯医者ー、A1" {
		gid, ok := whole.ft.Cmap.Lookup(r)
		if !ok {
			t.Fatalf("no %c", r)
		}
		want, got := c.rasterise(maskKey{face: whole, gid: uint32(gid), size: 40}), c.rasterise(maskKey{face: lean, gid: uint32(gid), size: 40})
		if got.Rect != want.Rect || string(got.Pix) != string(want.Pix) {
			t.Errorf("%c: got %v, want %v", r, got.Rect, want.Rect)
		}
		a, b := glyph{face: whole, gid: uint32(gid)}, glyph{face: lean, gid: uint32(gid)}
		left, width := c.bearing(&b)
		if l, w := c.bearing(&a); left > l+refEm/500 || left+width < l+w-refEm/500 {
			t.Errorf("%c: ink from %d, %d wide, want all of %d, %d", r, left, width, l, w)
		}
	}
}

// TestOneFamilyForAllWeights: if a family has no bold font, the strokes of its regular font are
// widened. A bold font of another family is not used.
func TestOneFamilyForAllWeights(t *testing.T) {
	c := NewCache(1 << 20)
	c.SystemFonts(folderOf(t, notoCJK, notoCore+"/NotoSansDevanagari-Regular.ttf"))
	regular, bold := c.Style(Inter(), Style{Weight: 400}), c.Style(Inter(), Style{Weight: 700})
	for _, letter := range []string{"市", "म"} {
		thin, wide := inkOf(t, c, regular, letter), inkOf(t, c, bold, letter)
		if wide < thin*110/100 || wide > thin*180/100 {
			t.Errorf("%s: bold has %d, regular %d of ink", letter, wide, thin)
		}
	}
	if got := c.Fonts().Loaded; got != 2 {
		t.Errorf("got %d fonts, want 2", got)
	}
}

// inkOf returns the sum of the coverage of all pixels of a text.
func inkOf(t *testing.T, c *Cache, f *Font, text string) (sum int) {
	t.Helper()
	var l Line
	c.Shape(&l, f, 40, text)
	for _, s := range l.segments {
		for _, g := range s.glyphs {
			m := c.mask(maskKey{face: g.face, gid: g.gid, size: 40})
			for _, a := range m.Pix {
				sum += int(a)
			}
		}
	}
	return sum
}

// TestFamilyOfAScript: in all weights, the plain sans serif font of a script is chosen, even if
// another font comes first in alphabetical order.
func TestFamilyOfAScript(t *testing.T) {
	notoOf(t, notoCore)
	c := NewCache(1 << 20)
	c.SystemFonts("/usr/share/fonts")
	for letter, want := range map[rune]string{'東': "notosanscjk", 'ط': "notosansarabic", 'ก': "notosansthai", 'म': "notosansdevanagari"} {
		for _, bold := range []bool{false, true} {
			if !c.Covers(nil, letter) {
				t.Errorf("no font has %c", letter)
			}
			got := c.system.search([]rune{letter}, bold)
			if got == nil || got.family() != want || got.bold != bold {
				t.Errorf("%c, bold %v: got %+v, want %s", letter, bold, got, want)
			}
		}
	}
}

// TestNoBoxesWhileFontsArrive: while the font of a text is being loaded, the text is blank. Boxes
// are drawn only if no font has its letters.
func TestNoBoxesWhileFontsArrive(t *testing.T) {
	dir, text := manyFonts(t, 1)
	c := NewCache(1 << 20)
	c.SystemFonts(dir)
	arrived := make(chan struct{}, 4)
	c.OnFonts(func() { arrived <- struct{}{} })
	ink := func(text string) bool {
		b := NewBlock(c, Options{Box: image.Pt(60, 40), Size: 20})
		b.Set(text)
		for _, r := range b.rows {
			for _, s := range r.line.segments {
				if s.left < s.right {
					return true
				}
			}
		}
		return false
	}
	hold := func(loading bool) { // if `loading` is true, the cache does not start to load fonts
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.system.working = loading; !loading {
			c.load(nil)
		}
	}
	hold(true)
	if ink(text) || ink("東") {
		t.Error("boxes are drawn before the list of fonts is there")
	}
	hold(false)
	<-arrived
	hold(true)
	if ink(text) {
		t.Error("a box is drawn before the font is there")
	}
	if !ink("東") {
		t.Error("no box for a letter that no font has")
	}
	hold(false)
	<-arrived
	if !ink(text) {
		t.Error("the letter is not drawn with the arrived font")
	}
}

// TestPreparedFontsAreThereAtOnce: after Prepare, the first layout of a text has all letters in regular and bold weight.
func TestPreparedFontsAreThereAtOnce(t *testing.T) {
	dir, text := manyFonts(t, 2)
	c := NewCache(1 << 20)
	c.SystemFonts(dir)
	c.OnFonts(func() { t.Error("fonts arrive late") })
	c.Prepare(Default(), text+text+"abc東")
	for _, weight := range []int{400, 700} {
		if ink, boxes := inked(c, c.Style(Default(), Style{Weight: weight}), text); ink != 2 || boxes != 0 {
			t.Errorf("weight %d: got %d letters and %d boxes, want 2 letters", weight, ink, boxes)
		}
	}
	if got := c.Fonts().Loaded; got != 2 {
		t.Errorf("got %d fonts, want 2", got)
	}
}

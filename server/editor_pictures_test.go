package server

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

var editorPictures = flag.Bool("editor-pictures", false, "write the pictures of docs/editing.md; look at each changed one")

// editorShots lists the pictures of docs/editing.md. Each entry has a screen of editorSteps, one more step if needed, and whether the
// window is as wide as the window of a computer.
var editorShots = map[string]struct {
	screen string
	more   string // another step
	wide   bool
}{
	"apply":    {screen: "apply"},
	"conflict": {screen: "conflict", more: `scrollTo(0, document.querySelector(".sides").offsetTop - 40)`},
	"files":    {screen: "words", more: `await soon(() => document.querySelector(".text-host").shadowRoot.querySelector(".cm-content").innerText.includes("agenda"))`, wide: true},
	"form":     {screen: "form"},
	"move":     {screen: "places"},
	"plan":     {screen: "layout"},
	"select":   {screen: "wall", more: `await soon(() => document.querySelector("[aria-label=Selection] dl").textContent.includes("11 events"))`},
	"test":     {screen: "provider", more: `document.querySelector("[aria-label=Bins]").scrollIntoView()`},
	"theme":    {screen: "theme", wide: true},
	"value":    {screen: "pick", wide: true},
	"versions": {screen: "versions"},
}

// The pictures of docs/editing.md show the family's wall on the screens of the editor. With the flag -editor-pictures, the test writes them.
func TestEditorPictures(t *testing.T) {
	t.Parallel()
	needsLong(t)
	file, err := os.ReadFile("../samples/family/widgets.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for name, shot := range editorShots {
		t.Run(name, func(t *testing.T) {
			e := newCannedEditor(t)
			e.text = strings.Replace(string(file), ", title: Calendar, icon: mdi:calendar-blank-outline, days: 3, calendars: [Anna, Ben]", ", days: 3", 1)
			e.walls = map[string][]byte{}
			for _, theme := range []string{"night", "day"} {
				if e.walls[theme], err = os.ReadFile(docPictures + "walls/family-" + theme + ".png"); err != nil {
					t.Fatal(err)
				}
			}
			address, size, scale := serveEditor(t, e), image.Pt(390, 780), 1.0
			if shot.wide {
				size, scale = image.Pt(1280, 800), .75
			}
			ctx := browser(t, size.X, size.Y, scale)
			emulateScheme(t, ctx, "dark")
			see(t, ctx, chromedp.Navigate(address))
			steps := editorSteps[shot.screen]
			if shot.more != "" {
				steps = append(slices.Clone(steps), shot.more)
			}
			perform(t, ctx, steps)
			if name == "files" {
				typeWord(t, ctx, e.text)
			}
			until(t, ctx, "[...document.images].every((m) => m.complete)")
			writeShot(t, ctx, docPictures+"editing/"+name+".png")
		})
	}
}

// typeWord types the beginning of a key into the line of the first calendar, so that the page lists the possible keys. It requests this
// list again and again until the page has loaded the names of the keys.
func typeWord(t *testing.T, ctx context.Context, text string) {
	t.Helper()
	see(t, ctx, chromedp.KeyEvent(kb.Home, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	before, _, _ := strings.Cut(text, "widget: agenda")
	for range strings.Count(before, "\n") {
		see(t, ctx, chromedp.KeyEvent(kb.ArrowDown))
	}
	see(t, ctx, chromedp.KeyEvent(kb.End), chromedp.KeyEvent(kb.ArrowLeft), chromedp.KeyEvent(", ca"))
	// Wait until the names of the keys have reached the text field.
	until(t, ctx, "document.querySelector('.text-host').shadowRoot.querySelector('.cm-content').innerText.includes(', ca}')")
	const list = "document.querySelector('.text-host').shadowRoot.querySelector('.cm-tooltip-autocomplete')?.innerText.includes('calendars')"
	const wait = "new Promise((go) => { let left = 20; const look = () => " + list + " ? go(true) : left-- ? setTimeout(look, 50) : go(false); look(); })"
	for shown, end := false, time.Now().Add(browserTime); !shown; {
		if time.Now().After(end) {
			t.Fatal("the list of words never shows calendars")
		}
		see(t, ctx, chromedp.KeyEvent(" ", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
		var err error
		if shown, err = chromedp.Run(ctx, chromedp.Evaluate[bool](wait, chromedp.EvalAwaitPromise)); err != nil {
			t.Fatal(err)
		}
	}
}

// writeShot compares the size of a picture in docs with the size of the page. With the flag -editor-pictures, it writes the picture.
func writeShot(t *testing.T, ctx context.Context, path string) {
	t.Helper()
	data, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, fewColors(m)); err != nil {
		t.Fatal(err)
	}
	if *editorPictures {
		err = os.WriteFile(path, out.Bytes(), 0o644)
	}
	was, err2 := os.Open(path)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	defer was.Close()
	if c, err := png.DecodeConfig(was); err != nil || c.Width != m.Bounds().Dx() || c.Height != m.Bounds().Dy() {
		t.Errorf("%s has %dx%d pixels, the page %v: %v; write it with -editor-pictures", path, c.Width, c.Height, m.Bounds().Size(), err)
	}
}

const (
	mostColors  = 256 // maximum number of colors in a PNG with a palette
	exactColors = 128 // number of frequent colors that stay exactly as they are
)

// fewColors returns a picture with mostColors colors, so that its file is small. A pixel of any other color gets the most similar of
// these colors.
func fewColors(m image.Image) *image.Paletted {
	b, counts := m.Bounds(), map[color.RGBA]int{}
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			counts[color.RGBAModel.Convert(m.At(x, y)).(color.RGBA)]++
		}
	}
	all := slices.SortedFunc(maps.Keys(counts), func(a, b color.RGBA) int {
		return cmp.Or(counts[b]-counts[a], cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B))
	})
	var list color.Palette
	seen := map[[3]uint8]bool{}
	for i, c := range all {
		group := [3]uint8{c.R >> 4, c.G >> 4, c.B >> 4}
		if len(list) < mostColors && (i < exactColors || !seen[group]) {
			list, seen[group] = append(list, c), true
		}
	}
	out := image.NewPaletted(b, list)
	draw.Draw(out, b, m, b.Min, draw.Src)
	return out
}

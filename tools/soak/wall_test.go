package soak

import (
	"bytes"
	_ "embed"
	"fmt"
	"image"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"dashboard/config"
	"dashboard/control/notify"
	"dashboard/fb"
	"dashboard/internal/budget"
	"dashboard/internal/folder"
	"dashboard/netstream"
	"dashboard/output"
	"dashboard/provider"
	"dashboard/provider/sources"
	"dashboard/render"
	"dashboard/render/text"
	"dashboard/theme"
	"dashboard/widgets"
	"dashboard/widgets/kit"
	"dashboard/widgets/screen"

	"golang.org/x/image/font/gofont/goregular"
)

//go:embed wall.yaml
var wallYAML []byte

//go:embed night.yaml
var nightYAML []byte

// glyphBytes is the maximum size of the glyph cache. The service uses the same size.
const glyphBytes = 12 << 20

// A wall is a dashboard with everything from its files to its outputs, except the goroutines that determine when it paints.
type wall struct {
	dir       string
	size      image.Point
	now       time.Time
	text      *text.Cache
	board     *notify.Board
	providers *provider.Manager
	banner    *provider.Cell
	feed      *feed
	trees     [2]*tree // for day and night
	active    int
	renderer  *render.Renderer
	screen    *fb.Display
	stream    *netstream.Stream
	outputs   *output.Multi
	audience  *audience
	painted   int
}

// A tree holds the widgets of one theme.
type tree struct {
	root    render.Widget
	inboxes *notify.Set
}

// began is the time on the wall's clock before the first frame.
var began = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// newWall builds a wall from the files in `dir`.
func newWall(dir string, size image.Point) (*wall, error) {
	w := &wall{dir: dir, size: size, now: began, text: text.NewCache(glyphBytes), feed: &feed{}}
	wake := func() {} // frames do not need to be requested
	w.board, w.banner = notify.NewBoard(wake), provider.NewCell(wake)
	w.providers = provider.NewManager(budget.New(), wake, slog.New(slog.DiscardHandler))
	w.stream = netstream.New(func() time.Time { return w.now })
	w.audience = newAudience(w.stream, size)
	font := filepath.Join(dir, "font.ttf") // a reload reads this file again only if it has changed
	wall := bytes.ReplaceAll(wallYAML, []byte("FONT"), []byte(font))
	for name, data := range map[string][]byte{"wall.yaml": wall, "night.yaml": nightYAML, "font.ttf": goregular.TTF} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			return nil, err
		}
	}
	dev, err := fb.OpenVirtual(filepath.Join(dir, "screen.raw"), fb.Virtual{Width: size.X, Height: size.Y, Format: fb.RGB565})
	if err != nil {
		return nil, err
	}
	if w.screen, err = fb.New(dev, fb.Options{}); err != nil {
		return nil, err
	}
	w.outputs = output.NewMulti(nil, w.screen, w.stream)
	return w, w.read()
}

func (w *wall) close() {
	w.audience.close()
	_ = w.outputs.Halt() // the run is over, so an error no longer matters
	w.providers.Close()
}

// read reads the files and shows them on the wall, as a reload does.
func (w *wall) read() error {
	r := &config.Report{}
	set := w.providers.Begin()
	w.feed.addTo(set)
	file := config.LoadWidgets(folder.Dir(w.dir), "wall.yaml", r, nil)
	night := config.LoadWidgets(folder.Dir(w.dir), "night.yaml", r, nil)
	if file == nil || night == nil {
		return fmt.Errorf("%v", r.Diagnostics())
	}
	for i, themeFile := range []*config.Node{nil, night} {
		w.trees[i] = w.build(set, theme.Resolve(file, themeFile, r), r)
	}
	if r.Failed() {
		return fmt.Errorf("%v", r.Diagnostics())
	}
	w.providers.Commit(set)
	w.show()
	return nil
}

func (w *wall) build(set *provider.Set, root *config.Node, r *config.Report) *tree {
	inboxes := w.board.Begin()
	b := widgets.NewBuilder(kit.Env{Drawing: kit.Drawing{Text: w.text, Location: time.UTC, SmoothScaling: true}, Data: kit.Data{Sources: sources.New(set, nil)}, Wall: kit.Wall{Inboxes: inboxes, Banner: w.banner}})
	return &tree{screen.Build(b, kit.SpecOf(config.Tree(root, r, nil)), w.size), inboxes}
}

// show shows the tree of the current theme.
func (w *wall) show() {
	t := w.trees[w.active]
	if w.renderer == nil {
		w.renderer = render.New(t.root, w.size)
	} else {
		w.renderer.SetRoot(t.root)
	}
	w.board.Commit(t.inboxes)
}

// Intervals of the events, in seconds of the wall's clock. No two intervals have a common divisor greater than 1, so all combinations of
// events occur.
const (
	perData   = 5
	perNote   = 299
	perTheme  = 997
	perReload = 4999
	perBanner = 7001
)

// tick performs second n of the wall's clock: its events, and a frame if anything has changed.
func (w *wall) tick(n int) error {
	w.now = w.now.Add(time.Second)
	if n%perData == 0 {
		w.feed.give(n/perData, w.now)
	}
	if n%perNote == 0 {
		if err := post(w.board, n/perNote, w.size); err != nil {
			return err
		}
	}
	if n%perTheme == 0 {
		w.active = 1 - w.active
		w.show()
	}
	if n%perReload == 0 {
		if err := w.read(); err != nil {
			return err
		}
	}
	if n%perBanner < 2 {
		w.banner.Publish(kit.Banner{Words: []string{"conf.yaml:3:1: something is wrong", ""}[n%perBanner]}, w.now)
	}
	if damage, _ := w.renderer.Step(w.now); len(damage) > 0 {
		w.painted++
		if err := w.outputs.DrawFrame(w.renderer.Frame(), damage); err != nil {
			return err
		}
	}
	return w.audience.look(n)
}

// summary returns one line about the run.
func (w *wall) summary() string {
	s := w.stream.Stats()
	return fmt.Sprintf("%s, %dx%d: %d frames painted, %d published, %d encoded, %d files and %d deltas sent (%d MiB), glyphs %.1f MiB",
		cpu(), w.size.X, w.size.Y, w.painted, s.Published, s.Encodes, s.Whole, s.Partial, s.SentBytes>>20, mib(int64(w.text.Bytes())))
}

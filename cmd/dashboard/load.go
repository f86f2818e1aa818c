package main

import (
	"fmt"
	"image"
	"log/slog"
	"slices"
	"time"

	"dashboard/config"
	"dashboard/control/notify"
	"dashboard/internal/daemon"
	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/render"
	"dashboard/render/text"
	"dashboard/theme"
	"dashboard/theme/sun"
	"dashboard/widgets"
)

// A generation is one consistent reading of all files, built and ready, but not yet shown: the next one
// replaces it whole or not at all.
type generation struct {
	conf    *config.Conf
	size    image.Point // of the frame, px
	sources *provider.Set
	trees   map[sun.Mode]*tree // day and night, or only day where there is one theme
}

// single reports whether there is only one theme.
func (g *generation) single() bool { return len(g.trees) == 1 }

// renderer returns a new renderer of the tree of a mode.
func (g *generation) renderer(mode sun.Mode) *render.Renderer {
	return render.New(g.trees[mode].root, g.size, g.conf.Graphics.Flip)
}

// streams reports whether there is a stream output.
func (g *generation) streams() bool {
	return slices.ContainsFunc(g.conf.Outputs, func(o config.Output) bool { return o.Stream != nil })
}

// notifiable reports whether any tree has a widget that takes notifications.
func (g *generation) notifiable() bool {
	for _, t := range g.trees {
		if t.inboxes.Any() {
			return true
		}
	}
	return false
}

// frameInterval is the least time between frames.
func (g *generation) frameInterval() time.Duration {
	return time.Second / time.Duration(g.conf.Graphics.FPSLimit)
}

// A tree is one theme's widgets.
type tree struct {
	root    render.Widget
	inboxes *notify.Set
	survey  *widgets.Survey
	places  places
}

// A workshop holds what generations are built with and what outlives them.
type workshop struct {
	providers *provider.Manager
	board     *notify.Board
	text      *text.Cache
	banner    *provider.Cell
	client    *fetch.Client
	wake      func()
	log       *slog.Logger
}

// glyphBytes bounds the shapes of letters kept in memory: a 1080p wall of big figures uses about 2 MiB.
const glyphBytes = 12 << 20

// newWorkshop returns a workshop whose providers and notifications call wake when something came in.
func newWorkshop(wake func(), log *slog.Logger) *workshop {
	return &workshop{
		providers: provider.NewManager(wake, log),
		board:     notify.NewBoard(wake),
		text:      text.NewCache(glyphBytes),
		banner:    provider.NewCell(wake),
		client:    fetch.New(nil),
		wake:      wake,
		log:       log,
	}
}

func discardLog() *slog.Logger { return slog.New(slog.DiscardHandler) }

// crashed logs a panic that a widget's guard caught.
func (w *workshop) crashed(widget, pos string, v any) {
	w.log.Error("a widget failed and says so in its place; the others go on", "widget", widget, "at", pos, "reason", fmt.Sprint(v))
}

// load reads and builds everything. Whatever is wrong is in the report; if that has errors there is no
// generation, and nothing has been started.
func (w *workshop) load(o *options) (*generation, *config.Report) {
	r := &config.Report{}
	secrets := daemon.Secrets()
	conf, sound := config.LoadConf(config.ConfName, r, secrets)
	g := &generation{conf: conf, sources: w.providers.Begin(), trees: map[sun.Mode]*tree{}}
	w.addProviders(g.sources, r, secrets)
	w.plant(g, sound, o, r, secrets)
	if o.strict {
		r.Promote(config.CodeUnknownKey)
	}
	if r.Failed() {
		return nil, r
	}
	return g, r
}

// plant builds the trees: one for each theme. Of general settings that are not sound only the names of the theme files count.
func (w *workshop) plant(g *generation, sound bool, o *options, r *config.Report, secrets config.SecretSource) {
	root := config.LoadWidgets(o.widgets, r, secrets)
	graphics := config.Graphics{Resolution: config.Size{Width: 1280, Height: 720}, SmoothScaling: true, TextScale: 1}
	if sound {
		graphics = g.conf.Graphics
	}
	if o.size != (config.Size{}) {
		graphics = resized(graphics, o.size)
	}
	g.size = image.Pt(graphics.Resolution.Width, graphics.Resolution.Height)
	for mode, path := range themeFiles(g.conf, o) {
		var file *config.Node
		if path != "" {
			if file = config.LoadWidgets(path, r, secrets); file == nil {
				continue
			}
		}
		if !sound && path == "" && !root.Has("theme") {
			continue // its tokens may be those of a theme that is not known
		}
		if root != nil {
			g.trees[mode] = w.grow(g, graphics, theme.Resolve(root, file, r), r)
		}
	}
	if sound {
		checkOutputs(g.conf, g.size, r)
	}
}

// resized is the same wall on a screen of another size: text given in px grows and shrinks with it. A
// screen that is only turned keeps its text.
func resized(g config.Graphics, to config.Size) config.Graphics {
	from := g.Resolution
	long := float64(max(to.Width, to.Height)) / float64(max(from.Width, from.Height))
	short := float64(min(to.Width, to.Height)) / float64(min(from.Width, from.Height))
	g.TextScale *= min(long, short)
	g.Resolution = to
	return g
}

// themeFiles returns the theme file of each mode; "" is the widgets file's own theme block.
func themeFiles(c *config.Conf, o *options) map[sun.Mode]string {
	switch {
	case o.theme != "":
		return map[sun.Mode]string{sun.Day: o.theme}
	case c != nil && c.Appearance != nil:
		return map[sun.Mode]string{sun.Day: c.Appearance.Themes.Day, sun.Night: c.Appearance.Themes.Night}
	}
	return map[sun.Mode]string{sun.Day: ""}
}

// grow builds one tree.
func (w *workshop) grow(g *generation, graphics config.Graphics, root *config.Node, r *config.Report) *tree {
	theme.CheckTypes(root, kindNames(), r)
	screen := config.Tree(root, r, nil)
	if screen == nil {
		return nil
	}
	t := &tree{inboxes: w.board.Begin(), survey: &widgets.Survey{}, places: places{}}
	t.places.add(screen)
	b := widgets.NewBuilder(widgets.Env{
		Text: w.text, TextScale: graphics.TextScale, SmoothScaling: graphics.SmoothScaling,
		Location: time.Local, Sources: g.sources, Client: w.client, Inboxes: t.inboxes, Survey: t.survey, Banner: w.banner, Crashed: w.crashed,
		Wake: w.wake,
	})
	t.root = b.BuildScreen(spec(screen), g.size)
	return t
}

// kindNames are the types of widgets.
func kindNames() []string {
	var names []string
	for _, k := range widgets.Kinds() {
		names = append(names, k.Name)
	}
	return names
}

// spec is a widget of the configuration as package widgets wants it.
func spec(w *config.Widget) *widgets.Spec {
	s := &widgets.Spec{
		Kind: w.Kind, Name: w.Name, Pos: w.Pos(),
		Decode: w.Decode, Errorf: w.Errorf, Warnf: w.Warnf,
	}
	for _, c := range w.Children {
		s.Children = append(s.Children, spec(c))
	}
	return s
}

package main

import (
	"cmp"
	"fmt"
	"image"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/control"
	"dashboard/control/bridge"
	"dashboard/control/device"
	"dashboard/control/notify"
	"dashboard/control/page"
	"dashboard/control/timer"
	"dashboard/internal/daemon"
	"dashboard/internal/fetch"
	"dashboard/internal/folder"
	"dashboard/internal/timeset"
	"dashboard/internal/window"
	"dashboard/provider"
	"dashboard/provider/geocode"
	"dashboard/provider/mqtt"
	"dashboard/provider/photos"
	"dashboard/provider/sources"
	"dashboard/render"
	"dashboard/render/text"
	"dashboard/theme"
	"dashboard/theme/look"
	"dashboard/theme/sun"
	"dashboard/widgets"
)

// A generation is one consistent reading of all files, built and ready, but not yet shown: the next one
// replaces it whole or not at all.
type generation struct {
	timers  *timer.Set
	conf    *config.Conf
	region  region
	sources *provider.Set
	defs    map[string]*config.Provider // of the sources, by name
	secrets *seenSecrets
	over    *widgets.Notices  // how notifications are shown over the wall; nil for not at all
	broker  *mqtt.Broker      // of conf.yaml; nil without one
	scenes  map[string]*scene // by the name of their view
	seats   map[string]seat   // the same
	wrong   map[string]bool   // providers with a mistake, by name
}

// A scene is what one view shows of a generation.
type scene struct {
	graphics config.Graphics
	size     image.Point // of the frame, px
	sizing   sizing
	moves    render.Transitions // what moves in all its trees
	outputs  []config.Output
	scale    float64 // by how much lengths in the widgets file are multiplied
	region   region
	start    sun.Mode // shown where nobody knows the sun
	display  display
	over     *widgets.Notices   // how notifications are shown over it; nil for not at all
	bridges  []bridge.Source    // whose messages are
	trees    map[sun.Mode]*tree // day and night, or only day where there is one theme
}

// single reports whether there is only one theme.
func (s *scene) single() bool { return len(s.trees) == 1 }

// renderer returns a new renderer of the tree of a mode.
func (s *scene) renderer(mode sun.Mode) *render.Renderer {
	return render.New(s.trees[mode].root, s.size)
}

// streams reports whether there is a stream output.
func (s *scene) streams() bool {
	return slices.ContainsFunc(s.outputs, func(o config.Output) bool { return o.Stream != nil })
}

// debounced reports whether any stream says how long a frame must have been still.
func (s *scene) debounced() bool {
	return slices.ContainsFunc(s.outputs, func(o config.Output) bool { return o.Stream != nil && o.Stream.DebounceMS != nil })
}

// notifiable reports whether any tree has a widget that takes notifications.
func (s *scene) notifiable() bool {
	for _, t := range s.trees {
		if t.inboxes.Any() {
			return true
		}
	}
	return false
}

// anyScene reports whether ok holds for any scene.
func (g *generation) anyScene(ok func(*scene) bool) bool {
	for _, s := range g.scenes {
		if ok(s) {
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
	pages   *page.Set
	survey  *widgets.Survey
	sources *sources.Sources
	places  places
}

// A builder makes generations. It holds what their trees share, which outlives them.
type builder struct {
	photos    *photos.Kept   // may be nil
	pasts     *widgets.Pasts // of numbers; may be nil
	timers    *timer.Timers
	providers *provider.Manager
	text      *text.Cache
	banner    *provider.Cell
	client    *fetch.Client
	atlas     *geocode.Atlas
	found     func()                                 // has the files read again: a place was found
	mark      string                                 // tells this run of the program from others that ask the same broker
	tolerates func(name string) bool                 // a provider may have a mistake, and fail
	serving   bool                                   // the wall is shown, and not only looked at
	verbs     control.Verbs                          // what may be asked for on a broker; nil where no wall is shown
	onBroker  device.Walls                           // what a broker is told of them; nil where no wall is shown
	screen    func(*config.WindowOutput) image.Point // the size of its screen, zero without one
	wake      func()
	log       *slog.Logger
	machine   fs.FS       // its file system
	timeSet   atomic.Bool // the machine's clock can be believed
}

// glyphBytes bounds the shapes of letters kept in memory: a 1080p wall of big figures uses about 2 MiB.
const glyphBytes = 12 << 20

// newBuilder returns a builder whose providers call wake when something came in.
func newBuilder(wake func(), log *slog.Logger) *builder {
	network := fetch.Environment(os.Getenv)
	network.UserAgent = userAgent()
	client := fetch.New(network)
	b := &builder{
		providers: provider.NewManager(wake, log),
		text:      text.NewCache(glyphBytes),
		banner:    provider.NewCell(wake),
		client:    client,
		atlas:     geocode.NewAtlas(client, geocode.Geocoder, nil),
		mark:      fmt.Sprintf("%08x", rand.Uint32()),
		found:     func() {},
		tolerates: func(string) bool { return true },
		timers:    timer.New(wake),
		screen:    window.ScreenSize,
		wake:      wake,
		log:       log,
		machine:   timeset.Machine(),
	}
	b.askTime()
	return b
}

func discardLog() *slog.Logger { return slog.New(slog.DiscardHandler) }

// crashed logs a panic that a widget's guard caught.
func (b *builder) crashed(widget, pos string, v any) {
	b.log.Error("a widget failed and says so in its place; the others go on", "widget", widget, "at", pos, "reason", fmt.Sprint(v))
}

// A loading is the reading of one generation.
type loading struct {
	*builder
	*generation
	opts   *options
	report *config.Report
	files  *folder.Root
	secret config.SecretSource
	sound  bool // the general settings are
}

// load reads and builds everything, for views at the seats that seatOf gives for their names. Whatever is wrong is in the
// report; if that has errors there is no generation, and nothing has been started.
func (b *builder) load(o *options, seatOf func(view string) seat) (*generation, *config.Report) {
	l := &loading{builder: b, opts: o, report: &config.Report{}, files: o.files()}
	l.generation = &generation{sources: b.providers.Begin(), timers: b.timers.Begin(), defs: map[string]*config.Provider{}, secrets: &seenSecrets{}, scenes: map[string]*scene{}, seats: map[string]seat{}, wrong: map[string]bool{}}
	l.secret = l.generation.secrets.watch(daemon.Secrets(l.files))
	l.conf, l.sound = config.LoadConf(l.files, config.ConfName, l.report, l.secret)
	if l.sound {
		rebase(l.conf, l.files)
		checkReaders(l.conf, l.report)
		l.readNotices()
	}
	l.region = l.mainRegion()
	l.addProviders()
	for _, name := range l.viewNames() {
		l.seats[name] = seatOf(name)
		l.scenes[name] = l.scene(name, l.seats[name])
	}
	if o.strict {
		l.report.Promote(config.CodeUnknownKey)
		l.report.Promote(config.CodeTolerated)
	}
	if l.report.Failed() {
		return nil, l.report
	}
	return l.generation, l.report
}

// readNotices reads how notifications are shown over the wall.
func (l *loading) readNotices() {
	var keys struct {
		Notices *widgets.Notices `yaml:"notifications"`
	}
	l.sound = l.conf.Decode(&keys, l.report) && l.sound
	l.over = keys.Notices
}

// notices are how notifications are shown over a view, and the servers whose messages are: those that the view names itself. Those of
// conf.yaml send to main alone, so that each is asked once however many views there are.
func (l *loading) notices(view string, written *config.Node) (*widgets.Notices, []bridge.Source) {
	switch {
	case written.Kind() == config.Null && view == mainView:
		return l.over, sourcesOf(l.over)
	case written.Kind() == config.Null:
		return l.over, nil
	}
	own, ok := widgets.NoticesOf(written, l.report)
	if !ok {
		return nil, nil
	}
	return own, sourcesOf(own)
}

// rebase makes the paths of outputs absolute: they count from the folder of the configuration.
func rebase(c *config.Conf, root *folder.Root) {
	for _, o := range c.Outputs {
		switch {
		case o.Window != nil && o.Window.Device != "":
			o.Window.Device = root.Path(o.Window.Device)
		case o.File != nil:
			o.File.OutputPath = root.Path(o.File.OutputPath)
		}
	}
}

// viewNames are the views of the configuration, main first; main alone while the general settings are not sound.
func (l *loading) viewNames() []string {
	if !l.sound {
		return []string{mainView}
	}
	return l.conf.ViewNames()
}

// view is what is written for a view.
func (l *loading) view(name string) config.View {
	if !l.sound {
		return config.View{}
	}
	return l.conf.View(name)
}

// scene builds the trees of a view: one for each theme. Of general settings that are not sound only the names of the
// theme files count.
func (l *loading) scene(name string, at seat) *scene {
	v := l.view(name)
	root := config.LoadWidgets(l.files, cmp.Or(v.Widgets, l.opts.Widgets), l.report, l.secret)
	s := &scene{trees: map[sun.Mode]*tree{}, start: sun.Day, region: l.regionOf(name, v)}
	s.graphics = l.graphics(v)
	if l.sound {
		s.outputs = l.conf.OutputsOf(name)
	}
	l.measure(name, s, v.Display)
	s.over, s.bridges = l.notices(name, v.Notices)
	l.addTopic(name, v.Notices, s.over)
	s.display = l.display(s, v.Display)
	for mode, pick := range l.picks(root, v.Theme) {
		if root == nil || !pick.ok {
			continue
		}
		if theme.Named(pick.node) || pick.node == nil && theme.Named(root.Get("theme")) {
			s.start = startOf(pick.node, root)
		}
		dressed := theme.Dress(root, pick.node, mode == sun.Night, l.report)
		s.trees[mode] = l.tree(s, at, dressed)
	}
	checkOutputs(s.outputs, s.size, l.report)
	if l.opts.strict {
		checkFonts(l.text, root, l.report)
	}
	return s
}

// graphics are the settings of a view's picture; usual ones while those that are written are not sound.
func (l *loading) graphics(v config.View) config.Graphics {
	if !l.sound {
		return config.Graphics{Resolution: config.Resolution{Screen: true}, SmoothScaling: true, TextScale: 1}
	}
	g := l.conf.Graphics
	if v.Resolution != nil {
		g.Resolution = *v.Resolution
		g.Design = nil
	}
	if v.Design != nil {
		g.Design = v.Design
	}
	g.Motion = cmp.Or(v.Motion, g.Motion)
	return g
}

// reduced reports whether nothing is to move: by the settings, or where nobody sees more than pictures of moments.
func (s *scene) reduced() bool {
	still := func(o config.Output) bool { return o.File != nil || o.Post != nil || o.Panel != nil || o.TRMNL != nil }
	switch s.graphics.Motion {
	case "full":
		return false
	case "reduced":
		return true
	}
	return len(s.outputs) > 0 && !slices.ContainsFunc(s.outputs, func(o config.Output) bool { return !still(o) })
}

// startOf is the mode in which a built-in theme begins where nobody knows the sun.
func startOf(written, root *config.Node) sun.Mode {
	if written == nil {
		written = root.Get("theme")
	}
	if look.StartsByDay(theme.BaseName(written)) {
		return sun.Day
	}
	return sun.Night
}

// A pick is the theme of one mode, as it is written; a nil node is the widgets file's own.
type pick struct {
	node *config.Node
	ok   bool // it could be read
}

// picks chooses the theme of each mode: by the command line, the view, conf.yaml, or the widgets file. A built-in theme has both modes.
func (l *loading) picks(root, views *config.Node) map[sun.Mode]pick {
	both := func(p pick) map[sun.Mode]pick { return map[sun.Mode]pick{sun.Day: p, sun.Night: p} }
	switch {
	case slices.Contains(look.Names(), l.opts.Theme):
		return both(pick{config.Parse("--theme", []byte(l.opts.Theme), l.report, nil), true})
	case l.opts.Theme != "":
		return map[sun.Mode]pick{sun.Day: l.themeFile(l.opts.Theme)}
	case views.Kind() != config.Null:
		return l.written(views)
	case l.conf != nil && l.conf.Appearance != nil && l.conf.Appearance.Themes != nil && l.conf.Appearance.Themes.Day != "":
		return map[sun.Mode]pick{sun.Day: l.themeFile(l.conf.Appearance.Themes.Day), sun.Night: l.themeFile(l.conf.Appearance.Themes.Night)}
	case l.conf != nil && l.conf.Theme != nil && l.conf.Theme.Kind() != config.Null:
		return l.written(l.conf.Theme)
	case root.Has("theme"):
		return l.written(root.Get("theme"))
	case !l.sound:
		return nil // its tokens may be those of a theme that is not known
	}
	return map[sun.Mode]pick{sun.Day: {nil, true}}
}

// written reads what stands behind the key theme: a name, a file, one of these for day and for night, or a block.
func (l *loading) written(n *config.Node) map[sun.Mode]pick {
	one := func(n *config.Node) pick {
		if n.Kind() == config.String && !theme.Named(n) && strings.ContainsAny(n.Text(), "./") {
			return l.themeFile(n.Text())
		}
		return pick{n, true}
	}
	switch {
	case n.Kind() == config.Map && n.Has("day") && n.Has("night") && !n.Has("from"):
		return map[sun.Mode]pick{sun.Day: one(n.Get("day")), sun.Night: one(n.Get("night"))}
	case theme.Named(n):
		return map[sun.Mode]pick{sun.Day: {n, true}, sun.Night: {n, true}}
	case n.Kind() == config.Map:
		return map[sun.Mode]pick{sun.Day: {nil, true}} // a classic block, which is the widgets file's own
	}
	return map[sun.Mode]pick{sun.Day: one(n)}
}

// themeFile reads a theme file.
func (l *loading) themeFile(path string) pick {
	n := config.LoadWidgets(l.files, path, l.report, l.secret)
	return pick{n, n != nil}
}

// tree builds the widgets of one theme.
func (l *loading) tree(s *scene, at seat, dressed theme.Dressed) *tree {
	root := dressed.Root
	theme.CheckTypes(root, kindNames(), l.report)
	screen := config.Tree(root, l.report, nil)
	if screen == nil {
		return nil
	}
	t := &tree{inboxes: at.board.Begin(), pages: at.pages.Begin(), survey: &widgets.Survey{}, places: places{}}
	t.places.add(screen)
	from := sources.New(l.sources, l.client)
	from.Files, from.Kept, from.Sessions, t.sources = l.files, l.photos, l.providers.Sessions(), from
	b := widgets.NewBuilder(widgets.Env{
		Timers: l.generation.timers,
		Pasts:  l.pasts,
		Text:   l.text, TextScale: s.graphics.TextScale, SmoothScaling: s.graphics.SmoothScaling, Location: s.region.zone,
		Locale: s.region.locale, Translate: s.region.written, Sun: s.region.sun(),
		Sources: from, Files: l.files, Inboxes: t.inboxes, Pages: t.pages, Survey: t.survey, Banner: l.banner, Sign: at.sign, Crashed: l.crashed, Wake: l.wake,
		Look: dressed.Look, Themed: dressed.Named, Scale: s.scale, Programs: from, Place: s.region.spot(), TimeSet: l.timeSet.Load,
		Reduced: s.reduced(), Transitions: &s.moves, Notices: s.over,
	})
	t.root = b.BuildScreen(widgets.SpecOf(screen), s.size)
	return t
}

// spot is where the wall hangs, as far as that is known.
func (r region) spot() value.Location {
	switch {
	case r.where == nil:
		return value.Location{}
	case r.where.Known:
		return *r.where
	case r.place != nil:
		return value.Location{Known: true, Latitude: r.place.Latitude, Longitude: r.place.Longitude, Name: r.where.Name}
	}
	return value.Location{Name: r.where.Name}
}

// kindNames are the types of widgets.
func kindNames() []string {
	var names []string
	for _, k := range widgets.Kinds() {
		names = append(names, k.Name)
	}
	return names
}

// alone seats views that nobody runs.
func alone(wake func()) func(view string) seat {
	return func(string) seat { return seat{board: notify.NewBoard(wake), pages: page.New(wake)} }
}

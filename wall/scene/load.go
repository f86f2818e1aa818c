package scene

import (
	"cmp"
	"slices"
	"time"

	"dashboard/config"
	"dashboard/config/recipe"
	"dashboard/control/bridge"
	"dashboard/internal/folder"
	"dashboard/output/panel"
	"dashboard/provider/sources"
	"dashboard/theme"
	"dashboard/theme/sun"
	"dashboard/wall/daemon"
	"dashboard/wall/outputs"
	"dashboard/widgets"
	"dashboard/widgets/kit"
	"dashboard/widgets/screen"
)

// A Folder describes where the configuration is, and the settings of the command line.
type Folder struct {
	Home    string       // absolute path of the folder
	Files   *folder.Root // file system of the folder. Absolute paths can lead out of the folder. If it is nil, Open uses Home
	Widgets string       // name of the widgets file
	Theme   string       // theme file or name of a built-in theme, or "" for the configured theme
	Size    config.Size  // size of the frames, or zero for the configured size
	// Panel is the panel for which a picture is made, or nil. If the configured size does not fit
	// the panel, the frames have the panel's size.
	Panel  *panel.Model
	Strict bool // true if unknown keys and tolerated errors are errors

	Recorded   *Recorded        // recorded answers, or nil to send real requests
	Now        func() time.Time // returns the time for programs, or nil for the clock
	Screenless bool             // true if only streams are used as outputs and the wall is not a device on a broker
	Phones     map[string]Phone // views for phones, by name
	Only       string           // name of the only view to build, or "" for all views
	Mode       sun.Mode         // mode of the only tree to build, or "" for both modes
}

// Open returns the file system of the configuration. Relative paths start at the folder of the configuration.
func (f Folder) Open() *folder.Root {
	if f.Files != nil {
		return f.Files
	}
	return folder.Dir(f.Home)
}

// A loading is the state of one call of Load.
type loading struct {
	*Builder
	*Generation
	from   Folder
	report *config.Report
	files  *folder.Root
	secret config.SecretSource
	sound  bool                      // true if the general settings are valid
	roots  map[string]*config.Node   // root nodes of the widgets files, by their paths
	scopes map[string]*sources.Scope // scopes that limit recipes, by the id of each use
}

// Load reads the files and builds a generation. `seatOf` returns the Seat of a view. The report contains all errors. If there are errors,
// Load returns no generation and starts nothing.
func (b *Builder) Load(from Folder, seatOf func(view string) Seat) (*Generation, *config.Report) {
	l := &loading{Builder: b, from: from, report: &config.Report{}, files: from.Open()}
	l.Generation = &Generation{Sources: b.Providers.Begin(), Timers: b.Timers.Begin(), defs: map[string]*config.Provider{}, Secrets: &SeenSecrets{}, Scenes: map[string]*Scene{}, Seats: map[string]Seat{}, Wrong: map[string]bool{}}
	l.secret = l.Generation.Secrets.Watch(daemon.Secrets(l.files))
	l.Conf, l.sound = config.LoadConf(l.files, config.ConfName, l.report, l.secret)
	if l.Conf != nil {
		if err := recipe.CheckVersion(l.Version, l.Conf.Requires); err != nil {
			l.report.Errorf(l.Conf.Get("requires"), "%v", err)
		}
	}
	if l.sound {
		rebase(l.Conf, l.files)
		checkReaders(l.Conf, l.report)
		l.readNotices()
		l.addPhones()
	}
	l.Region = l.mainRegion()
	l.expand()
	l.addProviders()
	for _, name := range l.viewNames() {
		if from.Only != "" && from.Only != name {
			continue
		}
		l.Seats[name] = seatOf(name)
		l.Scenes[name] = l.scene(name, l.Seats[name])
	}
	if from.Strict {
		l.report.Promote(config.CodeUnknownKey)
		l.report.Promote(config.CodeTolerated)
	}
	if l.report.Failed() {
		return nil, l.report
	}
	return l.Generation, l.report
}

// readNotices reads the settings for notifications over the wall.
func (l *loading) readNotices() {
	var keys struct {
		Notices *kit.Notices `yaml:"notifications"`
	}
	l.sound = l.Conf.Decode(&keys, l.report) && l.sound
	l.over = keys.Notices
}

// notices() returns the settings for notifications over a view, and the servers whose messages the view shows. The servers in conf.yaml
// send only to main, so that each server needs one connection for any number of views.
func (l *loading) notices(view string, written *config.Node) (*kit.Notices, []bridge.Source) {
	switch {
	case written.Kind() == config.Null && view == config.MainView:
		return l.over, sourcesOf(l.over)
	case written.Kind() == config.Null:
		return l.over, nil
	}
	own, ok := kit.NoticesOf(written, l.report)
	if !ok {
		return nil, nil
	}
	return own, sourcesOf(own)
}

// rebase makes relative paths of outputs absolute. A relative path starts at the folder of the configuration.
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

// viewNames returns the names of the configured views, with main first. If the general settings are not valid, it returns only main.
func (l *loading) viewNames() []string {
	if !l.sound {
		return []string{config.MainView}
	}
	return l.Conf.ViewNames()
}

// view returns the settings of a view.
func (l *loading) view(name string) config.View {
	if !l.sound {
		return config.View{}
	}
	return l.Conf.View(name)
}

// scene builds the scene of a view with a tree for each mode. If the general settings are not valid, it uses only the theme settings.
func (l *loading) scene(name string, at Seat) *Scene {
	v := l.view(name)
	root := l.roots[l.widgetsFile(name)]
	s := &Scene{Trees: map[sun.Mode]*Tree{}, Start: sun.Day, Region: l.regionOf(name, v)}
	s.Graphics = l.graphics(v)
	if l.sound {
		s.Outputs = l.outputsOf(name)
	}
	l.measure(name, s, v.Display)
	s.over, s.Bridges = l.notices(name, v.Notices)
	l.addTopic(name, v.Notices, s.over)
	s.Display = l.display(s, v.Display)
	if root != nil {
		prepareFonts(l.Text, root, s.Region.Locale)
	}
	picks := l.picks(root, v.Theme)
	for mode, pick := range picks {
		if root == nil || !pick.ok {
			continue
		}
		if l.from.Mode != "" && mode != l.from.Mode && len(picks) > 1 {
			continue
		}
		if theme.Named(pick.node) || pick.node == nil && theme.Named(root.Get("theme")) {
			s.Start = startOf(pick.node, root)
		}
		dressed := theme.Dress(root, pick.node, mode == sun.Night, l.report)
		checkTypeface(l.Text, l.files, dressed, l.report)
		s.Trees[mode] = l.tree(s, at, dressed)
	}
	outputs.Check(s.Outputs, s.Size, l.report)
	if l.from.Strict && root != nil {
		CheckFonts(l.Text, root, s.Region.Locale, l.report)
	}
	return s
}

// graphics() returns the picture settings of a view. If the settings are not valid, it returns the defaults.
func (l *loading) graphics(v config.View) config.Graphics {
	if !l.sound {
		return config.Graphics{Resolution: config.Resolution{Screen: true}, SmoothScaling: true, TextScale: 1}
	}
	g := l.Conf.Graphics
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

// outputsOf returns the outputs of a view. If Screenless is set, it returns only stream outputs, and at least one stream output.
func (l *loading) outputsOf(name string) []config.Output {
	list := l.Conf.OutputsOf(name)
	if !l.from.Screenless {
		return list
	}
	list = slices.DeleteFunc(slices.Clone(list), func(o config.Output) bool { return o.Stream == nil })
	if len(list) == 0 {
		list = []config.Output{{Stream: &config.StreamOutput{ImageFormat: "jpeg", CacheMB: screenlessCache}}}
	}
	return list
}

// screenlessCache is the size of the stream's cache, in MB, if Screenless is set and conf.yaml has no stream output.
const screenlessCache = 16

// tree builds the widgets of a scene with one theme.
func (l *loading) tree(s *Scene, at Seat, dressed theme.Dressed) *Tree {
	root := dressed.Root
	theme.CheckTypes(root, kindNames(), l.report)
	spec := config.Tree(root, l.report, nil)
	if spec == nil {
		return nil
	}
	t := &Tree{Inboxes: at.Board.Begin(), Pages: at.Pages.Begin(), Survey: &kit.Survey{}, Places: places{}, Look: dressed.Look}
	t.Places.add(spec)
	from := sources.New(l.Sources, l.Client)
	from.Found = l.stranger()
	from.Scopes, from.Now = l.scopes, l.from.Now
	from.Files, from.Kept, from.Sessions, t.Sources = l.files, l.photos, l.Providers.Sessions(), from
	b := widgets.NewBuilder(kit.Env{
		Drawing: kit.Drawing{
			Text: l.Text, TextScale: s.Graphics.TextScale, SmoothScaling: s.Graphics.SmoothScaling, Location: s.Region.Zone,
			Locale: s.Region.Locale, Translate: s.Region.Written, Files: l.files, Memory: l.Memory, Look: dressed.Look, Themed: dressed.Named, Scale: s.Scale,
			Reduced: s.Reduced(), Transitions: &s.moves,
		},
		Data: kit.Data{Pasts: l.Pasts, Sun: s.Region.Sun(), Sources: from, Programs: from, Place: s.Region.spot(), TimeSet: l.TimeSet.Load},
		Wall: kit.Wall{
			Timers: l.Generation.Timers, Inboxes: t.Inboxes, Pages: t.Pages, Survey: t.Survey, Banner: l.Banner, Sign: at.Sign,
			Crashed: l.crashed, Wake: l.Wake, Notices: s.over, Near: at.near(s.Display), Dark: at.dark(s.Display),
		},
	})
	t.Root = screen.Build(b, kit.SpecOf(spec), s.Size)
	return t
}

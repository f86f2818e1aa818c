package main

import (
	"cmp"

	"dashboard/cmd/shared/daemon"
	"dashboard/config"
	"dashboard/control/bridge"
	"dashboard/internal/folder"
	"dashboard/provider/sources"
	"dashboard/theme"
	"dashboard/theme/sun"
	"dashboard/wall/outputs"
	"dashboard/widgets"
	"dashboard/widgets/kit"
)

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
		Notices *kit.Notices `yaml:"notifications"`
	}
	l.sound = l.conf.Decode(&keys, l.report) && l.sound
	l.over = keys.Notices
}

// notices are how notifications are shown over a view, and the servers whose messages are: those that the view names itself. Those of
// conf.yaml send to main alone, so that each is asked once however many views there are.
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
		return []string{config.MainView}
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
	outputs.Check(s.outputs, s.size, l.report)
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

// tree builds the widgets of one theme.
func (l *loading) tree(s *scene, at seat, dressed theme.Dressed) *tree {
	root := dressed.Root
	theme.CheckTypes(root, kindNames(), l.report)
	screen := config.Tree(root, l.report, nil)
	if screen == nil {
		return nil
	}
	t := &tree{inboxes: at.board.Begin(), pages: at.pages.Begin(), survey: &kit.Survey{}, places: places{}}
	t.places.add(screen)
	from := sources.New(l.sources, l.client)
	from.Found = l.stranger()
	from.Files, from.Kept, from.Sessions, t.sources = l.files, l.photos, l.providers.Sessions(), from
	b := widgets.NewBuilder(kit.Env{
		Timers: l.generation.timers,
		Pasts:  l.pasts,
		Text:   l.text, TextScale: s.graphics.TextScale, SmoothScaling: s.graphics.SmoothScaling, Location: s.region.zone,
		Locale: s.region.locale, Translate: s.region.written, Sun: s.region.sun(),
		Sources: from, Files: l.files, Inboxes: t.inboxes, Pages: t.pages, Survey: t.survey, Banner: l.banner, Sign: at.sign, Crashed: l.crashed, Wake: l.wake,
		Look: dressed.Look, Themed: dressed.Named, Scale: s.scale, Programs: from, Place: s.region.spot(), TimeSet: l.timeSet.Load,
		Reduced: s.reduced(), Transitions: &s.moves, Notices: s.over,
	})
	t.root = b.BuildScreen(kit.SpecOf(screen), s.size)
	return t
}

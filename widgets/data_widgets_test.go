package widgets

import (
	"image"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/control/notify"
	"dashboard/internal/fetch"
	"dashboard/internal/testing/race"
	"dashboard/provider/sources"
	"dashboard/render"
	"dashboard/widgets/screen"
	"dashboard/widgets/walltest"
)

func TestDataErrors(t *testing.T) {
	const child = "children: [{widget: empty, name: a}]"
	for _, tc := range []struct{ name, widget, want string }{
		{"near", "{widget: provider, providers: [machne]}", "1:41: widgets[0].providers: no provider is named 'machne'; is 'machine' meant?"},
		{"far", "{widget: provider, providers: [x]}", "no provider is named 'x'; there are: machine, sun"},
		{"none", "{widget: provider}", "'providers' is required"},
		{"empty", "{widget: provider, providers: []}", "a provider shows one provider, not 0"},
		{"two", "{widget: providerbarchart, providers: [machine, sun]}", "a providerbarchart shows one provider, not 2"},
		{"no names", "{widget: provider, providers: [7]}", "must be a list of names of providers"},
		{"path", "{widget: provider, providers: [sun], data_path: 'a[x]'}", `"x" is not a place in a list`},
		{"jq", "{widget: provider, providers: [sun], jq_expression: '.a['}", "jq"},
		{"labels", "{widget: providerbarchart, providers: [sun], labels_jq_expression: '.a['}", "jq"},
		{"format", "{widget: provider, providers: [sun], format_string: '{value'}", "format_string"},
		{"font", "{widget: provider, providers: [sun], font_path: /no/font.ttf}", "/no/font.ttf"},
		{"url", "{widget: rest, url: 'ftp://h/'}", "scheme"},
		{"image url", "{widget: restimage, url: 'ftp://h/'}", "scheme"},
		{"auth", "{widget: rest, url: 'http://h/', auth: {type: basic}}", "needs bearer"},
		{"image auth", "{widget: restimage, url: 'http://h/', auth: {type: basic}}", "needs bearer"},
		{"threshold", "{widget: providerbarchart, providers: [sun], bar_color_thresholds: [{above: 3}]}", "'color' is required"},
		{"bar color", "{widget: providerbarchart, providers: [sun], bar_colors: {mon: rde}}", "rde"},
		{"hass", "{widget: providertemplate, providers: [sun], template: t, hass_token: t, hass_url: h}", "scheme"},
		{"no name", "{widget: notifiabletext, " + child + "}", "a notifiabletext needs a name"},
		{"no child", "{widget: notifiableimage, name: n}", "a notifiableimage takes 1 child, not 0"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, r := walltest.Parse(t, "widgets: ["+tc.widget+"]")
			e := walltest.TestEnv()
			e.Sources, e.Inboxes = sources.New(walltest.NewSources("sun", "machine"), nil), notify.NewBoard(func() {}).Begin()
			screen.Build(walltest.Builder(e), s, image.Pt(400, 300))
			if errs := r.Errors(); len(errs) != 1 || !strings.Contains(errs[0].String(), tc.want) {
				t.Errorf("got %v, want one error that contains %q", r, tc.want)
			}
		})
	}
}

func TestNameTakenTwice(t *testing.T) {
	s, r := walltest.Parse(t, "widgets: [{widget: notifiabletext, name: n, children: [{widget: notifiableimage, name: n, children: [{widget: empty}]}]}]")
	e := walltest.TestEnv()
	e.Inboxes = notify.NewBoard(func() {}).Begin()
	screen.Build(walltest.Builder(e), s, image.Pt(40, 30))
	if w := r.Warnings(); len(w) != 1 || !strings.Contains(w[0].String(), "another widget is notified by the name 'n'") {
		t.Errorf("got %v, want a warning", r)
	}
}

// TestTreesShareSources checks that two trees that differ only in colors, such as the trees for day and night, share their sources. A value
// with another path has its own source.
func TestTreesShareSources(t *testing.T) {
	e := walltest.TestEnv()
	src := walltest.NewSources("p")
	e.Sources = sources.New(src, fetch.NewWith(&walltest.Data{}))
	file := func(color string) string {
		return "widgets: [{widget: grid, rows: 9, columns: 1, children: [{widget: rest, url: 'http://h/', color: " + color + "}, {widget: restimage, url: 'http://h/'}, " +
			"{widget: provider, providers: [p], data_path: a}, {widget: providerbarchart, providers: [p]}, {widget: providerimage, providers: [p]}, " +
			"{widget: httpflip, url: 'http://h/', children: [{widget: empty}]}, {widget: providerflip, providers: [p], children: [{widget: empty}]}]}]"
	}
	walltest.Build(t, e, file("red"), image.Pt(90, 90))
	n := len(src.Given)
	walltest.Build(t, e, file("blue"), image.Pt(90, 90))
	if len(src.Given) != n || n != 9 {
		t.Errorf("got %d sources, then %d, want 9", n, len(src.Given))
	}
	walltest.Build(t, e, strings.ReplaceAll(file("red"), "data_path: a", "data_path: b"), image.Pt(90, 90))
	if len(src.Given) != n+1 {
		t.Errorf("another path: got %d more sources, want 1", len(src.Given)-n)
	}
}

// TestDataDamageIsEnough brings each widget of dataGoldens into random states of dataStates. Painting only the damage must give the same
// picture as painting everything.
func TestDataDamageIsEnough(t *testing.T) {
	path := walltest.TestPicture(t)
	for _, g := range dataGoldens {
		t.Run(g.name, func(t *testing.T) {
			widget := strings.NewReplacer("FILM", walltest.Flow(path), "PANEL", "navy", "TEXT", "white", "ACCENT", "red").Replace(g.widget)
			walltest.Bubble(t, widget, image.Pt(150, 80), func(d *walltest.Data) {
				random := rand.New(rand.NewPCG(1, 2))
				now := time.Duration(0)
				for i := range 40 {
					if race.Left(i, 4) || testing.Short() && i >= 15 {
						continue
					}
					state := dataStates[random.IntN(len(dataStates))].name
					now += time.Duration(random.IntN(3000)) * time.Millisecond
					if d.Board.Any() && random.IntN(2) == 0 {
						now += time.Minute // without this pause, the inbox would become full
					}
					if state == "stale" && !d.Board.Any() {
						now += 4 * time.Minute
					}
					g.feed(d, state)
					d.Step(now)
					whole := image.NewRGBA(image.Rectangle{Max: d.Size})
					d.Tree.Paint(render.NewCanvas(whole))
					if at, differs := differ(d.R.Frame(), whole); differs {
						t.Fatalf("%s after %v: %v was not repainted", state, now, at)
					}
				}
			})
		})
	}
}

func TestDataFramesAllocateNothing(t *testing.T) {
	if walltest.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	path := walltest.TestPicture(t)
	for _, g := range dataGoldens {
		t.Run(g.name, func(t *testing.T) {
			widget := strings.NewReplacer("FILM", walltest.Flow(path), "PANEL", "navy", "TEXT", "white", "ACCENT", "red").Replace(g.widget)
			synctest.Test(t, func(t *testing.T) {
				d := walltest.NewData(t, walltest.WidgetFile("black", widget), image.Pt(150, 80))
				g.feed(d, "usual")
				d.Step(0)
				now := walltest.T0.Add(10 * time.Second)
				d.R.Step(now)
				if got := testing.AllocsPerRun(20, func() { d.R.Step(now) }); got != 0 {
					t.Errorf("unchanged: got %v allocations, want 0", got)
				}
				if got := testing.AllocsPerRun(20, func() { d.R.Repaint(); d.R.Step(now) }); got != 0 {
					t.Errorf("painted whole: got %v allocations, want 0", got)
				}
			})
		})
	}
}

// TestInboxOfAWidgetBuiltAgain checks a widget for notifications that a layout builds again in another size. The new widget must not be
// reported as a second widget with the same name.
func TestInboxOfAWidgetBuiltAgain(t *testing.T) {
	s, r := walltest.Parse(t, "widgets: [{widget: layout, areas: [a b], children: [{widget: notifiabletext, name: n, area: a, children: [{widget: empty}]}, {widget: empty, area: b}]}]")
	e := walltest.TestEnv()
	board := notify.NewBoard(func() {})
	e.Inboxes = board.Begin()
	screen.Build(walltest.Builder(e), s, image.Pt(400, 300))
	if r.Failed() || len(r.Warnings()) > 0 {
		t.Errorf("got %v, want no complaint", r)
	}
}

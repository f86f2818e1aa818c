package widgets

import (
	"context"
	"errors"
	"image"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/control/notify"
	"dashboard/internal/extract"
	"dashboard/internal/fetch"
	"dashboard/internal/testing/homeassistanttest"
	"dashboard/provider"
	"dashboard/provider/sources"
	"dashboard/render"
)

func TestRestText(t *testing.T) {
	status := func(code int) error { return &fetch.StatusError{Code: code} }
	for _, tc := range []struct {
		name, params string
		feed         func(c *provider.Cell)
		want         string
	}{
		{"nothing yet", "", func(c *provider.Cell) {}, "--"},
		{"nothing yet, formatted", "format_string: 'now {} °C'", func(c *provider.Cell) {}, "now -- °C"},
		{"text", "", func(c *provider.Cell) { c.Publish("x\n", t0) }, "x\n"},
		{"python text", "format_string: '<{}>'", func(c *provider.Cell) { c.Publish([]any{true, nil, 1.0}, t0) }, "<[True, None, 1.0]>"},
		{"number", "format_string: '{:.1f}'", func(c *provider.Cell) { c.Publish(2, t0) }, "2.0"},
		{"status", "format_string: 'it is {}'", func(c *provider.Cell) { c.Fail(status(404), t0) }, "it is Error 404"},
		{"no connection", "", func(c *provider.Cell) { c.Fail(errDown, t0) }, "Unavailable"},
		{"no connection, number wanted", "format_string: '{:.1f} °C'", func(c *provider.Cell) { c.Fail(errDown, t0) }, "Unavailable"},
		{"not in it", "format_string: '{} °C'", func(c *provider.Cell) { c.Fail(&extract.Error{Err: io.EOF}, t0) }, "-- °C"},
		{"lost", "", func(c *provider.Cell) { c.Publish(7, t0); c.Fail(errDown, t0) }, "7"},
		{"no longer in it", "", func(c *provider.Cell) { c.Publish(7, t0); c.Fail(&extract.Error{Err: io.EOF}, t0) }, "--"},
		{"a whole document", "", func(c *provider.Cell) { c.Publish(strings.Repeat("é", 1<<20), t0) }, strings.Repeat("é", sources.MaxText/2) + "…"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, "{widget: rest, url: 'http://h/', "+tc.params+"}", image.Pt(200, 50), func(d *data) {
				tc.feed(d.fetched(t))
				d.step(0)
				if got := reads(d); got != tc.want {
					t.Errorf("got %q, want %q", got, tc.want)
				}
			})
		})
	}
}

// A value is dimmed once it is older than three intervals, without anything coming in.
func TestReadingBecomesStale(t *testing.T) {
	bubble(t, "{widget: provider, providers: [p]}", image.Pt(200, 50), func(d *data) {
		p := d.named["p"]
		p.Promise(time.Minute)
		p.Publish("12", t0)
		_, next := d.step(time.Second)
		if want := t0.Add(3*time.Minute + 1); !next.Equal(want) {
			t.Errorf("next pass: got %v, want %v", next, want)
		}
		if damage, _ := d.step(3 * time.Minute); len(damage) != 0 {
			t.Errorf("at the limit: got damage %v, want none", damage)
		}
		w := only[*reading](d)
		damage, next := d.step(3*time.Minute + 1)
		if len(damage) != 1 || damage[0] != w.block.Ink() || w.color != faint(w.fresh) || !next.IsZero() {
			t.Errorf("beyond it: got damage %v, color %v, next pass %v, want the text fainter", damage, w.color, next)
		}
		p.Confirm(t0.Add(4 * time.Minute))
		if damage, _ = d.step(4 * time.Minute); len(damage) != 1 || w.color != w.fresh {
			t.Errorf("back: got damage %v, color %v", damage, w.color)
		}
		p.Confirm(t0.Add(5 * time.Minute))
		if damage, _ = d.step(5 * time.Minute); len(damage) != 0 {
			t.Errorf("the same again: got damage %v, want none", damage)
		}
	})
}

func TestChoice(t *testing.T) {
	const children = "default_widget: c, mapping: {true: a, 'None': b, '1.0': a, off: b}, transition: 0, " +
		"children: [{widget: empty, name: a}, {widget: empty, name: b}, {widget: empty, name: c}]}"
	for _, tc := range []struct {
		value any
		http  int // children that httpflip and providerflip show
		prov  int
	}{
		{true, 0, 0}, {"True", 0, 0}, {" True\n", 0, 0}, {"true", 0, 0}, {false, 1, 1}, {"off", 1, 1},
		{1.0, 0, 0}, {1, 2, 2}, {"other", 2, 2}, {[]any{}, 2, 2}, {nil, 1, 2},
	} {
		bubble(t, "{widget: httpflip, url: 'http://h', "+children, image.Pt(20, 20), func(d *data) {
			d.fetched(t).Publish(tc.value, t0)
			d.step(0)
			if got := only[*choice](d).shown; got != tc.http {
				t.Errorf("httpflip, %#v: got child %d, want %d", tc.value, got, tc.http)
			}
		})
		bubble(t, "{widget: providerflip, providers: [p], "+children, image.Pt(20, 20), func(d *data) {
			d.named["p"].Publish(tc.value, t0)
			d.step(0)
			if got := only[*choice](d).shown; got != tc.prov {
				t.Errorf("providerflip, %#v: got child %d, want %d", tc.value, got, tc.prov)
			}
		})
	}
}

// Names that no child has are told, and the wall goes on.
func TestChoiceOfNobody(t *testing.T) {
	const flip = "{widget: providerflip, providers: [p], default_widget: nobody, mapping: {x: a, y: no one, z: b}, transition: 0, " +
		"children: [{widget: empty, name: a}, {widget: empty, name: b}]}"
	bubble(t, flip, image.Pt(20, 20), func(d *data) {
		for i, tc := range []struct {
			value string
			want  int
		}{{"other", 0}, {"z", 1}, {"y", 1}, {"x", 0}, {"y", 0}, {"z", 1}, {"other", 0}} {
			d.named["p"].Publish(tc.value, t0)
			d.step(time.Duration(i) * time.Second)
			if got := only[*choice](d).shown; got != tc.want {
				t.Errorf("step %d, %s: got child %d, want %d", i, tc.value, got, tc.want)
			}
		}
	})
}

// A value that changes while a slide is under way is shown after it; failures change nothing.
func TestChoiceLosesNoValue(t *testing.T) {
	bubble(t, "{widget: providerflip, providers: [p], data_path: v, transition: 2, mapping: {'1': a, '2': b, '3': c}, "+
		"children: [{widget: empty, name: a}, {widget: empty, name: b}, {widget: empty, name: c}]}", image.Pt(20, 20), func(d *data) {
		p, w := d.named["p"], func() *choice { return only[*choice](d) }
		value := func(v any) { p.Publish(map[string]any{"v": v}, t0) }
		check := func(after time.Duration, shown int, sliding bool) {
			t.Helper()
			_, next := d.step(after)
			if w().shown != shown || w().sliding != sliding || sliding != !next.IsZero() {
				t.Errorf("after %v: got child %d, sliding %v, next pass %v, want child %d, sliding %v", after, w().shown, w().sliding, next, shown, sliding)
			}
		}
		check(0, 0, false)
		value(2)
		check(time.Second, 1, false) // the first one is there at once
		value(3)
		check(2*time.Second, 1, true)
		value(1)
		check(3*time.Second, 1, true)
		check(4*time.Second, 2, true) // and on at once
		check(6*time.Second, 0, false)
		p.Fail(errDown, t0)
		check(7*time.Second, 0, false)
		p.Publish(map[string]any{}, t0)
		check(8*time.Second, 0, false)
		value("unknown")
		check(9*time.Second, 0, false)
	})
}

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
			s, r := parse(t, "widgets: ["+tc.widget+"]")
			e := testEnv()
			e.Sources, e.Inboxes = sources.New(newSources("sun", "machine"), nil), notify.NewBoard(func() {}).Begin()
			builder(e).BuildScreen(s, image.Pt(400, 300))
			if errs := r.Errors(); len(errs) != 1 || !strings.Contains(errs[0].String(), tc.want) {
				t.Errorf("got %v, want one error that contains %q", r, tc.want)
			}
		})
	}
}

func TestNameTakenTwice(t *testing.T) {
	s, r := parse(t, "widgets: [{widget: notifiabletext, name: n, children: [{widget: notifiableimage, name: n, children: [{widget: empty}]}]}]")
	e := testEnv()
	e.Inboxes = notify.NewBoard(func() {}).Begin()
	builder(e).BuildScreen(s, image.Pt(40, 30))
	if w := r.Warnings(); len(w) != 1 || !strings.Contains(w[0].String(), "another widget is notified by the name 'n'") {
		t.Errorf("got %v, want a warning", r)
	}
}

// The trees of day and night, and those before and after a reload, share what they show.
func TestTreesShareSources(t *testing.T) {
	e := testEnv()
	src := newSources("p")
	e.Sources = sources.New(src, fetch.NewWith(&data{}))
	file := func(color string) string {
		return "widgets: [{widget: grid, rows: 9, columns: 1, children: [{widget: rest, url: 'http://h/', color: " + color + "}, {widget: restimage, url: 'http://h/'}, " +
			"{widget: provider, providers: [p], data_path: a}, {widget: providerbarchart, providers: [p]}, {widget: providerimage, providers: [p]}, " +
			"{widget: httpflip, url: 'http://h/', children: [{widget: empty}]}, {widget: providerflip, providers: [p], children: [{widget: empty}]}]}]"
	}
	build(t, e, file("red"), image.Pt(90, 90))
	n := len(src.given)
	build(t, e, file("blue"), image.Pt(90, 90))
	if len(src.given) != n || n != 9 {
		t.Errorf("got %d sources, then %d, want 9", n, len(src.given))
	}
	build(t, e, strings.ReplaceAll(file("red"), "data_path: a", "data_path: b"), image.Pt(90, 90))
	if len(src.given) != n+1 {
		t.Errorf("another path: got %d more sources, want 1", len(src.given)-n)
	}
}

// TestTemplateIsRendered: Home Assistant is told the template with the values before it, tells what it comes to whenever that changes
// there, and what it writes is shown as it is written.
func TestTemplateIsRendered(t *testing.T) {
	bubble(t, "{widget: providertemplate, providers: [p, q], template: '{{ x }}', hass_url: 'http://h/', hass_token: let-me-in}", image.Pt(100, 50), func(d *data) {
		house := &homeassistanttest.Server{}
		var said atomic.Value
		said.Store("=")
		house.Render = func(string) (any, error) {
			if text := said.Load().(string); text != "" {
				return text, nil
			}
			return nil, errors.New("UndefinedError: 'x' is undefined")
		}
		pipes := homeassistanttest.NewPipes()
		srv := &http.Server{Handler: house}
		go srv.Serve(pipes)
		defer srv.Close()
		way := &http.Transport{DialContext: pipes.Dial}
		defer way.CloseIdleConnections()
		d.web = way.RoundTrip
		ctx, end := context.WithCancel(d.t.Context())
		defer func() { end(); synctest.Wait() }()
		for i, p := range d.given {
			go p.Run(ctx, d.cells[i])
		}
		reads := func(after time.Duration) string {
			time.Sleep(after)
			synctest.Wait()
			d.step(0)
			return reads(d)
		}
		d.named["p"].Publish("it's", t0)
		if got := reads(time.Second); len(house.Asked("render_template")) != 0 || got != "--" {
			t.Errorf("one of two values: asked for %v, shows %q", house.Asked("render_template"), got)
		}
		said.Store("= 1.10 ")
		d.named["q"].Publish([]any{true, 1.0}, t0)
		if got := reads(time.Second); got != "1.10" {
			t.Errorf("got %q, want 1.10", got)
		}
		asked := house.Asked("render_template")
		want := "{% set provider_p = \"it's\" %}\n{% set provider_q = [True, 1.0] %}\n={{ x }}"
		if len(asked) != 1 || asked[0]["template"] != want {
			t.Errorf("asked for %v, want %s", asked, want)
		}
		said.Store("=True")
		house.Rendered()
		if got := reads(time.Second); got != "True" || len(house.Asked("render_template")) != 1 {
			t.Errorf("after a change in the house: got %q", got)
		}
		said.Store("")
		d.named["q"].Publish(nil, t0)
		if got := reads(time.Second); got != "True" || d.sample().Err == nil || !strings.Contains(d.sample().Err.Error(), "'x' is undefined") {
			t.Errorf("refused: got %q, %v, want the last value and why", got, d.sample().Err)
		}
		said.Store("=Soup")
		d.named["q"].Publish(2, t0)
		if got := reads(time.Second); got != "Soup" || d.sample().Err != nil || house.Clients() != 1 {
			t.Errorf("got %q, %v over %d connections", got, d.sample().Err, house.Clients())
		}
		d.named["q"].Fail(errDown, t0)
		if reads(time.Second); d.sample().Err == nil {
			t.Error("a value that fails is not told")
		}
		d.named["q"].Confirm(t0.Add(time.Second))
		if reads(time.Second); d.sample().Err != nil {
			t.Errorf("a value that is back: got %v", d.sample().Err)
		}
	})
}

// sample is the newest of what a widget fetches for itself.
func (d *data) sample() *provider.Sample { return d.fetched(d.t).Load() }

// Whatever comes in: painting the damage is as good as painting all.
func TestDataDamageIsEnough(t *testing.T) {
	path := testPicture(t)
	for _, g := range dataGoldens {
		t.Run(g.name, func(t *testing.T) {
			widget := strings.NewReplacer("FILM", flow(path), "PANEL", "navy", "TEXT", "white", "ACCENT", "red").Replace(g.widget)
			bubble(t, widget, image.Pt(150, 80), func(d *data) {
				random := rand.New(rand.NewPCG(1, 2))
				now := time.Duration(0)
				for range 40 {
					state := dataStates[random.IntN(len(dataStates))].name
					now += time.Duration(random.IntN(3000)) * time.Millisecond
					if d.board.Any() && random.IntN(2) == 0 {
						now += time.Minute // or the inbox runs full
					}
					if state == "stale" && !d.board.Any() {
						now += 4 * time.Minute
					}
					g.feed(d, state)
					d.step(now)
					whole := image.NewRGBA(image.Rectangle{Max: d.size})
					d.tree.Paint(render.NewCanvas(whole))
					if at, differs := differ(d.r.Frame(), whole); differs {
						t.Fatalf("%s after %v: %v was not repainted", state, now, at)
					}
				}
			})
		})
	}
}

func TestDataFramesAllocateNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	path := testPicture(t)
	for _, g := range dataGoldens {
		t.Run(g.name, func(t *testing.T) {
			widget := strings.NewReplacer("FILM", flow(path), "PANEL", "navy", "TEXT", "white", "ACCENT", "red").Replace(g.widget)
			synctest.Test(t, func(t *testing.T) {
				d := newData(t, widgetFile("black", widget), image.Pt(150, 80))
				g.feed(d, "usual")
				d.step(0)
				now := t0.Add(10 * time.Second)
				d.r.Step(now)
				if got := testing.AllocsPerRun(20, func() { d.r.Step(now) }); got != 0 {
					t.Errorf("unchanged: got %v allocations, want 0", got)
				}
				if got := testing.AllocsPerRun(20, func() { d.r.Repaint(); d.r.Step(now) }); got != 0 {
					t.Errorf("painted whole: got %v allocations, want 0", got)
				}
			})
		})
	}
}

// A widget that takes notifications keeps its inbox when its place is another size than was thought at first.
func TestInboxOfAWidgetBuiltAgain(t *testing.T) {
	s, r := parse(t, "widgets: [{widget: layout, areas: [a b], children: [{widget: notifiabletext, name: n, area: a, children: [{widget: empty}]}, {widget: empty, area: b}]}]")
	e := testEnv()
	board := notify.NewBoard(func() {})
	e.Inboxes = board.Begin()
	builder(e).BuildScreen(s, image.Pt(400, 300))
	if r.Failed() || len(r.Warnings()) > 0 {
		t.Errorf("got %v, want no complaint", r)
	}
}

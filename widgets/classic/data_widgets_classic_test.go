package classic

import (
	"context"
	"errors"
	"image"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/extract"
	"dashboard/internal/fetch"
	"dashboard/internal/testing/homeassistanttest"
	"dashboard/provider"
	"dashboard/provider/sources"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
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
		{"text", "", func(c *provider.Cell) { c.Publish("x\n", walltest.T0) }, "x\n"},
		{"python text", "format_string: '<{}>'", func(c *provider.Cell) { c.Publish([]any{true, nil, 1.0}, walltest.T0) }, "<[True, None, 1.0]>"},
		{"number", "format_string: '{:.1f}'", func(c *provider.Cell) { c.Publish(2, walltest.T0) }, "2.0"},
		{"status", "format_string: 'it is {}'", func(c *provider.Cell) { c.Fail(status(404), walltest.T0) }, "it is Error 404"},
		{"no connection", "", func(c *provider.Cell) { c.Fail(walltest.ErrDown, walltest.T0) }, "Unavailable"},
		{"no connection, number wanted", "format_string: '{:.1f} °C'", func(c *provider.Cell) { c.Fail(walltest.ErrDown, walltest.T0) }, "Unavailable"},
		{"not in it", "format_string: '{} °C'", func(c *provider.Cell) { c.Fail(&extract.Error{Err: io.EOF}, walltest.T0) }, "-- °C"},
		{"lost", "", func(c *provider.Cell) { c.Publish(7, walltest.T0); c.Fail(walltest.ErrDown, walltest.T0) }, "7"},
		{"no longer in it", "", func(c *provider.Cell) { c.Publish(7, walltest.T0); c.Fail(&extract.Error{Err: io.EOF}, walltest.T0) }, "--"},
		{"a whole document", "", func(c *provider.Cell) { c.Publish(strings.Repeat("é", 1<<20), walltest.T0) }, strings.Repeat("é", sources.MaxText/2) + "…"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			walltest.Bubble(t, "{widget: rest, url: 'http://h/', "+tc.params+"}", image.Pt(200, 50), func(d *walltest.Data) {
				tc.feed(d.Fetched(t))
				d.Step(0)
				if got := reads(d); got != tc.want {
					t.Errorf("got %q, want %q", got, tc.want)
				}
			})
		})
	}
}

// TestReadingBecomesStale checks that a value is dimmed as soon as it is older than three intervals. No new value arrives at that time,
// so the widget itself requests the update.
func TestReadingBecomesStale(t *testing.T) {
	walltest.Bubble(t, "{widget: provider, providers: [p]}", image.Pt(200, 50), func(d *walltest.Data) {
		p := d.ByName["p"]
		p.Promise(time.Minute)
		p.Publish("12", walltest.T0)
		_, next := d.Step(time.Second)
		if want := walltest.T0.Add(3*time.Minute + 1); !next.Equal(want) {
			t.Errorf("next pass: got %v, want %v", next, want)
		}
		if damage, _ := d.Step(3 * time.Minute); len(damage) != 0 {
			t.Errorf("at the limit: got damage %v, want none", damage)
		}
		w := walltest.Only[*reading](d)
		damage, next := d.Step(3*time.Minute + 1)
		if len(damage) != 1 || damage[0] != w.Block.Ink() || w.Color != kit.Faint(w.fresh) || !next.IsZero() {
			t.Errorf("beyond it: got damage %v, color %v, next pass %v, want the text fainter", damage, w.Color, next)
		}
		p.Confirm(walltest.T0.Add(4 * time.Minute))
		if damage, _ = d.Step(4 * time.Minute); len(damage) != 1 || w.Color != w.fresh {
			t.Errorf("back: got damage %v, color %v", damage, w.Color)
		}
		p.Confirm(walltest.T0.Add(5 * time.Minute))
		if damage, _ = d.Step(5 * time.Minute); len(damage) != 0 {
			t.Errorf("the same again: got damage %v, want none", damage)
		}
	})
}

func TestChoice(t *testing.T) {
	const children = "default_widget: c, mapping: {true: a, 'None': b, '1.0': a, off: b}, transition: 0, " +
		"children: [{widget: empty, name: a}, {widget: empty, name: b}, {widget: empty, name: c}]}"
	for _, tc := range []struct {
		value any
		http  int // index of the child that httpflip shows. `prov` is the child that providerflip shows
		prov  int
	}{
		{true, 0, 0}, {"True", 0, 0}, {" True\n", 0, 0}, {"true", 0, 0}, {false, 1, 1}, {"off", 1, 1},
		{1.0, 0, 0}, {1, 2, 2}, {"other", 2, 2}, {[]any{}, 2, 2}, {nil, 1, 2},
	} {
		walltest.Bubble(t, "{widget: httpflip, url: 'http://h', "+children, image.Pt(20, 20), func(d *walltest.Data) {
			d.Fetched(t).Publish(tc.value, walltest.T0)
			d.Step(0)
			if got := walltest.Only[*choice](d).Shown; got != tc.http {
				t.Errorf("httpflip, %#v: got child %d, want %d", tc.value, got, tc.http)
			}
		})
		walltest.Bubble(t, "{widget: providerflip, providers: [p], "+children, image.Pt(20, 20), func(d *walltest.Data) {
			d.ByName["p"].Publish(tc.value, walltest.T0)
			d.Step(0)
			if got := walltest.Only[*choice](d).Shown; got != tc.prov {
				t.Errorf("providerflip, %#v: got child %d, want %d", tc.value, got, tc.prov)
			}
		})
	}
}

// TestChoiceOfNobody uses a default child that does not exist, and maps a value to the name of a child that does not exist. A value that
// selects no child must not change the shown child.
func TestChoiceOfNobody(t *testing.T) {
	const flip = "{widget: providerflip, providers: [p], default_widget: nobody, mapping: {x: a, y: no one, z: b}, transition: 0, " +
		"children: [{widget: empty, name: a}, {widget: empty, name: b}]}"
	walltest.Bubble(t, flip, image.Pt(20, 20), func(d *walltest.Data) {
		for i, tc := range []struct {
			value string
			want  int
		}{{"other", 0}, {"z", 1}, {"y", 1}, {"x", 0}, {"y", 0}, {"z", 1}, {"other", 0}} {
			d.ByName["p"].Publish(tc.value, walltest.T0)
			d.Step(time.Duration(i) * time.Second)
			if got := walltest.Only[*choice](d).Shown; got != tc.want {
				t.Errorf("step %d, %s: got child %d, want %d", i, tc.value, got, tc.want)
			}
		}
	})
}

// TestChoiceLosesNoValue checks that a value that arrives during a slide is shown after the slide.
// A failure of the provider changes nothing.
func TestChoiceLosesNoValue(t *testing.T) {
	walltest.Bubble(t, "{widget: providerflip, providers: [p], data_path: v, transition: 2, mapping: {'1': a, '2': b, '3': c}, "+
		"children: [{widget: empty, name: a}, {widget: empty, name: b}, {widget: empty, name: c}]}", image.Pt(20, 20), func(d *walltest.Data) {
		p, w := d.ByName["p"], func() *choice { return walltest.Only[*choice](d) }
		value := func(v any) { p.Publish(map[string]any{"v": v}, walltest.T0) }
		check := func(after time.Duration, shown int, sliding bool) {
			t.Helper()
			_, next := d.Step(after)
			if w().Shown != shown || w().Sliding != sliding || sliding != !next.IsZero() {
				t.Errorf("after %v: got child %d, sliding %v, next pass %v, want child %d, sliding %v", after, w().Shown, w().Sliding, next, shown, sliding)
			}
		}
		check(0, 0, false)
		value(2)
		check(time.Second, 1, false) // the child of the first value is shown without a slide
		value(3)
		check(2*time.Second, 1, true)
		value(1)
		check(3*time.Second, 1, true)
		check(4*time.Second, 2, true) // the next slide starts immediately
		check(6*time.Second, 0, false)
		p.Fail(walltest.ErrDown, walltest.T0)
		check(7*time.Second, 0, false)
		p.Publish(map[string]any{}, walltest.T0)
		check(8*time.Second, 0, false)
		value("unknown")
		check(9*time.Second, 0, false)
	})
}

// TestTemplateIsRendered checks that Home Assistant receives the template and the values of the providers. Home Assistant sends the
// result after each change. The widget shows the result as text, without the spaces around it.
func TestTemplateIsRendered(t *testing.T) {
	walltest.Bubble(t, "{widget: providertemplate, providers: [p, q], template: '{{ x }}', hass_url: 'http://h/', hass_token: let-me-in}", image.Pt(100, 50), func(d *walltest.Data) {
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
		d.Web = way.RoundTrip
		ctx, end := context.WithCancel(d.T.Context())
		defer func() { end(); synctest.Wait() }()
		for i, p := range d.Given {
			go p.Run(ctx, d.Cells[i])
		}
		reads := func(after time.Duration) string {
			time.Sleep(after)
			synctest.Wait()
			d.Step(0)
			return reads(d)
		}
		d.ByName["p"].Publish("it's", walltest.T0)
		if got := reads(time.Second); len(house.Asked("render_template")) != 0 || got != "--" {
			t.Errorf("one of two values: asked for %v, shows %q", house.Asked("render_template"), got)
		}
		said.Store("= 1.10 ")
		d.ByName["q"].Publish([]any{true, 1.0}, walltest.T0)
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
		d.ByName["q"].Publish(nil, walltest.T0)
		if got := reads(time.Second); got != "True" || d.Sample().Err == nil || !strings.Contains(d.Sample().Err.Error(), "'x' is undefined") {
			t.Errorf("refused: got %q, %v, want the last value and why", got, d.Sample().Err)
		}
		said.Store("=Soup")
		d.ByName["q"].Publish(2, walltest.T0)
		if got := reads(time.Second); got != "Soup" || d.Sample().Err != nil || house.Clients() != 1 {
			t.Errorf("got %q, %v over %d connections", got, d.Sample().Err, house.Clients())
		}
		d.ByName["q"].Fail(walltest.ErrDown, walltest.T0)
		if reads(time.Second); d.Sample().Err == nil {
			t.Error("a value that fails is not told")
		}
		d.ByName["q"].Confirm(walltest.T0.Add(time.Second))
		if reads(time.Second); d.Sample().Err != nil {
			t.Errorf("a value that is back: got %v", d.Sample().Err)
		}
	})
}

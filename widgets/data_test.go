package widgets

import (
	"context"
	"errors"
	"image"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/control/notify"
	"dashboard/control/timer"
	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/derive"
	"dashboard/provider/live"
	"dashboard/provider/sources"
	"dashboard/render"
	"dashboard/render/text"
	"dashboard/theme/look"
)

// fakes are providers for tests: those with a name are cells that a test publishes into, derived values follow them
// while the sources run, and nothing is fetched.
type fakes struct {
	named map[string]*provider.Cell
	added map[string]*provider.Cell
	given []provider.Provider
	cells []*provider.Cell // of given
}

func newSources(names ...string) *fakes {
	s := &fakes{named: map[string]*provider.Cell{}, added: map[string]*provider.Cell{}}
	for _, name := range names {
		s.named[name] = provider.NewCell(nil)
	}
	return s
}

// Add implements sources.Set.
func (s *fakes) Add(key string, p provider.Provider) *provider.Cell {
	if c, ok := s.added[key]; ok {
		return c
	}
	c := provider.NewCell(nil)
	s.added[key] = c
	s.given, s.cells = append(s.given, p), append(s.cells, c)
	return c
}

// Place implements sources.Set.
func (*fakes) Place(string, provider.Place) {}

// Named implements sources.Set.
func (s *fakes) Named(name string) (*provider.Cell, bool) { c, ok := s.named[name]; return c, ok }

// Provider implements sources.Set: a name with a dash is that of a provider of the type before it.
func (s *fakes) Provider(name string) (provider.Provider, bool) {
	kind, _, ok := strings.Cut(name, "-")
	return ofKind{kind: kind}, ok
}

// ofKind is a provider that says its type alone.
type ofKind struct {
	provider.Provider
	kind string
}

func (k ofKind) Kind() string { return k.kind }

// Names implements sources.Set.
func (s *fakes) Names() []string { return slices.Sorted(maps.Keys(s.named)) }

// fetched is the cell of what a widget fetches for itself.
func (s *fakes) fetched(t testing.TB) *provider.Cell {
	t.Helper()
	for i, p := range s.given {
		if _, ok := p.(*derive.Provider); !ok {
			return s.cells[i]
		}
	}
	t.Fatal("the widget fetches nothing")
	return nil
}

// made is the cell of the provider that a widget has made for itself.
func (d *data) made() *provider.Cell {
	d.t.Helper()
	for i, p := range d.given {
		switch p.(type) {
		case *derive.Provider, *live.Programs:
		default:
			return d.cells[i]
		}
	}
	d.t.Fatal("the widget has no provider of its own")
	return nil
}

// settle lets everything derived follow what has been published.
func (s *fakes) settle(t testing.TB) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for i, p := range s.given {
		switch p.(type) {
		case *derive.Provider, *live.Programs:
			go p.Run(ctx, s.cells[i])
		}
	}
	synctest.Wait()
	cancel()
	synctest.Wait()
}

// data is a widget that shows values, on a wall, in a bubble.
type data struct {
	*fakes
	t     *testing.T
	board *notify.Board
	web   func(*http.Request) (*http.Response, error) // the network; nil for none
	size  image.Point
	tree  *Screen
	r     *render.Renderer

	timers *timer.Timers
}

// RoundTrip implements http.RoundTripper.
func (d *data) RoundTrip(r *http.Request) (*http.Response, error) {
	if d.web == nil {
		return nil, errors.New("no route")
	}
	return d.web(r)
}

// bubble runs f around a widget. Its wall is black.
func bubble(t *testing.T, widget string, size image.Point, f func(d *data)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { f(newData(t, widgetFile("black", widget), size)) })
}

func newData(t *testing.T, file string, size image.Point) *data {
	t.Helper()
	return newDataIn(t, testEnv(), file, size)
}

func newDataIn(t *testing.T, e Env, file string, size image.Point) *data {
	t.Helper()
	names := []string{"p", "q", "weather-p", usualHome}
	if strings.Contains(file, family) { // a month shows the only provider of calendars
		names = append(names, family)
	}
	d := &data{fakes: newSources(names...), t: t, size: size, board: notify.NewBoard(func() {})}
	made := sources.New(d.fakes, fetch.NewWith(d))
	e.Sources, e.Programs, e.Inboxes = made, made, d.board.Begin()
	d.timers = timer.New(func() {})
	if e.Timers == nil {
		e.Timers = d.timers.Begin()
	}
	d.tree = build(t, e, file, size)
	d.timers.Commit(e.Timers)
	d.board.Commit(e.Inboxes)
	d.r = render.New(d.tree, size)
	return d
}

// step shows what has come in, as of a time after t0.
func (d *data) step(after time.Duration) (damage []image.Rectangle, next time.Time) {
	d.settle(d.t)
	return d.r.Step(t0.Add(after))
}

// only is the widget on the wall.
func only[W render.Widget](d *data) W { return d.tree.child.(*guard).inner.(W) }

// reads is the text on the wall.
func reads(d *data) string { return only[*reading](d).text }

var errDown = &fetch.Error{Method: "GET", URL: "http://h/", Err: fetch.ErrUnavailable}

func TestProviderText(t *testing.T) {
	for _, tc := range []struct {
		name, params string
		value        any
		want         string
	}{
		{"as it is", "", "hello", "hello"},
		{"python text", "", true, "True"},
		{"list", "", []any{1, "a", nil}, "[1, 'a', None]"},
		{"format", "format_string: '{value:.1f} °C'", 21.44, "21.4 °C"},
		{"path", "data_path: '[0].title'", []any{map[string]any{"title": "x"}}, "x"},
		{"jq", "jq_expression: '.a | add'", map[string]any{"a": []any{1, 2}}, "3"},
		{"path, then jq", "data_path: a, jq_expression: length", map[string]any{"a": []any{1, 2}}, "2"},
		{"null", "", nil, "--"},
		{"no such key", "data_path: b", map[string]any{}, "--"},
		{"nothing from jq", "jq_expression: empty", 1, "--"},
		{"own fallback", "data_path: b, fallback_text: none", map[string]any{}, "none"},
		{"format does not suit", "format_string: '{value:.1f}'", "word", "--"},
		{"errors shown", "data_path: b, show_errors: true", map[string]any{}, `Error: json path segment 1, "b": no such key`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, "{widget: provider, providers: [p], "+tc.params+"}", image.Pt(200, 50), func(d *data) {
				d.named["p"].Publish(tc.value, t0)
				d.step(0)
				if got := reads(d); got != tc.want {
					t.Errorf("got %q, want %q", got, tc.want)
				}
			})
		})
	}
}

func TestProviderStates(t *testing.T) {
	bubble(t, "{widget: provider, providers: p, show_errors: true}", image.Pt(200, 50), func(d *data) {
		p := d.named["p"]
		p.Promise(time.Minute)
		d.step(0)
		if got := reads(d); got != "--" {
			t.Errorf("before the first value: got %q, want --", got)
		}
		p.Fail(errors.New("kaput"), t0)
		d.step(0)
		if got := reads(d); got != "Error: kaput" {
			t.Errorf("failed at first: got %q, want the error", got)
		}
	})
}

// modernBubble runs f around a newer widget in a look of the theme.
func modernBubble(t *testing.T, file string, s scene, l *look.Look, f func(d *data)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		e := testEnv()
		e.Look, e.Locale, e.Picture = l, testLocale(t, s.locale), s.picture
		if e.Picture == (image.Point{}) {
			e.Picture = image.Pt(1280, 720)
		}
		if s.zone != nil {
			e.Location = s.zone
		}
		if s.fonts != "" {
			e.Text = text.NewCache(16 << 20)
			e.Text.SystemFonts(s.fonts)
		}
		f(newDataIn(t, e, file, s.size))
	})
}

package walltest

import (
	"context"
	"errors"
	"fmt"
	"image"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/control/notify"
	"dashboard/control/page"
	"dashboard/control/timer"
	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/derive"
	"dashboard/provider/live"
	"dashboard/provider/sources"
	"dashboard/render"
	"dashboard/render/picture"
	"dashboard/render/text"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/screen"
)

// ShownPicture returns the test picture, decoded as a widget shows it. If `degrees` is not 0, it returns an SVG drawing instead, and the
// position of the disc in this drawing depends on `degrees`.
func ShownPicture(d *Data, degrees int) *picture.Picture {
	data, err := os.ReadFile(TestPicture(d.T))
	if err != nil {
		d.T.Fatal(err)
	}
	if degrees != 0 {
		data = []byte(fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 30"><rect width="10" height="30" fill="#4090d0"/><circle cx="5" cy="%d" r="4" fill="white"/></svg>`, degrees/10))
	}
	p, err := picture.Decode(d.T.Context(), data, d.Size, picture.Contain, true)
	if err != nil {
		d.T.Fatal(err)
	}
	return p
}

// Post sends a notification to the widget with the name "n".
func (d *Data) Post(n *notify.Notification) {
	if err := d.Board.Post("n", n); err != nil {
		d.T.Fatal(err)
	}
}

// fakes provides sources for tests. These sources fetch nothing. Instead, a test publishes values into the cells of named providers.
// Settle then updates the values that are derived from the published values.
type fakes struct {
	ByName map[string]*provider.Cell
	added  map[string]*provider.Cell
	Given  []provider.Provider
	Cells  []*provider.Cell       // for each provider in Given, its cell
	uses   map[*provider.Cell]int // number of calls of Add minus the number of calls of Drop
}

// NewSources returns sources with named providers.
func NewSources(names ...string) *fakes {
	s := &fakes{ByName: map[string]*provider.Cell{}, added: map[string]*provider.Cell{}, uses: map[*provider.Cell]int{}}
	for _, name := range names {
		s.ByName[name] = provider.NewCell(nil)
	}
	return s
}

// Add implements sources.Set.
func (s *fakes) Add(key string, p provider.Provider) *provider.Cell {
	if c, ok := s.added[key]; ok {
		s.uses[c]++
		return c
	}
	c := provider.NewCell(nil)
	s.uses[c]++
	s.added[key] = c
	s.Given, s.Cells = append(s.Given, p), append(s.Cells, c)
	return c
}

// Drop implements sources.Set.
func (s *fakes) Drop(c *provider.Cell) { s.uses[c]-- }

// Used returns the number of added providers that are still in use.
func (s *fakes) Used() (n int) {
	for _, uses := range s.uses {
		if uses > 0 {
			n++
		}
	}
	return n
}

// Place implements sources.Set.
func (*fakes) Place(string, provider.Place) {}

// Named implements sources.Set.
func (s *fakes) Named(name string) (*provider.Cell, bool) { c, ok := s.ByName[name]; return c, ok }

// Provider implements sources.Set. The name of a provider starts with its type and a dash.
func (s *fakes) Provider(name string) (provider.Provider, bool) {
	kind, _, ok := strings.Cut(name, "-")
	return ofKind{kind: kind}, ok
}

// ofKind is a provider that only returns its type.
type ofKind struct {
	provider.Provider
	kind string
}

func (k ofKind) Kind() string { return k.kind }

// Names implements sources.Set.
func (s *fakes) Names() []string { return slices.Sorted(maps.Keys(s.ByName)) }

// Fetched returns the cell for the value that a widget fetches. It fails the test if the widget fetches nothing.
func (s *fakes) Fetched(t testing.TB) *provider.Cell {
	t.Helper()
	for i, p := range s.Given {
		if _, ok := p.(*derive.Provider); !ok {
			return s.Cells[i]
		}
	}
	t.Fatal("the widget fetches nothing")
	return nil
}

// Made returns the cell of the provider that a widget has created. It fails the test if there is no such provider.
func (d *Data) Made() *provider.Cell {
	d.T.Helper()
	for i, p := range d.Given {
		switch p.(type) {
		case *derive.Provider, *live.Programs:
		default:
			return d.Cells[i]
		}
	}
	d.T.Fatal("the widget has no provider of its own")
	return nil
}

// Settle updates all derived values. A test calls Settle after it has published values.
func (s *fakes) Settle(t testing.TB) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for i, p := range s.Given {
		switch p.(type) {
		case *derive.Provider, *live.Programs:
			go p.Run(ctx, s.Cells[i])
		}
	}
	synctest.Wait()
	cancel()
	synctest.Wait()
}

// Data is a test wall with one widget and its values. It is used in a synctest bubble.
type Data struct {
	*fakes
	T     *testing.T
	Board *notify.Board
	Web   func(*http.Request) (*http.Response, error) // answers HTTP requests instead of the network, nil for no network
	Size  image.Point
	Tree  *screen.Screen
	R     *render.Renderer

	timers *timer.Timers
}

// RoundTrip implements http.RoundTripper.
func (d *Data) RoundTrip(r *http.Request) (*http.Response, error) {
	if d.Web == nil {
		return nil, errors.New("no route")
	}
	return d.Web(r)
}

// Bubble runs f in a synctest bubble with a widget on a black wall.
func Bubble(t *testing.T, widget string, size image.Point, f func(d *Data)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { f(NewData(t, WidgetFile("black", widget), size)) })
}

// NewData builds the wall that a widgets file describes.
func NewData(t *testing.T, file string, size image.Point) *Data {
	t.Helper()
	return NewDataIn(t, TestEnv(), file, size)
}

// NewDataIn builds the wall that a widgets file describes, in the given environment.
func NewDataIn(t *testing.T, e kit.Env, file string, size image.Point) *Data {
	t.Helper()
	names := []string{"p", "q", "weather-p", Player, kit.UsualHome}
	if strings.Contains(file, Family) { // without this condition, a month widget without a provider would use this provider
		names = append(names, Family)
	}
	d := &Data{fakes: NewSources(names...), T: t, Size: size, Board: notify.NewBoard(func() {})}
	made := sources.New(d.fakes, fetch.NewWith(d))
	e.Sources, e.Programs, e.Inboxes = made, made, d.Board.Begin()
	d.timers = timer.New(func() {})
	if e.Timers == nil {
		e.Timers = d.timers.Begin()
	}
	d.Tree = Build(t, e, file, size)
	d.timers.Commit(e.Timers)
	d.Board.Commit(e.Inboxes)
	d.R = render.New(d.Tree, size)
	return d
}

// Step draws a frame with the current values, at the time T0 plus `after`. It returns the damage and the time of the next frame.
func (d *Data) Step(after time.Duration) (damage []image.Rectangle, next time.Time) {
	d.Settle(d.T)
	return d.R.Step(T0.Add(after))
}

// Only returns the single widget of the wall, without its guard.
func Only[W render.Widget](d *Data) W { return d.Tree.Child.(*kit.Guard).Inner.(W) }

// ErrDown is the error of a server that is not available.
var ErrDown = &fetch.Error{Method: "GET", URL: "http://h/", Err: fetch.ErrUnavailable}

// ModernBubble runs f in a synctest bubble with the wall of a widgets file. The wall has the look l, and s sets its size and its
// language.
func ModernBubble(t *testing.T, file string, s Scene, l *look.Look, f func(d *Data)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		e := TestEnv()
		e.Look, e.Locale, e.Picture = l, TestLocale(t, s.Locale), s.Picture
		e.Reduced = s.Reduced
		if e.Picture == (image.Point{}) {
			e.Picture = image.Pt(1280, 720)
		}
		if s.Zone != nil {
			e.Location = s.Zone
		}
		if s.Fonts != "" {
			e.Text = text.NewCache(16 << 20)
			e.Text.SystemFonts(s.Fonts)
		}
		f(NewDataIn(t, e, file, s.Size))
	})
}

// Sample returns the newest sample of the value that the widget fetches.
func (d *Data) Sample() *provider.Sample { return d.Fetched(d.T).Load() }

// Published returns a function that publishes v as the value of the provider p.
func Published(v any) func(*Data) { return func(d *Data) { d.ByName["p"].Publish(v, T0) } }

// BareCard holds YAML parameters for a widget without a card, padding and margin.
const BareCard = "card: false, padding: 0, margin: 0, "

// Tell posts a notification to the whole wall.
func (d *Data) Tell(n notify.Notification) {
	d.T.Helper()
	if n.Duration == 0 {
		n.Duration = 10 * time.Second
	}
	if n.Posted.IsZero() {
		n.Posted = T0
	}
	n.Mode = notify.Stack
	if err := d.Board.Post(notify.Wall, &n); err != nil {
		d.T.Fatal(err)
	}
}

// PagesOf runs f with a wall of pages. It passes the state of the pages to f.
func PagesOf(t *testing.T, children string, f func(d *Data, all *page.Pages)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		e := TestEnv()
		all := page.New(func() {})
		e.Pages = all.Begin()
		d := NewDataIn(t, e, "widgets: [{widget: pages, dwell: 10s, margin: 0, transition: none, children: ["+children+"]}]", image.Pt(100, 60))
		all.Commit(e.Pages)
		f(d, all)
	})
}

// RedPage is a page that is filled with one color.
const RedPage = "{widget: empty, name: home, color: red}"

// Package kit contains the parts that all widgets share: the builder, the frame around a widget, live parameters, conditions and
// texts.
package kit

import (
	"fmt"
	"image"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/control/notify"
	"dashboard/control/page"
	"dashboard/internal/budget"
	"dashboard/internal/folder"
	"dashboard/internal/locale"
	"dashboard/provider"
	"dashboard/provider/calendar"
	"dashboard/provider/live"
	"dashboard/provider/photos"
	"dashboard/provider/query"
	"dashboard/render"
	"dashboard/render/picture"
	"dashboard/render/text"
	"dashboard/theme"
	"dashboard/theme/look"
)

// Spec describes a widget of the configuration, with its positions in the file.
type Spec struct {
	Kind     string
	Name     string // configured name, or ""
	Children []*Spec
	Item     *Spec  // widget for each entry of a list, otherwise nil
	Pos      string // file:line:column
	Recipe   string // position at which the recipe around the widget is used, or ""

	// Decode sets the tagged fields of params, which is a pointer to a struct, and reports errors. It returns false if the parameters
	// cannot be used.
	Decode func(params any) bool
	// Errorf and Warnf report a message at the position of a parameter. The key "" is the widget itself.
	Errorf func(key, format string, args ...any)
	Warnf  func(key, format string, args ...any)
	// Tolerate reports an error that does not stop the rest of the wall. If it is nil, Errorf is used.
	Tolerate func(key, format string, args ...any)
	// DecodeCommon is like Decode, for the parameters that all kinds have. It ignores other keys.
	DecodeCommon func(params any) bool

	Parent *Spec
	Scope  *itemScope // list entry that programs of this widget and its descendants read as .item, or nil
	params any        // decoded parameters, kept so that a widget that is built again does not read the file again
	common *Common
	fault  string // file that cannot be used, and the reason
}

// Sources returns cells that receive the values which widgets request. Errors in a request are reported to the asker, and the
// result is false. It is implemented by sources.Sources.
type Sources interface {
	Text(query.Asker, query.Text) (query.Words, bool)
	Answer(query.Asker, query.Answer) (query.Words, bool)
	Template(query.Asker, query.Template) (query.Words, bool)
	Choice(query.Asker, query.Value) (provider.Typed[string], bool)
	AddressChoice(query.Asker, query.Address) (provider.Typed[string], bool)
	Series(query.Asker, query.Series) (provider.Typed[*query.Numbers], bool)
	Picture(query.Asker, query.Picture) (provider.Typed[*picture.Picture], bool)
	// Select returns one entry of the mapping that a provider publishes.
	Select(a query.Asker, name, key string) (*provider.Cell, bool)
	// Made returns the provider of a type, by its name, or the only provider of this type.
	Made(a query.Asker, kind, name string) (*provider.Cell, bool)
	// Kind returns the type of a provider, "" for an unknown name.
	Kind(name string) string
	// Calendar returns the events of the named provider of type calendar. If name is empty, it uses the only such provider.
	// picked selects calendars. If need is false, a missing provider is not an error.
	Calendar(a query.Asker, name string, picked []string, need bool) (provider.Typed[*calendar.Agenda], bool)
	// History returns the history of an entity of Home Assistant as a list of [time, number].
	History(a query.Asker, name, id string, span time.Duration) (*provider.Cell, bool)
	// Live returns the result of a jq program over all providers. The program is at key in the file.
	Live(a query.Asker, key, code string) (*provider.Cell, bool)
	// Photos returns the photos of a folder in turn.
	Photos(a query.Asker, c photos.Config) *provider.Cell
	// Album returns the photos of the named provider of photos. If name is empty, it uses the only such provider.
	Album(a query.Asker, name string, c photos.Config) (*provider.Cell, bool)
	// File returns the text of a file. The cell is updated when the file changes.
	File(a query.Asker, key, path string) (*provider.Cell, bool)
	// Rows runs the programs of fields for each of the first most entries of the list of items, and returns their results. The list
	// may be inside entries of other lists.
	Rows(a query.Asker, key, items string, most int, fields []string, in []query.Entry) (provider.Typed[live.Rows], bool)
}

// Builder builds the widgets of one tree.
type Builder struct {
	Env
	Catalog Catalog
	kinds   map[string]Kind
	fonts   map[string]*text.Font // fonts by path, nil for a font that cannot be read

	Within     within                          // surroundings of the widget that is being built
	Cells      map[LiveKey]*provider.Cell      // cells of live parameters
	drawings   map[drawingKey]*picture.Picture // icons from files
	tried      map[string]error                // errors of icon files by path, nil for a readable file
	Outlines   Outlines                        // buffers for shapes
	Remembered map[any]*Past                   // past numbers, by parameter
	watch      *watched                        // records the cells that the widget being built requests, nil to record nothing
	Scratch    text.Line                       // buffer for measuring
	spoken     map[string]string               // texts that are shown repeatedly
	groups     map[groupKey]*textGroup
	TextFiles  map[string]*provider.Cell              // cells of texts from files
	Boxes      map[*Spec]*notify.Inbox                // inboxes of widgets that show notifications
	Places     map[*Spec]*page.Place                  // states of widgets with pages
	Listed     map[TableKey]provider.Typed[live.Rows] // rows of tables
	Photo      *PhotoTint                             // colors of the photo behind the cards
	credited   map[*provider.Cell][]*Spec             // widgets that must show the credit of a source, in their order
	Zoom       float64                                // factor of type and lengths, in addition to the theme and the file. 0 is 1
	bare       bool                                   // true if widgets have a card only if their file sets one
	Running    bool                                   // true if the tree is complete. Later builds happen while it is painted
}

// NewBuilder returns a builder of one tree with the kinds of a catalog.
func NewBuilder(e Env, c Catalog) *Builder {
	e.setDefaults()
	b := &Builder{
		Env: e, Catalog: c, kinds: map[string]Kind{}, fonts: map[string]*text.Font{},
		Cells: map[LiveKey]*provider.Cell{}, drawings: map[drawingKey]*picture.Picture{}, tried: map[string]error{}, spoken: map[string]string{}, Remembered: map[any]*Past{}, groups: map[groupKey]*textGroup{},
		Photo:     &PhotoTint{},
		credited:  map[*provider.Cell][]*Spec{},
		TextFiles: map[string]*provider.Cell{}, Places: map[*Spec]*page.Place{}, Listed: map[TableKey]provider.Typed[live.Rows]{},
	}
	for _, k := range c.Kinds {
		b.kinds[k.Name] = k
	}
	return b
}

// setDefaults sets missing fields of an environment.
func (e *Env) setDefaults() {
	if e.TextScale == 0 {
		e.TextScale = 1
	}
	if e.Files == nil {
		e.Files = folder.Dir("")
	}
	if e.Memory == nil {
		e.Memory = budget.New()
	}
	if e.Location == nil {
		e.Location = time.Local
	}
	if e.Transitions == nil {
		e.Transitions = &render.Transitions{}
	}
	if e.Pages == nil {
		e.Pages = page.New(func() {}).Begin()
	}
	if e.TimeSet == nil {
		e.TimeSet = func() bool { return true }
	}
	if e.Look == nil {
		e.Look = look.Calm(true)
	}
	if e.Locale == nil {
		e.Locale = locale.English()
	}
	if e.Scale == 0 {
		e.Scale = 1
	}
	if e.Crashed == nil {
		e.Crashed = func(string, string, any) {}
	}
	if e.Wake == nil {
		e.Wake = func() {}
	}
}

// A Catalog holds the kinds from which trees are built.
type Catalog struct {
	Kinds []Kind
	// Layers returns the layers above the widgets of a screen, the lowest first. It may be nil.
	Layers func(b *Builder, size image.Point) []Layer
	// Sparkline returns a widget that draws the history of a value without axes, for a card.
	Sparkline func(b *Builder, s *Spec, v *config.Live[value.Plain], past *value.Duration, ink *config.Live[theme.RoleColor], size image.Point) render.Widget
}

// Kind is an entry of the catalog.
type Kind struct {
	Name        string
	Doc         string     // sentence for the reference
	Params      func() any // function that returns a pointer to a new struct of parameters, tagged for Spec.Decode
	Modern      bool       // true if the widget is drawn with the colors of the theme, false for classic widgets
	Card        bool       // true if the widget has a card by default
	Least, Most int        // minimum and maximum number of children
	loose       bool       // true if any number of children is accepted

	Build func(b *Builder, s *Spec, size image.Point) render.Widget
}

// Unlimited is the maximum number of children of a kind that accepts any number.
const Unlimited = 1 << 30

// Children returns a description of the number of children of the kind.
func (k Kind) Children() string {
	switch {
	case k.Most == 0:
		return "none"
	case k.Least == k.Most:
		return strconv.Itoa(k.Least)
	case k.Most == Unlimited && k.Least == 0:
		return "any number"
	case k.Most == Unlimited:
		return fmt.Sprintf("%d or more", k.Least)
	}
	return fmt.Sprintf("%d to %d", k.Least, k.Most)
}

// Define returns a kind with parameters of type P. build returns the widget for the given size. It reports errors through s, and
// may then return nil. It is not called if the parameters cannot be decoded.
func Define[P any](name, doc string, least, most int, build func(b *Builder, s *Spec, p *P, size image.Point) render.Widget) Kind {
	return Kind{
		Name: name, Doc: doc, Least: least, Most: most,
		Params: func() any { return new(P) },
		Build: func(b *Builder, s *Spec, size image.Point) render.Widget {
			again := s.params != nil
			p, ok := Decoded[P](s)
			if !ok {
				b.CheckChildren(s, size)
				return nil
			}
			if !again {
				ScaleLengths(reflect.ValueOf(p).Elem(), b.Scale)
			}
			if c := b.Common(s); !c.Framed() {
				return build(b, s, p, size)
			}
			return b.Frame(s, Framing{Bleed: true}, nil, size, func(size image.Point) render.Widget { return build(b, s, p, size) })
		},
	}
}

// ScaleLengths multiplies a classic widget's lengths in px, except text sizes, which have their own factor.
func ScaleLengths(v reflect.Value, by float64) {
	if by == 1 {
		return
	}
	for i := range v.NumField() {
		f, t := v.Field(i), v.Type().Field(i)
		if t.Anonymous && f.Kind() == reflect.Struct {
			ScaleLengths(f, by)
			continue
		}
		if t.Tag.Get("unit") != "px" || strings.HasSuffix(t.Tag.Get("yaml"), "text_size") || !f.CanSet() {
			continue
		}
		if f.Kind() == reflect.Pointer {
			if f.IsNil() {
				continue
			}
			f = f.Elem()
		}
		switch f.Kind() {
		case reflect.Int:
			f.SetInt(int64(Whole(float64(f.Int()) * by)))
		case reflect.Float64:
			f.SetFloat(f.Float() * by)
		}
	}
}

// Decoded returns a widget's parameters. It decodes them only once.
func Decoded[P any](s *Spec) (p *P, ok bool) {
	if s.params == nil {
		p := new(P)
		if !s.Decode(p) {
			return nil, false
		}
		s.params = p
	}
	p, ok = s.params.(*P)
	return p, ok
}

// Common returns the parameters that every kind has.
func (b *Builder) Common(s *Spec) *Common {
	if s.common == nil {
		s.common = &Common{}
		if s.DecodeCommon != nil {
			s.DecodeCommon(s.common)
			b.checkActions(s, s.common)
		}
	}
	return s.common
}

// Framed reports whether any of the parameters needs a frame around a classic widget.
func (c *Common) Framed() bool {
	return c.Margin != nil || c.When != nil || c.Opacity != nil || c.Background != nil
}

// Modern returns a kind that is drawn with the colors of the theme and has a frame around it. f returns the part of its parameters
// that configures the frame.
func Modern[P any](name, doc string, least, most int, fr Framing, f func(p *P) *Framed, build func(b *Builder, s *Spec, p *P, size image.Point) render.Widget) Kind {
	return Kind{
		Name: name, Doc: doc, Least: least, Most: most, Modern: true, Card: fr.Card,
		Params: func() any { return new(P) },
		Build: func(b *Builder, s *Spec, size image.Point) render.Widget {
			p, ok := Decoded[P](s)
			if !ok {
				b.CheckChildren(s, size)
				return nil
			}
			if e, ok := any(p).(Entitled); ok {
				e.FromEntity()
			}
			var framed *Framed
			if f != nil {
				framed = f(p)
			}
			return b.Frame(s, fr, framed, size, func(size image.Point) render.Widget {
				b.legible(s, p)
				return build(b, s, p, size)
			})
		},
	}
}

// Loose returns a kind that accepts any number of children, as earlier programs did.
func Loose(k Kind) Kind {
	k.loose = true
	return k
}

// Credits registers a widget of a source that requires a credit. The returned function reports whether the widget must show the
// credit. Only the last widget of each source shows the credit. In a glance, no widget shows it.
func (b *Builder) Credits(s *Spec, source *provider.Cell) func() bool {
	if b.bare {
		return func() bool { return false }
	}
	if !slices.Contains(b.credited[source], s) { // a widget that is built again keeps its place
		b.credited[source] = append(b.credited[source], s)
	}
	return func() bool {
		all := b.credited[source]
		return all[len(all)-1] == s
	}
}

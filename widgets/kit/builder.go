// Package kit holds what all widgets share: the builder, the frame around a widget, live parameters, conditions and texts.
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
	"dashboard/theme/look"
)

// Spec is one widget of the configuration, with the positions from the file.
type Spec struct {
	Kind     string
	Name     string // as configured; empty if it has none
	Children []*Spec
	Item     *Spec  // the widget of each entry of a list; else nil
	Pos      string // file:line:column
	Recipe   string // use of the recipe around the widget, or ""

	// Decode fills the tagged fields of params, a pointer to a struct, and reports mistakes. It returns false if the
	// parameters cannot be used.
	Decode func(params any) bool
	// Errorf and Warnf report something at the position of one parameter; key "" is the widget itself.
	Errorf func(key, format string, args ...any)
	Warnf  func(key, format string, args ...any)
	// Tolerate reports a mistake that does not stop the rest of the wall. nil is Errorf.
	Tolerate func(key, format string, args ...any)
	// DecodeCommon is Decode for the parameters that all kinds have. It ignores other keys.
	DecodeCommon func(params any) bool

	Parent *Spec
	Scope  *itemScope // the entry that programs of this widget and its descendants have as .item, nil without one
	params any        // the decoded parameters. A widget that is built again does not read the file again
	common *Common
	fault  string // the file that cannot be used, and why
}

// Sources answers the requests of widgets with cells that will receive values. Mistakes in a request are reported to
// the asker, and answered with false. It is a sources.Sources.
type Sources interface {
	Text(query.Asker, query.Text) (query.Words, bool)
	Answer(query.Asker, query.Answer) (query.Words, bool)
	Template(query.Asker, query.Template) (query.Words, bool)
	Choice(query.Asker, query.Value) (provider.Typed[string], bool)
	AddressChoice(query.Asker, query.Address) (provider.Typed[string], bool)
	Series(query.Asker, query.Series) (provider.Typed[*query.Numbers], bool)
	Picture(query.Asker, query.Picture) (provider.Typed[*picture.Picture], bool)
	// Select gives one entry of the mapping that the provider of a name publishes.
	Select(a query.Asker, name, key string) (*provider.Cell, bool)
	// Made gives the provider of a type that a widget is made for: by its name, or the only one.
	Made(a query.Asker, kind, name string) (*provider.Cell, bool)
	// Kind returns the type of a provider, "" for an unknown name.
	Kind(name string) string
	// Calendar returns the events of a provider of type calendar: by its name, or the only one. picked are calendars in
	// it. Without need, a missing provider is no mistake.
	Calendar(a query.Asker, name string, picked []string, need bool) (provider.Typed[*calendar.Agenda], bool)
	// History gives what an entity of Home Assistant was before now: a list of [time, number].
	History(a query.Asker, name, id string, span time.Duration) (*provider.Cell, bool)
	// Live gives what a jq program over all providers gives, that is written at a key.
	Live(a query.Asker, key, code string) (*provider.Cell, bool)
	// Photos gives the photos of a folder, one after another.
	Photos(a query.Asker, c photos.Config) *provider.Cell
	// Album returns the photos of a provider of type immich: by its name, or the only one.
	Album(a query.Asker, name string, c photos.Config) (*provider.Cell, bool)
	// File gives the text of a file, again whenever it changes.
	File(a query.Asker, key, path string) (*provider.Cell, bool)
	// Rows returns the results of the programs of fields for each of the first most entries of the list of items, which
	// may lie in entries of other lists.
	Rows(a query.Asker, key, items string, most int, fields []string, in []query.Entry) (provider.Typed[live.Rows], bool)
}

// Builder makes trees. One tree, one builder.
type Builder struct {
	Env
	Catalog Catalog
	kinds   map[string]Kind
	fonts   map[string]*text.Font // by path, nil for one that could not be read

	Within     within                          // where the widget is that is being built
	Cells      map[LiveKey]*provider.Cell      // of live parameters
	drawings   map[drawingKey]*picture.Picture // of icons from files
	tried      map[string]error                // of files of icons, by path: nil for one that can be read
	Outlines   Outlines                        // for shapes
	Remembered map[any]*Past                   // of numbers, by the parameter
	watch      *watched                        // records the cells that the widget being built requests. nil records nothing
	Scratch    text.Line                       // for measuring
	spoken     map[string]string               // texts that are shown again and again
	groups     map[groupKey]*textGroup
	TextFiles  map[string]*provider.Cell              // of texts from files
	Boxes      map[*Spec]*notify.Inbox                // of widgets that take notifications
	Places     map[*Spec]*page.Place                  // of widgets with pages
	Listed     map[TableKey]provider.Typed[live.Rows] // the rows of tables
	Photo      *PhotoTint                             // of the photo behind the cards
	credited   map[*provider.Cell][]*Spec             // widgets that owe a source its credit, in their order
	Zoom       float64                                // factor of type and lengths, of the theme and of the file. 0 is 1
	bare       bool                                   // widgets have no card unless their file asks for one
	Running    bool                                   // the tree is built. Later builds happen while it is painted
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

// setDefaults fills in what an environment lacks.
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

// A Catalog has the kinds from which trees are built.
type Catalog struct {
	Kinds []Kind
	// Layers returns the layers over the widgets of a screen, the lowest first. It may be nil.
	Layers func(b *Builder, size image.Point) []Layer
	// Sparkline draws the past of a value without axes, for a card.
	Sparkline func(b *Builder, s *Spec, v *config.Live[value.Plain], past *value.Duration, size image.Point) render.Widget
}

// Kind is one entry of the catalogue.
type Kind struct {
	Name        string
	Doc         string     // one sentence for the reference
	Params      func() any // a pointer to a new struct of its parameters, tagged for Spec.Decode
	Modern      bool       // drawn by the roles of the theme; else it is a classic one
	Card        bool       // the default is a card
	Least, Most int        // number of children
	loose       bool       // it is shown with any number of children

	Build func(b *Builder, s *Spec, size image.Point) render.Widget
}

// Unlimited is the Most of a kind that takes any number of children.
const Unlimited = 1 << 30

// Children describes in words how many children the kind takes.
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

// Define makes the entry of a kind whose parameters are a P. build returns the widget, of the given size, and reports
// mistakes through s. In that case it may return nil. It is not called with parameters that could not be decoded.
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

// ScaleLengths multiplies a classic widget's lengths in px, except for sizes of texts, which have a separate factor.
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

// Decoded returns a widget's parameters, read once.
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

// Modern makes the entry of a kind that is drawn by the theme's roles and has a frame around it. f returns the frame's
// part of its parameters.
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

// Loose is a kind that accepts any number of children, as in earlier programs.
func Loose(k Kind) Kind {
	k.loose = true
	return k
}

// Credits notes a widget of a source that requires a credit. It returns whether the widget has to show it: the last one of a wall
// does, and none in a glance.
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

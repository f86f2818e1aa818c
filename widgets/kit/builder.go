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
	"dashboard/render/path"
	"dashboard/render/picture"
	"dashboard/render/text"
	"dashboard/theme"
	"dashboard/theme/look"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/kit/history"
)

// Spec is the configuration of a widget, with the positions of its parts in the file.
type Spec struct {
	Kind     string
	Name     string // configured name, or ""
	Children []*Spec
	Lost     bool   // true if a child is missing because of an error that has been reported
	Item     *Spec  // widget that a list shows for each entry, otherwise nil
	Pos      string // position in the form file:line:column
	Recipe   string // position where the recipe that contains the widget is used, or ""

	// Decode sets the fields of params from the file and reports errors. params is a pointer to a struct with tagged fields. If the
	// parameters cannot be used, Decode returns false.
	Decode func(params any) bool
	// Errorf and Warnf report a message at the position of the parameter `key`. An empty key means the widget itself.
	Errorf func(key, format string, args ...any)
	Warnf  func(key, format string, args ...any)
	// Tolerate reports an error that does not prevent the rest of the wall from being shown. If Tolerate is nil, Errorf is used instead.
	Tolerate func(key, format string, args ...any)
	// DecodeCommon is like Decode, but for the parameters that all kinds have. It ignores all other keys.
	DecodeCommon func(params any) bool

	Parent *Spec
	Scope  *itemScope // list entry that programs of this widget and its descendants can read as .item, or nil
	params any        // decoded parameters, so that a widget that is built again does not decode the file again
	common *Common
	fault  string // message about a file that cannot be used, or ""
}

// Sources provides the values that widgets request. A method that requests a value returns a cell that receives the value. If the request
// is invalid, the method reports the error to the asker and returns false. sources.Sources implements this interface.
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
	// Made returns the cell of a provider of type kind. If name is empty, it uses the only provider of this type.
	Made(a query.Asker, kind, name string) (*provider.Cell, bool)
	// Kind returns the type of a provider, "" for an unknown name.
	Kind(name string) string
	// Calendar returns the events of the provider of type calendar with the given name. If name is empty, it uses the only such provider.
	// `picked` selects calendars. If `need` is false, a missing provider is not an error.
	Calendar(a query.Asker, name string, picked []string, need bool) (provider.Typed[*calendar.Agenda], bool)
	// History returns the history of an entity of Home Assistant as a list of [time, number].
	History(a query.Asker, name, id string, span time.Duration) (*provider.Cell, bool)
	// Live returns the results of a jq program, which can read the values of all providers. The parameter `key` is the key of the program in
	// the file.
	Live(a query.Asker, key, code string) (*provider.Cell, bool)
	// Photos returns the photos of a folder, one after the other.
	Photos(a query.Asker, c photos.Config) *provider.Cell
	// Album returns the photos of a photo provider. If name is empty, it uses the only such provider.
	Album(a query.Asker, name string, c photos.Config) (*provider.Cell, bool)
	// Drop ends the use of a cell that Picture, Photos or Album has returned.
	Drop(c *provider.Cell)
	// File returns the text of a file. When the file changes, the cell receives the new text.
	File(a query.Asker, key, path string) (*provider.Cell, bool)
	// Rows runs the programs in `fields` for the entries of a list, and returns their results. The parameter `items` is the program that
	// returns the list, and `most` is the maximum number of entries. If the list is inside entries of other lists, the parameter `in` holds
	// these entries.
	Rows(a query.Asker, key, items string, most int, fields []string, in []query.Entry) (provider.Typed[live.Rows], bool)
}

// Builder builds the widgets of one tree.
type Builder struct {
	Env
	Catalog Catalog
	kinds   map[string]Kind
	fonts   map[string]*text.Font // fonts by path, nil for a font that cannot be read

	Within     within                                 // surroundings of the widget that is being built now
	Cells      map[LiveKey]*provider.Cell             // cells of live parameters
	drawings   map[drawingKey]*picture.Picture        // icons from files
	grounds    map[*theme.Background]*picture.Picture // latest picture of each background
	tried      map[string]error                       // errors of icon files by path, nil for a readable file
	Outlines   path.Outlines                          // reused buffers for building shapes
	Remembered map[any]*history.Past                  // histories of numbers, by parameter
	watch      *watched                               // cells requested by the widget that is being built, or nil to record no cells
	Scratch    text.Line                              // buffer for measuring
	spoken     map[string]string                      // cache of texts that are shown repeatedly
	groups     map[groupKey]*textGroup
	TextFiles  map[string]*provider.Cell              // cells with the texts of files
	Boxes      map[*Spec]*notify.Inbox                // inboxes of widgets that show notifications
	Places     map[*Spec]*page.Place                  // states of widgets with pages
	Listed     map[TableKey]provider.Typed[live.Rows] // rows of tables
	pictures   []pictureUse                           // pictures that the widgets of the tree use
	pictured   int                                    // number of the latest pictureUse
	Photo      *PhotoTint                             // colors of the photo behind the cards
	credited   map[*provider.Cell][]*Spec             // for each source, the widgets that must show its credit, in the order of their creation
	current    map[*provider.Cell]bool                // sources whose current weather a widget shows
	Zoom       float64                                // additional factor of text sizes and lengths. 0 means 1
	bare       bool                                   // true in a glance (key `glance`): a widget has a card only if the file sets the card
	Running    bool                                   // true when the tree is complete. From then on, no widget is added
}

// NewBuilder returns a builder for one tree with the kinds of a catalog.
func NewBuilder(e Env, c Catalog) *Builder {
	e.setDefaults()
	b := &Builder{
		Env: e, Catalog: c, kinds: map[string]Kind{}, fonts: map[string]*text.Font{},
		Cells: map[LiveKey]*provider.Cell{}, drawings: map[drawingKey]*picture.Picture{}, grounds: map[*theme.Background]*picture.Picture{}, tried: map[string]error{}, spoken: map[string]string{}, Remembered: map[any]*history.Past{}, groups: map[groupKey]*textGroup{},
		Photo:     &PhotoTint{},
		credited:  map[*provider.Cell][]*Spec{},
		current:   map[*provider.Cell]bool{},
		TextFiles: map[string]*provider.Cell{}, Places: map[*Spec]*page.Place{}, Listed: map[TableKey]provider.Typed[live.Rows]{},
	}
	for _, k := range c.Kinds {
		b.kinds[k.Name] = k
	}
	return b
}

// setDefaults sets the fields of an environment that the caller left empty.
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
	// Layers returns the layers above the widgets of a screen, from the lowest to the highest. It may be nil.
	Layers func(b *Builder, size image.Point) []Layer
	// Sparkline returns a widget that draws the history of a card's value without axes.
	Sparkline func(b *Builder, s *Spec, v *config.Live[value.Plain], past *value.Duration, ink *config.Live[theme.RoleColor], limits []format.Range, size image.Point) render.Widget
}

// Kind describes a kind of widget. It is an entry of the catalog.
type Kind struct {
	Name        string
	Doc         string     // description of the kind for the reference
	Params      func() any // returns a pointer to a new struct of parameters, tagged for Spec.Decode
	Modern      bool       // true for a widget in the colors of the theme, false for a classic widget
	Card        bool       // true if the widget has a card by default
	Least, Most int        // minimum and maximum number of children
	loose       bool       // true if a number of children other than Most is reported, but the widget is still built

	Build func(b *Builder, s *Spec, size image.Point) render.Widget
}

// Unlimited is the value of Kind.Most for a kind without a maximum number of children.
const Unlimited = 1 << 30

// Children returns a text with the allowed number of children.
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

// Define returns a kind with parameters of type P. The function `build` returns the widget for a size. `build` reports errors through s
// and may return nil after an error. If the parameters cannot be decoded, `build` is not called.
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

// ScaleLengths multiplies the lengths in px of a classic widget by a factor. It does not change text sizes, which have their own factor.
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

// Decoded returns the decoded parameters of a widget. The first call decodes them.
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

// Framed reports whether a classic widget needs a frame. This is the case if the file sets a parameter that the frame applies.
func (c *Common) Framed() bool {
	return c.Margin != nil || c.When != nil || c.Opacity != nil || c.Background != nil
}

// Modern returns a kind that is drawn in the colors of the theme and has a frame. The function f returns the frame's parameters, which
// are a part of p.
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

// Loose returns a copy of k. If the number of children is not k.Most, the error is reported, but the widget is still built. The reason is
// that existing files contain such widgets.
func Loose(k Kind) Kind {
	k.loose = true
	return k
}

// Credits registers a widget that shows a source which requires a credit. The returned function reports whether this widget must show the
// credit. If several widgets show the same source, only the widget that was registered last shows the credit. In a glance (key `glance`),
// no widget shows credits.
func (b *Builder) Credits(s *Spec, source *provider.Cell) func() bool {
	if b.bare {
		return func() bool { return false }
	}
	if !slices.Contains(b.credited[source], s) { // a widget that is built again is already in the list
		b.credited[source] = append(b.credited[source], s)
	}
	return func() bool {
		all := b.credited[source]
		return all[len(all)-1] == s
	}
}

// Current registers a widget that uses a source of the weather. `shows` is true if the widget shows the current weather. The returned
// function reports whether any widget of the wall shows the current weather of this source.
func (b *Builder) Current(source *provider.Cell, shows bool) func() bool {
	b.current[source] = b.current[source] || shows
	return func() bool { return b.current[source] }
}

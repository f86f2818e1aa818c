package theme

import (
	"fmt"
	"image/color"
	"maps"
	"slices"
	"strings"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/theme/look"
)

// Keys of a theme that uses a built-in theme as its base.
const (
	faceKey  = "typeface"
	fromKey  = "from"
	dayKey   = "day"
	nightKey = "night"
)

// Named reports whether a theme uses a built-in theme. This is true if the theme is the name of a built-in theme, or a mapping with the
// key `from`.
func Named(n *config.Node) bool {
	if n.Kind() == config.String {
		return slices.Contains(look.Names(), n.Text())
	}
	return n.Kind() == config.Map && n.Has(fromKey)
}

// BaseName returns the name of the built-in theme that a theme uses.
func BaseName(n *config.Node) string {
	if n.Kind() == config.Map {
		return n.Get(fromKey).Text()
	}
	return n.Text()
}

// Dressed is a resolved widgets file with the look for its modern widgets.
type Dressed struct {
	Root  *config.Node
	Look  *look.Look
	Named bool // true if the file uses a built-in theme
}

// Dress resolves a widgets file with its theme in one mode. The parameter `written` is a theme file or nil. A theme file replaces the
// theme in the widgets file. If the theme does not use a built-in theme, modern widgets use the night look of the theme "calm", with the
// colors of the file's theme.
func Dress(widgets, written *config.Node, night bool, r *config.Report) Dressed {
	block := widgets.Get("theme")
	if written != nil {
		block = written
	}
	if block.Kind() == config.String {
		if !Named(block) {
			r.Near(block, block.Text(), look.Names(), "there is no theme '%s': it is one of %s, or a theme file", block.Text(), strings.Join(look.Names(), ", "))
			widgets = widgets.WithPairs(slices.DeleteFunc(slices.Clone(widgets.Pairs()), func(p config.Pair) bool { return p.Key == "theme" }))
			written, block = nil, nil
		}
	}
	block = dropMisspelled(block, widgets, r)
	if !Named(block) {
		d := Dressed{Look: look.Calm(true), Root: Resolve(widgets, written, r)}
		d.finish(r)
		return d
	}
	d := Dressed{Named: true}
	base, ok := look.Named(BaseName(block), night)
	if !ok {
		r.Near(block.Get(fromKey), BaseName(block), look.Names(), "there is no theme '%s'; there are %s", BaseName(block), strings.Join(look.Names(), ", "))
		base = look.Calm(true)
	}
	d.Look = base
	warnNames(block, widgets, base.Colors, r)
	d.Root = Resolve(d.over(widgets, block, night, r), nil, r)
	d.finish(r)
	mode := dayKey
	if night {
		mode = nightKey
	}
	d.checkContrast(block, mode, r)
	return d
}

// over() returns the widgets file with a complete theme block. The block has the colors of the built-in theme and the values by which the
// file overrides them. If the file sets no background, the wall gets the color "background".
func (d *Dressed) over(widgets, block *config.Node, night bool, r *config.Report) *config.Node {
	sections := map[string]*config.Node{"colors": colorNode(d.Look, r)}
	order := []string{"colors"}
	lay := func(n *config.Node) {
		for _, p := range n.Pairs() {
			if p.Key == fromKey || p.Key == dayKey || p.Key == nightKey {
				continue
			}
			if _, known := sections[p.Key]; !known {
				order = append(order, p.Key)
			}
			sections[p.Key] = merged(sections[p.Key], p.Value)
		}
	}
	if block.Kind() == config.Map {
		lay(block)
		mode := dayKey
		if night {
			mode = nightKey
		}
		lay(block.Get(mode))
	}
	var pairs []config.Pair
	for _, key := range order {
		pairs = append(pairs, config.Pair{Key: key, At: sections[key], Value: sections[key]})
	}
	theme := sections["colors"].WithPairs(pairs)
	out := []config.Pair{{Key: "theme", At: theme, Value: theme}}
	for _, p := range widgets.Pairs() {
		if p.Key != "theme" {
			out = append(out, p)
		}
	}
	if !widgets.Has("background_color") && !widgets.Has("background_image") {
		ground := config.Parse("built-in theme", []byte("!color background"), r, nil)
		out = append(out, config.Pair{Key: "background_color", At: ground, Value: ground})
	}
	return widgets.WithPairs(out)
}

// merged() returns a section with the entries of both sections. If both contain a key, the result has the entry from the section `over`.
func merged(under, over *config.Node) *config.Node {
	switch {
	case over.Kind() == config.Null:
		return under
	case under.Kind() != config.Map || over.Kind() != config.Map:
		return over
	}
	pairs := slices.Clone(under.Pairs())
	for _, p := range over.Pairs() {
		if i := slices.IndexFunc(pairs, func(q config.Pair) bool { return q.Key == p.Key }); i >= 0 {
			pairs[i] = p
			continue
		}
		pairs = append(pairs, p)
	}
	return under.WithPairs(pairs)
}

// colorNode returns the colors of a look in the form of a section in a file.
func colorNode(l *look.Look, r *config.Report) *config.Node {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(l.Colors)) {
		fmt.Fprintf(&b, "%s: '%s'\n", name, Color{l.Colors[name]})
	}
	return config.Parse("built-in theme", []byte(b.String()), r, nil)
}

// finish adds the colors of all roles to the resolved file, and applies the settings of the file to the look.
func (d *Dressed) finish(r *config.Report) {
	if d.Root.Kind() != config.Map {
		return
	}
	block := d.Root.Get("theme")
	roles := colorNode(d.Look, &config.Report{})
	colors := merged(roles, block.Get("colors"))
	if block.Get("colors") == nil && block.Get("color") != nil {
		colors = merged(roles, block.Get("color"))
	}
	d.Look = d.overlaid(block, colors, r)
	pairs := []config.Pair{{Key: "colors", At: colors, Value: colors}}
	for _, p := range block.Pairs() {
		if p.Key != "colors" {
			pairs = append(pairs, p)
		}
	}
	theme := colors.WithPairs(pairs)
	all := []config.Pair{{Key: "theme", At: theme, Value: theme}}
	for _, p := range d.Root.Pairs() {
		if p.Key != "theme" {
			all = append(all, p)
		}
	}
	d.Root = d.Root.WithPairs(all)
}

// overlaid() returns the look with the colors of the file. If the file uses a built-in theme, overlaid() also applies the styles, sizes
// and typeface of the file.
func (d *Dressed) overlaid(block, colors *config.Node, r *config.Report) *look.Look {
	l := *d.Look
	l.Colors, l.Roles = map[string]color.NRGBA{}, map[string]string{}
	palette := PaletteOf(colors)
	for _, name := range colors.Keys() {
		if c, ok := palette.Color(name); ok {
			l.Colors[name] = c.NRGBA
			if role := roleNamed(name, colors); role != name {
				l.Roles[name] = role
			}
		}
	}
	for name, c := range d.Look.Colors {
		if _, ok := l.Colors[name]; !ok {
			l.Colors[name] = c
		}
	}
	if !d.Named {
		return &l
	}
	checkRoles(colors, d.Look.Colors, r)
	l.Styles = maps.Clone(d.Look.Styles)
	for _, p := range block.Get("styles").Pairs() {
		st := l.Styles[p.Key]
		if st.Size == 0 {
			st = l.Styles["body"]
		}
		styleOf(&st, p.Value, r)
		l.Styles[p.Key] = st
	}
	sizesOf(&l.Sizes, block.Get("sizes"), r)
	if face := block.Get(faceKey); face.Kind() == config.String {
		l.Typeface = face.Text()
	} else if face.Kind() == config.Map {
		l.Typeface, l.Italic = face.Get("path").Text(), face.Get("italic").Text()
	}
	return &l
}

// written is a style as a theme file defines it.
type written struct {
	// Text size in px for a picture whose shorter side has 720 px.
	Size *float64 `yaml:"size" min:"1" max:"2000"`
	// Weight of the font, as in CSS: 400 is regular, 700 is bold.
	Weight *int `yaml:"weight" min:"100" max:"900"`
	// Additional space between letters, in em.
	Tracking *float64 `yaml:"tracking" min:"-1" max:"1"`
	// OpenType features.
	Features []string `yaml:"features"`
}

// styleOf replaces those properties of the style st that n sets.
func styleOf(st *look.Style, n *config.Node, r *config.Report) {
	var w written
	if n.Kind() != config.Map || !n.Decode(&w, r, nil) {
		return
	}
	if w.Size != nil {
		st.Size = *w.Size
	}
	if w.Weight != nil {
		st.Weight = *w.Weight
	}
	if w.Tracking != nil {
		st.Tracking = *w.Tracking
	}
	if w.Features != nil {
		st.Features = w.Features
	}
}

// lengths are the lengths of a look that a theme file sets, in px for a picture whose shorter side has 720 px.
type lengths struct {
	// Distance between the widgets and the edge of the wall.
	Margin *value.Length `yaml:"margin"`
	// Distance between widgets.
	Gap *value.Length `yaml:"gap"`
	// Distance between the edge of a card and its content.
	Padding *value.Length `yaml:"padding"`
	// Radius of the corners of cards.
	Radius *value.Length `yaml:"radius"`
	// Thickness of lines.
	Line *value.Length `yaml:"line"`
	// Size of icons.
	Icon *value.Length `yaml:"icon"`
	// Standard deviation of the blur behind translucent cards.
	Blur *value.Length `yaml:"blur"`
}

// sizesOf replaces the lengths of a look that n sets. Other names in n are tokens that only the file uses.
func sizesOf(s *look.Sizes, n *config.Node, r *config.Report) {
	var w lengths
	n.Decode(&w, r, &config.DecodeOptions{Others: true})
	for into, x := range map[*float64]*value.Length{
		&s.Margin: w.Margin, &s.Gap: w.Gap, &s.Padding: w.Padding, &s.Radius: w.Radius, &s.Line: w.Line, &s.Icon: w.Icon, &s.Blur: w.Blur,
	} {
		if x != nil {
			*into = float64(*x)
		}
	}
	if w.Padding != nil {
		s.PaddingY = s.Padding * 20 / 24
	}
}

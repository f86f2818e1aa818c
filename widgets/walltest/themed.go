package walltest

import (
	"image"
	"testing"

	"dashboard/config"
	"dashboard/render"
	"dashboard/render/text"
	"dashboard/theme"
	"dashboard/widgets/kit"
	"dashboard/widgets/screen"
)

// A Shown is a painted wall: its picture, and its texts in the order of painting.
type Shown struct {
	Frame *image.RGBA
	Texts []Text
}

// A Text is a painted line of text.
type Text struct {
	text.Painted
	Text string
}

// TextsOf makes c append every painted line of text to the slice `all`.
func TextsOf(c *text.Cache, all *[]Text) {
	c.OnPaint(func(p text.Painted) { *all = append(*all, Text{p, string(p.Line)}) })
}

// Words returns the texts.
func (s *Shown) Words() (all []string) {
	for _, p := range s.Texts {
		all = append(all, p.Text)
	}
	return all
}

// ShowThemed paints a widget, which is in YAML's flow style. The widget may use color roles of the theme.
func ShowThemed(t testing.TB, e kit.Env, themed string, night bool, widget string, size image.Point) *Shown {
	t.Helper()
	r, s := &config.Report{}, &Shown{}
	root := config.Parse("widgets.yaml", []byte("theme: "+themed+"\nwidgets: ["+widget+"]\n"), r, nil)
	dressed := theme.Dress(root, nil, night, r)
	spec := config.Tree(dressed.Root, r, nil)
	if spec == nil {
		t.Fatalf("no tree in %s\n%v", widget, r)
	}
	e.Text = text.NewCache(4 << 20)
	e.Text.SystemFonts()
	TextsOf(e.Text, &s.Texts)
	e.Look, e.Themed = dressed.Look, dressed.Named
	w := screen.Build(Builder(e), kit.SpecOf(spec), size)
	if r.Failed() {
		t.Fatalf("errors in %s\n%v", widget, r)
	}
	rend := render.New(w, size)
	rend.Step(T0)
	s.Texts = nil
	rend.Repaint()
	rend.Step(T0)
	s.Frame = rend.Frame()
	return s
}

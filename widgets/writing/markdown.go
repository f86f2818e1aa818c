package writing

import (
	"image"
	"image/color"
	"io/fs"

	"dashboard/config"
	"dashboard/internal/folder"
	"dashboard/internal/markdown"
	"dashboard/provider"
	"dashboard/render"
	"dashboard/render/text"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
)

// MarkdownParams are the parameters of the markdown widget.
type MarkdownParams struct {
	kit.Framed
	kit.Typed
	// Text in Markdown.
	Text *config.Live[string] `yaml:"text"`
	// File with the text, instead of the key text. The file is read again when it changes.
	Path string `yaml:"path"`
	// Number of columns.
	Columns int `yaml:"columns" default:"1" min:"1" max:"4"`
}

// markdownWidget shows a text in Markdown, for example with headings, lists and tables.
type markdownWidget struct {
	b     *kit.Builder
	size  image.Point
	text  kit.Input
	color kit.Input
	file  provider.Typed[string]
	seen  *provider.Sample
	empty string
	set   setting
	raw   string
	said  bool

	blocks []markdown.Block
	pieces []mdPiece
	rects  []mdRect
	stale  bool
}

func buildMarkdown(b *kit.Builder, s *kit.Spec, p *MarkdownParams, size image.Point) render.Widget {
	w := &markdownWidget{b: b, size: size, empty: p.Empty, color: kit.InputOf(b, s, p.Color, kit.ColorOf), set: newSetting(b, s, &p.Typed, max(1, p.Columns))}
	switch {
	case (p.Text == nil) == (p.Path == ""):
		s.Errorf("", "a markdown shows a text or the file of a path, one of the two")
		return nil
	case p.Text != nil:
		w.text = kit.InputOf(b, s, p.Text, kit.AnyOf[string])
	default:
		if _, err := fs.Stat(b.Files, p.Path); err != nil {
			s.Warnf("path", "%s: %v", p.Path, folder.Reason(err))
		}
		w.file.Cell = fileOf(b, s, p.Path)
		w.seen = w.file.Load()
	}
	w.load()
	return w
}

// fileOf returns the cell for the text of a file. Each file is requested once.
func fileOf(b *kit.Builder, s *kit.Spec, path string) *provider.Cell {
	if c, ok := b.TextFiles[path]; ok {
		return c
	}
	c := provider.NewCell(nil)
	if b.Sources != nil && !b.Running {
		if asked, ok := b.Sources.File(s.Asker(), "path", path); ok {
			c = asked
		}
	}
	b.TextFiles[path] = c
	return c
}

// value() returns the current text. ok is false if no text has arrived.
func (w *markdownWidget) value() (string, bool) {
	if w.file.Cell != nil {
		return w.file.Value(w.seen)
	}
	v, ok := w.text.Value()
	if !ok || v == nil {
		return "", false
	}
	return format.PlainText(v), true
}

// load updates the text and reports whether it changed.
func (w *markdownWidget) load() bool {
	v, ok := w.value()
	if ok && v == "" && w.empty != "" {
		v = w.empty
	}
	if !ok {
		v = "—"
	}
	if w.said && v == w.raw {
		return false
	}
	w.raw, w.said = v, true
	w.set.text = w.color.Color(w.b, w.b.Role("text"))
	if !ok {
		w.set.text = w.b.Role("muted")
	}
	w.blocks = markdown.Parse(v)
	w.pieces, w.rects = w.set.fit(w.blocks, w.size)
	return true
}

// Natural implements kit.Sized.
func (w *markdownWidget) Natural(width int) image.Point {
	return image.Pt(width, w.set.height(markdown.Parse(w.raw), width))
}

// Update implements render.Widget.
func (w *markdownWidget) Update(t render.Tick) {
	changed := w.text.Update(t)
	if w.file.Cell != nil {
		s := w.file.Load()
		changed, w.seen = s != w.seen || changed, s
	}
	if w.color.Update(t) {
		w.said, changed = false, true
	}
	if changed && w.load() || w.stale != w.text.Stale {
		w.stale = w.text.Stale
		t.DamageAll()
	}
}

// Paint implements render.Widget.
func (w *markdownWidget) Paint(c render.Canvas) {
	c = c.In(image.Rectangle{Max: w.size})
	for i := range w.rects {
		r := &w.rects[i]
		c.FillRound(r.box, r.corner, w.shade(r.color))
	}
	for i := range w.pieces {
		p := &w.pieces[i]
		switch {
		case !c.Sees(p.box):
		case p.mark != nil:
			p.mark.Paint(c, w.shade(p.color))
		default:
			p.line.Paint(c.Dst, c.Clip, c.Org.Add(p.at), w.shade(p.color))
		}
	}
}

func (w *markdownWidget) shade(c color.RGBA) color.RGBA {
	if w.stale {
		return w.b.Old(c)
	}
	return c
}

// mdPiece is a placed run of letters or a placed icon.
type mdPiece struct {
	line  *text.Line
	at    image.Point // start of the baseline
	box   image.Rectangle
	mark  *kit.Mark
	color color.RGBA
}

// mdRect is a filled rectangle: a rule, a bar, or the background of code.
type mdRect struct {
	box    image.Rectangle
	corner *render.Corner
	color  color.RGBA
}

package widgets

import (
	"image"

	"dashboard/render"
)

// TextParams are the parameters of the text widget.
type TextParams struct {
	Text string `yaml:"text" default:"" doc:"What is shown. Line breaks are kept."`
	Lettering
	Padding       int    `yaml:"padding" default:"0" unit:"px" doc:"Room between the text and each edge."`
	Align         string `yaml:"align" default:"left" enum:"left,center,right" else:"left" doc:"Where the text stands from left to right."`
	VerticalAlign string `yaml:"vertical_align" default:"top" enum:"top,center,bottom" else:"top" doc:"Where the text stands from top to bottom."`
	Backdrop
}

// textWidget shows a text that never changes.
type textWidget struct{ *words }

func buildText(b *Builder, s *Spec, p *TextParams, size image.Point) render.Widget {
	w := b.words(s, size, p.Lettering, placement{p.Padding, p.Align, p.VerticalAlign}, p.Backdrop)
	w.block.Set(p.Text)
	return textWidget{w}
}

// Update implements render.Widget.
func (textWidget) Update(render.Tick) {}

// Paint implements render.Widget.
func (w textWidget) Paint(c render.Canvas) { w.paint(c) }

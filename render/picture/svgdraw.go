package picture

import (
	"encoding/xml"
	"errors"
	"image"
	"image/color"
	"io"
	"strconv"
	"strings"

	"github.com/srwiley/rasterx"
	"golang.org/x/image/math/fixed"
)

// A painter reads the flat list that flatten has written, and draws its paths in order.
type painter struct {
	dasher    *rasterx.Dasher
	gradients map[string]*rasterx.Gradient
	open      *rasterx.Gradient // the gradient to which the next stops belong
}

// paintFlat draws the flat list with s, on a picture of the given size.
func paintFlat(flat string, size image.Point, s *scanner) error {
	p := painter{dasher: rasterx.NewDasher(size.X, size.Y, s), gradients: make(map[string]*rasterx.Gradient)}
	d := xml.NewDecoder(strings.NewReader(flat))
	for {
		t, err := d.RawToken() // RawToken is sufficient: the list has no namespaces, and every element is closed
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if e, ok := t.(xml.StartElement); ok {
			p.element(e.Name.Local, attributesOf(e))
		}
	}
}

// attributesOf returns the attributes of e as a map.
func attributesOf(e xml.StartElement) flatAttrs {
	a := make(flatAttrs, len(e.Attr))
	for _, v := range e.Attr {
		a[v.Name.Local] = v.Value
	}
	return a
}

type flatAttrs map[string]string

// number returns an attribute that flatten has written as a number. If it is missing, number returns `def`.
func (a flatAttrs) number(name string, def float64) float64 {
	if f, err := strconv.ParseFloat(a[name], 64); err == nil {
		return f
	}
	return def
}

// matrix returns an attribute that flatten has written as a transform. If it is missing, matrix returns the identity.
func (a flatAttrs) matrix(name string) rasterx.Matrix2D {
	m := parseTransform(a[name])
	return rasterx.Matrix2D{A: m[0], B: m[1], C: m[2], D: m[3], E: m[4], F: m[5]}
}

func (p *painter) element(name string, a flatAttrs) {
	switch name {
	case "linearGradient", "radialGradient":
		p.open = newGradient(name == "radialGradient", a)
		p.gradients[a["id"]] = p.open
	case "stop":
		stop := rasterx.GradStop{Offset: a.number("offset", 0), Opacity: a.number("stop-opacity", 1)}
		stop.StopColor = flatColor(a["stop-color"])
		p.open.Stops = append(p.open.Stops, stop)
	case "path":
		p.path(a)
	}
}

var spreads = map[string]rasterx.SpreadMethod{"reflect": rasterx.ReflectSpread, "repeat": rasterx.RepeatSpread}

// newGradient returns a gradient without stops. Missing attributes have the defaults of SVG 2, 14.2.2 and 14.2.3.
func newGradient(radial bool, a flatAttrs) *rasterx.Gradient {
	g := &rasterx.Gradient{IsRadial: radial, Matrix: a.matrix("gradientTransform"), Spread: spreads[a["spreadMethod"]]}
	if a["gradientUnits"] == "userSpaceOnUse" {
		g.Units = rasterx.UserSpaceOnUse
	}
	if !radial {
		g.Points = [5]float64{a.number("x1", 0), a.number("y1", 0), a.number("x2", 1), a.number("y2", 0), 0}
		return g
	}
	cx, cy := a.number("cx", 0.5), a.number("cy", 0.5)
	g.Points = [5]float64{cx, cy, a.number("fx", cx), a.number("fy", cy), a.number("r", 0.5)}
	return g
}

var (
	lineCaps  = map[string]rasterx.CapFunc{"round": rasterx.RoundCap, "square": rasterx.SquareCap}
	lineJoins = map[string]rasterx.JoinMode{"miter": rasterx.Miter, "miter-clip": rasterx.MiterClip, "round": rasterx.Round}
)

// path fills a path, and then draws its stroke.
func (p *painter) path(a flatAttrs) {
	path, to := compilePath(a["d"]), a.matrix("transform")
	if a["fill"] != "none" {
		p.dasher.Clear()
		filler := &p.dasher.Filler
		path.AddTo(&rasterx.MatrixAdder{Adder: filler, M: to})
		filler.SetColor(p.paint(a["fill"], a.number("fill-opacity", 1)))
		filler.Draw()
	}
	if line := a["stroke"]; line != "" && line != "none" {
		p.dasher.Clear()
		p.stroke(a)
		path.AddTo(&rasterx.MatrixAdder{Adder: p.dasher, M: to})
		p.dasher.SetColor(p.paint(line, a.number("stroke-opacity", 1)))
		p.dasher.Draw()
	}
}

// stroke sets the stroke style from the attributes a. Widths are in pixels.
func (p *painter) stroke(a flatAttrs) {
	cap, ok := lineCaps[a["stroke-linecap"]]
	if !ok {
		cap = rasterx.ButtCap
	}
	join, ok := lineJoins[a["stroke-linejoin"]]
	if !ok {
		join = rasterx.Bevel
	}
	in64 := func(name string, def float64) fixed.Int26_6 { return fixed.Int26_6(a.number(name, def) * 64) }
	p.dasher.SetStroke(in64("stroke-width", 1), in64("stroke-miterlimit", 4), cap, cap, nil, join,
		numbers(a["stroke-dasharray"]), a.number("stroke-dashoffset", 0))
}

// paint returns a color or gradient for the scanner. A gradient becomes a function, which may depend on the extent of the path.
func (p *painter) paint(v string, opacity float64) any {
	ref, ok := strings.CutPrefix(v, "url(#")
	if g := p.gradients[strings.TrimSuffix(ref, ")")]; ok && g != nil {
		g := *g
		if g.Units == rasterx.ObjectBoundingBox {
			e := p.dasher.Scanner.GetPathExtent()
			g.Bounds.X, g.Bounds.Y = float64(e.Min.X)/64, float64(e.Min.Y)/64
			g.Bounds.W, g.Bounds.H = float64(e.Max.X)/64-g.Bounds.X, float64(e.Max.Y)/64-g.Bounds.Y
		}
		return g.GetColorFunction(opacity)
	}
	return rasterx.ApplyOpacity(flatColor(v), opacity)
}

// flatColor parses a color that flatten has written as #rrggbb. Any other text is black.
func flatColor(v string) color.NRGBA {
	n, _ := strconv.ParseUint(strings.TrimPrefix(v, "#"), 16, 24)
	return color.NRGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255}
}

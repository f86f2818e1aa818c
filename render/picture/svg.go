package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"math"
	"strings"
)

// An SVG is drawn at the size shown, never enlarged from a bitmap. It takes four steps. A small tree is read from the
// XML (svgtree.go). Styles, transforms and references are resolved (svgstyle.go, svgwalk.go). The result is one flat
// list of paths in a plain form (svgpath.go). rasterx draws that list (svgdraw.go) through our scanner, which counts the
// work (svgscan.go).
//
// Not drawn: text, embedded pictures, clip paths, masks, patterns, markers and filters. The opacity of a group applies
// to each of its shapes separately, and fill-rule evenodd is drawn as nonzero.
const (
	maxSVGBytes    = 4 << 20  // of the file: tiles of weather maps reach one or two megabytes
	maxSVGElements = 50_000   // of the tree, and visited when references are followed
	maxSVGDepth    = 128      // of elements in each other. Every level is a call
	maxSVGUses     = 16       // of <use> in each other
	maxSVGText     = 8 << 20  // of the flat list: references may repeat a long path
	smallSVGText   = 1 << 20  // of the limit of a drawing that is begun at once
	maxSVGRead     = 64 << 20 // bytes of attributes read: sixteen times the whole of the largest file
	maxSVGSegments = 1 << 20  // of flattened curves: 36 MB when they belong to one path, while their list grows
	smallSegments  = 1 << 16  // of the limits of a drawing that is begun at once
	maxSVGWork     = 1 << 29  // pixels touched, one unit each: a second or two on a small board
	gradientWork   = 64       // units of a pixel whose color is computed: 230 ns where a flat one takes 2
	maxSVGNumber   = 1 << 24  // of a flattened coordinate, half of what fits rasterx: a million pixels away, see flatScale
)

// errTooComplex is the end of a hostile drawing, errNotSmall of one that needs more room.
var (
	errTooComplex = fmt.Errorf("svg: %w: too complex", ErrTooLarge)
	errNotSmall   = errors.New("svg: not small")
)

// looksLikeSVG looks for the root element behind declarations and comments.
func looksLikeSVG(data []byte) bool {
	const prologue = 4096 // drawing programs write a comment or a list of entities there
	head := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n")
	return bytes.HasPrefix(head, []byte("<")) && bytes.Contains(head[:min(len(head), prologue)], []byte("<svg"))
}

// decodeSVG draws an SVG in its box.
func decodeSVG(data []byte, to target) (*Picture, error) {
	if len(data) > maxSVGBytes {
		return nil, fmt.Errorf("svg: %w: more than %d bytes", ErrTooLarge, maxSVGBytes)
	}
	p, err := within(to, "svg", to.box, svgBytes(data, to.box, smallSVG), func() (*Picture, error) { return drawSVG(data, to, smallSVG) })
	if !errors.Is(err, errNotSmall) {
		return p, err
	}
	return within(to, "svg", to.box, svgBytes(data, to.box, largeSVG), func() (*Picture, error) { return drawSVG(data, to, largeSVG) })
}

// An svgBound is what may become of a drawing's references, dashes and curves, which a few bytes can multiply.
type svgBound struct {
	text, segments int
	err            error // beyond it
}

var (
	smallSVG = svgBound{smallSVGText, smallSegments, errNotSmall}
	largeSVG = svgBound{maxSVGText, maxSVGSegments, errTooComplex}
)

// drawSVG is decodeSVG, within the budget.
func drawSVG(data []byte, to target, most svgBound) (*Picture, error) {
	root, err := parseSVG(data)
	if err != nil {
		return nil, err
	}
	vp, err := root.viewport()
	if err != nil {
		return nil, err
	}
	pl := place(vp.pixels(), to.box, to.fit)
	size := pl.rect.Size()
	flat, err := flatten(root, vp.onto(pl), most)
	if err != nil {
		return nil, err
	}
	img, err := drawFlat(flat, size, most)
	if err != nil {
		return nil, err
	}
	return &Picture{Frames: []Frame{{Img: img}}, Rect: pl.rect, Opaque: img.Opaque(), Drawing: true}, nil
}

// svgBytes is the memory of the picture and its coverage, the elements with their attributes, which are maps, and the
// lists: the flat text, its path data, and the segments. While a list grows, there are two copies.
func svgBytes(data []byte, size image.Point, most svgBound) int64 {
	const element, parsed, segment = 700, 4, 36
	n := int64(min(bytes.Count(data, []byte("<")), 2*maxSVGElements))
	lists := parsed*int64(most.text) + segment*int64(most.segments)
	return min(8*pixels(size)+element*n+4*int64(len(data))+lists, MaxMemory)
}

// drawFlat draws a flat list of paths, whose transforms lead to pixels.
func drawFlat(flat string, size image.Point, most svgBound) (img *image.RGBA, err error) {
	defer func() {
		if r := recover(); r == errTooComplex || r == errNotSmall {
			img, err = nil, r.(error)
		} else if r != nil {
			img, err = nil, fmt.Errorf("svg: cannot be drawn: %v", r)
		}
	}()
	img = image.NewRGBA(image.Rectangle{Max: size})
	if err := paintFlat(flat, size, &scanner{dst: img, most: most}); err != nil {
		return nil, fmt.Errorf("svg: %w", err)
	}
	return img, nil
}

// viewport is the size of a picture in its own units, and the part of its coordinates that fills it.
type viewport struct {
	w, h      float64
	box       [4]float64 // x, y, width, height
	stretches bool       // preserveAspectRatio="none"
}

// viewport reads the attributes of the root. If they are missing, the size is the default size of replaced elements on the web.
func (n *node) viewport() (viewport, error) {
	v := viewport{stretches: strings.HasPrefix(strings.TrimSpace(n.attrs["preserveAspectRatio"]), "none")}
	v.w, v.h = length(n.attrs["width"]), length(n.attrs["height"])
	box := numbers(n.attrs["viewBox"])
	if len(box) == 4 && box[2] > 0 && box[3] > 0 {
		copy(v.box[:], box)
	}
	switch hasBox := v.box[2] > 0; {
	case v.w > 0 && v.h > 0:
		if !hasBox {
			v.box[2], v.box[3] = v.w, v.h
		}
	case !hasBox:
		v.w, v.h = 300, 150
		v.box[2], v.box[3] = v.w, v.h
	case v.w > 0:
		v.h = v.w * v.box[3] / v.box[2]
	case v.h > 0:
		v.w = v.h * v.box[2] / v.box[3]
	default:
		v.w, v.h = v.box[2], v.box[3]
	}
	const widest = 1e6 // and the ratio of the sides. Beyond it floats lose the pixel
	for _, f := range []float64{v.w, v.h, v.box[2], v.box[3], v.w / v.h, v.h / v.w, v.box[2] / v.box[3], v.box[3] / v.box[2]} {
		if !(f > 1/widest && f < widest) {
			return v, fmt.Errorf("svg: size %gx%g cannot be shown", v.w, v.h)
		}
	}
	return v, nil
}

// pixels returns a size of the same proportions in whole numbers, the picture's own if it is whole.
func (v viewport) pixels() image.Point {
	k := 1.0
	if v.w != math.Trunc(v.w) || v.h != math.Trunc(v.h) {
		const fine = 4096
		k = fine / min(v.w, v.h)
	}
	return image.Pt(side(int64(math.Round(v.w*k))), side(int64(math.Round(v.h*k))))
}

// onto returns the transform from the picture's coordinates to the pixels of a placement.
func (v viewport) onto(pl placement) matrix {
	sx, sy := float64(pl.virt.X)/v.w, float64(pl.virt.Y)/v.h // the box stretches all of the viewport …
	kx, ky := v.w/v.box[2], v.h/v.box[3]                     // … in which the view box keeps its ratio, centered
	if !v.stretches {
		kx = min(kx, ky)
		ky = kx
	}
	dx := (v.w-kx*v.box[2])/2 - kx*v.box[0]
	dy := (v.h-ky*v.box[3])/2 - ky*v.box[1]
	return matrix{sx * kx, 0, 0, sy * ky, sx*dx - float64(pl.win.Min.X), sy*dy - float64(pl.win.Min.Y)}
}

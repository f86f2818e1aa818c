package picture

import (
	"math"
	"strconv"
	"strings"

	"github.com/srwiley/rasterx"
	"golang.org/x/image/math/fixed"
)

// A compiler converts path data to a path of rasterx, in 26.6 fixed point (SVG 2, 9.3). The path data must have the syntax that plainPath
// writes: a letter and its numbers, each after a blank.
type compiler struct {
	path             rasterx.Path
	x, y             float64 // the current point
	startX, startY   float64 // start of the current subpath
	handleX, handleY float64 // the last control point
	last             byte    // the last command, as a lower-case letter
	open             bool    // true if a subpath has begun and is not closed
}

// compilePath converts path data, as written by plainPath, to a path.
func compilePath(d string) rasterx.Path {
	var c compiler
	for len(d) > 0 {
		end := 1
		for end < len(d) && d[end]|0x20 < 'a' {
			end++
		}
		c.command(d[0], plainSet(d[1:end]))
		d = d[end:]
	}
	return c.path
}

// plainSet reads the numbers of one command. Missing numbers are 0.
func plainSet(d string) (set [7]float64) {
	i := 0
	for f := range strings.FieldsSeq(d) {
		if i < len(set) {
			set[i], _ = strconv.ParseFloat(f, 64)
		}
		i++
	}
	return set
}

// command adds one command to the path. If `letter` is in lower case, the coordinates in n are relative to the current point.
func (c *compiler) command(letter byte, n [7]float64) {
	kind := letter | 0x20
	if kind == letter {
		c.absolute(kind, &n)
	}
	if kind != 'm' && kind != 'z' && !c.open {
		c.begin(c.x, c.y)
	}
	switch kind {
	case 'm':
		c.begin(n[0], n[1])
	case 'l':
		c.line(n[0], n[1])
	case 'h':
		c.line(n[0], c.y)
	case 'v':
		c.line(c.x, n[0])
	case 'q':
		c.quad(n[0], n[1], n[2], n[3])
	case 't':
		x, y := c.mirrored('q', 't')
		c.quad(x, y, n[0], n[1])
	case 'c':
		c.cube(n[0], n[1], n[2], n[3], n[4], n[5])
	case 's':
		x, y := c.mirrored('c', 's')
		c.cube(x, y, n[0], n[1], n[2], n[3])
	case 'a':
		c.arc(n)
	case 'z':
		c.close()
	}
	c.last = kind
}

// absolute converts the coordinates of a relative command to absolute coordinates.
func (c *compiler) absolute(kind byte, n *[7]float64) {
	switch kind {
	case 'h':
		n[0] += c.x
	case 'v':
		n[0] += c.y
	case 'a':
		n[5], n[6] = n[5]+c.x, n[6]+c.y
	default:
		for i := 0; i < 6; i += 2 {
			n[i], n[i+1] = n[i]+c.x, n[i+1]+c.y
		}
	}
}

// mirrored() returns the last control point, mirrored at the current point, if the last command was a or b. Otherwise it returns the
// current point.
func (c *compiler) mirrored(a, b byte) (x, y float64) {
	if c.last != a && c.last != b {
		return c.x, c.y
	}
	return 2*c.x - c.handleX, 2*c.y - c.handleY
}

func (c *compiler) begin(x, y float64) {
	c.path.Start(point(x, y))
	c.x, c.y, c.startX, c.startY, c.open = x, y, x, y, true
}

func (c *compiler) line(x, y float64) {
	c.path.Line(point(x, y))
	c.x, c.y = x, y
}

func (c *compiler) quad(x1, y1, x, y float64) {
	c.path.QuadBezier(point(x1, y1), point(x, y))
	c.handleX, c.handleY, c.x, c.y = x1, y1, x, y
}

func (c *compiler) cube(x1, y1, x2, y2, x, y float64) {
	c.path.CubeBezier(point(x1, y1), point(x2, y2), point(x, y))
	c.handleX, c.handleY, c.x, c.y = x2, y2, x, y
}

func (c *compiler) close() {
	if c.open {
		c.path.Stop(true)
	}
	c.x, c.y, c.open = c.startX, c.startY, false
}

// arc adds an elliptical arc. n holds the two radii, the rotation in degrees, two flags and the end point. If a radius is 0, arc adds a
// line. If start and end are equal, it adds nothing (SVG 2, 9.5.1).
func (c *compiler) arc(n [7]float64) {
	n[0], n[1] = math.Abs(n[0]), math.Abs(n[1])
	switch {
	case n[5] == c.x && n[6] == c.y:
	case n[0] == 0 || n[1] == 0:
		c.line(n[5], n[6])
	default:
		cx, cy := rasterx.FindEllipseCenter(&n[0], &n[1], n[2]*math.Pi/180, c.x, c.y, n[5], n[6], n[4] == 0, n[3] == 0)
		rasterx.AddArc(n[:], cx, cy, c.x, c.y, &c.path)
		c.x, c.y = n[5], n[6]
	}
}

// point converts a point to fixed point. It limits the coordinates, because sums of relative commands may exceed the range of rasterx.
func point(x, y float64) fixed.Point26_6 {
	x, y = min(max(x, -maxSVGNumber), maxSVGNumber), min(max(y, -maxSVGNumber), maxSVGNumber)
	return fixed.Point26_6{X: fixed.Int26_6(x * 64), Y: fixed.Int26_6(y * 64)}
}

package ink

import (
	"encoding/binary"
	"image"
)

// The three channels of an error are packed in one integer: red + green<<lane + blue<<2*lane. Adding two such integers, or multiplying
// one by a number, does the same to all three channels. No channel overflows, because the error at a pixel is less than 16 times the
// constant `unit`. Such an error needs 18 bits with its sign.
const (
	lane  = 21
	half  = 1 << (lane - 1)                    // added to a channel to make it positive
	bias  = half | half<<lane | half<<(2*lane) // half in all three channels
	share = 1<<(lane-4) - 1                    // mask for a channel's bits after division by 16
)

// packed() returns the three channels of l in one integer.
func packed(l light) int64 { return int64(l[0]) + int64(l[1])<<lane + int64(l[2])<<(2*lane) }

// floyd diffuses errors with the weights of Floyd and Steinberg, for colored inks. It gives the same pixels as dither.lines. It is faster,
// because it keeps sums in registers and looks up the possible inks in a table.
type floyd struct {
	cells *cells
	tone  [3][256]int32 // dither.tone - (lowest light of the inks) - (bias of an error / 16) - most
	most  light
	ends  [2]uint8
	line  []int64 // errors that the line above passes on, and one more element at each end
}

// newFloyd returns the fast version of d. The inks and tones of d must be set.
func newFloyd(d *dither, width int) *floyd {
	f := &floyd{ends: d.ends, line: make([]int64, width+2)}
	for c := range f.most {
		f.most[c] = d.hi[c] - d.lo[c]
		for v := range f.tone[c] {
			f.tone[c][v] = d.tone[c][v] - d.lo[c] - half>>4 - f.most[c]
		}
	}
	inks := make([]light, len(d.inks))
	for i, ink := range d.inks {
		inks[i] = light{ink[0] - d.lo[0], ink[1] - d.lo[1], ink[2] - d.lo[2]}
	}
	f.cells = newCells(inks, f.most)
	return f
}

// draw dithers the part r of a frame and writes the inks to dst.
func (f *floyd) draw(dst *image.Paletted, frame *image.RGBA, r image.Rectangle) {
	line := f.line[:r.Dx()+2]
	clear(line)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		from := frame.Pix[y*frame.Stride+4*r.Min.X:][:4*r.Dx()]
		to := dst.Pix[y*dst.Stride+r.Min.X:][:r.Dx()]
		if (y-r.Min.Y)%2 == 0 {
			f.diffuse(to, from, line, 0, 1)
		} else {
			f.diffuse(to, from, line, len(to)-1, -1)
		}
	}
}

// diffuse writes a line of inks, beginning at x. `line` holds the errors from the line above. diffuse overwrites them with the errors for
// the line below, one pixel behind its reading position. Each pixel depends on the previous pixel. To shorten this dependency, diffuse
// computes the next error for both inks of the choice in advance.
func (f *floyd) diffuse(to, from []uint8, line []int64, x, step int) {
	given, below, last := uint64(line[x+1]+bias), int64(0), int64(0)
	cells, tone, most := f.cells, &f.tone, f.most
	for range to {
		ink, miss := f.ends[0], int64(0)
		next := line[x+1+step] + bias
		switch v := binary.LittleEndian.Uint32(from[4*x:]) & 0xffffff; v {
		case 0:
		case 0xffffff:
			ink = f.ends[1]
		default:
			r := clamp(tone[0][v&0xff]+int32(given>>4&share), most[0])
			g := clamp(tone[1][v>>8&0xff]+int32(given>>(lane+4)&share), most[1])
			b := clamp(tone[2][v>>16&0xff]+int32(given>>(2*lane+4)&share), most[2])
			name := cells.choice[r>>cellBits*cells.red+g>>cellBits*cells.green+b>>cellBits]
			miss = int64(r) + int64(g)<<lane + int64(b)<<(2*lane)
			if name == searched {
				ink = nearest(cells.inks, light{r, g, b})
				miss -= packed(cells.inks[ink])
				next += 7 * miss
				break
			}
			c := &cells.choices[name]
			miss -= c.first
			next += 7 * miss
			beyond := (c.slope[0]*r + c.slope[1]*g + (c.slope[2]*b + c.level)) >> 31 // -1 if the second ink is nearer, otherwise 0
			ink = c.inks[beyond&1]
			miss -= c.other & int64(beyond)
			next -= c.other7 & int64(beyond)
		}
		to[x] = ink
		line[x+1-step] = below + 3*miss
		given, below, last = uint64(next), last+5*miss, miss
		x += step
	}
	line[x+1-step] = below
}

// clamp returns min(max(v, 0), most). The caller passes more = v-most. clamp has no branches, because errors change their sign too often
// for branch prediction.
func clamp(more, most int32) int32 {
	return (more&(more>>31) + most) &^ ((more + most) >> 31)
}

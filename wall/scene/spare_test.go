package scene

import (
	"flag"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"dashboard/internal/testing/race"
	"dashboard/samples"
	"dashboard/theme/sun"
)

// sheets is the folder into which TestNoEmptyRoom writes each picture, so that a person can look at the pictures.
var sheets = flag.String("sheets", "", "write each sample in each size into this `folder`")

// wallSizes are the screen sizes in px in which samples are checked.
var wallSizes = []image.Point{
	{X: 320, Y: 240}, {X: 480, Y: 320}, {X: 800, Y: 480}, {X: 1280, Y: 720},
	{X: 1920, Y: 1080}, {X: 480, Y: 800}, {X: 1080, Y: 1920}, {X: 400, Y: 300}, {X: 1024, Y: 600},
}

// mostEmpty is the largest permitted empty rectangle, as a fraction of the wall's area.
const mostEmpty = 0.18

// hatMost replaces mostEmpty for the sample named hat on walls whose longer side has more than 400 px. This sample for small screens has
// only a clock at the top.
const hatMost = 0.25

// TestNoEmptyRoom checks that content grows into free space. No sample has a large empty rectangle in any size.
func TestNoEmptyRoom(t *testing.T) {
	t.Parallel()
	for n, name := range samples.Names() {
		if name == "classic-home" || race.Left(n, 12) { // classic-home has the look of Grydgets, which leaves space empty
			continue
		}
		t.Run(name, func(t *testing.T) {
			for i, size := range wallSizes {
				if testing.Short() && (n+i)%len(wallSizes) != 0 {
					continue // the next sample has the next size
				}
				for mode, word := range map[sun.Mode]string{sun.Day: "day", sun.Night: "night"} {
					if mode == sun.Day && *sheets == "" {
						continue // this mode has the same layout in other colors
					}
					showWall(t, filepath.Join("../../samples", name), size, mode, func(m *image.RGBA) {
						sheet(t, fmt.Sprintf("%s-%dx%d-%s", name, size.X, size.Y, word), m)
						share, where := largestEmpty(m)
						most := mostEmpty
						if name == "hat" && max(size.X, size.Y) > 400 {
							most = hatMost
						}
						if share > most {
							t.Errorf("%v by %s: %v is empty, %.1f %% of the wall", size, word, where, 100*share)
						}
					})
				}
			}
		})
	}
}

// TestLargestEmpty checks that largestEmpty finds the largest empty rectangle next to smaller empty rectangles and next to content.
func TestLargestEmpty(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 160, 80))
	for x := range 160 {
		for y := range 80 {
			m.Pix[m.PixOffset(x, y)+3] = 255
			if x < 60 && y >= 40 {
				m.Pix[m.PixOffset(x, y)] = 200 // pixels of a card
			} else if x >= 100 {
				m.Pix[m.PixOffset(x, y)] = uint8(7 * (x + y)) // pixels of a photo
			}
		}
	}
	share, where := largestEmpty(m)
	if want := image.Rect(0, 0, 100, 40); where != want || share != 4000.0/12800 {
		t.Errorf("got %v, %.3f, want %v", where, share, want)
	}
}

// sheet writes a picture into the folder of the flag -sheets.
func sheet(t *testing.T, name string, m *image.RGBA) {
	t.Helper()
	if *sheets == "" {
		return
	}
	f, err := os.Create(filepath.Join(*sheets, name+".png"))
	if err != nil {
		t.Fatal(err)
	}
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(f, m); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// cellsAcross is the number of cells in a row of the search grid. A cell is empty if all of its pixels have the same color.
const cellsAcross = 160

// largestEmpty returns the largest rectangle of a single color in a picture, and its fraction of the picture's area.
func largestEmpty(m *image.RGBA) (share float64, where image.Rectangle) {
	side := max(2, m.Rect.Dx()/cellsAcross)
	wide, high := m.Rect.Dx()/side, m.Rect.Dy()/side
	colors := make([]uint32, wide*high)
	counts := map[uint32]int{}
	for i := range colors {
		colors[i] = flatCell(m, i%wide*side, i/wide*side, side)
		counts[colors[i]]++
	}
	best := 0
	for c, n := range counts {
		if c == 0 || n <= best {
			continue
		}
		if area, r := largestOf(colors, wide, c); area > best {
			best, where = area, image.Rect(r.Min.X*side, r.Min.Y*side, r.Max.X*side, r.Max.Y*side)
		}
	}
	return float64(best) / float64(wide*high), where
}

// flatCell returns the color of a square of pixels as a number that includes the alpha. If the square has several colors, it returns 0.
func flatCell(m *image.RGBA, x, y, side int) uint32 {
	first := m.Pix[m.PixOffset(x, y):][:4]
	for dy := range side {
		row := m.Pix[m.PixOffset(x, y+dy):][:4*side]
		for i := range row {
			if row[i] != first[i%4] {
				return 0
			}
		}
	}
	return uint32(first[0])<<24 | uint32(first[1])<<16 | uint32(first[2])<<8 | uint32(first[3])
}

// largestOf returns the largest rectangle of cells with the color c.
func largestOf(colors []uint32, wide int, c uint32) (best int, where image.Rectangle) {
	heights := make([]int, wide+1)
	var open []int // left columns of rectangles that have not ended, in the order of their heights
	for y := range len(colors) / wide {
		open = open[:0]
		for x := range wide + 1 {
			if x < wide {
				if heights[x]++; colors[y*wide+x] != c {
					heights[x] = 0
				}
			}
			for len(open) > 0 && heights[open[len(open)-1]] >= heights[x] {
				h := heights[open[len(open)-1]]
				open = open[:len(open)-1]
				left := 0
				if len(open) > 0 {
					left = open[len(open)-1] + 1
				}
				if area := h * (x - left); area > best {
					best, where = area, image.Rect(left, y+1-h, x, y+1)
				}
			}
			open = append(open, x)
		}
	}
	return best, where
}

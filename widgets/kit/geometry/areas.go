package geometry

import (
	"fmt"
	"image"
	"slices"
	"strings"
)

const (
	// MaxAreaRows is the maximum number of rows of an area grid. A wall cannot show more rows readably.
	MaxAreaRows = 64
	// MaxAreaColumns is the maximum number of columns.
	MaxAreaColumns = 64
)

// `nothing` is the word that marks an empty cell.
const nothing = "."

// Areas is a grid of words. All cells with the same word form a rectangle, which is an area.
type Areas struct {
	Columns, Rows int
	rects         map[string]image.Rectangle // rectangle of each area, in cells
	order         []string
	lines         [][]string
}

// ParseAreas parses rows of words, as in CSS's grid-template-areas. Cells with the same word form one area, and "." is an empty cell. All
// rows must have the same length, and each area must be a rectangle. Otherwise, the error includes a drawing of the grid.
func ParseAreas(rows []string) (*Areas, error) {
	a := &Areas{Rows: len(rows), rects: map[string]image.Rectangle{}}
	if len(rows) == 0 || len(rows) > MaxAreaRows {
		return nil, fmt.Errorf("takes 1 to %d rows of words, not %d", MaxAreaRows, len(rows))
	}
	for _, row := range rows {
		a.lines = append(a.lines, strings.Fields(row))
	}
	a.Columns = len(a.lines[0])
	for i, line := range a.lines {
		switch {
		case len(line) == 0 || len(line) > MaxAreaColumns:
			return nil, a.wrong("row %d takes 1 to %d words, not %d", i+1, MaxAreaColumns, len(line))
		case len(line) != a.Columns:
			return nil, a.wrong("row %d has %d words and row 1 has %d: each row needs as many, '.' stands for an empty cell", i+1, len(line), a.Columns)
		}
	}
	return a, a.find()
}

// find computes the rectangle of each area.
func (a *Areas) find() error {
	cells := map[string]int{}
	for y, line := range a.lines {
		for x, word := range line {
			if word == nothing {
				continue
			}
			if _, known := a.rects[word]; !known {
				a.order = append(a.order, word)
			}
			a.rects[word] = a.rects[word].Union(image.Rect(x, y, x+1, y+1))
			cells[word]++
		}
	}
	for _, word := range a.order {
		if r := a.rects[word]; r.Dx()*r.Dy() != cells[word] {
			return a.wrong("'%s' is no rectangle", word)
		}
	}
	return nil
}

// wrong() returns an error whose message is followed by a drawing of the grid.
func (a *Areas) wrong(format string, args ...any) error {
	return fmt.Errorf("%s:\n%s", fmt.Sprintf(format, args...), a)
}

// String draws the grid with aligned columns.
func (a *Areas) String() string {
	var widths []int
	for _, line := range a.lines {
		for x, word := range line {
			if x == len(widths) {
				widths = append(widths, 0)
			}
			widths[x] = max(widths[x], len([]rune(word)))
		}
	}
	var b strings.Builder
	for y, line := range a.lines {
		if y > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("  |")
		for x, word := range line {
			fmt.Fprintf(&b, " %-*s |", widths[x], word)
		}
	}
	return b.String()
}

// Words returns the words of the areas in the order of their first cells.
func (a *Areas) Words() []string { return slices.Clone(a.order) }

// Cells returns the rectangle of an area, in cells. ok is false for an unknown area.
func (a *Areas) Cells(word string) (cells image.Rectangle, ok bool) {
	cells, ok = a.rects[word]
	return cells, ok
}

// Rect converts the rectangle of an area from cells to px. `columns` and `rows` are the positions of the tracks. The result includes the
// gaps inside the area.
func Rect(cells image.Rectangle, columns, rows []Span) image.Rectangle {
	return image.Rect(columns[cells.Min.X].At, rows[cells.Min.Y].At, columns[cells.Max.X-1].End(), rows[cells.Max.Y-1].End())
}

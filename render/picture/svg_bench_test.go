package picture

import (
	"fmt"
	"image"
	"strings"
	"testing"
)

// BenchmarkSVG draws an icon and a map of 2,000 shapes at 400x400. docs/dev/decisions/svg.md has the results.
func BenchmarkSVG(b *testing.B) {
	var shapes strings.Builder
	for i := range 2000 {
		x, y := i%50*8, i/50*10
		fmt.Fprintf(&shapes, `<path fill="#%06x" stroke="black" d="M%d %dc3 1 5 4 7 6l-4 3q-3-2-3-9z"/>`, i*4001, x, y)
	}
	for name, body := range map[string]string{
		"icon": `<path d="M12 2A10 10 0 1 0 22 12 10 10 0 0 0 12 2Zm1 15h-2v-6h2Zm0-8h-2V7h2Z" transform="scale(16)"/>`, "map": shapes.String(),
	} {
		data := []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400">` + body + `</svg>`)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Decode(b.Context(), data, image.Pt(400, 400), Contain, true); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

package text_test

import (
	"fmt"
	"image"
	"image/color"
	"strings"

	"dashboard/render/text"
)

// A clock line is fitted into a box of 46x16 pixels and painted.
func Example() {
	cache := text.NewCache(4 << 20)
	clock := text.NewBlock(cache, text.Options{
		Box:    image.Pt(46, 16),
		Align:  text.Center,
		VAlign: text.Middle,
	})
	clock.Set("12:34")

	screen := image.NewRGBA(image.Rect(0, 0, 46, 16))
	clock.Paint(screen, screen.Rect, image.Point{}, color.RGBA{255, 255, 255, 255})
	fmt.Println("size", clock.Size())
	for y := clock.Ink().Min.Y; y < clock.Ink().Max.Y; y++ {
		var row strings.Builder
		for x := range 46 {
			row.WriteByte(" .+#"[screen.RGBAAt(x, y).A/64])
		}
		fmt.Println(strings.TrimRight(row.String(), " "))
	}
	// Output:
	// size 12
	//           .     ..         .       .
	//         .##.   ####.     +###+    ##+
	//         #+#.  +#  #+     #+ +#   .##+
	//           #.      #+ +#     +#   #.#+
	//           #.     ##  .+   .##.  #+ #+
	//           #.    ##.        +## .#  #+
	//           #.   ##        .  .#.######+
	//          .#+  +#+... .+  #+.+#.....#+
	//         #####.###### +#  .###+     #+
}

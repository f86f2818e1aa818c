package fb_test

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"os"
	"path/filepath"

	"dashboard/fb"
)

// The example shows a frame on a file that is used like a framebuffer.
func ExampleNew() {
	dir, err := os.MkdirTemp("", "fb")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	screen := fb.Virtual{Width: 4, Height: 2, Format: fb.RGB565}
	dev, err := fb.OpenVirtual(filepath.Join(dir, "screen.raw"), screen)
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := fb.New(dev, fb.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer d.Halt()

	frame := image.NewRGBA(d.Bounds())
	draw.Draw(frame, frame.Rect, image.NewUniform(color.RGBA{255, 0, 0, 255}), image.Point{}, draw.Src)
	if err := d.DrawFrame(frame, nil); err != nil {
		fmt.Println(err)
		return
	}
	raw, err := os.ReadFile(filepath.Join(dir, "screen.raw"))
	fmt.Printf("%v\n% x %v\n", d, raw, err)
	// Output:
	// fb: virtual 4x2 RGB565 stride 8, window at 0,0 of 4x2
	// 00 f8 00 f8 00 f8 00 f8 00 f8 00 f8 00 f8 00 f8 <nil>
}

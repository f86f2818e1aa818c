package picture

import (
	"bytes"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"testing"
	"time"
)

func crc(b []byte) uint32 { return crc32.ChecksumIEEE(b) }

var palette = color.Palette{color.Transparent, red, green, blue}

// cel returns a frame in which all pixels have the same palette index.
func cel(r image.Rectangle, index uint8) *image.Paletted {
	p := image.NewPaletted(r, palette)
	for i := range p.Pix {
		p.Pix[i] = index
	}
	return p
}

// animatedGIF returns an animation of 20x10 pixels that plays three times. The first frame is red. The second frame adds a green window.
// The third frame has a transparent window and a blue right half.
func animatedGIF(t testing.TB) []byte {
	return gifOf(t, 2, gif.DisposalNone, gif.DisposalBackground, gif.DisposalNone)
}

func gifOf(t testing.TB, loops int, disposal ...byte) []byte {
	g := &gif.GIF{
		Image: []*image.Paletted{
			cel(image.Rect(0, 0, 20, 10), 1), cel(image.Rect(4, 2, 10, 8), 2), cel(image.Rect(10, 0, 20, 10), 3),
		},
		Delay: []int{10, 25, 40}, Disposal: disposal, LoopCount: loops,
		Config: image.Config{Width: 20, Height: 10, ColorModel: palette},
	}
	return encoded(t, func(b *bytes.Buffer) error { return gif.EncodeAll(b, g) })
}

// TestAnimation checks three pixels of each frame: a pixel outside the changed parts, a pixel in the window, and a pixel in the right half.
func TestAnimation(t *testing.T) {
	const none, erased, before = gif.DisposalNone, gif.DisposalBackground, gif.DisposalPrevious
	type pixels [3]color.RGBA
	tests := []struct {
		name   string
		data   []byte
		want   []pixels
		opaque bool
	}{
		{"gif, all stay", gifOf(t, 2, none, none, none), []pixels{{red, red, red}, {red, green, red}, {red, green, blue}}, true},
		{"gif, window erased", animatedGIF(t), []pixels{{red, red, red}, {red, green, red}, {red, nothing, blue}}, false},
		{"gif, window restored", gifOf(t, 2, none, before, none), []pixels{{red, red, red}, {red, green, red}, {red, red, blue}}, true},
		{"gif, first erased", gifOf(t, 2, erased, none, none), []pixels{{red, red, red}, {nothing, green, nothing}, {nothing, green, blue}}, false},
		{"webp, window erased", file(t, "animated.webp"), []pixels{{red, red, red}, {red, green, red}, {red, nothing, blue}}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Decode(t.Context(), tt.data, image.Pt(20, 10), Contain, true)
			if err != nil {
				t.Fatal(err)
			}
			if len(p.Frames) != len(tt.want) || p.Opaque != tt.opaque || p.Loops != 3 {
				t.Fatalf("got %d frames, opaque %v, %d loops, want %d, %v, 3", len(p.Frames), p.Opaque, p.Loops, len(tt.want), tt.opaque)
			}
			for i, f := range p.Frames {
				if got := (pixels{f.Img.RGBAAt(1, 5), f.Img.RGBAAt(6, 5), f.Img.RGBAAt(15, 5)}); got != tt.want[i] {
					t.Errorf("frame %d: got %v, want %v", i, got, tt.want[i])
				}
				if want := []time.Duration{100, 250, 400}[i] * time.Millisecond; f.Delay != want {
					t.Errorf("frame %d: got %v, want %v", i, f.Delay, want)
				}
			}
		})
	}
}

// TestWebPFrames decodes lossy frames that replace the canvas instead of blending. One frame has a separate alpha plane.
func TestWebPFrames(t *testing.T) {
	p, err := Decode(t.Context(), file(t, "frames.webp"), image.Pt(34, 28), Contain, true)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Frames) != 2 || p.Frames[0].Delay != 100*time.Millisecond || p.Frames[1].Delay != 200*time.Millisecond || p.Loops != 0 {
		t.Fatalf("got %d frames, %d loops", len(p.Frames), p.Loops)
	}
	if got := p.Frames[0].Img.RGBAAt(8, 6); !near(got, red) {
		t.Errorf("first: got %v, want red", got)
	}
	if got := p.Frames[1].Img.RGBAAt(10, 22); got.A > 12 {
		t.Errorf("second, below: got %v, want nothing", got)
	}
	if got := p.Frames[1].Img.RGBAAt(10, 10); !near(got, red) {
		t.Errorf("second, above: got %v, want red", got)
	}
}

func TestFrame(t *testing.T) {
	const ms = time.Millisecond
	p, err := Decode(t.Context(), animatedGIF(t), image.Pt(20, 10), Contain, true)
	if err != nil {
		t.Fatal(err)
	}
	endless := *p
	endless.Loops = 0
	tests := []struct {
		name    string
		p       *Picture
		elapsed time.Duration
		index   int
		next    time.Duration
	}{
		{"start", p, 0, 0, 100 * ms},
		{"before the start", p, -time.Second, 0, 100 * ms},
		{"just before a change", p, 99 * ms, 0, 1 * ms},
		{"at a change", p, 100 * ms, 1, 250 * ms},
		{"last of a loop", p, 360 * ms, 2, 390 * ms},
		{"second loop", p, 760 * ms, 0, 90 * ms},
		{"last frame of the last loop stays", p, 2*750*ms + 350*ms, 2, Forever},
		{"after the last loop", p, time.Hour, 2, Forever},
		{"endless", &endless, 100*750*ms + 120*ms, 1, 230 * ms},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if i, next := tt.p.Frame(tt.elapsed); i != tt.index || next != tt.next {
				t.Errorf("got %d for %v, want %d for %v", i, next, tt.index, tt.next)
			}
		})
	}
	if n := testing.AllocsPerRun(100, func() { p.Frame(300 * ms) }); n != 0 {
		t.Errorf("got %v allocations, want 0", n)
	}
}

// longGIF returns an animation without delays: n frames of one pixel on a canvas of the given size.
func longGIF(t testing.TB, size image.Point, n int) []byte {
	g := &gif.GIF{Config: image.Config{Width: size.X, Height: size.Y, ColorModel: palette}}
	for i := range n {
		g.Image = append(g.Image, cel(image.Rect(i%size.X, 0, i%size.X+1, 1), uint8(1+i%3)))
		g.Delay = append(g.Delay, 0)
	}
	return encoded(t, func(b *bytes.Buffer) error { return gif.EncodeAll(b, g) })
}

func TestAnimationBounds(t *testing.T) {
	tests := []struct {
		name      string
		canvas    image.Point
		n         int
		box       image.Point
		frames    int
		firstTime time.Duration
	}{
		{"frame count", image.Pt(4, 4), MaxFrames + 50, image.Pt(4, 4), MaxFrames, usualDelay},
		{"canvas times frames", image.Pt(2500, 2000), 40, image.Pt(20, 20), MaxAnimationPixels / 5_000_000, usualDelay},
		{"shown pixels thin the frames", image.Pt(40, 20), 20, image.Pt(2000, 1000), 4, 5 * usualDelay},
		{"one frame is a still", image.Pt(4, 4), 1, image.Pt(4, 4), 1, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Decode(t.Context(), longGIF(t, tt.canvas, tt.n), tt.box, Contain, false)
			if err != nil {
				t.Fatal(err)
			}
			if len(p.Frames) != tt.frames || p.Frames[0].Delay != tt.firstTime {
				t.Errorf("got %d frames, the first for %v, want %d, %v", len(p.Frames), p.Frames[0].Delay, tt.frames, tt.firstTime)
			}
		})
	}
}

// TestCutAnimation: a truncated file shows the frames before the cut.
func TestCutAnimation(t *testing.T) {
	data := animatedGIF(t)
	p, err := Decode(t.Context(), data[:len(data)-8], image.Pt(20, 10), Contain, true)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Frames) != 2 {
		t.Errorf("got %d frames, want 2", len(p.Frames))
	}
}

// 518 frames of 3840x2160 have 4,296,499,200 pixels, a number that 32 bits truncate to 1,531,904. For a box of this size, the animation
// is refused. For a smaller box, its frames stay within MaxShownPixels. "make arm32" runs this test as 32-bit code.
func TestAnimationBeyond32Bits(t *testing.T) {
	data := longGIF(t, image.Pt(16, 9), 518)
	if _, err := Decode(t.Context(), data, image.Pt(3840, 2160), Contain, false); !errors.Is(err, ErrTooLarge) {
		t.Errorf("3840x2160: got %v, want ErrTooLarge", err)
	}
	p, err := Decode(t.Context(), data, image.Pt(1920, 1080), Contain, false)
	if err != nil {
		t.Fatal(err)
	}
	if shown := int64(len(p.Frames)) * pixels(p.Rect.Size()); shown > MaxShownPixels || len(p.Frames) < 2 {
		t.Errorf("1920x1080: got %d frames, %d pixels, want at most %d", len(p.Frames), shown, MaxShownPixels)
	}
}

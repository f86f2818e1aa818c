package jpegtile

import (
	"bytes"
	"fmt"
	"image"
	"os/exec"
	"testing"

	"dashboard/internal/testing/testpic"
)

// TestDjpeg decodes full files and deltas with djpeg, the decoder program of libjpeg-turbo.
func TestDjpeg(t *testing.T) {
	djpeg, err := exec.LookPath("djpeg")
	if err != nil {
		t.Skip("djpeg (Debian: libjpeg-turbo-progs) is not installed: libjpeg-turbo has NOT read our files")
	}
	eachSize(t, func(t *testing.T, pic *image.RGBA, o Options) {
		e := encoder(t, pic, o)
		got := runDjpeg(t, djpeg, e.AppendTo(nil))
		if got.Rect != pic.Rect {
			t.Fatalf("got %v, want %v", got.Rect, pic.Rect)
		}
		if q := testpic.PSNR(pic, got); q < 28 {
			t.Errorf("got %.2f dB, want at least 28", q)
		}
		delta, err := e.AppendDelta(nil, e.AppendTiles(nil, pic.Rect))
		if err != nil {
			t.Fatal(err)
		}
		if w, h := e.DeltaSize(e.Tiles()); runDjpeg(t, djpeg, delta).Rect != image.Rect(0, 0, w, h) {
			t.Errorf("delta: want %dx%d", w, h)
		}
	})
}

// runDjpeg decodes a JPEG with djpeg and returns the picture. A warning of djpeg is a failure.
func runDjpeg(t *testing.T, program string, file []byte) *image.RGBA {
	t.Helper()
	var out, warnings bytes.Buffer
	cmd := exec.Command(program, "-ppm", "-strict")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(file), &out, &warnings
	if err := cmd.Run(); err != nil || warnings.Len() > 0 {
		t.Fatalf("djpeg: %v: %s", err, warnings.String())
	}
	var w, h int
	if _, err := fmt.Fscanf(&out, "P6\n%d %d\n255\n", &w, &h); err != nil {
		t.Fatal(err)
	}
	pic := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		copy(pic.Pix[4*i:], out.Next(3))
		pic.Pix[4*i+3] = 255
	}
	return pic
}

package rig

import (
	"context"
	"fmt"
	"image"
	"path/filepath"
	"runtime"

	"dashboard/tools/command"
	"dashboard/tools/qemu"
)

// paint starts a dashboard without a screen to paint the wall in a folder. `via` is the emulator's command that runs the dashboard, or
// nil if this machine can run it directly.
func paint(ctx context.Context, via []string, dashboard, folder string, size image.Point) (*image.RGBA, error) {
	out := filepath.Join(folder, filepath.Base(dashboard)+".png")
	wanted := fmt.Sprintf("%dx%d", size.X, size.Y)
	args := append(append([]string{}, via...), dashboard, "render", "--config-dir", folder, "--size", wanted, "-o", out)
	if _, err := command.Run(ctx, nil, args[0], args[1:]...); err != nil {
		return nil, err
	}
	return qemu.ReadPNG(out)
}

// emulator returns the command that runs programs for arm64 on this machine.
func emulator() []string {
	if runtime.GOARCH == "arm64" {
		return nil
	}
	return []string{userEmulator}
}

// paintTwice paints a wall twice: with the released dashboard in an emulator, and with the same dashboard compiled for this machine. It
// compares the pictures and returns the first picture. Some processors round a product before they add it, and others do not. The
// difference is visible at the edges of letters.
func (l *lab) paintTwice(ctx context.Context, folder string, size image.Point) (*image.RGBA, error) {
	shipped, err := paint(ctx, emulator(), l.dashboard, folder, size)
	if err != nil {
		return nil, err
	}
	here, err := paint(ctx, nil, l.here, folder, size)
	if err != nil {
		return nil, err
	}
	if err := nearlySame(shipped, here); err != nil {
		return nil, err
	}
	return shipped, nil
}

// At most one of roundedShare pixels may be rounded differently.
const roundedShare = 10000

// nearlySame returns an error if two pictures differ more than by rounding: in a channel by more than one level, or in more than one of
// roundedShare pixels.
func nearlySame(a, b *image.RGBA) error {
	if a.Rect != b.Rect {
		return fmt.Errorf("one machine paints %v, the other %v", a.Rect, b.Rect)
	}
	n := 0
	for i := 0; i < len(a.Pix); i += 4 {
		d := farthest(a.Pix[i:i+4], b.Pix[i:i+4])
		if d > 1 {
			x, y := i/4%a.Rect.Dx(), i/4/a.Rect.Dx()
			return fmt.Errorf("pixel %d,%d: one machine paints %v, the other %v", x, y, a.RGBAAt(x, y), b.RGBAAt(x, y))
		}
		n += d
	}
	if most := len(a.Pix) / 4 / roundedShare; n > most {
		return fmt.Errorf("%d pixels differ between two machines, want at most %d", n, most)
	}
	return nil
}

// farthest() returns the largest difference between the channels of two pixels.
func farthest(a, b []uint8) (d int) {
	for i := range a {
		d = max(d, int(a[i])-int(b[i]), int(b[i])-int(a[i]))
	}
	return d
}

// blackScreen returns a black picture.
func blackScreen(size image.Point) *image.RGBA { return image.NewRGBA(image.Rectangle{Max: size}) }

//go:build linux

package appliance

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"dashboard/fb/drm"
)

// Paths of the console and of the framebuffer on which the dashboard and the client show their frames.
const (
	console     = "/dev/tty1"
	framebuffer = "/dev/fb0"
)

// frameShown reports whether there is a picture on the screen. It checks the screen itself if this is possible.
//
// With a framebuffer, two conditions must hold. The console is in graphics mode, which only a dashboard requests. The framebuffer is not
// all zeros and does not show the start screen.
//
// With a graphics card, three conditions must hold. A program controls the console, the program has reported a painted picture to
// systemd, and the card shows a picture.
//
// If there is no screen, or the wall has no window, the program's report to systemd is enough. In this case frameShown returns true only
// if `rarely` is true, because reading the report starts two programs.
func frameShown(ctx context.Context, rarely bool) bool {
	if inGraphics(console) {
		return !blank(framebuffer) && !starting(framebuffer)
	}
	if leased(console) {
		return painting(ctx) && onCard()
	}
	return rarely && painting(ctx) && headless(ctx)
}

// onCard reports whether a CRTC of a graphics card shows a picture other than black or the console. If no buffer can be read, onCard
// returns true, because the program has reported a picture.
func onCard() bool {
	cards, _ := filepath.Glob("/dev/dri/card[0-9]*") // the pattern is valid
	console, _ := os.ReadFile(framebuffer)           // a machine may have no framebuffer
	read, shown := false, false
	for _, path := range cards {
		err := drm.Seen(path, func(s drm.Scanout) {
			read = true
			shown = shown || isPicture(s.Pixels, console)
		})
		if err != nil {
			say("%v", err)
		}
	}
	return shown || !read
}

// isPicture reports whether `pixels` are a picture. A picture has more than one color, unlike a black screen, and differs from the
// console's buffer.
func isPicture(pixels, console []byte) bool {
	const pixel = 4
	if len(pixels) < 2*pixel || bytes.Equal(pixels[pixel:], pixels[:len(pixels)-pixel]) {
		return false
	}
	return len(console) < len(pixels) || !bytes.Equal(pixels, console[:len(pixels)])
}

// headless() reports whether this machine shows no wall. Either the machine has no screen, or the dashboard has reported a configuration
// without a window.
func headless(ctx context.Context) bool {
	if _, err := os.Stat(framebuffer); errors.Is(err, fs.ErrNotExist) {
		return true
	}
	return status(ctx) == noWindow
}

// status() returns the status that the dashboard reports to systemd.
func status(ctx context.Context) string {
	said := output(ctx, []string{"systemctl", "show", "--property=StatusText", "--value", "dashboard.service"})
	return strings.TrimSpace(string(said))
}

// noWindow is the dashboard's status if the configuration has no window.
const noWindow = "no window"

// starting() reports whether a framebuffer still shows the start screen.
func starting(path string) bool {
	painted, err := os.ReadFile(paintedFile)
	if err != nil {
		return false // there was no start screen
	}
	now, err := sumOfFile(path)
	return err == nil && now == string(painted)
}

// painting() reports whether the dashboard or the client has reported a painted picture to systemd.
func painting(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, outputTime)
	defer cancel()
	return exec.CommandContext(ctx, "systemctl", "is-active", "--quiet", "dashboard.service", "dashboard-client.service").Run() == nil
}

// The ioctl request for the mode of switching consoles, and the mode in which a program switches them (include/uapi/linux/vt.h).
const (
	vtGetMode = 0x5601
	vtProcess = 1
)

// leased() reports whether a program controls the switching of the console. The kernel then asks this program before it shows another
// console.
func leased(path string) bool {
	f, err := os.OpenFile(path, os.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	var mode struct {
		mode, wait               int8
		release, acquire, unused int16
	}
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, f.Fd(), vtGetMode, uintptr(unsafe.Pointer(&mode)))
	return errno == 0 && mode.mode == vtProcess
}

// The ioctl request for a console's mode, and the value for graphics mode (include/uapi/linux/kd.h).
const (
	kdGetMode  = 0x4b3b
	kdGraphics = 1
)

func inGraphics(path string) bool {
	f, err := os.OpenFile(path, os.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	mode, err := unix.IoctlGetInt(int(f.Fd()), kdGetMode)
	return err == nil && mode == kdGraphics
}

// blank() reports whether a framebuffer cannot be read or has only zeros.
func blank(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return true
	}
	defer f.Close()
	part, zeros := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, err := io.ReadFull(f, part)
		if !bytes.Equal(part[:n], zeros[:n]) {
			return false
		}
		if err != nil {
			return true
		}
	}
}

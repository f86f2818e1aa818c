//go:build linux

package main

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

// The console on which the units of both roles show their frames.
const (
	console     = "/dev/tty1"
	framebuffer = "/dev/fb0"
)

// frameShown reports whether there is a picture on the screen. With a framebuffer the console is in graphics mode, which only
// a dashboard asks for, and what the framebuffer has is neither all 0 nor the start screen: nobody's word is taken for it. With a connector of the
// graphics card the console is leased, the program has told systemd that it painted, and what the card shows is a picture; a
// wall without a window has told so, which is asked rarely: it costs two programs.
func frameShown(ctx context.Context, rarely bool) bool {
	if inGraphics(console) {
		return !blank(framebuffer) && !starting(framebuffer)
	}
	if leased(console) {
		return painting(ctx) && onCard()
	}
	return rarely && painting(ctx) && headless(ctx)
}

// onCard reports whether a card shows a picture that is neither black nor the console's: the buffer is read that is on its
// CRTC. What cannot be read counts as a picture, by the program's word.
func onCard() bool {
	cards, _ := filepath.Glob("/dev/dri/card[0-9]*") // the pattern is correct
	console, _ := os.ReadFile(framebuffer)           // there may be none
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

// isPicture reports whether pixels are neither one color, as a black screen is, nor those of the console's buffer.
func isPicture(pixels, console []byte) bool {
	const pixel = 4
	if len(pixels) < 2*pixel || bytes.Equal(pixels[pixel:], pixels[:len(pixels)-pixel]) {
		return false
	}
	return len(console) < len(pixels) || !bytes.Equal(pixels, console[:len(pixels)])
}

// headless reports whether the wall is for other screens alone: the service has said that its configuration has no window, or
// the machine has no screen.
func headless(ctx context.Context) bool {
	if _, err := os.Stat(framebuffer); errors.Is(err, fs.ErrNotExist) {
		return true
	}
	return status(ctx) == noWindow
}

// status is what the dashboard tells systemd of itself.
func status(ctx context.Context) string {
	said := output(ctx, []string{"systemctl", "show", "--property=StatusText", "--value", "dashboard.service"})
	return strings.TrimSpace(string(said))
}

// noWindow is what the dashboard tells systemd if its configuration has no window.
const noWindow = "no window"

// starting reports whether a framebuffer still shows the start screen.
func starting(path string) bool {
	painted, err := os.ReadFile(paintedFile)
	if err != nil {
		return false // there was none
	}
	now, err := sumOfFile(path)
	return err == nil && now == string(painted)
}

// painting reports whether one of the two programs has told systemd that it painted.
func painting(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, outputTime)
	defer cancel()
	return exec.CommandContext(ctx, "systemctl", "is-active", "--quiet", "dashboard.service", "dashboard-client.service").Run() == nil
}

// Request and mode of who switches a console, include/uapi/linux/vt.h.
const (
	vtGetMode = 0x5601
	vtProcess = 1
)

// leased reports whether a program has a say in whether another console comes to the front.
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

// Request and mode of a console, include/uapi/linux/kd.h.
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

// blank reports whether a framebuffer cannot be read or has only zeros.
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

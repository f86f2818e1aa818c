//go:build linux

package main

import (
	"bytes"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// The console on which the units of both roles show their frames.
const (
	console     = "/dev/tty1"
	framebuffer = "/dev/fb0"
)

// frameShown reports whether there is a picture on the screen: the console is in graphics mode, which only
// a dashboard asks for, and not everything in the framebuffer is 0. It does not take the word of what may
// be broken.
func frameShown() bool { return inGraphics(console) && !blank(framebuffer) }

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

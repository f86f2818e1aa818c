//go:build linux

package main

import (
	"bufio"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Every picture that is measured has this size, px.
const width, height = 1920, 1080

// dashboard and photo are the pictures; see testpic.
const dashboard, photo = "dashboard", "photo"

// sampleTime is how long a sample takes at least: a hundred times the resolution of what disturbs it.
const sampleTime = 2 * time.Millisecond

// An operation does its work once and returns a figure of the result, such as a length in bytes.
type operation func() int

// pictures are the raw RGBA files in a folder.
type pictures string

func (p pictures) read(name string) *image.RGBA {
	pic := image.NewRGBA(image.Rect(0, 0, width, height))
	pix, err := os.ReadFile(filepath.Join(string(p), name+".rgba"))
	if err != nil || copy(pic.Pix, pix) != len(pic.Pix) {
		panic(fmt.Sprintf("bench: picture %s: %v", name, err)) // the runner has just written it
	}
	return pic
}

// serveCases answers each line, the name of a case, with the nanoseconds of one run and a figure, or with "-": what peer.h does in C.
func serveCases(folder string, in io.Reader, out io.Writer) {
	var last string
	var op operation
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if name := lines.Text(); name != last {
			last, op = name, find(pictures(folder), name)
			if op != nil {
				op()
			}
		}
		if op == nil {
			fmt.Fprintln(out, "-")
			continue
		}
		start, n, figure := processorTime(), 0, 0
		took := time.Duration(0)
		for took < sampleTime {
			figure = op()
			n++
			took = processorTime() - start
		}
		fmt.Fprintln(out, took.Nanoseconds()/int64(n), figure)
	}
}

// processorTime is what this process has had of processors: waiting for other programs does not count.
func processorTime() time.Duration {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t) // every Linux has it
	return time.Duration(t.Nano())
}

// find prepares a case. The first word of its name is the kind, the others its arguments.
func find(p pictures, name string) operation {
	kind, arg, _ := strings.Cut(name, " ")
	if prepare := cases[kind]; prepare != nil {
		return prepare(p, arg)
	}
	return nil
}

// cases is everything measured in Go, ours and peers.
var cases = map[string]func(p pictures, arg string) operation{
	"scale": scaleCase, "flat": flatCase, "psnr": psnrCase, "error": errorCase,
	"approxbilinear": approxCase, "bilinear": bilinearCase,
	"jpeg": jpegCase, "image/jpeg": imageJPEGCase, "jpeg-psnr": jpegPSNRCase,
	"png": pngCase, "image/png": imagePNGCase,
	"fb":   framebufferCase,
	"text": textCase, "shape": shapeCase, "font.Drawer": drawerCase,
	"publish": publishCase, "sha256": sha256Case,
	"steady": steadyCase,
}

func sizeOf(arg string) (w, h int) {
	_, _ = fmt.Sscanf(arg, "%dx%d", &w, &h) // the runner's own text
	return w, h
}

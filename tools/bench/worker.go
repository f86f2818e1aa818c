//go:build linux

package main

import (
	"bufio"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Every picture that is measured has this size, px.
const width, height = 1920, 1080

// dashboard and photo are the pictures. See testpic.
const dashboard, photo = "dashboard", "photo"

// sampleTime is how long a sample takes at least: a hundred times the resolution of what disturbs it.
const sampleTime = 5 * time.Millisecond

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

// mostReady bounds the prepared cases and their pictures: no contest has more in one program.
const mostReady = 6

// serveCases answers each line, the name of a case, with the nanoseconds of one run and a figure, or with "-": what
// peer.h does in C. Cases stay prepared, so that taking turns leaves no garbage.
func serveCases(folder string, in io.Reader, out io.Writer) {
	ready := map[string]operation{}
	for lines := bufio.NewScanner(in); lines.Scan(); {
		op, known := ready[lines.Text()]
		if !known {
			if len(ready) == mostReady {
				clear(ready)
			}
			op = find(pictures(folder), lines.Text())
			ready[lines.Text()] = op
			runtime.GC()
		}
		if op == nil {
			fmt.Fprintln(out, "-")
			continue
		}
		ns, figure := measure(op)
		fmt.Fprintln(out, ns, figure)
	}
}

// measure runs a case, once to have the caches warm, and then for sampleTime.
func measure(op operation) (ns int64, figure int) {
	op()
	start, took, n := processorTime(), time.Duration(0), 0
	for took < sampleTime {
		figure = op()
		n++
		took = processorTime() - start
	}
	return took.Nanoseconds() / int64(n), figure
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
	if kind == "steady" {
		return steadyCase(find(p, arg))
	}
	if prepare := cases[kind]; prepare != nil {
		return prepare(p, arg)
	}
	return nil
}

// cases is everything measured in Go, ours and peers.
var cases = map[string]func(p pictures, arg string) operation{
	"scale": scaleCase, "clock": clockCase,
	"approxbilinear": approxCase, "bilinear": bilinearCase,
	"jpeg": jpegCase, "image/jpeg": imageJPEGCase,
	"png": pngCase, "image/png": imagePNGCase,
	"fb":   framebufferCase,
	"text": textCase, "figures": figuresCase, "shape": shapeCase, "font.Drawer": drawerCase,
	"publish": publishCase, "sha256": sha256Case,
	"fade": fadeCase, "photo": photoCase, "photo-whole": photoWholeCase, "photo-memory": photoMemoryCase, "calendar": calendarCase,
	"path": pathCase, "vector": vectorCase, "veil": veilCase, "shadows": shadowsCase, "frost": frostCase,
}

func sizeOf(arg string) (w, h int) {
	_, _ = fmt.Sscanf(arg, "%dx%d", &w, &h) // the runner's own text
	return w, h
}

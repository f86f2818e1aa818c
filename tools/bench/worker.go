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

// Size of every measured picture, in px.
const width, height = 1920, 1080

// dashboard and photo are the names of the two pictures. Package testpic draws them.
const dashboard, photo = "dashboard", "photo"

// sampleTime is the minimum duration of a sample. It is a hundred times longer than short disturbances.
const sampleTime = 5 * time.Millisecond

// An operation does the work of a case once. It returns a number about the result, such as its length in bytes.
type operation func() int

// pictures is the path of a folder with raw RGBA files.
type pictures string

func (p pictures) read(name string) *image.RGBA {
	pic := image.NewRGBA(image.Rect(0, 0, width, height))
	pix, err := os.ReadFile(filepath.Join(string(p), name+".rgba"))
	if err != nil || copy(pic.Pix, pix) != len(pic.Pix) {
		panic(fmt.Sprintf("bench: picture %s: %v", name, err)) // cannot fail: this program has just written it
	}
	return pic
}

// mostReady bounds the number of prepared cases, because their pictures take memory. No comparison has more cases in one program.
const mostReady = 6

// serveCases reads lines with names of cases, and runs the case of each line. It prints the case's processor time in ns and the number
// that the operation returns. If there is no such case, it prints "-". The file peer.h does the same in C. Cases stay prepared, because
// preparing them again would leave garbage.
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

// measure runs a case once to fill the caches. Then it repeats the case for sampleTime. It returns the time of one run in ns, and the
// number that the operation returned last.
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

// processorTime returns how much processor time this process has used. It does not include waiting for other programs.
func processorTime() time.Duration {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t) // cannot fail on Linux
	return time.Duration(t.Nano())
}

// find prepares the case with the given name. The first word of the name is the kind of the case, and the other words are its arguments.
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

// cases lists all cases in Go, for our code and for peers.
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
	_, _ = fmt.Sscanf(arg, "%dx%d", &w, &h) // cannot fail: this program has written the argument
	return w, h
}

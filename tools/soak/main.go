// Command soak runs the dashboard for a million frames in accelerated time and looks at what it holds on
// to: each second of the wall's clock follows the one before at once. Data arrives, notifications
// come, the theme changes, the files are read again, screens of many sizes ask for frames.
//
// It prints a table. Its exit status is 1 if memory, goroutines or open files grew.
package main

import (
	"flag"
	"fmt"
	"image"
	"io"
	"os"
	"time"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// samples is how many lines the table has.
const samples = 40

// run is the program: arguments in, exit status out.
func run(args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("soak", flag.ContinueOnError)
	fs.SetOutput(stderr)
	frames := fs.Int("frames", 1_000_000, "number of frames to paint")
	size := fs.String("size", "800x480", "`WxH` of a frame, pixels")
	if err := fs.Parse(args); err != nil {
		return 2
	}
	var px image.Point
	if _, err := fmt.Sscanf(*size, "%dx%d", &px.X, &px.Y); err != nil || px.X < 1 || px.Y < 1 || *frames < samples {
		fmt.Fprintf(stderr, "soak: want a size such as 800x480, and at least %d frames\n", samples)
		return 2
	}
	table, err := soak(*frames, px, stdout)
	if err != nil {
		fmt.Fprintln(stderr, "soak:", err)
		return 1
	}
	if grown := table.grown(); len(grown) > 0 {
		fmt.Fprintln(stdout, "NOT FLAT:", grown)
		return 1
	}
	fmt.Fprintln(stdout, "flat")
	return 0
}

// soak runs the frames and prints a line of the table each time it takes a sample.
func soak(frames int, size image.Point, stdout io.Writer) (table, error) {
	dir, err := os.MkdirTemp("", "dashboard-soak-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	w, err := newWall(dir, size)
	if err != nil {
		return nil, err
	}
	defer w.close()
	fmt.Fprintln(stdout, heading)
	var t table
	began := time.Now()
	for n := 1; w.painted < frames; n++ {
		if err := w.tick(n); err != nil {
			return nil, fmt.Errorf("second %d: %w", n, err)
		}
		if w.painted >= frames*(len(t)+1)/samples {
			s, err := take(w.painted, time.Since(began))
			if err != nil {
				return nil, err
			}
			t = append(t, s)
			fmt.Fprintln(stdout, s)
		}
	}
	fmt.Fprintln(stdout, w.summary())
	return t, nil
}

package soak

import (
	"fmt"
	"image"
	"io"
	"os"
	"time"
)

// samples is the number of lines in the table.
const samples = 40

// soak paints the given number of frames. After each sample it prints a line of the table.
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

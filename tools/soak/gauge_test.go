package soak

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// A sample holds the resources of the process after a number of frames.
type sample struct {
	frames     int
	took       time.Duration
	rss        int64 // in bytes
	heap       int64 // in bytes, directly after a garbage collection
	objects    int64 // number of objects on the heap
	goroutines int64
	files      int64 // number of open file descriptors
}

const heading = "   frames   seconds   RSS MiB   heap MiB   objects   goroutines   files"

// String returns a line of the table.
func (s sample) String() string {
	return fmt.Sprintf("%9d %9.1f %9.2f %10.2f %9d %12d %7d", s.frames, s.took.Seconds(), mib(s.rss), mib(s.heap), s.objects, s.goroutines, s.files)
}

func mib(n int64) float64 { return float64(n) / (1 << 20) }

// take takes a sample. It collects garbage twice, because objects with a cleanup survive the first collection.
func take(frames int, took time.Duration) (sample, error) {
	rss, err := resident()
	if err != nil {
		return sample{}, err
	}
	fds, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return sample{}, err
	}
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return sample{
		frames: frames, took: took, rss: rss, heap: int64(m.HeapAlloc), objects: int64(m.HeapObjects),
		goroutines: int64(runtime.NumGoroutine()), files: int64(len(fds)),
	}, nil
}

// resident returns the memory of this process that is in RAM (proc(5), statm).
func resident() (int64, error) {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, err
	}
	var size, pages int64
	if _, err := fmt.Sscan(string(text), &size, &pages); err != nil {
		return 0, fmt.Errorf("/proc/self/statm: %w", err)
	}
	return pages * int64(os.Getpagesize()), nil
}

// A table contains all samples, oldest first.
type table []sample

const (
	// slack is the number of bytes by which the last quarter of a run may exceed the second quarter. It allows for garbage that is not
	// collected yet, and for pages that the allocator has not returned. In a run of a million frames, a leak of 8 bytes a frame exceeds
	// slack in the half million frames between these quarters.
	slack = 3 << 20
	// objectSlack is the number of objects by which the last quarter may exceed the second quarter. It allows for files that were being
	// read at that moment.
	objectSlack = 4000
)

// grown() returns the names of the values whose maximum in the last quarter of the run exceeds the maximum in the second quarter by more
// than the slack. During the first quarter, the caches are filled.
func (t table) grown() (names []string) {
	for _, c := range []struct {
		name  string
		slack int64
		of    func(sample) int64
	}{
		{"RSS", slack, func(s sample) int64 { return s.rss }},
		{"heap", slack, func(s sample) int64 { return s.heap }},
		{"objects", objectSlack, func(s sample) int64 { return s.objects }},
		{"goroutines", 0, func(s sample) int64 { return s.goroutines }},
		{"files", 0, func(s sample) int64 { return s.files }},
	} {
		early, late := most(t[len(t)/4:len(t)/2], c.of), most(t[len(t)*3/4:], c.of)
		if late > early+c.slack {
			names = append(names, fmt.Sprintf("%s %d -> %d", c.name, early, late))
		}
	}
	return names
}

func most(samples []sample, of func(sample) int64) (n int64) {
	for _, s := range samples {
		n = max(n, of(s))
	}
	return n
}

// cpu returns the name of the processor (proc(5)).
func cpu() string {
	text, _ := os.ReadFile("/proc/cpuinfo") // if this file is missing, the name is unknown
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown processor"
}

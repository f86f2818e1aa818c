package soak

import (
	"flag"
	"image"
	"io"
	"os"
	"strings"
	"testing"
)

const shortRun = 400

var (
	frames = flag.Int("frames", shortRun, "number of frames to paint")
	width  = flag.Int("width", 320, "of a frame, `pixels`")
	height = flag.Int("height", 200, "of a frame, `pixels`")
)

// A short run only tests the path from the files to the responses. A long run also measures memory.
func TestSoak(t *testing.T) {
	out := io.Discard
	if *frames > shortRun {
		out = os.Stdout // each line is printed at once, because the run takes hours
	}
	got, err := soak(*frames, image.Pt(*width, *height), out)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != samples || got[len(got)-1].frames < *frames {
		t.Errorf("got %d samples, the last of %+v, want %d and %d frames", len(got), got[len(got)-1], samples, *frames)
	}
	if grown := got.grown(); *frames > shortRun && len(grown) > 0 {
		t.Errorf("not flat: %v", grown)
	}
}

func TestGrown(t *testing.T) {
	flat := sample{rss: 50 << 20, heap: 10 << 20, objects: 30000, goroutines: 9, files: 8}
	for _, tc := range []struct {
		name string
		leak func(s *sample, i int)
		want string
	}{
		{"nothing", func(*sample, int) {}, ""},
		{"a bump", func(s *sample, i int) { s.rss += int64(i%3) << 20 }, ""},
		{"warming up", func(s *sample, i int) { s.rss -= int64(max(0, 8-i)) << 20 }, ""},
		{"memory", func(s *sample, i int) { s.rss += int64(i) << 18 }, "RSS"},
		{"heap", func(s *sample, i int) { s.heap += int64(i) << 18 }, "heap"},
		{"objects", func(s *sample, i int) { s.objects += int64(i) * 500 }, "objects"},
		{"goroutines", func(s *sample, i int) { s.goroutines += int64(i / 20) }, "goroutines"},
		{"files", func(s *sample, i int) { s.files += int64(i / 20) }, "files"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var all table
			for i := range samples {
				s := flat
				tc.leak(&s, i)
				all = append(all, s)
			}
			got := strings.Join(all.grown(), ", ")
			if (got == "") != (tc.want == "") || !strings.HasPrefix(got, tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

package spelling

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	keys := []string{"resolution", "fps-limit", "flip", "text_size", "color", "x", "grid", "dateclock", "scheduleflip"}
	tests := []struct{ in, want string }{
		{"resolutoin", "resolution"}, {"fps_limit", "fps-limit"}, {"textsize", "text_size"}, {"filp", "flip"},
		{"COLOUR", "color"}, {"zebra", ""}, {"", ""}, {"y", ""}, {"ab", ""}, {"flip", ""},
		{strings.Repeat("z", 10000), ""}, {"resol", ""},
		{"gird", "grid"}, {"datecolck", "dateclock"}, {"shedulflip", "scheduleflip"}, {"weather", ""},
	}
	for _, test := range tests {
		if got := Nearest(test.in, keys); got != test.want {
			t.Errorf("%.20q: got %q, want %q", test.in, got, test.want)
		}
	}
}

func TestDistanceIsSymmetric(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want int
	}{{"", "abc", 3}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"kitten", "sitting", 3}, {"ab", "ba", 1}} {
		if got, back := editDistance(tc.a, tc.b), editDistance(tc.b, tc.a); got != tc.want || back != tc.want {
			t.Errorf("%q, %q: got %d and %d, want %d", tc.a, tc.b, got, back, tc.want)
		}
	}
}

package viewer

import (
	"strings"
	"testing"

	"dashboard/appliance/about"
)

// If an appliance runs only the client and its service is the appliance itself, the screen shows an explanation. An appliance that runs a
// wall, or another computer, may show its own wall.
func TestShowsItself(t *testing.T) {
	board := about.Facts{Name: "kitchen", Role: "client"}
	for _, tt := range []struct {
		url   string
		facts about.Facts
		want  bool
	}{
		{"http://kitchen.local:5000", board, true},
		{"http://KITCHEN:5000/wall", board, true},
		{"http://127.0.0.1:5000", board, true},
		{"http://hall.local:5000", board, false},
		{"http://kitchen.example.org:5000", board, false},
		{"http://kitchen.local:5000", about.Facts{Name: "kitchen", Role: "dashboard"}, false},
		{"http://127.0.0.1:5000", about.Facts{}, false},
	} {
		n := selfNotice(tt.url, tt.facts)
		if (n != nil) != tt.want || n != nil && !strings.Contains(n.Detail, "server.url in client.yaml") {
			t.Errorf("%s on %+v: got %+v, want a notice %v", tt.url, tt.facts, n, tt.want)
		}
	}
}

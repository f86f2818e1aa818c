package classic

import (
	"image"
	"strings"
	"testing"

	"dashboard/widgets/screen"
	"dashboard/widgets/walltest"
)

// TestNeedsChild checks that each widget that shows its children reports an error if it has none.
func TestNeedsChild(t *testing.T) {
	for _, widget := range []string{
		"label, text: x", "flip, interval: 5", "scheduleflip, schedule: []", "httpflip, url: 'http://h/', mapping: {}",
		"providerflip, providers: [p], data_path: x, mapping: {}", "notifiabletext, name: x", "notifiableimage, name: x",
	} {
		s, r := walltest.Parse(t, "widgets: [{widget: "+widget+"}]")
		screen.Build(walltest.Builder(walltest.TestEnv()), s, image.Pt(320, 200))
		if !r.Failed() || !strings.Contains(r.String(), "child") {
			t.Errorf("%s: got %q, want an error about the missing child", widget, r)
		}
	}
}

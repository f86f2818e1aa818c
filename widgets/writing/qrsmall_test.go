package writing

import (
	"fmt"
	"image"

	"strings"
	"testing"

	"dashboard/render/text"
	"dashboard/widgets/screen"
	"dashboard/widgets/walltest"
)

// TestSmallCodesAreTexts checks codes with modules below 2 px. A code is replaced by its caption, by its network or contact, or by its
// content. If the whole text does not fit, a shorter text is shown, never a text with an ellipsis. The check of the configuration warns
// about modules below 3 px.
func TestSmallCodesAreTexts(t *testing.T) {
	const wifi = "wifi: {ssid: linden, password: maple-river-42}"
	for _, test := range []struct {
		keys   string
		side   int
		text   string // lines of the text, "" for a code
		warned bool
	}{
		{wifi, 44, "linden", true},
		{"wifi: {ssid: lind, password: maple}", 44, "lind maple", true},
		{wifi, 150, "", false},
		{wifi, 90, "", true},
		{"url: 'https://example.org/'", 65, "example.org", true},
		{"url: 'https://a.org/a-very-long-path-of-the-address'", 45, "a.org", true},
		{"text: !data .p", 40, "—", false},
		{"contact: {name: Mira, phone: '+43 1'}", 44, "Mira +43 1", true},
		{"caption: Guests at home, " + wifi, 44, "Guests at home", true},
	} {
		s, r := walltest.Parse(t, "widgets: [{widget: qr, "+walltest.BareCard+test.keys+"}]")
		e := walltest.TestEnv()
		e.Text = text.NewCache(4 << 20) // a new cache, because TextsOf observes all uses of a cache
		var all []walltest.Text
		walltest.TextsOf(e.Text, &all)
		w := screen.Build(walltest.Builder(e), s, image.Pt(test.side, test.side))
		walltest.PaintOnce(w, image.Pt(test.side, test.side), walltest.T0)
		warned := strings.Contains(fmt.Sprint(r.Diagnostics()), "less than the 3 px that phones can read")
		var lines []string
		for _, one := range all {
			lines = append(lines, strings.TrimSpace(one.Text))
		}
		if warned != test.warned || r.Failed() {
			t.Errorf("%s at %d px: warned %v: %v", test.keys, test.side, warned, r)
		}
		if got := strings.Join(lines, " "); got != test.text {
			t.Errorf("%s at %d px: shows %q, want %q", test.keys, test.side, got, test.text)
		}
	}
}

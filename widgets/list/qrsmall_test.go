package list

import (
	"fmt"
	"image"

	"strings"
	"testing"

	"dashboard/render/text"
	"dashboard/widgets/walltest"
)

// TestSmallCodesAreTexts checks that a code with modules below 2 px is replaced by its caption, by the name of its network or its contact,
// or by its content. The check of the configuration warns about modules below 3 px.
func TestSmallCodesAreTexts(t *testing.T) {
	const wifi = "wifi: {ssid: linden, password: maple-river-42}"
	for _, test := range []struct {
		keys   string
		side   int
		text   string // "" for a code
		warned bool
	}{
		{wifi, 40, "linden", true},
		{wifi, 150, "", false},
		{wifi, 90, "", true},
		{"url: 'https://example.org/'", 40, "https://example.org/", true},
		{"text: !data .p", 40, "—", false},
		{"contact: {name: Mira, phone: '+43 1'}", 40, "Mira", true},
		{"caption: Guests, " + wifi, 40, "Guests", true},
	} {
		s, r := walltest.Parse(t, "widgets: [{widget: qr, "+walltest.BareCard+test.keys+"}]")
		e := walltest.TestEnv()
		e.Text = text.NewCache(4 << 20) // other tests share the cache of TestEnv
		var all []walltest.Text
		walltest.TextsOf(e.Text, &all)
		w := walltest.Builder(e).BuildScreen(s, image.Pt(test.side, test.side))
		walltest.PaintOnce(w, image.Pt(test.side, test.side), walltest.T0)
		warned := strings.Contains(fmt.Sprint(r.Diagnostics()), "less than the 3 px that phones can read")
		shown := ""
		for _, one := range all {
			shown += one.Text
		}
		if warned != test.warned || r.Failed() {
			t.Errorf("%s at %d px: warned %v: %v", test.keys, test.side, warned, r)
		}
		if got := strings.TrimSuffix(shown, "…"); got == "" && test.text != "" || !strings.HasPrefix(test.text, got) {
			t.Errorf("%s at %d px: shows %q, want %q", test.keys, test.side, shown, test.text)
		}
	}
}

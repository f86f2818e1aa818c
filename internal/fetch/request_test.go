package fetch

import (
	"strings"
	"testing"
)

// An address without http:// causes an error with this remedy, also if the address has a port.
func TestCheckURLWithoutScheme(t *testing.T) {
	for text, want := range map[string]string{
		"house.lan/status":        "the address has no scheme: write http://",
		"house.lan:8080/status":   "the address has no scheme: write http://",
		"192.168.1.20:80":         "the address has no scheme: write http://",
		"house.lan:80?a=1":        "the address has no scheme: write http://",
		"gopher://house.lan:80/":  `scheme "gopher" is neither http nor https`,
		"tel:8080x":               `scheme "tel" is neither http nor https`,
		"http://house.lan:8080/x": "",
	} {
		got := ""
		if err := CheckURL(text); err != nil {
			got = err.Error()
		}
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

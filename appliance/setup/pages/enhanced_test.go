package pages

import (
	"net/url"
	"strings"
	"testing"

	"dashboard/appliance/setup/flow"
)

// An enhanced open network has no lock and no password, and nobody can read along. A pair of an enhanced and an open network is listed once.
func TestEnhancedOpen(t *testing.T) {
	f := newFixture(t)
	f.sends(t, guest, "speak", url.Values{"language": {"en"}, "country": {"DE"}})
	f.Machine.Heard([]flow.Found{{Name: "Library", Signal: -50, Security: flow.Enhanced}, {Name: "Library", Signal: -55}})
	list := f.asks(guest, "/"+token, nil).Body.String()
	has(t, "the list", list, "strong · Enhanced Open", "#"+iconOpen+"4")
	if n := strings.Count(list, `value="Library"`); n != 1 || strings.Contains(list, "read along") || strings.Contains(list, iconLocked) {
		t.Errorf("got %d rows in %s", n, list)
	}
	page := f.asks(guest, "/"+token+"?network=Library", nil).Body.String()
	has(t, "the network", page, `name="open" value="1"`, "Enhanced Open")
	if strings.Contains(page, `id="password"`) || strings.Contains(page, "read along") {
		t.Error("the page asks for a password, or warns")
	}
	f.sends(t, guest, "try", url.Values{"network": {"Library"}, "open": {"1"}})
	if n := f.Machine.View("10.1.1.20").Try; n != (flow.Network{Name: "Library", Enhanced: true}) {
		t.Errorf("got %+v", n)
	}
}

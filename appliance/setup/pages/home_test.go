package pages

import (
	"html"
	"net/http"
	"net/url"
	"testing"

	"dashboard/appliance/setup/flow"
)

// A home network may use the addresses of the access point. While the access point is closed, a device with such an address receives no
// token, and a phone with the token is at home, so the wall starts at once.
func TestSameAddressesAtHome(t *testing.T) {
	f := newFixture(t)
	f.asks(guest, "/"+token, nil)
	f.sends(t, guest, "speak", url.Values{"language": {"en"}, "country": {"DE"}})
	f.Machine.Try(flow.Network{Name: "home", Password: "longenough"}, false)
	f.now += flow.LeaveDelay
	f.Machine.Tick()
	f.Machine.At(flow.Reached)
	if w := f.asks("10.1.1.30:99", "http://10.1.1.50/", nil); w.Code != http.StatusOK || w.Header().Get("Location") != "" {
		t.Errorf("got %d to %q, want the form for the token", w.Code, w.Header().Get("Location"))
	}
	f.sends(t, guest, "settle", url.Values{"name": {"x"}, "zone": {"UTC"}})
	f.sends(t, guest, "finish", url.Values{})
	if s := f.Machine.State(); s != flow.Running {
		t.Errorf("got state %v, want the wall", s)
	}
}

// The pages propose the values that are already on the card, until a person chooses other values.
func TestCard(t *testing.T) {
	f := newFixture(t)
	f.Machine.Card = flow.Draft{Name: "office", Country: "US", Zone: "America/New_York"}
	has(t, "the country", f.asks(guest, "/"+token, nil, "Accept-Language", "de-DE").Body.String(), `value="US" selected`)
	f.sends(t, guest, "speak", url.Values{"language": {"en"}, "country": {"DE"}})
	f.Machine.Draft.Step = flow.StepPlace
	page := f.asks(guest, "/"+token, nil).Body.String()
	has(t, "the name and the zone", page, `value="office"`, `value="America/New_York" selected`)
	f.sends(t, guest, "settle", url.Values{"name": {"hall"}, "zone": {"Europe/Berlin"}})
	f.sends(t, guest, "finish", url.Values{})
	if d := f.card.done; d == nil || d.Name != "hall" || d.Zone != "Europe/Berlin" || d.Country != "DE" {
		t.Errorf("got %+v", d)
	}
}

// After a wrong name or wrong coordinates, the page keeps everything that a person has entered.
func TestKeepsEntries(t *testing.T) {
	f := newFixture(t)
	f.asks(guest, "/"+token, nil)
	f.sends(t, guest, "speak", url.Values{"language": {"en"}, "country": {"DE"}})
	f.Machine.Draft.Step = flow.StepPlace
	for name, wrong := range map[string]string{`Living "room"`: "Use letters, digits and hyphens.", "kitchen": "Write two numbers"} {
		form := url.Values{"name": {name}, "place": {"America/New_York"}, "coordinates": {"north & south"}, "zone": {"Europe/Berlin"}}
		page := f.sends(t, guest, "settle", form)
		has(t, name, page, wrong, `value="`+html.EscapeString(name)+`"`, `value="America/New_York" selected`, `value="north &amp; south"`,
			`value="Europe/Berlin" selected`)
	}
	f.Machine.Draft.Name = "hall" // the error of another step leaves the proposed name
	has(t, "another step", f.asks(guest, "/"+token+"?error=name.wrong", nil).Body.String(), `value="hall"`)
}

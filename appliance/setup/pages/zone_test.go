package pages

import (
	"net/url"
	"os"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"dashboard/appliance/setup/flow"
)

// The page chooses the country and the time zone of the phone. Browsers report some zones with an old name. An earlier choice stays.
func TestZoneOfAPhone(t *testing.T) {
	if testing.Short() {
		t.Skip("it opens a browser")
	}
	ctx, _ := phone(t)
	f := newFixture(t)
	f.Tables = ReadTables(fstest.MapFS{
		"iso3166.tab": {Data: []byte("AF\tAfghanistan\nDE\tGermany\nIN\tIndia\nUS\tUnited States\n")},
		"zone.tab": {Data: []byte("DE\t+5230+01322\tEurope/Berlin\nDE\t+4742+00841\tEurope/Busingen\nIN\t+2232+08822\tAsia/Kolkata\n" +
			"US\t+404251-0740023\tAmerica/New_York\n")},
	}, f.Gallery)
	base := f.serve(t)
	const values = `[...document.querySelectorAll("#country, #zone")].map((e) => e.value)`
	for zone, want := range map[string][2]string{
		"Asia/Calcutta": {"IN", "Asia/Kolkata"}, "Europe/Busingen": {"DE", "Europe/Busingen"}, "Etc/UTC": {"US", "UTC"},
	} {
		f.Machine.Draft = flow.Draft{Step: flow.StepLanguage}
		if _, err := chromedp.Call(ctx, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: zone}); err != nil {
			t.Fatal(err)
		}
		see(t, ctx, chromedp.Navigate(base)) // the browser's language is en-US
		if got := lists(t, ctx, values); !slices.Equal(got, want[:1]) {
			t.Errorf("%s: got the country %q, want %s", zone, got, want[0])
		}
		f.Machine.Draft.Step = flow.StepPlace
		see(t, ctx, chromedp.Navigate(base))
		if got := lists(t, ctx, values); !slices.Equal(got, want[1:]) {
			t.Errorf("%s: got the time zone %q, want %s", zone, got, want[1])
		}
	}
	if tzdata := os.DirFS("/usr/share/zoneinfo"); len(ReadTables(tzdata, f.Gallery).Cities) > 0 { // if tzdata is installed
		f.Tables = ReadTables(tzdata, f.Gallery)
		f.Machine.Draft.Step = flow.StepPlace
		see(t, ctx, chromedp.Navigate(base))
		const lost = `(() => { const here = [...document.querySelectorAll("#zone option")].map((o) => o.value);
			return Intl.supportedValuesOf("timeZone").filter((z) => !here.includes(renamed[z] || z)); })()`
		if got := lists(t, ctx, lost); len(got) > 0 {
			t.Errorf("the list lacks the browser's time zones %q", got)
		}
	}
	f.Machine.Draft = flow.Draft{Step: flow.StepLanguage, Country: "AF"}
	see(t, ctx, chromedp.Navigate(base))
	if got := lists(t, ctx, values); !slices.Equal(got, []string{"AF"}) {
		t.Errorf("got the country %q, want the earlier choice AF", got)
	}
}

// A time zone on the card that is not in the list is proposed, and can be kept.
func TestZoneOfTheCard(t *testing.T) {
	f := newFixture(t)
	f.Machine.Card.Zone = "Etc/GMT+5"
	f.Machine.Draft.Step = flow.StepPlace
	f.Machine.Opened("10.1.1.20", false)
	has(t, "proposal", f.asks(guest, "/"+token, nil).Body.String(), `<option value="Etc/GMT&#43;5" selected>`, `<option value="Europe/Berlin">`)
	form := url.Values{"name": {"kitchen"}, "zone": {"Etc/GMT+5"}}
	if f.sends(t, guest, "settle", form); f.Machine.Draft.Zone != "Etc/GMT+5" {
		t.Errorf("got %q", f.Machine.Draft.Zone)
	}
}

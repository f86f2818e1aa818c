package sun

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"dashboard/config"
	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/geocode"
)

func mustNew(t *testing.T, lat, lon float64, zone string) *Provider {
	t.Helper()
	p, err := New(zone, nil, geocode.Spot{Place: geocode.Place{Latitude: lat, Longitude: lon}, Known: true})
	if err != nil {
		t.Skipf("no time zones on this machine: %v", err)
	}
	return p
}

// TestZoneOfWall checks that the times are in the wall's time zone if the provider's keys set no time zone.
func TestZoneOfWall(t *testing.T) {
	home := time.FixedZone("home", 5*60*60)
	p, err := New("", home, geocode.Spot{Place: geocode.Place{Latitude: 45.12, Longitude: 75.34}, Known: true})
	if err != nil {
		t.Fatal(err)
	}
	v, _ := p.values(time.Date(2025, 8, 10, 16, 0, 0, 0, time.UTC))
	if got := fmt.Sprint(v["sunrise"], " ", v["sunset"]); got != "04:54 19:13" {
		t.Errorf("got %s in the wall's zone", got)
	}
}

func TestValues(t *testing.T) {
	tests := []struct {
		name     string
		lat, lon float64
		zone     string
		now      string // UTC
		want     map[string]any
	}{
		{"summer noon", 45.12, -75.34, "America/Toronto", "2025-08-10T16:00:00Z",
			map[string]any{"sunrise": "05:57", "sunset": "20:15", "day_length": "14:18", "is_day": true, "next": "sunset", "next_at": "20:15"}},
		{"after dark", 45.12, -75.34, "America/Toronto", "2025-08-11T02:00:00Z",
			map[string]any{"sunrise": "05:57", "sunset": "20:15", "day_length": "14:18", "is_day": false, "next": "sunrise", "next_at": "05:58"}},
		{"before sunrise", 45.12, -75.34, "America/Toronto", "2025-08-10T08:00:00Z",
			map[string]any{"sunrise": "05:57", "sunset": "20:15", "day_length": "14:18", "is_day": false, "next": "sunrise", "next_at": "05:57"}},
		{"polar day", 78.22, 15.65, "Arctic/Longyearbyen", "2026-06-21T12:00:00Z",
			map[string]any{"sunrise": "--", "sunset": "--", "day_length": "--", "is_day": true, "next": "none", "next_at": "--"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			now, err := time.Parse(time.RFC3339, tt.now)
			if err != nil {
				t.Fatal(err)
			}
			got, wake := mustNew(t, tt.lat, tt.lon, tt.zone).values(now)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("want -, got +:\n%s", diff)
			}
			if d := wake.Sub(now); d <= 0 || d > 25*time.Hour {
				t.Errorf("wake in %v", d)
			}
		})
	}
}

func TestUnknownZone(t *testing.T) {
	if _, err := New("Mars/Base", nil, geocode.Spot{}); err == nil {
		t.Error("got no error")
	}
}

// TestPlace: the location comes from the keys `latitude` and `longitude`, from the key `location`, or from the wall. It is an error if one
// coordinate is missing, if there are two locations, or if there is no location.
func TestPlace(t *testing.T) {
	n := func(v float64) *float64 { return &v }
	home, there := &config.Location{Name: "home"}, &config.Location{Name: "there"}
	for _, tt := range []struct {
		p    Params
		home *config.Location
		want string // name and latitude, or the beginning of the error
	}{
		{Params{}, home, "home 0"}, {Params{Location: there}, home, "there 0"}, {Params{Location: there}, nil, "there 0"},
		{Params{Latitude: n(0), Longitude: n(0)}, home, " 0"}, {Params{Latitude: n(51.5), Longitude: n(0)}, nil, " 51.5"},
		{Params{Latitude: n(1)}, home, "longitude: "}, {Params{Longitude: n(1)}, home, "latitude: "},
		{Params{Location: there, Latitude: n(1), Longitude: n(1)}, home, "location: is said"}, {Params{}, nil, "location: the sun needs"},
	} {
		at, err := tt.p.Place(tt.home)
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprintf("%s %v", at.Name, at.Latitude)
		}
		if !strings.HasPrefix(got, tt.want) {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

// TestPlaceByName: a place is looked up only once.
func TestPlaceByName(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		fmt.Fprint(w, `{"results":[{"name":"London","latitude":51.5,"longitude":-0.1}]}`)
	}))
	defer server.Close()
	client := fetch.New(&fetch.Options{})
	defer client.CloseIdle()
	p, err := New("UTC", nil, geocode.Spot{Place: geocode.Place{Name: "London"}, Atlas: geocode.NewAtlas(client, server.URL, nil)})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := p.find(t.Context()); err != nil || p.schedule.Lat != 51.5 || p.schedule.Lon != -0.1 || asked != 1 {
			t.Errorf("got %+v, %v, asked %d times", p.schedule, err, asked)
		}
	}
}

// The provider publishes a new value in the same second as the sunset. Fake time starts at midnight UTC on 2000-01-01.
func TestRunWakesAtTheChange(t *testing.T) {
	p := mustNew(t, 51.48, 0, "UTC")
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var cell provider.Cell
		go p.Run(ctx, &cell)
		synctest.Wait()
		var changes []string
		for last := cell.Load(); time.Since(last.At) < 20*time.Hour && len(changes) < 4; {
			time.Sleep(time.Second)
			synctest.Wait()
			if s := cell.Load(); s.Seq != last.Seq {
				changes = append(changes, s.At.UTC().Format("15:04:05")+" "+s.Value.(map[string]any)["next"].(string))
				last = s
			}
		}
		want := []string{"08:05:38 sunset", "16:01:10 sunrise", "00:00:00 sunrise", "08:05:33 sunset"}
		if diff := cmp.Diff(want, changes); diff != "" {
			t.Errorf("want -, got +:\n%s", diff)
		}
		cancel()
		synctest.Wait()
	})
}

// watch() runs the provider in fake time, on a clock that can be set. `start` is the first time that the clock shows. watch() returns the
// number of attempts.
func watch(t *testing.T, p *Provider, start time.Time, f func(cell *provider.Cell, set func(time.Duration))) (looks int64) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var ahead, n atomic.Int64
		p.now = func() time.Time {
			n.Add(1)
			return start.Add(time.Since(began) + time.Duration(ahead.Load()))
		}
		ctx, cancel := context.WithCancel(t.Context())
		var cell provider.Cell
		go p.Run(ctx, &cell)
		synctest.Wait()
		f(&cell, func(d time.Duration) { ahead.Add(int64(d)) })
		cancel()
		synctest.Wait()
		looks = n.Load()
	})
	return looks
}

// Where clocks are set forward at midnight, the day begins at 01:00. On such a day, the provider makes no additional attempts and
// publishes no additional values.
func TestMidnightThatIsNot(t *testing.T) {
	for zone, day := range map[string]time.Time{
		"America/Santiago": time.Date(2026, 9, 6, 0, 0, 0, 0, time.UTC),
		"America/Havana":   time.Date(2026, 3, 8, 0, 0, 0, 0, time.UTC),
		"Atlantic/Azores":  time.Date(2026, 3, 29, 0, 0, 0, 0, time.UTC),
		"Europe/Berlin":    time.Date(2026, 3, 29, 0, 0, 0, 0, time.UTC),
	} {
		p := mustNew(t, 10, 0, zone)
		const span = 36 * time.Hour
		var published uint64
		looks := watch(t, p, day.Add(-12*time.Hour), func(cell *provider.Cell, _ func(time.Duration)) {
			time.Sleep(span)
			published = cell.Load().Seq
		})
		if most := int64(span/pollMost) + 10; looks > most || published > 8 {
			t.Errorf("%s: looked %d times and published %d times in a day and a half, want at most %d and 8", zone, looks, published, most)
		}
	}
}

// If the clock is set forward or back, the provider notices this within two seconds.
func TestClockIsSet(t *testing.T) {
	noon := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	watch(t, mustNew(t, 51.48, 0, "UTC"), noon, func(cell *provider.Cell, set func(time.Duration)) {
		is := func(what string, want bool) {
			t.Helper()
			time.Sleep(2*time.Second + time.Millisecond)
			if v := cell.Load().Value.(map[string]any); v["is_day"] != want {
				t.Errorf("%s: got %v", what, v)
			}
		}
		is("at noon", true)
		set(12 * time.Hour)
		is("set forward to midnight", false)
		set(-12 * time.Hour)
		is("set back to noon", true)
		set(-10 * time.Second)
		is("set back a little", true)
	})
}

// The method Keys returns all keys of the value that the provider publishes.
func TestKeys(t *testing.T) {
	p := mustNew(t, 10, 0, "UTC")
	got, _ := p.values(time.Unix(0, 0))
	if diff := cmp.Diff(slices.Sorted(maps.Keys(got)), slices.Sorted(slices.Values(p.Keys()))); diff != "" {
		t.Errorf("published -, known +:\n%s", diff)
	}
}

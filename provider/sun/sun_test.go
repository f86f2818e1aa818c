package sun

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"dashboard/provider"
)

func mustNew(t *testing.T, lat, lon float64, zone string) *Provider {
	t.Helper()
	p, err := New(Params{Latitude: lat, Longitude: lon, TimeZone: zone})
	if err != nil {
		t.Skipf("no time zones on this machine: %v", err)
	}
	return p
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
	if _, err := New(Params{TimeZone: "Mars/Base"}); err == nil {
		t.Error("got no error")
	}
}

// The provider speaks up at the second the sun sets. A bubble's clock starts at midnight UTC, 2000-01-01.
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
		want := []string{"08:05:38 sunset", "16:01:10 sunrise", "00:00:01 sunrise", "08:05:33 sunset"}
		if diff := cmp.Diff(want, changes); diff != "" {
			t.Errorf("want -, got +:\n%s", diff)
		}
		cancel()
		synctest.Wait()
	})
}

package light

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func sysfs(t *testing.T, devices map[string]map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, files := range devices {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		for f, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name, f), []byte(text+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

func TestFind(t *testing.T) {
	for name, c := range map[string]struct {
		devices map[string]map[string]string
		lux     float64 // negative if there is no measurement
	}{
		"none":          {nil, -1},
		"lux":           {map[string]map[string]string{"iio:device0": {"name": "veml6030", "in_illuminance_input": "123.5"}}, 123.5},
		"raw":           {map[string]map[string]string{"iio:device0": {"name": "bh1750", "in_illuminance_raw": "600", "in_illuminance_scale": "0.833333"}}, 499.9998},
		"with offset":   {map[string]map[string]string{"iio:device0": {"in_illuminance0_raw": "90", "in_illuminance0_scale": "2", "in_illuminance0_offset": "10"}}, 200},
		"intensity":     {map[string]map[string]string{"iio:device0": {"in_intensity_both_raw": "40"}}, 40},
		"behind others": {map[string]map[string]string{"iio:device0": {"in_temp_raw": "3"}, "iio:device1": {"in_illuminance_input": "7"}}, 7},
		"negative":      {map[string]map[string]string{"iio:device0": {"in_illuminance_input": "-4"}}, 0},
	} {
		s, err := Find(sysfs(t, c.devices))
		if c.lux < 0 {
			if err == nil {
				t.Errorf("%s: got %v", name, s)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, err := s.Lux(); err != nil || math.Abs(got-c.lux) > 0.001 {
			t.Errorf("%s: got %v, %v, want %v", name, got, err, c.lux)
		}
	}
	for _, text := range []string{"", "dark", "NaN", "1e999"} {
		s, err := Find(sysfs(t, map[string]map[string]string{"iio:device0": {"in_illuminance_input": text}}))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := s.Lux(); err == nil {
			t.Errorf("%q: got %v", text, got)
		}
	}
}

// TestLuxOfGarbage: an invalid scale or offset causes an error and not NaN.
func TestLuxOfGarbage(t *testing.T) {
	for _, c := range []struct{ raw, scale, offset string }{
		{"1e308", "0", "1e308"}, {"1e308", "1e308", "0"}, {"-1e308", "0", "-1e308"}, {"1e308", "2", "0"},
	} {
		s, err := Find(sysfs(t, map[string]map[string]string{"iio:device0": {"in_illuminance_raw": c.raw, "in_illuminance_scale": c.scale, "in_illuminance_offset": c.offset}}))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := s.Lux(); err == nil {
			t.Errorf("%v: got %v", c, got)
		}
	}
}

func TestShare(t *testing.T) {
	for lux, want := range map[float64]float64{-3: 0, 0: 0, 12: 0.428, 100: 0.770, 400: 1, 90000: 1} {
		if got := Share(lux); math.Abs(got-want) > 0.001 {
			t.Errorf("%v lux: got %v, want %v", lux, got, want)
		}
	}
}

// TestFollow: if the room gets dark, the screen gets darker in steps and never brighter in between. It is dark within three minutes. If
// the room gets bright, the screen is bright within one minute. A flicker of the light has no effect.
func TestFollow(t *testing.T) {
	var f Follower
	now := time.Date(2026, 11, 22, 20, 0, 0, 0, time.UTC)
	share, _ := f.Step(now, 600)
	if share != 1 {
		t.Fatalf("at first: got %v", share)
	}
	run := func(lux float64, d time.Duration, up bool) (changes int, reached time.Duration) {
		to := Share(lux)
		for at := time.Duration(0); at < d; at += Interval {
			now = now.Add(Interval)
			was := share
			var changed bool
			if share, changed = f.Step(now, lux); changed {
				changes++
				if up == (share < was) {
					t.Errorf("%v lux: from %v to %v", lux, was, share)
				}
			}
			if reached == 0 && math.Abs(share-to) <= 2*least {
				reached = at
			}
		}
		return changes, reached
	}
	if n, at := run(12, 10*time.Minute, false); n == 0 || at == 0 || at > 3*time.Minute {
		t.Errorf("dark: %d changes, there after %v", n, at)
	} else {
		t.Logf("from 600 to 12 lux: %d changes, there after %v", n, at)
	}
	if n, _ := run(12.5, time.Hour, true); n != 0 {
		t.Errorf("a flicker: %d changes", n)
	}
	if n, at := run(600, 5*time.Minute, true); n == 0 || at > time.Minute {
		t.Errorf("bright: %d changes, there after %v", n, at)
	}
	now = now.Add(-time.Hour) // the clock was set back
	if _, changed := f.Step(now, 0); changed {
		t.Error("changed at a clock that went back")
	}
	if n, _ := run(0, 30*time.Minute, false); n == 0 || share > least {
		t.Errorf("night: %d changes, to %v", n, share)
	}
}

// TestIgnore: after a change of the screen, the light from the screen itself does not count.
func TestIgnore(t *testing.T) {
	var f Follower
	now := time.Date(2026, 11, 22, 20, 0, 0, 0, time.UTC)
	f.Step(now, 12)
	changed := now.Add(time.Minute)
	f.Ignore(changed)
	if share, is := f.Step(changed.Add(Own-1), 600); is || share != Share(12) {
		t.Errorf("its own light: got %v, %v", share, is)
	}
	if _, is := f.Step(changed.Add(Own), 600); !is {
		t.Error("the room's light is not followed")
	}
}

// TestClockSetBackAfterAChange: the brightness follows the light after the clock was set back, although the last change of the screen is
// in the future then.
func TestClockSetBackAfterAChange(t *testing.T) {
	var f Follower
	changed := time.Date(2026, 11, 22, 20, 0, 0, 0, time.UTC)
	f.Step(changed, 600)
	now := changed.AddDate(0, 0, -1)
	share := 1.0
	for range 100 {
		now = now.Add(Interval)
		f.Ignore(changed)
		share, _ = f.Step(now, 0)
	}
	if share > 2*least {
		t.Errorf("five minutes in the dark: got %v, want a dark screen", share)
	}
}

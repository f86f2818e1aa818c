package power

import (
	"os"
	"path/filepath"
	"testing"
)

// fixture creates a folder with backlights. `panels` maps their names to their files.
func fixture(t *testing.T, panels map[string]map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, all := range panels {
		at := filepath.Join(dir, name)
		if err := os.Mkdir(at, 0o755); err != nil {
			t.Fatal(err)
		}
		for file, text := range all {
			if file == "device" {
				if err := os.MkdirAll(filepath.Join(dir, ".devices", text), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(filepath.Join(dir, ".devices", text), filepath.Join(at, file)); err != nil {
					t.Fatal(err)
				}
				continue
			}
			if err := os.WriteFile(filepath.Join(at, file), []byte(text+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

func reads(t *testing.T, parts ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func plain(most, value, power string) map[string]string {
	return map[string]string{"max_brightness": most, "brightness": value, "bl_power": power}
}

func TestFindPanel(t *testing.T) {
	edp := plain("255", "100", "0")
	edp["device"] = "card0-eDP-1"
	for name, tt := range map[string]struct {
		panels    map[string]map[string]string
		connector string
		want      string
	}{
		"none":                     {nil, "DSI-1", ""},
		"the only one":             {map[string]map[string]string{"10-0045": plain("31", "31", "0")}, "DSI-1", "10-0045"},
		"nobody says":              {map[string]map[string]string{"rpi": plain("255", "255", "0")}, "", "rpi"},
		"a cable has none":         {map[string]map[string]string{"10-0045": plain("31", "31", "0")}, "HDMI-A-1", ""},
		"named":                    {map[string]map[string]string{"a": edp, "b": plain("10", "1", "0")}, "eDP-1", "a"},
		"of another":               {map[string]map[string]string{"a": edp}, "DSI-1", ""},
		"two":                      {map[string]map[string]string{"a": plain("9", "1", "0"), "b": plain("9", "1", "0")}, "DSI-1", ""},
		"no steps":                 {map[string]map[string]string{"a": plain("0", "0", "0")}, "", ""},
		"no number":                {map[string]map[string]string{"a": plain("many", "0", "0")}, "", ""},
		"no value":                 {map[string]map[string]string{"a": {"max_brightness": "9"}}, "", ""},
		"one of two can be used":   {map[string]map[string]string{"a": plain("0", "0", "0"), "b": plain("9", "1", "0")}, "", "b"},
		"a negative highest":       {map[string]map[string]string{"a": plain("-5", "0", "0")}, "", ""},
		"a highest beyond 32 bits": {map[string]map[string]string{"a": plain("99999999999", "0", "0")}, "", ""},
	} {
		got := ""
		if p := FindPanel(fixture(t, tt.panels), tt.connector); p != nil {
			got = p.Name()
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
	if FindPanel(filepath.Join(t.TempDir(), "no"), "") != nil {
		t.Error("a backlight in a folder that is not there")
	}
}

func TestPanel(t *testing.T) {
	dir := fixture(t, map[string]map[string]string{"a": plain("255", "200", "0")})
	p := FindPanel(dir, "")
	if err := p.Power(false); err != nil || reads(t, dir, "a", "bl_power") != "4" {
		t.Errorf("off: %v, %q", err, reads(t, dir, "a", "bl_power"))
	}
	if err := p.Power(true); err != nil || reads(t, dir, "a", "bl_power") != "0" {
		t.Errorf("on: %v", err)
	}
	for level, want := range map[float64]string{0: "1", 0.5: "56", 1: "255", 7: "255"} {
		if err := p.Dim(level); err != nil || reads(t, dir, "a", "brightness") != want {
			t.Errorf("%v: %v, %q, want %s", level, err, reads(t, dir, "a", "brightness"), want)
		}
	}
	_ = p.Power(false)
	if err := p.Leave(); err != nil || reads(t, dir, "a", "bl_power") != "0" || reads(t, dir, "a", "brightness") != "200" {
		t.Errorf("left: %v", err)
	}
	even := plain("100", "7", "0")
	even["scale"] = "non-linear"
	dir = fixture(t, map[string]map[string]string{"a": even})
	if err := FindPanel(dir, "").Dim(0.5); err != nil || reads(t, dir, "a", "brightness") != "51" {
		t.Errorf("even steps: %v, %q", err, reads(t, dir, "a", "brightness"))
	}
}

// If a backlight has no bl_power, its lowest value switches it off. When the backlight is switched on again, it has its original
// brightness.
func TestPanelWithoutPower(t *testing.T) {
	dir := fixture(t, map[string]map[string]string{"a": {"max_brightness": "31", "brightness": "20"}})
	p := FindPanel(dir, "")
	if err := p.Power(false); err != nil || reads(t, dir, "a", "brightness") != "0" {
		t.Errorf("off: %v", err)
	}
	if err := p.Power(true); err != nil || reads(t, dir, "a", "brightness") != "20" {
		t.Errorf("on: %v", err)
	}
}

// Power and Dim return an error if a value cannot be written, or if the driver keeps its own value.
func TestPanelRefuses(t *testing.T) {
	dir := fixture(t, map[string]map[string]string{"a": plain("255", "200", "0"), ".x": {}})
	p := FindPanel(dir, "")
	if err := os.Remove(filepath.Join(dir, "a", "bl_power")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/full", filepath.Join(dir, "a", "bl_power")); err != nil {
		t.Fatal(err)
	}
	if err := p.Power(false); err == nil {
		t.Error("a full device is no error")
	}
	_ = os.Remove(filepath.Join(dir, "a", "brightness"))
	if err := p.Dim(0.3); err == nil {
		t.Error("a backlight that is gone is no error")
	}
}

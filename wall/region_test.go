package wall

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dashboard/internal/state"
	"dashboard/provider/geocode"
	"dashboard/theme/sun"
	"dashboard/wall/scene"
)

// reads() loads a configuration. `more` is added to its conf.yaml.
func reads(t *testing.T, b *scene.Builder, more string) (*scene.Generation, string) {
	t.Helper()
	dir := t.TempDir()
	files{"conf.yaml": wallConf(1, more), "widgets.yaml": plainWall("red"), "d.yaml": "colors: {}\n"}.write(t, dir)
	o := scene.Folder{Widgets: "widgets.yaml", Home: dir}
	g, report := b.Load(o, scene.Alone(func() {}))
	return g, report.String()
}

func TestRegion(t *testing.T) {
	const themes = "appearance: {themes: {day: d.yaml, night: d.yaml}"
	b := scene.NewBuilder(scene.Parts{Wake: func() {}, Log: discardLog()})
	defer b.Providers.Close()
	g, said := reads(t, b, "locale: {language: de-AT, hour_cycle: 12, week_start: sun, units: us}\ntimezone: Asia/Tokyo\nlocation: {latitude: 51.48, longitude: 0.0}\n"+themes+"}\n")
	if g == nil {
		t.Fatal(said)
	}
	r := g.Region
	if r.Locale.Language != "de" || r.Locale.Region != "AT" || r.Locale.Hours != 12 || r.Locale.FirstDay != time.Sunday || !r.Written || r.Zone.String() != "Asia/Tokyo" {
		t.Errorf("got %+v", r)
	}
	if s := g.Schedule(); s == nil || s.Lat != 51.48 || !g.Located() || s.Mode(time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)) != sun.Day {
		t.Errorf("got %v", s)
	}
	if rise, set, ok := r.Sun()(time.Date(2026, 6, 1, 3, 0, 0, 0, time.UTC)); !ok || rise.UTC().Hour() != 3 || set.UTC().Hour() != 20 {
		t.Errorf("got %v to %v, %v", rise, set, ok)
	}
	if g, said := reads(t, b, "locale: no\n"); g == nil || g.Region.Locale.Language != "nb" {
		t.Errorf("no is Norwegian: %s", said)
	}
	if g, said := reads(t, b, themes+", latitude: 51.48, longitude: 0}\n"); g == nil || g.Schedule() == nil || g.Region.Written {
		t.Errorf("the old name of the location: %s", said)
	}
	for more, want := range map[string]string{
		"locale: xx-YY\n":                                                 "the language 'xx-YY' does not exist",
		"locale: {language: de, hour_cycle: 7}":                           "must be one of 12, 24",
		"locale: [de]\n":                                                  "must be a language tag",
		"timezone: Europe/Berlim\n":                                       "unknown time zone 'Europe/Berlim'",
		"location: [51.48, 0.0]\n":                                        "must be the name of a place",
		"location: {latitude: 91, longitude: 0}\n":                        "must be between -90 and 90",
		"location: London\n" + themes + ", latitude: 51, longitude: 0}\n": "'location' says where the wall is",
	} {
		if g, said := reads(t, b, more); g != nil || !strings.Contains(said, want) {
			t.Errorf("%s: got %s, want %q", more, said, want)
		}
	}
}

// TestLocationByName checks a wall whose location is the name of a place. The wall starts without coordinates. When a server has returned
// the coordinates, the files are read again. The next start loads the coordinates from the state folder.
func TestLocationByName(t *testing.T) {
	asked := 0
	geo := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		fmt.Fprint(w, `{"results":[{"name":"London","latitude":51.5,"longitude":-0.1}]}`)
	}))
	defer geo.Close()
	store, err := state.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for start := range 2 {
		b := scene.NewBuilder(scene.Parts{Wake: func() {}, Log: discardLog()})
		b.Atlas = geocode.NewAtlas(b.Client, geo.URL, store)
		found := make(chan struct{}, 1)
		b.Serving.Found = func() { found <- struct{}{} }
		const conf = "location: London\nappearance: {themes: {day: d.yaml, night: d.yaml}}\n"
		g, said := reads(t, b, conf)
		if g == nil {
			t.Fatal(said)
		}
		if start == 0 {
			if g.Schedule() != nil {
				t.Error("the place is known before it was asked for")
			}
			b.Providers.Commit(g.Sources)
			<-found
			g, _ = reads(t, b, conf)
		}
		if s := g.Schedule(); s == nil || s.Lat != 51.5 {
			t.Errorf("start %d: got %v", start, s)
		}
		b.Providers.Close()
	}
	if asked != 1 {
		t.Errorf("asked %d times, want once", asked)
	}
}

func TestStateFolder(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", "/var/cache/me")
	for _, c := range []struct{ option, systemd, want string }{
		{"", "", filepath.Join("/var/cache/me", "dashboard")},
		{"", "/var/lib/dashboard", "/var/lib/dashboard"},
		{"here", "/var/lib/dashboard", "here"},
		{"none", "/var/lib/dashboard", ""},
	} {
		if got := stateFolder(c.option, func(string) string { return c.systemd }); got != c.want {
			t.Errorf("%+v: got %s", c, got)
		}
	}
}

// TestAtTheSun checks a provider with `at: [sunrise, …]`. The times of the sun are for the wall's location. They change when files with
// another location are loaded.
func TestAtTheSun(t *testing.T) {
	b := scene.NewBuilder(scene.Parts{Wake: func() {}, Log: discardLog()})
	defer b.Providers.Close()
	dir := t.TempDir()
	o := scene.Folder{Widgets: "widgets.yaml", Home: dir}
	load := func(more string) string {
		files{
			"conf.yaml": wallConf(1, more), "widgets.yaml": plainWall("red"),
			"providers.yaml": "providers: {p: {type: rest, url: 'http://127.0.0.1:1/', at: [sunrise, sunset-30m]}}\n",
		}.write(t, dir)
		_, report := b.Load(o, scene.Alone(func() {}))
		return report.String()
	}
	if said, want := load(""), "providers.p.at: warning: sunrise and sunset need a place: write location in conf.yaml"; !strings.Contains(said, want) {
		t.Errorf("got %q, want %q", said, want)
	}
	june := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	for more, hour := range map[string]int{"location: {latitude: 51.48, longitude: 0.0}\n": 3, "location: {latitude: -33.9, longitude: 18.4}\n": 5} {
		if said := load(more); said != "" {
			t.Errorf("%s: got %q", more, said)
		}
		if rise, _, ok := b.Sky.At(june); !ok || rise.UTC().Hour() != hour {
			t.Errorf("%s: the sun rises at %v, %v", more, rise, ok)
		}
	}
}

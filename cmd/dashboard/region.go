package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
	_ "time/tzdata" // zones by name, on boards that have no files of them

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/internal/locale"
	"dashboard/internal/state"
	"dashboard/provider"
	"dashboard/provider/geocode"
	"dashboard/provider/photos"
	"dashboard/theme/sun"
)

// A region is where the walls of a generation hang, and in which language they write.
type region struct {
	zone    *time.Location
	locale  *locale.Locale
	written bool             // the language is that of conf.yaml, and not only the machine's
	where   *config.Location // nil without a location
	place   *geocode.Place   // nil until it is known
}

// mainRegion reads what counts for all views that say nothing else; what is wrong is in the report.
func (l *loading) mainRegion() region {
	g := region{zone: time.Local, locale: machineLocale()}
	if !l.sound { // where it is may be in what cannot be read
		g.where = &config.Location{Known: true}
		return g
	}
	if l.conf.Timezone != nil {
		g.zone = l.conf.Timezone.Location
	}
	if l.conf.Locale != nil {
		loaded, err := loadLocale(l.conf.Locale)
		if err != nil {
			l.report.Errorf(l.conf.At("locale"), "%v", err)
		} else {
			g.locale, g.written = loaded, true
		}
	}
	where, ok := l.conf.Place()
	if !ok {
		return g
	}
	g.where = &where
	if where.Known {
		g.place = &geocode.Place{Name: where.Name, Latitude: where.Latitude, Longitude: where.Longitude}
	} else if p, ok := l.atlas.Known(where.Name); ok {
		g.place = &p
	} else {
		l.findPlace(where.Name)
	}
	return g
}

// regionOf is the region of a view.
func (l *loading) regionOf(name string, v config.View) region {
	g := l.region
	if v.Timezone != nil {
		g.zone = v.Timezone.Location
	}
	if v.Locale != nil {
		loaded, err := loadLocale(v.Locale)
		if err != nil {
			l.report.Errorf(l.conf.At("views").At(name).At("locale"), "%v", err)
		} else {
			g.locale, g.written = loaded, true
		}
	}
	return g
}

// findPlace has the place of a name looked for beside everything else; the files are read again when it is found.
func (l *loading) findPlace(name string) {
	key := "location " + name
	l.sources.Place(key, provider.Place{At: l.conf.At("location").Pos(), What: "location"})
	l.sources.Add(key, l.atlas.Finder(name, l.found))
}

// machineLocale is the language of the environment, or English.
func machineLocale() *locale.Locale {
	if l, err := locale.Load(locale.Machine(os.Getenv), nil); err == nil {
		return l
	}
	return locale.English()
}

var weekdays = map[string]time.Weekday{
	"mon": time.Monday, "tue": time.Tuesday, "wed": time.Wednesday, "thu": time.Thursday, "fri": time.Friday, "sat": time.Saturday, "sun": time.Sunday,
}

var unitSystems = map[string]locale.Units{"metric": locale.Metric, "us": locale.US, "uk": locale.UK}

// loadLocale returns the language that a configuration asks for.
func loadLocale(c *config.Language) (*locale.Locale, error) {
	o := &locale.Options{HourCycle: c.HourCycle}
	if day, ok := weekdays[c.WeekStart]; ok {
		o.WeekStart = &day
	}
	if u, ok := unitSystems[c.Units]; ok {
		o.Units = &u
	}
	if c.Digits != "" {
		latin := c.Digits == "latin"
		o.Latin = &latin
	}
	tag := c.Tag
	if tag == "" {
		tag = locale.Machine(os.Getenv)
	}
	return locale.Load(tag, o)
}

// schedule is when day and night begin at the walls; nil where no place is known.
func (g *generation) schedule() *sun.Schedule {
	if g.region.place == nil {
		return nil
	}
	s := &sun.Schedule{Lat: g.region.place.Latitude, Lon: g.region.place.Longitude}
	if a := g.conf.Appearance; a != nil {
		s.SunriseOffset, s.SunsetOffset = time.Duration(a.Offsets.Sunrise)*time.Minute, time.Duration(a.Offsets.Sunset)*time.Minute
	}
	return s
}

// sun tells widgets when the sun rises and sets on a day; nil where no place is known.
func (g *region) sun() value.Sun {
	if g.place == nil {
		return nil
	}
	a := &almanac{schedule: sun.Schedule{Lat: g.place.Latitude, Lon: g.place.Longitude}}
	return a.on
}

// located reports whether it is known where the sun is watched from.
func (g *generation) located() bool { return g.region.place != nil }

// userAgent is who the program says it is: services of public weather want to know whom to tell of a mistake.
func userAgent() string { return "dashboard/" + version }

// keep has values and places kept in a store, which may be nil.
func (b *builder) keep(store *state.Store) {
	if store == nil {
		return
	}
	b.atlas = geocode.NewAtlas(b.client, geocode.Geocoder, store)
	b.providers.Keep(store)
	if dir, err := store.Folder("photos"); err == nil { // without one, photos are scaled again after a restart
		b.photos, _ = photos.Keep(dir)
	}
}

// noState is the word for keeping nothing.
const noState = "none"

// stateFolder is the folder for what is kept through restarts: that of the command line, of systemd, or the user's cache;
// "" if there is none.
func stateFolder(option string, getenv func(string) string) string {
	switch {
	case option == noState:
		return ""
	case option != "":
		return option
	}
	if dir := getenv("STATE_DIRECTORY"); filepath.IsAbs(dir) { // set by StateDirectory= of the unit
		return dir
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "dashboard")
}

// keeper opens the folder for what is kept; without one, everything is asked for again after a restart.
func (s *service) keeper() *state.Store {
	dir := stateFolder(s.opts.StateDir, os.Getenv)
	if dir == "" {
		return nil
	}
	store, err := state.Open(dir)
	if err != nil {
		if !errors.Is(err, fs.ErrPermission) || s.opts.StateDir != "" {
			s.log.Warn("nothing is kept for the next start", "reason", err)
		}
		return nil
	}
	return store
}

// spot is where the wall hangs, as far as that is known.
func (r region) spot() value.Location {
	switch {
	case r.where == nil:
		return value.Location{}
	case r.where.Known:
		return *r.where
	case r.place != nil:
		return value.Location{Known: true, Latitude: r.place.Latitude, Longitude: r.place.Longitude, Name: r.where.Name}
	}
	return value.Location{Name: r.where.Name}
}

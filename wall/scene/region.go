package scene

import (
	"os"
	"time"
	_ "time/tzdata"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/internal/locale"
	"dashboard/provider"
	"dashboard/provider/geocode"
	"dashboard/provider/photos"
	"dashboard/theme/sun"
	"dashboard/widgets/kit/history"
)

// A Region contains the location, the time zone and the language of a wall.
type Region struct {
	Zone    *time.Location
	Locale  *locale.Locale
	Written bool             // true if conf.yaml or the view sets the language
	Where   *config.Location // configured location, or nil
	place   *geocode.Place   // coordinates of the location, or nil until they are known
}

// mainRegion returns the region in conf.yaml. Views can override this region. It reports errors in the region.
func (l *loading) mainRegion() Region {
	g := Region{Zone: time.Local, Locale: machineLocale()}
	if !l.sound { // conf.yaml may set a location that cannot be read, so assume that it sets one
		g.Where = &config.Location{Known: true}
		return g
	}
	if l.Conf.Timezone != nil {
		g.Zone = l.Conf.Timezone.Location
	}
	if l.Conf.Locale != nil {
		loaded, err := loadLocale(l.Conf.Locale)
		if err != nil {
			l.report.Errorf(l.Conf.At("locale"), "%v", err)
		} else {
			g.Locale, g.Written = loaded, true
		}
	}
	where, ok := l.Conf.Place()
	if !ok {
		return g
	}
	g.Where = &where
	if where.Known {
		g.place = &geocode.Place{Name: where.Name, Latitude: where.Latitude, Longitude: where.Longitude}
	} else if p, ok := l.Atlas.Known(where.Name); ok {
		g.place = &p
	} else {
		l.findPlace(where.Name)
	}
	return g
}

// regionOf returns the region of a view. The view's keys override conf.yaml.
func (l *loading) regionOf(name string, v config.View) Region {
	g := l.Region
	if v.Timezone != nil {
		g.Zone = v.Timezone.Location
	}
	if v.Locale != nil {
		loaded, err := loadLocale(v.Locale)
		if err != nil {
			l.report.Errorf(l.Conf.Get("views").Get(name).At("locale"), "%v", err)
		} else {
			g.Locale, g.Written = loaded, true
		}
	}
	return g
}

// findPlace looks up the coordinates of a place in the background. When they are known, the files are read again.
func (l *loading) findPlace(name string) {
	key := "location " + name
	l.Sources.Place(key, provider.Place{At: l.Conf.At("location").Pos(), What: "location"})
	l.Sources.Add(key, l.Atlas.Finder(name, l.Serving.Found))
}

// machineLocale returns the locale of the environment, or English if it has none.
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

// loadLocale returns the locale for the language settings c.
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

// Schedule returns the times at which day and night begin at the wall's location. If the location is not known, it returns nil.
func (g *Generation) Schedule() *sun.Schedule {
	if g.Region.place == nil {
		return nil
	}
	s := &sun.Schedule{Lat: g.Region.place.Latitude, Lon: g.Region.place.Longitude}
	if a := g.Conf.Appearance; a != nil {
		s.SunriseOffset, s.SunsetOffset = time.Duration(a.Offsets.Sunrise)*time.Minute, time.Duration(a.Offsets.Sunset)*time.Minute
	}
	return s
}

// Sun returns a function for the times of sunrise and sunset. If the location is not known, it returns nil.
func (g *Region) Sun() value.Sun {
	if g.place == nil {
		return nil
	}
	a := &almanac{schedule: sun.Schedule{Lat: g.place.Latitude, Lon: g.place.Longitude}}
	return a.on
}

// Located reports whether the coordinates of the wall are known.
func (g *Generation) Located() bool { return g.Region.place != nil }

// UserAgent returns the User-Agent of the program's requests. Public weather services require it.
func UserAgent(version string) string { return "dashboard/" + version }

// keep() opens the parts of the store that the builder uses. If there is no store, nothing is stored.
func (b *Builder) keep() {
	if b.Store == nil {
		b.Atlas = geocode.NewAtlas(b.Client, geocode.Geocoder, nil)
		return
	}
	b.Atlas = geocode.NewAtlas(b.Client, geocode.Geocoder, b.Store)
	b.Providers.Keep(b.Store)
	b.Pasts = history.NewPasts(b.Store, b.Home)
	if dir := b.folder("photos"); dir != "" { // if this folder cannot be used, photos are scaled again after each start
		b.photos, _ = photos.Keep(dir)
	}
}

// folder returns the path of a folder in the store. If there is no such folder, it returns "".
func (b *Builder) folder(name string) string {
	if b.Store == nil {
		return ""
	}
	dir, err := b.Store.Folder(name)
	if err != nil {
		return ""
	}
	return dir
}

// spot returns the wall's location. If the coordinates are not known yet, it contains only the name.
func (r Region) spot() value.Location {
	switch {
	case r.Where == nil:
		return value.Location{}
	case r.Where.Known:
		return *r.Where
	case r.place != nil:
		return value.Location{Known: true, Latitude: r.place.Latitude, Longitude: r.place.Longitude, Name: r.Where.Name}
	}
	return value.Location{Name: r.Where.Name}
}

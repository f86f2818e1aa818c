package ical

import (
	"strconv"
	"strings"
	"time"
)

// zones finds the time zones that a calendar names.
type zones struct {
	own     map[string]*time.Location // by the calendar's VTIMEZONEs
	found   map[string]*time.Location
	float   *time.Location // of times without a zone
	unknown map[string]bool
}

// otherNames are names seen in files of programs that follow no list.
var otherNames = map[string]string{
	"Western/Central Europe": "Europe/Berlin", // Lotus Notes
	"Eastern":                "America/New_York",
	"Central":                "America/Chicago",
	"Mountain":               "America/Denver",
	"Pacific":                "America/Los_Angeles",
	"GMT":                    "UTC",
	"Z":                      "UTC",
}

// maxZones bounds the zones of a calendar that are kept.
const maxZones = 256

// newZones reads a calendar's own zones. float is the zone of times that have none, unless the calendar says otherwise.
func newZones(calendar *component, float *time.Location, w *work) *zones {
	z := &zones{own: map[string]*time.Location{}, found: map[string]*time.Location{}, float: float, unknown: map[string]bool{}}
	calendar.walk(func(c *component) {
		if c.name != "VTIMEZONE" || len(z.own) >= maxZones {
			return
		}
		id := unescape(c.text("TZID"))
		if loc := known(unescape(c.text("X-LIC-LOCATION"))); loc != nil {
			z.own[id] = loc
		} else if loc := location(c, w); loc != nil {
			z.own[id] = loc
		}
	})
	calendar.walk(func(c *component) {
		if name := c.text("X-WR-TIMEZONE"); name != "" {
			if loc := z.find(name); loc != nil {
				z.float = loc
			}
		}
	})
	return z
}

// walk calls f with c and all components below it.
func (c *component) walk(f func(*component)) {
	f(c)
	for _, inner := range c.inner {
		inner.walk(f)
	}
}

// find returns the zone of a TZID; of one that nobody knows the calendar's.
func (z *zones) find(id string) *time.Location {
	if id == "" {
		return nil
	}
	if loc, ok := z.found[id]; ok {
		return loc
	}
	loc := z.search(id)
	if loc == nil {
		loc = z.float
		if len(z.unknown) < maxZones {
			z.unknown[id] = true
		}
	}
	if len(z.found) < maxZones {
		z.found[id] = loc
	}
	return loc
}

// search tries what programs write: names of IANA, alone or at the end of a path, of Windows, of cities, the calendar's own
// zones, distances from UTC.
func (z *zones) search(id string) *time.Location {
	if loc := known(id); loc != nil {
		return loc
	}
	parts := strings.Split(id, "/")
	for n := 3; n >= 2; n-- {
		if len(parts) > n {
			if loc := known(strings.Join(parts[len(parts)-n:], "/")); loc != nil {
				return loc
			}
		}
	}
	if loc := z.own[id]; loc != nil {
		return loc
	}
	if loc := city(id); loc != nil {
		return loc
	}
	return fixed(id)
}

// known returns a zone by a name of IANA or Windows.
func known(name string) *time.Location {
	name = strings.TrimSpace(name)
	if other, ok := windowsZones[name]; ok {
		name = other
	} else if other, ok := otherNames[name]; ok {
		name = other
	}
	if name == "" || name == "Local" || strings.Contains(name, "..") || strings.HasPrefix(name, "/") {
		return nil
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		return nil
	}
	return loc
}

// city finds a zone by the first city of a list that has one: "Amsterdam, Belgrade, Berlin".
func city(id string) *time.Location {
	_, names, found := strings.Cut(id, ") ") // "(UTC+01:00) Amsterdam, …"
	if !found {
		names = id
	}
	for _, name := range strings.Split(names, ",") {
		name = strings.ReplaceAll(strings.TrimSpace(strings.ReplaceAll(name, `\`, "")), " ", "_")
		for _, area := range []string{"Europe", "America", "Asia", "Africa", "Australia", "Pacific", "Atlantic"} {
			if loc := known(area + "/" + name); loc != nil && name != "" {
				return loc
			}
		}
	}
	return nil
}

// fixed reads a distance from UTC: "UTC+2", "GMT -0500", "+01:00".
func fixed(id string) *time.Location {
	s := strings.ReplaceAll(id, " ", "")
	for _, prefix := range []string{"UTC", "GMT"} {
		s = strings.TrimPrefix(s, prefix)
	}
	if len(s) < 2 || s[0] != '+' && s[0] != '-' {
		return nil
	}
	digits := strings.ReplaceAll(s[1:], ":", "")
	if len(digits) <= 2 {
		digits += "00"
	}
	if len(digits) == 3 {
		digits = "0" + digits
	}
	n, err := strconv.Atoi(digits)
	if err != nil || len(digits) != 4 || n/100 > 14 || n%100 > 59 {
		return nil
	}
	seconds := n/100*3600 + n%100*60
	if s[0] == '-' {
		seconds = -seconds
	}
	return time.FixedZone(id, seconds)
}

// offset reads TZOFFSETFROM and TZOFFSETTO: +0100, -0330, +005328; in seconds.
func offset(s string) (int, bool) {
	s = strings.TrimSpace(s)
	if len(s) != 5 && len(s) != 7 || s[0] != '+' && s[0] != '-' {
		return 0, false
	}
	n, err := strconv.Atoi(s[1:])
	if err != nil {
		return 0, false
	}
	if len(s) == 5 {
		n *= 100
	}
	seconds := n/10000*3600 + n/100%100*60 + n%100
	if s[0] == '-' {
		seconds = -seconds
	}
	return seconds, seconds > -86400 && seconds < 86400
}

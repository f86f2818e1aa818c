package ical

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The type zones finds the time zones that a calendar names.
type zones struct {
	own     map[string]*time.Location // zones that the calendar defines in VTIMEZONEs
	first   *time.Location            // first zone that the calendar defines, or nil
	found   map[string]*time.Location
	float   *time.Location // zone of times without a zone
	unknown map[string]*time.Location
}

// An UnknownZone is a name in a calendar that is not a known time zone.
type UnknownZone struct {
	Name string
	Used *time.Location // zone that was used instead
}

// maxZones is the maximum number of zones that are stored for a calendar.
const maxZones = 256

// newZones reads the time zones of a calendar. `float` is the zone of times without a zone, unless the calendar sets another zone.
func newZones(calendar *component, float *time.Location, w *work) *zones {
	z := &zones{own: map[string]*time.Location{}, found: map[string]*time.Location{}, float: float, unknown: map[string]*time.Location{}}
	calendar.walk(func(c *component) {
		if c.name != "VTIMEZONE" || len(z.own) >= maxZones {
			return
		}
		loc := known(unescape(c.text("X-LIC-LOCATION")))
		if loc == nil {
			loc = location(c, w)
		}
		if loc != nil {
			z.own[unescape(c.text("TZID"))] = loc
			z.first = cmp.Or(z.first, loc)
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

// find returns the time zone with the name id (TZID), or nil if id is "". If the name is unknown, it uses an offset in the name or the
// calendar's default zone, and records the name.
func (z *zones) find(id string) *time.Location {
	if id == "" {
		return nil
	}
	if loc, ok := z.found[id]; ok {
		return loc
	}
	loc := z.search(id)
	if loc == nil {
		offset, _, _ := bracket(id)
		loc = cmp.Or(fixed(offset), z.float)
		if len(z.unknown) < maxZones {
			z.unknown[id] = loc
		}
	}
	if len(z.found) < maxZones {
		z.found[id] = loc
	}
	return loc
}

// search returns the zone for a name, or nil. It tries the forms that programs write: an IANA name (alone or at the end of a path), a
// Windows name, one of the calendar's own zones, a name that Outlook shows, a list of cities, and an offset.
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
	if loc := displayed(id); loc != nil {
		return loc
	}
	if loc := city(id); loc != nil {
		return loc
	}
	return fixed(id)
}

// known() returns the zone with an IANA or Windows name, or nil.
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

// bracket splits a name such as "(UTC-05:00) Eastern Time" into the offset and the rest. ok is false if there are no brackets.
func bracket(id string) (offset, name string, ok bool) {
	id = strings.TrimSpace(id)
	if !strings.HasPrefix(id, "(UTC") && !strings.HasPrefix(id, "(GMT") {
		return "", id, false
	}
	offset, name, ok = strings.Cut(id[1:], ")")
	return offset, strings.TrimSpace(name), ok
}

// displayed() returns the zone for a name that Windows shows. An offset in brackets may precede the name. For any other name, displayed()
// returns nil.
func displayed(id string) *time.Location {
	offset, name, _ := bracket(id)
	name = strings.NewReplacer(" and ", " & ", `\`, "").Replace(name)
	for part := range strings.SplitSeq(name, ";") {
		part = strings.TrimSpace(strings.TrimSuffix(part, " - Old"))
		for _, windows := range []string{displayNames[part], part, part + " Standard Time"} {
			if loc := known(windows); loc != nil {
				return loc
			}
		}
	}
	if strings.HasPrefix(name, "Coordinated Universal Time") {
		return cmp.Or(fixed(offset), time.UTC)
	}
	return nil
}

// areas lists the areas of IANA names in which zones are named after cities. For example, Europe is the area of Europe/Berlin.
var areas = []string{"Europe", "America", "Asia", "Africa", "Australia", "Pacific", "Atlantic"}

// city returns the zone of the first known city in a list such as "Amsterdam, Belgrade, Berlin".
func city(id string) *time.Location {
	_, names, _ := bracket(id)
	for name := range strings.SplitSeq(names, ",") {
		name = strings.ReplaceAll(strings.TrimSpace(strings.ReplaceAll(name, `\`, "")), " ", "_")
		for _, area := range areas {
			if loc := known(area + "/" + name); loc != nil && name != "" {
				return loc
			}
		}
	}
	return nil
}

// fixed() returns the zone for an offset such as "UTC+2", "GMT -0500" or "+01:00". It returns nil for any other text.
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

// offset parses a TZOFFSETFROM or TZOFFSETTO, such as +0100, -0330 or +005328. The result is in seconds.
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

// day returns the date of a moment in a whole-day series, as midnight in UTC. Exchange, Outlook and Apple write such a date as local
// midnight, with a zone or in UTC. For a moment in UTC, day uses the first of these zones in which the moment is midnight: the default
// zone of the calendar, the first zone that the calendar defines, UTC.
func (z *zones) day(m moment) time.Time {
	if m.date || !m.utc {
		return midnight(m.fields)
	}
	for _, loc := range []*time.Location{z.float, z.first, time.UTC} {
		if loc == nil {
			continue
		}
		if f := m.in(loc); f.Equal(midnight(f)) {
			return f
		}
	}
	return midnight(m.in(z.float))
}

// midnight returns the start of the day of a time.
func midnight(fields time.Time) time.Time {
	y, m, d := fields.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// unknownZones returns a sorted list of the unknown names of time zones. The list is cut to `most` names.
func (z *zones) unknownZones(most int) []UnknownZone {
	all := make([]UnknownZone, 0, len(z.unknown))
	for _, name := range slices.Sorted(maps.Keys(z.unknown)) {
		all = append(all, UnknownZone{name, z.unknown[name]})
	}
	return all[:min(len(all), most)]
}

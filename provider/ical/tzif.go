package ical

import (
	"encoding/binary"
	"slices"
	"strings"
	"time"

	"dashboard/internal/stable"
)

// firstYear and lastYear are the range of years for which the changes of a zone are computed. Of the changes before firstYear, only the
// last one applies. After lastYear, the last computed offset applies.
const (
	firstYear = 1970
	lastYear  = 2045
	// maxTransitions is the maximum number of changes of a zone. A zone usually changes twice a year. The maximum is twice that number,
	// because some zones have irregular years.
	maxTransitions = 4 * (lastYear - firstYear)
)

// A change is a time at which the offset of a zone changes. Offsets are in seconds east of UTC.
type change struct {
	at       int64 // Unix seconds
	to       int
	daylight bool
	name     string
}

// location returns the time zone that a VTIMEZONE defines, or nil if the definition is unusable.
func location(c *component, w *work) *time.Location {
	var all []change
	before, first := 0, int64(0)
	for _, o := range c.inner {
		from, okFrom := offset(o.text("TZOFFSETFROM"))
		to, okTo := offset(o.text("TZOFFSETTO"))
		start, err := parseMoment(o.text("DTSTART"), nil, time.UTC)
		if !okTo || err != nil || (o.name != "STANDARD" && o.name != "DAYLIGHT") {
			continue
		}
		if !okFrom {
			from = to
		}
		if at := start.fields.Unix() - int64(from); len(all) == 0 || at < first {
			first, before = at, from
		}
		all = append(all, changes(o, start.fields, from, to, w)...)
	}
	if len(all) == 0 {
		return nil
	}
	stable.Sort(all, func(a, b change) int { return int(min(max(a.at-b.at, -1), 1)) })
	all = recent(all)
	loc, err := time.LoadLocationFromTZData(c.text("TZID"), tzif(all[:min(len(all), maxTransitions)], before))
	if err != nil {
		return nil
	}
	return loc
}

// recent() removes all changes before firstYear except the last of these changes.
func recent(all []change) []change {
	began := time.Date(firstYear, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	n := 0
	for n+1 < len(all) && all[n+1].at < began {
		n++
	}
	return all[n:]
}

// changes() lists the times at which an observance begins: DTSTART, the times of its rule, and its RDATEs. `from` and `to` are the offsets
// before and after each of these times.
func changes(o *component, start time.Time, from, to int, w *work) []change {
	starts := []time.Time{start}
	if rule := o.get("RRULE"); rule != nil {
		loc := time.FixedZone("", from) // for an UNTIL in UTC
		end := time.Date(lastYear, 1, 1, 0, 0, 0, 0, time.UTC)
		if list, err := expandRule(rule.value, followed(rule.value, start, loc), false, loc, time.Time{}, end, w); err == nil {
			starts = append(starts, list...)
		}
	}
	o.all("RDATE", func(p *property) {
		for text := range strings.SplitSeq(p.value, ",") {
			if m, err := parseMoment(text, nil, time.UTC); err == nil && len(starts) < maxLists {
				starts = append(starts, m.fields)
			}
		}
	})
	one := change{to: to, daylight: o.name == "DAYLIGHT", name: o.text("TZNAME")}
	all := make([]change, 0, len(starts))
	for _, s := range starts {
		one.at = s.Unix() - int64(from)
		all = append(all, one)
	}
	return all
}

// followed() returns a later start for a rule that begins long before firstYear. The start is two years before firstYear or the rule's last
// year, whichever is earlier. Earlier times are not needed, because only the last change before firstYear has an effect, and computing
// centuries takes long.
func followed(rule string, start time.Time, loc *time.Location) time.Time {
	const years = 2
	first := firstYear
	if until, err := parseMoment(ruleParts(rule, false)["UNTIL"], nil, loc); err == nil {
		first = min(first, until.fields.Year())
	}
	first -= years
	if start.Year() >= first {
		return start
	}
	return start.AddDate(first-start.Year(), 0, 0)
}

// tzif encodes the changes as a TZif file of version 2 (RFC 8536, section 3). The block of version 1 is empty. `before` is the offset
// before the first change.
func tzif(all []change, before int) []byte {
	type zone struct {
		offset   int
		daylight bool
	}
	kinds := []zone{{before, false}}
	var at, index []byte
	for _, c := range all {
		k := slices.Index(kinds, zone{c.to, c.daylight})
		if k < 0 {
			k, kinds = len(kinds), append(kinds, zone{c.to, c.daylight})
		}
		if k > 255 {
			break
		}
		at = binary.BigEndian.AppendUint64(at, uint64(c.at))
		index = append(index, byte(k))
	}
	kinds = kinds[:min(len(kinds), 256)]
	const abbreviation = "-\x00"
	head := func(b []byte, times, types, chars int) []byte {
		b = append(b, "TZif2"...)
		b = append(b, make([]byte, 15)...)
		for _, n := range []int{0, 0, 0, times, types, chars} {
			b = binary.BigEndian.AppendUint32(b, uint32(n))
		}
		return b
	}
	record := func(b []byte, z zone) []byte {
		b = binary.BigEndian.AppendUint32(b, uint32(int32(z.offset)))
		if z.daylight {
			return append(b, 1, 0)
		}
		return append(b, 0, 0)
	}
	b := head(nil, 0, 1, len(abbreviation))
	b = append(record(b, kinds[0]), abbreviation...)
	b = head(b, len(index), len(kinds), len(abbreviation))
	b = append(append(b, at...), index...)
	for _, z := range kinds {
		b = record(b, z)
	}
	b = append(b, abbreviation...)
	return append(b, '\n', '\n')
}

package locale

import (
	"slices"
	"strings"
)

// RegionsLine is the tag of the line of cldr.gz that holds the Regions.
const RegionsLine = "*"

// Skeletons are the kinds of dates and times whose patterns are packed, in this order, as CLDR's availableFormats names
// them.
var Skeletons = [...]string{"Hm", "hm", "Hms", "hms", "H", "h", "MMMMd", "MMMd", "Md", "MMMMEd", "MMMEd", "Ed", "yMMMM", "yMMMd", "yMd", "yMMMEd"}

// RelativeUnits are the units of a time relative to now.
var RelativeUnits = [...]string{"second", "minute", "hour", "day", "week", "month", "year"}

// DurationUnits are the units of a duration.
var DurationUnits = [...]string{"second", "minute", "hour", "day", "week"}

// Data is one packed language. Names of months start in January, names of days on Sunday.
type Data struct {
	Months    [4][]string                  `json:"m"` // wide, short, stand-alone wide, stand-alone short
	Days      [6][]string                  `json:"d"` // wide, short, stand-alone wide, stand-alone short, two letters, narrow
	AMPM      []string                     `json:"a"`
	DateFull  string                       `json:"f"`
	Formats   []string                     `json:"k"` // by Skeletons
	Relative  map[string]Relative          `json:"r"`
	NearDays  []string                     `json:"n"` // yesterday, today, tomorrow
	Signs     []string                     `json:"s"` // decimal, group, minus, percent
	Percent   string                       `json:"p"`
	Pattern   string                       `json:"g"`
	GroupFrom string                       `json:"G"` // digits in front of the first group sign, at least
	Numbering string                       `json:"N"`
	Thousands []string                     `json:"t"` // compact patterns from 10^3 on
	Durations map[string]map[string]string `json:"u"` // unit → plural category → pattern
}

// Relative is the form of a time that is some units from now, by plural category.
type Relative struct {
	In  map[string]string `json:"i"`
	Ago map[string]string `json:"a"`
}

// Compact removes rows that repeat another row. For example, stand-alone names often equal the names in a date.
func (d *Data) Compact() {
	for _, rows := range [][][]string{d.Months[:], d.Days[:]} {
		for i := len(rows) - 1; i > 0; i-- {
			if from := sameFrom(i, len(rows)); slices.Equal(rows[i], rows[from]) {
				rows[i] = nil
			}
		}
	}
}

// expand undoes Compact.
func (d *Data) expand() {
	for _, rows := range [][][]string{d.Months[:], d.Days[:]} {
		for i := range rows {
			if i > 0 && rows[i] == nil {
				rows[i] = rows[sameFrom(i, len(rows))]
			}
		}
	}
}

// sameFrom is the row that row i of n is likely to repeat.
func sameFrom(i, n int) int {
	switch i {
	case 1:
		return 0
	case 4:
		return 3
	case 5:
		return 4
	}
	return i - 2
}

// Regions are the rules of countries, by their codes; "001" is the world.
type Regions struct {
	FirstDay map[string]string `json:"f"` // mon, sun, sat, fri
	MinDays  map[string]string `json:"m"` // days that the first week of a year has at least
	Twelve   string            `json:"h"` // regions, or languages with a region, with the 12-hour clock
	Units    map[string]string `json:"u"` // US, UK
	Likely   map[string]string `json:"l"` // language → language, script, region
	Parents  map[string]string `json:"p"` // tag → tag that it inherits from
}

// Sort sorts the lists, so that packing twice gives the same bytes.
func (r *Regions) Sort() {
	all := strings.Fields(r.Twelve)
	slices.Sort(all)
	r.Twelve = strings.Join(all, " ")
}

package locale

import (
	"slices"
	"strings"
)

// RegionsLine is the tag of the line in cldr.gz that contains the Regions.
const RegionsLine = "*"

// Skeletons are the kinds of dates and times whose patterns are in cldr.gz, in the order of Data.Formats. Their names are the names of
// CLDR's availableFormats.
var Skeletons = [...]string{"Hm", "hm", "Hms", "hms", "H", "h", "MMMMd", "MMMd", "Md", "MMMMEd", "MMMEd", "Ed", "yMMMM", "yMMMd", "yMd", "yMMMEd"}

// RelativeUnits are the units of a time relative to now.
var RelativeUnits = [...]string{"second", "minute", "hour", "day", "week", "month", "year"}

// DurationUnits are the units of a duration.
var DurationUnits = [...]string{"second", "minute", "hour", "day", "week"}

// Data is the content of one language's line in cldr.gz. Names of months start with January, and names of days start with Sunday.
type Data struct {
	Months    [4][]string                  `json:"m"` // wide, short, stand-alone wide, stand-alone short
	Days      [6][]string                  `json:"d"` // wide, short, stand-alone wide, stand-alone short, two letters, narrow
	AMPM      []string                     `json:"a"`
	DateFull  string                       `json:"f"`
	Formats   []string                     `json:"k"` // in the order of Skeletons
	Relative  map[string]Relative          `json:"r"`
	NearDays  []string                     `json:"n"` // yesterday, today, tomorrow
	Signs     []string                     `json:"s"` // decimal, group, minus, percent
	Percent   string                       `json:"p"`
	Pattern   string                       `json:"g"`
	GroupFrom string                       `json:"G"` // minimum number of digits before the first group sign
	Numbering string                       `json:"N"`
	Thousands []string                     `json:"t"` // patterns of short numbers, from 10^3 on
	Durations map[string]map[string]string `json:"u"` // unit → plural category → pattern
}

// Relative contains the texts for a time such as "in 5 minutes", by plural category.
type Relative struct {
	In  map[string]string `json:"i"`
	Ago map[string]string `json:"a"`
}

// Compact removes each row that repeats another row. For example, the stand-alone names often equal the names in a date.
func (d *Data) Compact() {
	for _, rows := range [][][]string{d.Months[:], d.Days[:]} {
		for i := len(rows) - 1; i > 0; i-- {
			if from := sameFrom(i, len(rows)); slices.Equal(rows[i], rows[from]) {
				rows[i] = nil
			}
		}
	}
}

// expand restores the rows that Compact has removed.
func (d *Data) expand() {
	for _, rows := range [][][]string{d.Months[:], d.Days[:]} {
		for i := range rows {
			if i > 0 && rows[i] == nil {
				rows[i] = rows[sameFrom(i, len(rows))]
			}
		}
	}
}

// sameFrom returns the index of the row that Compact compares with row i, because the two rows are often equal.
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

// Regions contains the rules of countries by country code. The code of the world is "001".
type Regions struct {
	FirstDay map[string]string `json:"f"` // value: mon, sun, sat or fri
	MinDays  map[string]string `json:"m"` // minimum number of days in the first week of a year
	// Twelve lists the countries, and the tags such as en-CA, that use the 12-hour clock. They are separated by spaces.
	Twelve  string            `json:"h"`
	Units   map[string]string `json:"u"` // US or UK
	Likely  map[string]string `json:"l"` // language → language, script, region
	Parents map[string]string `json:"p"` // tag → its parent tag, from which it inherits
}

// Sort sorts the lists, because packing the same data twice must give the same bytes.
func (r *Regions) Sort() {
	all := strings.Fields(r.Twelve)
	slices.Sort(all)
	r.Twelve = strings.Join(all, " ")
}

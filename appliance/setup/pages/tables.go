package pages

import (
	"cmp"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"dashboard/internal/folder"
	"dashboard/internal/stable"
)

// Tables are the lists on the pages. They come from files of the image, so that the pages work without a network.
type Tables struct {
	Countries []Country
	Cities    []City
	Zones     []string // zones by name
	Walls     []string
}

// A Country has a code of two letters, an English name, and the names of its time zones, separated by blanks.
type Country struct{ Tag, Name, Zones string }

// A City is an entry of tzdata.
type City struct {
	Country, Name, Zone string
	At                  string // latitude and longitude
}

// maxTable is the maximum size of a file of tzdata, in bytes.
const maxTable = 256 << 10

// ReadTables reads the lists. `zones` is the folder of tzdata. `gallery` has a folder for each wall.
func ReadTables(zones, gallery fs.FS) (t Tables) {
	for _, f := range rows(zones, "iso3166.tab") {
		if len(f) >= 2 {
			t.Countries = append(t.Countries, Country{Tag: f[0], Name: f[1]})
		}
	}
	stable.Sort(t.Countries, func(a, b Country) int { return cmp.Compare(a.Name, b.Name) })
	for _, f := range rows(zones, "zone.tab") {
		if len(f) < 3 {
			continue
		}
		if i := slices.IndexFunc(t.Countries, func(c Country) bool { return c.Tag == f[0] }); i >= 0 {
			t.Countries[i].Zones = strings.TrimSpace(t.Countries[i].Zones + " " + f[2])
		}
		t.Zones = append(t.Zones, f[2])
		if at, ok := position(f[1]); ok {
			t.Cities = append(t.Cities, City{f[0], cityOf(f[2]), f[2], at})
		}
	}
	t.Zones = append(t.Zones, "UTC")
	slices.Sort(t.Zones)
	stable.Sort(t.Cities, func(a, b City) int { return cmp.Compare(a.Name, b.Name) })
	entries, _ := fs.ReadDir(gallery, ".") // if the gallery is missing, no wall can be chosen
	for _, e := range entries {
		if _, err := fs.Stat(gallery, e.Name()+"/wall.png"); err == nil {
			t.Walls = append(t.Walls, e.Name())
		}
	}
	return t
}

// zonesWith returns the zones of the list. A zone of the card that is not in the list, such as Etc/GMT+5, comes first.
func (s *Server) zonesWith(card string) []string {
	if card == "" || slices.Contains(s.Tables.Zones, card) {
		return s.Tables.Zones
	}
	return append([]string{card}, s.Tables.Zones...)
}

// rows() returns the fields in the rows of a tzdata table. Tabs separate the fields.
func rows(fsys fs.FS, name string) (all [][]string) {
	text, err := folder.Read(fsys, name, maxTable)
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimRight(line, "\n"); line != "" && line[0] != '#' {
			all = append(all, strings.Split(line, "\t"))
		}
	}
	return all
}

// cityOf returns the city in the name of a zone.
func cityOf(zone string) string {
	return strings.ReplaceAll(zone[strings.LastIndexByte(zone, '/')+1:], "_", " ")
}

// position converts a position in zone.tab (ISO 6709), such as +5230+01322, to decimal degrees.
func position(s string) (string, bool) {
	i := strings.LastIndexAny(s, "+-")
	if i < 1 {
		return "", false
	}
	lat, ok1 := degrees(s[:i], 2)
	lon, ok2 := degrees(s[i:], 3)
	return lat + ", " + lon, ok1 && ok2
}

// degrees() converts a text to decimal degrees. The text has a sign, the given number of digits for degrees, two digits for minutes, and
// optional seconds. degrees() ignores the seconds.
func degrees(s string, digits int) (string, bool) {
	if len(s) < 1+digits+2 {
		return "", false
	}
	d, err1 := strconv.Atoi(s[1 : 1+digits])
	m, err2 := strconv.Atoi(s[1+digits : 3+digits])
	v := float64(d) + float64(m)/60
	if s[0] == '-' {
		v = -v
	}
	return strconv.FormatFloat(v, 'f', 2, 64), err1 == nil && err2 == nil
}

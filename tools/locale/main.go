// Command locale packs the part of Unicode's CLDR that the walls need into internal/locale/cldr.gz. Each language has one line:
// its tag, a tab, and JSON. It reads the unpacked npm packages cldr-core, cldr-dates-full, cldr-numbers-full and cldr-units-full,
// all 48.2.0:
//
//	npm install --prefix DIR cldr-core@48.2.0 cldr-dates-full@48.2.0 cldr-numbers-full@48.2.0 cldr-units-full@48.2.0
//	go run ./tools/locale -cldr DIR/node_modules
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"dashboard/internal/locale"
	"dashboard/tools/files"
)

// tags lists the packed languages: probable languages of walls, and their regions that write dates or numbers differently.
const tags = `af ar az be bg bn bs ca cs cy da de de-AT de-CH el en en-AU en-CA en-GB en-IE en-IN en-NZ en-ZA es es-419 es-AR es-MX et eu fa fi
fr fr-BE fr-CA fr-CH ga gl he hi hr hu hy id is it it-CH ja ka kk ko lb lt lv mk mr ms nb nl nl-BE nn pl pt pt-PT ro ru sk sl sq
sr sr-Latn sv ta th tr uk ur uz vi zh zh-Hant`

func main() {
	cldr := flag.String("cldr", "node_modules", "folder of the unpacked npm packages")
	out := flag.String("out", "internal/locale/cldr.gz", "file to write")
	flag.Parse()
	if err := run(*cldr, *out); err != nil {
		fmt.Fprintln(os.Stderr, "locale:", err)
		os.Exit(1)
	}
}

func run(cldr, out string) error {
	s := &source{root: cldr}
	var text bytes.Buffer
	line := func(tag string, v any) {
		b, err := json.Marshal(v)
		if err != nil && s.err == nil {
			s.err = err
		}
		fmt.Fprintf(&text, "%s\t%s\n", tag, b)
	}
	line(locale.RegionsLine, s.regions())
	for _, tag := range strings.Fields(tags) {
		line(tag, s.language(tag))
	}
	if s.err != nil {
		return s.err
	}
	packed, err := files.Gzip(text.Bytes())
	if err != nil {
		return err
	}
	fmt.Printf("%d languages, %d bytes, packed %d\n", len(strings.Fields(tags)), text.Len(), len(packed))
	return os.WriteFile(out, packed, 0o644)
}

// A source reads the JSON files of CLDR. It keeps the first error.
type source struct {
	root string
	err  error
}

// object is a JSON object.
type object map[string]any

// at() returns the object at a path in o. If a part of the path is missing, it returns an empty object.
func (o object) at(path ...string) object {
	for _, step := range path {
		next, _ := o[step].(map[string]any)
		o = next
	}
	return o
}

func (o object) text(key string) string { s, _ := o[key].(string); return s }

// row returns the texts with the given keys.
func (o object) row(keys string) []string {
	var all []string
	for _, k := range strings.Fields(keys) {
		all = append(all, o.text(k))
	}
	return all
}

func (s *source) read(path ...string) object {
	b, err := os.ReadFile(filepath.Join(append([]string{s.root}, path...)...))
	var o object
	if err == nil {
		err = json.Unmarshal(b, &o)
	}
	if err != nil && s.err == nil {
		s.err = err
	}
	return o
}

// main() reads a file of one language in the folder "main" of a package.
func (s *source) main(pack, tag, file string) object {
	return s.read(pack, "main", tag, file).at("main", tag)
}

const (
	months   = "1 2 3 4 5 6 7 8 9 10 11 12"
	weekdays = "sun mon tue wed thu fri sat"
)

func (s *source) language(tag string) *locale.Data {
	calendar := s.main("cldr-dates-full", tag, "ca-gregorian.json").at("dates", "calendars", "gregorian")
	fields := s.main("cldr-dates-full", tag, "dateFields.json").at("dates", "fields")
	names := func(what, form, width, keys string) []string { return calendar.at(what, form, width).row(keys) }
	d := &locale.Data{
		Months: [4][]string{
			names("months", "format", "wide", months), names("months", "format", "abbreviated", months),
			names("months", "stand-alone", "wide", months), names("months", "stand-alone", "abbreviated", months),
		},
		Days: [6][]string{
			names("days", "format", "wide", weekdays), names("days", "format", "abbreviated", weekdays),
			names("days", "stand-alone", "wide", weekdays), names("days", "stand-alone", "abbreviated", weekdays),
			names("days", "stand-alone", "short", weekdays), names("days", "stand-alone", "narrow", weekdays),
		},
		AMPM:     names("dayPeriods", "format", "abbreviated", "am pm"),
		DateFull: strings.Replace(calendar.at("dateFormats").text("full"), " G ", " ", 1), // no wall shows a year before Christ
		Relative: map[string]locale.Relative{},
	}
	d.Formats = calendar.at("dateTimeFormats", "availableFormats").row(strings.Join(locale.Skeletons[:], " "))
	if short := calendar.at("timeFormats").text("short"); strings.Contains(short, "H") {
		d.Formats[0] = short // in some languages, only the longer format contains a word such as "o'clock"
	}
	for _, unit := range locale.RelativeUnits {
		f := fields.at(unit + "-short")
		d.Relative[unit] = locale.Relative{
			In:  plurals(f.at("relativeTime-type-future"), "relativeTimePattern-count-"),
			Ago: plurals(f.at("relativeTime-type-past"), "relativeTimePattern-count-"),
		}
	}
	d.NearDays = fields.at("day").row("relative-type--1 relative-type-0 relative-type-1")
	s.numbers(d, tag)
	d.Compact()
	return d
}

// numbers() fills in the signs and patterns for numbers, and for durations.
func (s *source) numbers(d *locale.Data, tag string) {
	all := s.main("cldr-numbers-full", tag, "numbers.json").at("numbers")
	signs := all.at("symbols-numberSystem-latn")
	d.Signs = signs.row("decimal group minusSign percentSign")
	d.Percent = all.at("percentFormats-numberSystem-latn").text("standard")
	d.Pattern = all.at("decimalFormats-numberSystem-latn").text("standard")
	d.GroupFrom = all.text("minimumGroupingDigits")
	d.Numbering = all.text("defaultNumberingSystem")
	short := all.at("decimalFormats-numberSystem-latn", "short", "decimalFormat")
	for power := "1000"; len(power) <= len("100000000000000"); power += "0" {
		d.Thousands = append(d.Thousands, short.text(power+"-count-other"))
	}
	units := s.main("cldr-units-full", tag, "units.json").at("units", "short")
	d.Durations = map[string]map[string]string{}
	for _, unit := range locale.DurationUnits {
		d.Durations[unit] = plurals(units.at("duration-"+unit), "unitPattern-count-")
	}
}

// plurals() returns the forms of a pattern by plural category. It leaves out forms that equal the form for "other".
func plurals(o object, prefix string) map[string]string {
	other := o.text(prefix + "other")
	all := map[string]string{"other": other}
	for _, category := range []string{"zero", "one", "two", "few", "many"} {
		if form := o.text(prefix + category); form != "" && form != other {
			all[category] = form
		}
	}
	return all
}

// regions() returns the rules of countries: the first day of the week, the minimum days of the first week, hours and units.
func (s *source) regions() *locale.Regions {
	week := s.read("cldr-core", "supplemental", "weekData.json").at("supplemental", "weekData")
	hours := s.read("cldr-core", "supplemental", "timeData.json").at("supplemental", "timeData")
	units := s.read("cldr-core", "supplemental", "measurementData.json").at("supplemental", "measurementData", "measurementSystem")
	likely := s.read("cldr-core", "supplemental", "likelySubtags.json").at("supplemental", "likelySubtags")
	parents := s.read("cldr-core", "supplemental", "parentLocales.json").at("supplemental", "parentLocales", "parentLocale")
	r := &locale.Regions{FirstDay: map[string]string{}, MinDays: map[string]string{}, Twelve: "", Units: map[string]string{}, Likely: map[string]string{}, Parents: map[string]string{}}
	for region := range week.at("firstDay") {
		if day := week.at("firstDay").text(region); day != "mon" { // Monday is the default
			r.FirstDay[region] = day
		}
	}
	for region := range week.at("minDays") {
		if least := week.at("minDays").text(region); least != "1" { // 1 is the default
			r.MinDays[region] = least
		}
	}
	for region := range hours {
		if strings.HasPrefix(hours.at(region).text("_preferred"), "h") {
			r.Twelve += region + " "
		}
	}
	for region := range units {
		r.Units[region] = units.text(region)
	}
	packed := strings.Fields(tags)
	for _, tag := range packed {
		language, _, _ := strings.Cut(tag, "-")
		for _, t := range []string{language, tag} {
			if to := likely.text(t); to != "" {
				r.Likely[t] = to
			}
		}
	}
	for tag := range parents {
		for _, t := range packed {
			if parents.text(tag) == t && t != "en" {
				r.Parents[tag] = t
			}
		}
	}
	r.Sort()
	return r
}

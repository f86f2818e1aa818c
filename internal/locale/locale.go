// Package locale writes dates, times and numbers in the form of a language and region.
//
// Its data comes from Unicode's CLDR 48.2 (cldr.gz, written by tools/locale, with its license in the same folder).
// Patterns follow UTS 35, parts 3 and 4.
package locale

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/language"
)

//go:embed cldr.gz
var packed []byte

// Units is a system of units of measurement.
type Units uint8

// The systems: metric units, the units of the United States, and metric units with miles, as in the United Kingdom.
const (
	Metric Units = iota
	US
	UK
)

// Options override values that Load would take from the locale of the tag. A zero value does not override anything.
type Options struct {
	HourCycle int           // 12 or 24
	WeekStart *time.Weekday // first day of the week. nil = the first day in the locale
	Units     *Units
	Latin     *bool // true for the digits 0 to 9, false for the language's own digits. nil = the digits that the locale usually has
}

// Locale is a language as people write it in one region. It is immutable and safe for concurrent use.
type Locale struct {
	Tag         string // requested tag in canonical form: de-AT
	Language    string // de
	Region      string // AT
	Hours       int    // 12 or 24
	FirstDay    time.Weekday
	MinDays     int // minimum number of days in the first week of a year: 4 in ISO 8601
	Units       Units
	RightToLeft bool

	data   *Data
	plural language.Tag
	words  []string
	zero   rune // the rune of the digit 0
	// dayDate is the pattern of the word DayDate.
	dayDate string
	// wideDay is the pattern of the word WeekdayDay.
	wideDay string
	signs   signs
}

// maxTag is the maximum length of a tag in bytes. BCP 47 recommends room for 35 bytes.
const maxTag = 35

// Load returns the locale of a BCP 47 tag such as "de-AT". It also accepts the form of environment variables, "de_AT.UTF-8". If the
// region or the script is unknown, Load uses the language alone. If the language is unknown, Load returns an error with the language.
func Load(tag string, o *Options) (*Locale, error) {
	if o == nil {
		o = &Options{}
	}
	canonical := canonical(tag)
	if canonical == "" {
		return nil, fmt.Errorf("'%s' is no language tag such as en-GB", clip(tag))
	}
	regions := &Regions{}
	if err := decode(RegionsLine, regions); err != nil {
		return nil, err
	}
	data, known := &Data{}, false
	for _, t := range candidates(canonical, regions) {
		if known = decode(t, data) == nil; known {
			break
		}
	}
	if !known {
		return nil, fmt.Errorf("the language '%s' does not exist; the languages are %s", clip(tag), strings.Join(Tags(), ", "))
	}
	data.expand()
	l := &Locale{Tag: canonical, data: data}
	l.dayDate = l.longDayDate()
	l.Language, _, _ = strings.Cut(canonical, "-")
	l.wideDay = widen(l.dayShort())
	l.Region = region(canonical, regions)
	l.rules(regions)
	l.setWords()
	l.shorten()
	l.plural = language.Make(l.Language)
	l.override(o)
	return l, nil
}

// English returns the locale "en", with the dates, hours and units of the United States. It is for a wall or a test without another
// locale. It always returns the same value.
func English() *Locale { return english() }

var english = sync.OnceValue(func() *Locale {
	l, err := Load("en", nil)
	if err != nil {
		panic(err) // cannot happen, because the language is embedded
	}
	return l
})

// Machine returns the language tag in the environment. It is the first valid tag of LC_ALL, LC_TIME and LANG. C and POSIX are not valid.
// If no tag is valid, Machine returns "en".
func Machine(getenv func(string) string) string {
	for _, name := range []string{"LC_ALL", "LC_TIME", "LANG"} {
		v := canonical(getenv(name))
		if language, _, _ := strings.Cut(v, "-"); v != "" && language != "c" && language != "posix" {
			return v
		}
	}
	return "en"
}

// Tags lists all supported languages.
func Tags() []string {
	var all []string
	_ = lines(func(tag string, _ []byte) bool {
		if tag != RegionsLine {
			all = append(all, tag)
		}
		return false
	})
	slices.Sort(all)
	return all
}

// lines() calls f with each line of cldr.gz until f returns true.
func lines(f func(tag string, text []byte) (done bool)) error {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return err
	}
	r := bufio.NewReader(z)
	for {
		line, err := r.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		tag, text, _ := bytes.Cut(line, []byte{'\t'})
		if f(string(tag), text) {
			return nil
		}
	}
}

// decode finds the line of a tag in cldr.gz and decodes its JSON into the variable *into.
func decode(tag string, into any) error {
	err := fmt.Errorf("locale: %s is not packed", tag)
	if e := lines(func(t string, text []byte) bool {
		if t == tag {
			err = json.Unmarshal(text, into)
		}
		return t == tag
	}); e != nil {
		return e
	}
	return err
}

// canonical() converts a tag to the form de-AT or zh-Hant-TW. It returns "" if the tag is not valid.
func canonical(tag string) string {
	tag, _, _ = strings.Cut(tag, ".")
	tag, _, _ = strings.Cut(tag, "@")
	if tag == "" || len(tag) > maxTag {
		return ""
	}
	parts := strings.FieldsFunc(tag, func(r rune) bool { return r == '-' || r == '_' })
	for i, p := range parts {
		switch {
		case strings.Trim(strings.ToLower(p), "abcdefghijklmnopqrstuvwxyz0123456789") != "":
			return ""
		case i == 0:
			parts[i] = renamed(strings.ToLower(p))
		case len(p) == 4:
			parts[i] = strings.ToUpper(p[:1]) + strings.ToLower(p[1:])
		default:
			parts[i] = strings.ToUpper(p)
		}
	}
	return strings.Join(parts, "-")
}

// renamed() returns the current code of a language whose code has changed.
func renamed(language string) string {
	switch language {
	case "no":
		return "nb"
	case "iw":
		return "he"
	case "in":
		return "id"
	}
	return language
}

// candidates() lists the tags in cldr.gz that can replace a tag, best first.
func candidates(tag string, r *Regions) []string {
	parts := strings.Split(tag, "-")
	all := []string{tag}
	if p := r.Parents[tag]; p != "" {
		all = append(all, p)
	}
	if len(parts) == 2 && parts[0] == "zh" && strings.Contains("TW HK MO", parts[1]) {
		all = append(all, "zh-Hant")
	}
	for n := len(parts) - 1; n > 0; n-- {
		all = append(all, strings.Join(parts[:n], "-"))
	}
	return all
}

// region() returns the country of a tag. A tag without a country has the likely country of its language.
func region(tag string, r *Regions) string {
	parts := strings.Split(tag, "-")
	if last := parts[len(parts)-1]; len(parts) > 1 && (len(last) == 2 || len(last) == 3) {
		return last
	}
	for n := len(parts); n > 0; n-- {
		if likely := strings.Split(r.Likely[strings.Join(parts[:n], "-")], "-"); len(likely) == 3 {
			return likely[2]
		}
	}
	return "001"
}

// rules() sets the values that depend on the region. It also sets the direction and the digits of the language.
func (l *Locale) rules(r *Regions) {
	l.FirstDay, l.MinDays, l.Hours = time.Monday, 1, 24
	switch r.FirstDay[l.Region] {
	case "sun":
		l.FirstDay = time.Sunday
	case "sat":
		l.FirstDay = time.Saturday
	case "fri":
		l.FirstDay = time.Friday
	}
	if r.MinDays[l.Region] == "4" {
		l.MinDays = 4
	}
	twelve := strings.Fields(r.Twelve)
	french := l.Language == "fr" && l.Region == "CA" // in Canada, only English uses the 12-hour clock (CLDR, timeData)
	if !french && (slices.Contains(twelve, l.Region) || slices.Contains(twelve, l.Language+"-"+l.Region)) {
		l.Hours = 12
	}
	switch r.Units[l.Region] {
	case "US":
		l.Units = US
	case "UK":
		l.Units = UK
	}
	l.RightToLeft = slices.Contains([]string{"ar", "fa", "he", "ur"}, l.Language)
	l.setDigits(l.data.Numbering)
}

func (l *Locale) override(o *Options) {
	if o.HourCycle != 0 {
		l.Hours = o.HourCycle
	}
	if o.WeekStart != nil {
		l.FirstDay = *o.WeekStart
	}
	if o.Units != nil {
		l.Units = *o.Units
	}
	switch {
	case o.Latin == nil:
	case *o.Latin:
		l.setDigits("latn")
	default:
		l.setDigits(cmp.Or(ownDigits[l.Language], l.data.Numbering))
	}
}

// clip shortens a text for an error message.
func clip(s string) string { return s[:min(len(s), maxTag)] }

package value

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"dashboard/config"
)

// shown() parses a value of a duration type. It returns the duration in Go's form, or the error.
func shown[T ~int64](text string) string {
	s := read[T](text)
	var n int64
	if _, err := fmt.Sscan(s, &n); err == nil {
		return time.Duration(n).String()
	}
	return s
}

// condition() parses a condition and returns its description.
func condition(text string) string {
	var r config.Report
	var into struct {
		X Condition `yaml:"x"`
	}
	root := config.Parse("f", []byte("x: "+text+"\n"), &r, nil)
	programs(root).Decode(&into, &r, nil)
	if r.Failed() {
		return strings.TrimSuffix(r.String(), "\n")
	}
	return outline(into.X)
}

// programs() changes every token to a program, as package theme does.
func programs(n *config.Node) *config.Node {
	switch {
	case n.IsProgram():
		return n.AsProgram()
	case n.Kind() == config.List:
		items := make([]*config.Node, n.Len())
		for i, item := range n.Items() {
			items[i] = programs(item)
		}
		return n.WithItems(items)
	case n.Kind() == config.Map:
		pairs := append([]config.Pair(nil), n.Pairs()...)
		for i := range pairs {
			pairs[i].Value = programs(pairs[i].Value)
		}
		return n.WithPairs(pairs)
	}
	return n
}

func outline(c Condition) string {
	switch {
	case c.Program != nil:
		return "program " + c.Program.Text()
	case c.Any != nil:
		var all []string
		for _, one := range c.Any {
			all = append(all, outline(one))
		}
		return "any(" + strings.Join(all, "; ") + ")"
	case c.Rule == nil:
		return fmt.Sprint(c.Always)
	}
	var parts []string
	v := reflect.ValueOf(*c.Rule)
	for i := range v.NumField() {
		f := v.Field(i)
		if f.IsZero() {
			continue
		}
		if l, ok := f.Interface().(*config.Live[Plain]); ok {
			text := l.Plain.Text
			if l.IsLive() {
				text = "program " + l.Program.Text()
			}
			parts = append(parts, "value="+text)
			continue
		}
		for f.Kind() == reflect.Pointer {
			f = f.Elem()
		}
		parts = append(parts, fmt.Sprintf("%s=%v", v.Type().Field(i).Tag.Get("yaml"), f.Interface()))
	}
	return "all(" + strings.Join(parts, ", ") + ")"
}

func TestConditions(t *testing.T) {
	for text, want := range map[string]string{
		"true":                     "true",
		"no":                       "false",
		"!data .machine.load1 > 4": "program .machine.load1 > 4",
		"{days: mon-fri}":          "all(days=62)",
		`{days: [sat, sun], time: ["06:00-10:00", "18:00-22:00"]}`: "all(days=65, time=[{{0 6h0m0s} {0 10h0m0s}} {{0 18h0m0s} {0 22h0m0s}}])",
		"{dates: 12-24 - 01-06}":                                   "all(dates=[{{0 December 24} {0 January 6}}])",
		"{entity: light.hall, is: on}":                             "all(entity=light.hall, is=[on])",
		"{entity: light.hall, not: [off, unavailable]}":            "all(entity=light.hall, not=[off unavailable])",
		"{value: !data .p.x, above: 3, below: 5.5}":                "all(value=program .p.x, above=3, below=5.5)",
		"{value: 7, above: 3}":                                     "all(value=7, above=3)",
		"{event: '*', calendar: Familie, lead: 15m}":               "all(event=*, calendar=Familie, lead=900000000000)",
		"[{days: mon}, !data .x, false]":                           "any(all(days=2); program .x; false)",
		"{}":                                                       "f:1:4: x: needs at least one key, such as time or value",
		"[]":                                                       "f:1:4: x: needs at least one condition: an empty list never holds",
		"yesterday":                                                `f:1:4: x: must be a condition: !data and a program, keys such as {days: mon-fri, time: "06:00-22:00"}, or a list of these, not "yesterday"`,
		"{dayz: mon}":                                              "f:1:5: x.dayz: unknown key 'dayz'; near: days",
		"{is: on}":                                                 "f:1:4: x: has 'is' and nothing to compare: write 'value' or 'entity' beside it",
		"{entity: a.b, value: 3}":                                  "f:1:4: x: has 'value' and 'entity': write one of them",
		"{lead: 5m}":                                               `f:1:4: x: has 'lead' without 'event': write "*" for any event`,
		"{provider: p}":                                            "f:1:4: x: has 'provider' without 'event' or 'entity'",
		"{time: [06:00]}":                                          `f:1:12: x.time[0]: must be a window such as "22:00-06:00" or "sunset+1h - sunrise", not "06:00"`,
		"[[{days: mon}]]":                                          "f:1:5: x[0]: must be a condition, not a list in a list",
		"[{days: mon}, {days: x}]":                                 `f:1:25: x[1].days: must be days of the week such as mon-fri or [sat, sun], not "x"`,
	} {
		if got := condition(text); got != want {
			t.Errorf("%s: got %s\nwant %s", text, got, want)
		}
	}
}

func TestWindowHolds(t *testing.T) {
	zone := time.FixedZone("", 3600)
	at := func(s string) time.Time {
		v, err := time.ParseInLocation("2006-01-02 15:04", s, zone)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	sun := func(day time.Time) (rise, set time.Time, ok bool) {
		y, m, d := day.Date()
		if m == time.June {
			return rise, set, false
		}
		return time.Date(y, m, d, 7, 0, 0, 0, zone), time.Date(y, m, d, 19, 0, 0, 0, zone), true
	}
	for _, c := range []struct {
		window, now   string
		in, yesterday bool
	}{
		{"06:00-22:00", "2026-03-01 06:00", true, false},
		{"06:00-22:00", "2026-03-01 22:00", false, false},
		{"06:00-22:00", "2026-03-01 05:59", false, false},
		{"22:00-06:00", "2026-03-01 23:00", true, false},
		{"22:00-06:00", "2026-03-02 05:59", true, true},
		{"22:00-06:00", "2026-03-02 06:00", false, false},
		{"00:00-24:00", "2026-03-02 23:59", true, false},
		{"sunset+1h - sunrise", "2026-03-01 20:00", true, false},
		{"sunset+1h - sunrise", "2026-03-02 06:59", true, true},
		{"sunset+1h - sunrise", "2026-03-02 07:00", false, false},
		{"sunrise-sunset", "2026-06-02 12:00", false, false}, // the time of sunrise is not known
	} {
		w, err := ParseWindow(c.window)
		if err != nil {
			t.Fatal(err)
		}
		in, day := w.Holds(at(c.now), sun, nil)
		if yesterday := in && day.Day() != at(c.now).Day(); in != c.in || yesterday != c.yesterday {
			t.Errorf("%s at %s: got %v, %v", c.window, c.now, in, day)
		}
	}
}

func TestSpanHolds(t *testing.T) {
	for _, c := range []struct {
		span, day string
		want      bool
	}{
		{"12-24 - 01-06", "2026-12-24", true}, {"12-24 - 01-06", "2027-01-06", true}, {"12-24 - 01-06", "2027-01-07", false},
		{"12-24 - 01-06", "2026-12-23", false}, {"06-01 - 08-31", "2026-07-15", true}, {"06-01 - 08-31", "2026-09-01", false},
		{"2026-12-24 - 2027-01-06", "2026-12-31", true}, {"2026-12-24 - 2027-01-06", "2027-12-31", false}, {"12-24", "2030-12-24", true},
	} {
		s, err := ParseSpan(c.span)
		if err != nil {
			t.Fatal(err)
		}
		day, _ := time.Parse(time.DateOnly, c.day)
		if got := s.Holds(day); got != c.want {
			t.Errorf("%s on %s: got %v", c.span, c.day, got)
		}
	}
}

func TestMomentAfter(t *testing.T) {
	for _, c := range []struct{ moment, now, want string }{
		{"12-24", "2026-03-01 00:00", "2026-12-24 00:00"},
		{"12-24", "2026-12-24 00:00", "2027-12-24 00:00"},
		{"02-29 12:00", "2097-01-01 00:00", "2104-02-29 12:00"},
		{"2026-12-24 18:00", "2026-12-24 17:59", "2026-12-24 18:00"},
		{"2026-12-24 18:00", "2026-12-24 18:00", ""},
		{"2026-12-24T18:00:30", "2026-12-24 18:00", "2026-12-24 18:00"},
		{"2027-01-01T00:30:00+02:00", "2026-12-24 18:00", "2026-12-31 22:30"},
		{"2026-12-31T23:30:00-0200", "2026-12-24 18:00", "2027-01-01 01:30"},
	} {
		m, err := ParseMoment(c.moment)
		if err != nil {
			t.Fatal(err)
		}
		now, _ := time.Parse("2006-01-02 15:04", c.now)
		got := ""
		if at, ok := m.After(now); ok {
			got = at.Format("2006-01-02 15:04")
		}
		if got != c.want {
			t.Errorf("%s after %s: got %q, want %q", c.moment, c.now, got, c.want)
		}
	}
}

// A Live value can be a program. A plain value must be within the limits of its field.
func TestLive(t *testing.T) {
	type params struct {
		N config.Live[float64]  `yaml:"n" default:"3" min:"0"`
		T config.Live[string]   `yaml:"t" default:"on" enum:"on,off"`
		L config.Live[Duration] `yaml:"l"`
		P string                `yaml:"p"`
	}
	for text, want := range map[string]string{
		"{}":                         "3/false on/false 0/false",
		"{n: 5, t: off, l: 2m}":      "5/false off/false 120000000000/false",
		"{n: !data .a, t: !data .b}": "0/true /true 0/false",
		"{n: -1}":                    "f:1:5: n: must be at least 0, not -1\n",
		"{t: no}":                    "f:1:5: t: must be one of on, off, not no; near: on\n",
		"{p: !data .x}":              "f:1:5: p: '!data' gives no value for this key: write a plain one\n",
	} {
		var r config.Report
		var p params
		programs(config.Parse("f", []byte(text), &r, nil)).Decode(&p, &r, nil)
		got := fmt.Sprintf("%v/%v %v/%v %v/%v", p.N.Plain, p.N.IsLive(), p.T.Plain, p.T.IsLive(), int64(p.L.Plain), p.L.IsLive())
		if r.Failed() {
			got = r.String()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
	for _, f := range config.Fields(reflect.TypeFor[params]()) {
		if f.Live != (f.Name != "p") || f.Name == "l" && f.Type != "duration" || f.Name == "n" && f.Type != "number" {
			t.Errorf("got %+v", f)
		}
	}
}

// TestWindowInNightsClocksAreSet checks windows in the nights in which clocks change. A window begins at the first occurrence of a
// repeated time, and ends at the second occurrence. A skipped time counts with the UTC offset before the skip. An empty window does not
// last until the next day.
func TestWindowInNightsClocksAreSet(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ window, day, from, to string }{
		{"22:00-02:30", "2026-10-24", "2026-10-24 20:00", "2026-10-25 01:30"},
		{"02:15-02:45", "2026-10-25", "2026-10-25 00:15", "2026-10-25 01:45"},
		{"02:30-02:15", "2026-10-24", "2026-10-24 00:30", "2026-10-25 01:15"},
		{"02:30-02:15", "2026-10-25", "2026-10-25 00:30", "2026-10-26 01:15"},
		{"01:00-03:00", "2026-10-25", "2026-10-24 23:00", "2026-10-25 02:00"},
		{"22:00-02:30", "2026-03-28", "2026-03-28 21:00", "2026-03-29 01:30"},
		{"01:00-03:00", "2026-03-29", "2026-03-29 00:00", "2026-03-29 01:00"},
		{"02:30-03:00", "2026-03-29", "", ""},
		{"00:00-24:00", "2026-03-29", "2026-03-28 23:00", "2026-03-29 22:00"},
		{"00:00-24:00", "2026-10-25", "2026-10-24 22:00", "2026-10-25 23:00"},
	} {
		w, err := ParseWindow(c.window)
		if err != nil {
			t.Fatal(err)
		}
		day, err := time.ParseInLocation(time.DateOnly, c.day, zone)
		if err != nil {
			t.Fatal(err)
		}
		from, to, ok := w.On(day.Add(12*time.Hour), nil)
		stamp := func(at time.Time) string { return at.UTC().Format("2006-01-02 15:04") }
		if ok != (c.from != "") || ok && (stamp(from) != c.from || stamp(to) != c.to) {
			t.Errorf("%s on %s: got %s to %s, %v, want %s to %s", c.window, c.day, stamp(from), stamp(to), ok, c.from, c.to)
		}
	}
}

// TestWindowsByTheMinute compares windows in six time zones with a model that follows the clock minute by minute. The test includes both
// nights of a year in which clocks change. A time that the clocks skip counts as the usual number of minutes after midnight.
func TestWindowsByTheMinute(t *testing.T) {
	for _, name := range []string{"Europe/Berlin", "Europe/London", "America/New_York", "Australia/Sydney", "Pacific/Apia", "Australia/Lord_Howe"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		nights := 0
		for day := range 365 {
			noon := time.Date(2026, 1, 1+day, 12, 0, 0, 0, zone)
			_, before := noon.AddDate(0, 0, -1).Zone()
			_, after := noon.Zone()
			if before == after && !(name == "Pacific/Apia" && day%180 == 0) { // only days with a clock change, or a few days in Apia
				continue
			}
			nights++
			for _, text := range []string{"22:00-06:00", "22:00-02:30", "01:45-02:15", "02:15-02:45", "01:30-03:00", "00:00-24:00", "23:59-00:01", "02:00-01:00"} {
				w, err := ParseWindow(text)
				if err != nil {
					t.Fatal(err)
				}
				want := windowModel(w, noon)
				for m, held := range want {
					now := noon.Add(time.Duration(m-modelHalf) * time.Minute)
					if in, _ := w.Holds(now, nil, nil); in != held {
						t.Fatalf("%s in %s at %v: got %v, want %v", text, name, now, in, held)
					}
				}
			}
		}
		if nights < 2 {
			t.Errorf("%s: %d nights", name, nights)
		}
	}
}

// modelHalf is the number of minutes before and after noon that are compared.
const modelHalf = 24 * 60

// windowModel follows a clock minute by minute, beginning four days before noon. For each compared minute it returns whether the window
// holds.
func windowModel(w Window, noon time.Time) []bool {
	const lead = 3 * 24 * 60
	held := make([]bool, lead+2*modelHalf)
	start := noon.Add(-(lead + modelHalf) * time.Minute)
	first, last := map[string]int{}, map[string]int{} // first and last minute at which the clock shows a date and time
	for m := range held {
		stamp := start.Add(time.Duration(m) * time.Minute).In(noon.Location()).Format("2006-01-02 15:04")
		if _, seen := first[stamp]; !seen {
			first[stamp] = m
		}
		last[stamp] = m
	}
	// If the clock skips the time, count from the last minute before the skip.
	minute := func(of map[string]int, day, at int) (m int, ok bool) {
		for late := range 180 {
			stamp := time.Date(noon.Year(), noon.Month(), noon.Day()+day, 0, at-late, 0, 0, time.UTC).Format("2006-01-02 15:04")
			if m, ok := of[stamp]; ok {
				return m + late, true
			}
		}
		return 0, false
	}
	from, to := int(w.From.Offset/time.Minute), int(w.To.Offset/time.Minute)
	for day := -4; day <= 1; day++ {
		end := day
		if to <= from {
			end++
		}
		a, begins := minute(first, day, from)
		b, ends := minute(last, end, to)
		if !ends {
			b = len(held)
		}
		for m := a; begins && m < min(b, len(held)); m++ {
			held[m] = true
		}
	}
	return held[lead:]
}

// In this zone, clocks are set forward at midnight, so the day of the change begins at 01:00. TestDayWithoutMidnight checks dates and
// moments on this day, and a window that ends on it.
func TestDayWithoutMidnight(t *testing.T) {
	zone, err := time.LoadLocation("America/Santiago")
	if err != nil {
		t.Fatal(err)
	}
	eve := time.Date(2026, 9, 5, 0, 30, 0, 0, zone)
	for _, text := range []string{"2026-09-06", "09-06", "2026-09-06 18:00", "09-06 18:00"} {
		m, err := ParseMoment(text)
		if err != nil {
			t.Fatal(err)
		}
		if at, ok := m.After(eve); !ok || at.Format(time.DateOnly) != "2026-09-06" {
			t.Errorf("%s: got %v, %v", text, at, ok)
		}
	}
	w, err := ParseWindow("22:00-06:00")
	if err != nil {
		t.Fatal(err)
	}
	if _, to, ok := w.On(eve, nil); !ok || to.Format(time.DateTime) != "2026-09-06 06:00:00" {
		t.Errorf("the window ends at %v, %v", to, ok)
	}
}

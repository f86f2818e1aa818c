package value

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"dashboard/config"
)

// read decodes "x: TEXT" into a T and returns it as %+v, or the errors and what was meant.
func read[T any](text string) string {
	var r config.Report
	var into struct {
		X T `yaml:"x" max:"700000"`
	}
	root := config.Parse("f", []byte("x: "+text+"\n"), &r, nil)
	root.Get("x")
	if root != nil && root.Get("x").IsProgram() {
		root = root.WithPairs([]config.Pair{{Key: "x", At: root.At("x"), Value: root.Get("x").AsProgram()}})
	}
	root.Decode(&into, &r, nil)
	if !r.Failed() {
		return fmt.Sprintf("%+v", into.X)
	}
	var all []string
	for _, d := range r.Errors() {
		text := strings.TrimPrefix(d.Message, "")
		if d.Near != "" {
			text += "; near: " + d.Near
		}
		all = append(all, text)
	}
	return "error: " + strings.Join(all, " | ")
}

func TestValues(t *testing.T) {
	type row struct{ text, want string }
	for _, group := range []struct {
		name string
		read func(string) string
		rows []row
	}{
		{"length", read[Length], []row{
			{"24", "24"}, {"24px", "24"}, {"'24'", "24"}, {"1.5", "1.5"}, {"0", "0"}, {"24 px", "24"}, {"null", "0"},
			{"30%", "error: must be a length in pixels, such as 24: a percentage is no length here"},
			{"2em", "error: must be a length in pixels, such as 24: there is no other unit than px"},
			{"-3", "error: must be between 0 and 15360 pixels, not -3"},
			{"1e9", `error: must be a length in pixels, such as 24, not "1e9"`},
			{"99999", "error: must be between 0 and 15360 pixels, not 99999"},
			{"wide", `error: must be a length in pixels, such as 24, not "wide"`},
			{"yes", "error: must be a length in pixels, such as 24, not yes"},
			{"1:30", "error: must be a length in pixels, such as 24, not 1:30"},
			{"[1]", "error: must be a length in pixels, such as 24, not a list"},
			{".nan", "error: must be a length in pixels, such as 24, not .nan"},
		}},
		{"share", read[Share], []row{
			{"40%", "0.4"}, {"0.4", "0.4"}, {"1", "1"}, {"0", "0"}, {"100%", "1"}, {"'0.5'", "0.5"},
			{"40", "error: must be a share such as 40%, or a number from 0 to 1, not 40; near: 40%"},
			{"140%", `error: must be between 0% and 100%, not "140%"`},
			{"-0.1", "error: must be a share such as 40%, or a number from 0 to 1, not -0.1"},
			{"half", `error: must be a share such as 40%, or a number from 0 to 1, not "half"`},
		}},
		{"size", read[Size], []row{
			{"240", "{Length:240 Share:0 Fit:false}"}, {"30%", "{Length:0 Share:0.3 Fit:false}"}, {"fit", "{Length:0 Share:0 Fit:true}"},
			{"fitt", `error: must be a size such as 240, 30% or fit, not "fitt"; near: fit`},
			{"0", "error: must be more than 0: a size such as 240, 30% or fit"},
			{"120%", `error: must be more than 0% and at most 100%, not "120%"`},
		}},
		{"track", read[Track], []row{
			{"2", "{Weight:2 Size:{Length:0 Share:0 Fit:false}}"}, {"240px", "{Weight:0 Size:{Length:240 Share:0 Fit:false}}"},
			{"1.5fr", "{Weight:1.5 Size:{Length:0 Share:0 Fit:false}}"}, {"30%", "{Weight:0 Size:{Length:0 Share:0.3 Fit:false}}"},
			{"fit", "{Weight:0 Size:{Length:0 Share:0 Fit:true}}"},
			{"0", "error: must be more than 0 and at most 1000, or 240px, 30% or fit, not 0"},
			{"-1", "error: must be more than 0 and at most 1000, or 240px, 30% or fit, not -1"},
			{"auto", `error: must be a number (a share of what is left), 240px, 30% or fit, not "auto"`},
		}},
		{"duration", func(s string) string { return shown[Duration](s) }, []row{
			{"30", "30s"}, {"0.8", "800ms"}, {"30s", "30s"}, {"5m", "5m0s"}, {"1h30m", "1h30m0s"}, {"2d", "48h0m0s"}, {"250ms", "250ms"},
			{"1w", "168h0m0s"}, {"1.5h", "1h30m0s"}, {"1h 30m", "1h30m0s"}, {"0", "0s"}, {"'30'", "30s"},
			{"1:30", "error: must be a duration such as 30 (seconds), 30s, 5m, 1h30m or 2d: write 1:30 as 1h30m is written"},
			{"5min", `error: must be a duration such as 30 (seconds), 30s, 5m, 1h30m or 2d, not "5min"`},
			{"30m1h", `error: must be a duration such as 30 (seconds), 30s, 5m, 1h30m or 2d, not "30m1h"`},
			{"-5", "error: must be a duration such as 30 (seconds), 30s, 5m, 1h30m or 2d, not -5"},
			{"9999d", `error: must be between 0 and 3650 days, not "9999d"`},
			{"999999999999999999999s", `error: must be between 0 and 3650 days, not "999999999999999999999s"`},
			{"2d", "48h0m0s"},
			{"9d", "error: must be at most 700000, not \"9d\""},
		}},
		{"clock", read[Clock], []row{
			{"06:30", "{Event:0 Offset:6h30m0s}"}, {"'6:30'", "{Event:0 Offset:6h30m0s}"}, {"22:00", "{Event:0 Offset:22h0m0s}"},
			{"24:00", "{Event:0 Offset:24h0m0s}"}, {"sunrise", "{Event:1 Offset:0s}"}, {"sunset-30m", "{Event:2 Offset:-30m0s}"},
			{"sunset + 1h30m", "{Event:2 Offset:1h30m0s}"},
			{"25:00", "error: there is no time 25:00: hours are 00 to 23 (24:00 is the end of the day), minutes 00 to 59"},
			{"sunst-30m", `error: must be a time such as "06:30", sunrise or sunset-30m, not "sunst-30m"; near: sunset-30m`},
			{"sunset-30", "error: after sunset- there is a duration of at most 12h, such as 30m, not \"30\""},
			{"6", `error: must be a time such as "06:30", sunrise or sunset-30m, not "6"`},
		}},
		{"window", read[Window], []row{
			{"22:00-06:00", "{From:{Event:0 Offset:22h0m0s} To:{Event:0 Offset:6h0m0s}}"},
			{"sunset+1h - sunrise", "{From:{Event:2 Offset:1h0m0s} To:{Event:1 Offset:0s}}"},
			{"sunset-30m-sunrise", "{From:{Event:2 Offset:-30m0s} To:{Event:1 Offset:0s}}"},
			{"07-22", "{From:{Event:0 Offset:7h0m0s} To:{Event:0 Offset:22h0m0s}}"},
			{"06:00–18:00", "{From:{Event:0 Offset:6h0m0s} To:{Event:0 Offset:18h0m0s}}"},
			{"00:00-24:00", "{From:{Event:0 Offset:0s} To:{Event:0 Offset:24h0m0s}}"},
			{"06:00-06:00", "error: begins and ends at the same time; leave it out for the whole day"},
			{"06:00", `error: must be a window such as "22:00-06:00" or "sunset+1h - sunrise", not "06:00"`},
			{"06:00-26:00", "error: there is no time 26:00: hours are 00 to 23 (24:00 is the end of the day), minutes 00 to 59"},
		}},
		{"date", read[Date], []row{
			{"2026-12-24", "{Year:2026 Month:December Day:24}"}, {"12-24", "{Year:0 Month:December Day:24}"}, {"02-29", "{Year:0 Month:February Day:29}"},
			{"2026-02-29", "error: there is no day 2026-02-29"}, {"13-01", "error: there is no day 13-01"},
			{"24.12.", `error: must be a date such as "2026-12-24", or "12-24" for each year, not "24.12."`},
		}},
		{"moment", read[Moment], []row{
			{"2026-12-24 18:00", "{Date:{Year:2026 Month:December Day:24} Time:{Event:0 Offset:18h0m0s}}"},
			{"2026-12-24T18:00", "{Date:{Year:2026 Month:December Day:24} Time:{Event:0 Offset:18h0m0s}}"},
			{"12-24", "{Date:{Year:0 Month:December Day:24} Time:{Event:0 Offset:0s}}"},
			{"2026-12-24 sunset", `error: must be a date, or a date and a time such as "2026-12-24 18:00": the sun's times have no place here`},
		}},
		{"span", read[Span], []row{
			{"12-24 - 01-06", "{From:{Year:0 Month:December Day:24} To:{Year:0 Month:January Day:6}}"},
			{"12-24", "{From:{Year:0 Month:December Day:24} To:{Year:0 Month:December Day:24}}"},
			{"2026-12-24 - 01-06", "error: has a year at one end only: write it at both, or at none for each year"},
			{"2027-01-06 - 2026-12-24", "error: ends before it begins"},
		}},
		{"days", read[Days], []row{
			{"mon-fri", "62"}, {"[sat, sun]", "65"}, {"fri-mon", "99"}, {"mon, wed", "10"}, {"[mon-wed, sun]", "15"}, {"Mon", "2"},
			{"monday", `error: must be days of the week such as mon-fri or [sat, sun], not "monday"; near: mon`},
			{"[]", "error: must be days of the week such as mon-fri or [sat, sun], not a list"},
			{"mon-xyz", `error: must be days of the week such as mon-fri or [sat, sun], not "xyz"`},
		}},
		{"icon", read[Icon], []row{
			{"mdi:sofa-outline", "{Name:sofa-outline File:}"}, {"pictures/cat.SVG", "{Name: File:pictures/cat.SVG}"},
			{"mdi:Sofa", `error: "Sofa" is no name of an icon: it has small letters, digits and single dashes`},
			{"sofa", `error: must be an icon such as mdi:sofa-outline, or an SVG or PNG file, not "sofa"; near: mdi:sofa`},
			{"mdi-sofa", `error: must be an icon such as mdi:sofa-outline, or an SVG or PNG file, not "mdi-sofa"; near: mdi:sofa`},
		}},
		{"location", read[Location], []row{
			{"London", "{Name:London Latitude:0 Longitude:0 Known:false}"},
			{"{latitude: 51.48, longitude: 0.0, name: Home}", "{Name:Home Latitude:51.48 Longitude:0 Known:true}"},
			{"{latitude: 91, longitude: 0}", "error: must be between -90 and 90 degrees north, not 91"},
			{"{latitude: 51}", "error: 'longitude' is required"},
			{"{lat: 51, longitude: 1}", "error: 'latitude' is required | unknown key 'lat'"},
			{"[51.5, 0]", "error: must be the name of a place, or {latitude: 51.48, longitude: 0.0}, not a list; near: {latitude: 51.5, longitude: 0}"},
			{"no", "error: must be the name of a place, or {latitude: 51.48, longitude: 0.0}, not no"},
		}},
		{"transition", read[Transition], []row{
			{"fade", "{Kind:fade From: Duration:0 Ease:0}"},
			{"{kind: slide, from: right, duration: 0.6s, ease: 2}", "{Kind:slide From:right Duration:600000000 Ease:2}"},
			{"slied", `error: must be one of none, fade, slide, push, not "slied"; near: slide`},
			{"{kind: slide, from: rihgt}", `error: must be one of left, right, up, down, not "rihgt"; near: right`},
			{"{kind: slide, duration: 2m}", `error: must be at most 60 s, not "2m"`},
			{"{from: left}", "error: 'kind' is required"},
		}},
		{"words", read[Words], []row{
			{"on", "[on]"}, {"[on, no, 010, '1']", "[on no 010 1]"}, {"{a: 1}", "error: must be text or a list of texts, not a mapping"},
		}},
	} {
		t.Run(group.name, func(t *testing.T) {
			for _, r := range group.rows {
				if got := group.read(r.text); got != r.want {
					t.Errorf("%s: got %s\nwant %s", r.text, got, r.want)
				}
			}
		})
	}
}

// shown is read with the value as Go writes durations.
func shown[T ~int64](text string) string {
	s := read[T](text)
	var n int64
	if _, err := fmt.Sscan(s, &n); err == nil {
		return time.Duration(n).String()
	}
	return s
}

// condition reads a condition and says what it is.
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

// programs makes every token a program, as the theme does.
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
		return time.Date(y, m, d, 7, 0, 0, 0, zone), time.Date(y, m, d, 19, 0, 0, 0, zone), m != time.June
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
		{"sunrise-sunset", "2026-06-02 12:00", false, false}, // nobody knows when it rises
	} {
		w, err := ParseWindow(c.window)
		if err != nil {
			t.Fatal(err)
		}
		if in, yesterday := w.Holds(at(c.now), sun); in != c.in || yesterday != c.yesterday {
			t.Errorf("%s at %s: got %v, %v", c.window, c.now, in, yesterday)
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

// Live values take programs, plain ones the limits of their field.
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

func FuzzValues(f *testing.F) {
	for _, s := range []string{"24px", "1h30m", "sunset-30m-sunrise", "12-24 - 01-06", "mon-fri", "mdi:a", "30%", "{kind: slide}", "!data .x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, read := range []func(string) string{
			read[Length], read[Share], read[Size], read[Track], read[Duration], read[Clock], read[Window], read[Moment], read[Span], read[Days],
			read[Icon], read[Location], read[Transition], read[Words], condition,
		} {
			read(s)
		}
	})
}

package value

import (
	"fmt"
	"strings"
	"testing"

	"dashboard/config"
)

// read decodes "x: TEXT" to a T. It returns the value in the format %+v, or the errors with their suggestions.
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
			{"2026-12-24 18:00", "{Date:{Year:2026 Month:December Day:24} Time:{Event:0 Offset:18h0m0s} Zone:UTC}"},
			{"2026-12-24T18:00", "{Date:{Year:2026 Month:December Day:24} Time:{Event:0 Offset:18h0m0s} Zone:UTC}"},
			{"12-24", "{Date:{Year:0 Month:December Day:24} Time:{Event:0 Offset:0s} Zone:UTC}"},
			{"2026-12-24T18:00:30", "{Date:{Year:2026 Month:December Day:24} Time:{Event:0 Offset:18h0m30s} Zone:UTC}"},
			{"2026-12-24T18:00:00Z", "{Date:{Year:2026 Month:December Day:24} Time:{Event:0 Offset:18h0m0s} Zone:UTC}"},
			{"2026-12-24 18:00Z", "{Date:{Year:2026 Month:December Day:24} Time:{Event:0 Offset:18h0m0s} Zone:UTC}"},
			{"2026-12-24T18:00:00.250Z", "{Date:{Year:2026 Month:December Day:24} Time:{Event:0 Offset:18h0m0s} Zone:UTC}"},
			{"2026-12-24 sunset", `error: must be a date, or a date and a time such as "2026-12-24 18:00" or "2026-12-24T18:00:00Z": sunrise and sunset are not allowed here`},
			{"2026-12-24 25:00", "error: there is no time 25:00: hours are 00 to 23 (24:00 is the end of the day), minutes 00 to 59"},
			{"2026-12-24T18:00:61", `error: must be a date, or a date and a time such as "2026-12-24 18:00" or "2026-12-24T18:00:00Z", not "2026-12-24T18:00:61"`},
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
			{"{lat: 51, longitude: 1}", "error: 'latitude' is required | unknown key 'lat'; near: latitude"},
			{"[51.5, 0]", "error: must be the name of a place, or {latitude: 51.48, longitude: 0.0}, not a list; a number takes a dot; near: {latitude: 51.5, longitude: 0}"},
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

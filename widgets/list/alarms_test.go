package list

import (
	"fmt"
	"image"
	"image/color"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestAlarmsAreAboveTheFold checks that rows in the colors "bad" or "warn" replace other visible
// rows and keep the order of the file. If some of these rows are hidden, their number is shown.
func TestAlarmsAreAboveTheFold(t *testing.T) {
	item := func(name, color string) string {
		if color != "" {
			color = ", map: {\"on\": {text: open, color: " + color + "}}"
		}
		return fmt.Sprintf("{text: %s, value: \"on\"%s}", name, color)
	}
	list := func(alarms string) string {
		var all []string
		for i, name := range []string{"Aa", "Bb", "Cc", "Dd", "Ee", "Ff", "Gg", "Hh"} {
			color := map[byte]string{'b': "bad", 'w': "warn", '-': ""}[alarms[i]]
			all = append(all, item(name, color))
		}
		return "{widget: list, items: [" + strings.Join(all, ", ") + "]}"
	}
	for _, test := range []struct{ alarms, want, more string }{
		{"--------", "Aa Bb Cc Dd", "+4 more"},
		{"------b-", "Aa Bb Cc Gg", "+4 more"},
		{"b----w-b", "Aa Bb Ff Hh", "+4 more"},
		{"bbbb--w-", "Aa Bb Cc Dd", "+4 more 1"},
		{"-bbbbbb-", "Bb Cc Dd Ee", "+4 more 2"},
	} {
		for _, themed := range []string{"calm", "eink"} {
			checkFold(t, themed, list(test.alarms), test.want, test.more)
		}
	}
}

// checkFold checks the texts of a list in a theme: the names of its rows, and the line below them.
func checkFold(t *testing.T, themed, list, want, more string) {
	t.Helper()
	e := walltest.TestEnv()
	e.Locale, e.Picture = walltest.TestLocale(t, "en"), image.Pt(1280, 720)
	words := walltest.ShowThemed(t, e, themed, true, list, image.Pt(400, 280)).Words()
	var names, rest []string
	for _, word := range words {
		if len(word) == 2 && word[0]+32 == word[1] {
			names = append(names, word)
		} else if word != "on" && word != "open" {
			rest = append(rest, word)
		}
	}
	slices.Sort(names)
	if got := strings.Join(names, " "); got != want {
		t.Errorf("%s, %s: shows %s, want %s", themed, list, got, want)
	}
	if got := strings.Join(rest, " "); got != more {
		t.Errorf("%s, %s: says %q, want %q", themed, list, got, more)
	}
}

// TestHiddenAlarmsHaveTheWorstColor checks that the number of hidden alarms has the color and the icon of the worst hidden row.
func TestHiddenAlarmsHaveTheWorstColor(t *testing.T) {
	for _, test := range []struct{ alarms, role, icon string }{
		{"bad bad bad bad warn warn warn warn", "warn", "warn"},
		{"bad bad bad bad bad warn bad warn", "bad", "bad"},
	} {
		var rows []string
		for _, role := range strings.Fields(test.alarms) {
			c := look.Calm(true).Colors[role]
			rows = append(rows, fmt.Sprintf("{text: Door, value: 1, color: '#%02x%02x%02x'}", c.R, c.G, c.B))
		}
		file := "widgets: [{widget: list, items: [" + strings.Join(rows, ", ") + "]}]"
		walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(400, 280), Picture: image.Pt(1280, 720)}, look.Calm(true), func(d *walltest.Data) {
			d.Step(0)
			w := listIn(d)
			if want := w.b.AlarmIn(test.icon); w.alarms.n == 0 || w.alarms.role != test.role || w.alarms.mark.Name != want {
				t.Errorf("%s: %d hidden alarms in %s with %s, want %s with %s", test.alarms, w.alarms.n, w.alarms.role, w.alarms.mark.Name, test.role, want)
			}
		})
	}
}

// alarmLooks are a theme with colors and a theme in which all states have one color.
var alarmLooks = map[string]*look.Look{"calm": look.Calm(true), "ink": look.OneInk(look.Calm(false))}

// TestRangesHaveIconsWithoutColors checks rows whose value is in a range with a color. On a screen without colors, an arrow up marks a
// range above a bound, and an arrow down marks a range below a bound. A screen with colors shows no arrow.
func TestRangesHaveIconsWithoutColors(t *testing.T) {
	const ranges = ", thresholds: [{above: 25, color: '#f59a5b'}, {below: 17, color: '#5bb8e8'}]}"
	for name, l := range alarmLooks {
		for value, want := range map[string]string{"20": "", "27": "mdi:arrow-up", "12": "mdi:arrow-down"} {
			file := "widgets: [{widget: list, items: [{text: Room, value: " + value + ranges + "]}]"
			walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(400, 200)}, l, func(d *walltest.Data) {
				d.Step(0)
				if name == "calm" {
					want = ""
				}
				if got := listIn(d).slots[0].mark.Name; got != want {
					t.Errorf("%s, %s: got the icon %q, want %q", name, value, got, want)
				}
			})
		}
	}
}

// TestMapsHaveIconsWithoutColors checks numbers in rows, cells and cards. On a screen without colors, an entry of the key `map` with a
// color and without a text has an icon.
func TestMapsHaveIconsWithoutColors(t *testing.T) {
	const entries = "map: {1: {color: good}, 2: {color: '#12ab34'}, 3: {color: faint}, 4: {text: ok, color: good}, 5: {color: good, icon: mdi:door}}"
	files := map[string]string{
		"list":  "widgets: [{widget: list, items: [{text: Room, value: !data .p, " + entries + "}]}]",
		"table": "widgets: [{widget: table, items: !data '[.p]', columns: [{value: !data .item, " + entries + "}]}]",
		"card":  "widgets: [{widget: card, title: Room, value: !data .p, " + entries + "}]",
	}
	for name, l := range alarmLooks {
		for kind, file := range files {
			file = "theme: {colors: {good: '#5ad09a', faint: '#66738a'}}\n" + file
			for i, want := range []string{"", "mdi:check-circle", "mdi:flag", "", "", "mdi:door"} {
				if name == "calm" && want != "mdi:door" {
					want = ""
				}
				walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(400, 200)}, l, func(d *walltest.Data) {
					d.ByName["p"].Publish(i, walltest.T0)
					d.Step(0)
					var got string
					switch kind {
					case "list":
						got = listIn(d).slots[0].mark.Name
					case "table":
						got = walltest.Only[*kit.Frame](d).Inner.(*table).slots[0].cells[0].mark.Name
					case "card":
						got = walltest.Only[*kit.Frame](d).Inner.(kit.Stated).State().Icon
					}
					if got != want {
						t.Errorf("%s, %s, %d: got the icon %q, want %q", name, kind, i, got, want)
					}
				})
			}
		}
	}
}

// TestColorsHaveIcons checks rows and cells that have their own color. The color "bad" has an icon everywhere. On a screen without
// colors, all colors have an icon, unless a word or an icon of the row shows the state.
func TestColorsHaveIcons(t *testing.T) {
	const file = "widgets: [{widget: list, items: !data .p, item: {value: !data .item.v, color: !data .item.c, icon: !data .item.i, badge: !data .item.b}}]"
	for _, test := range []struct {
		row       map[string]any
		calm, ink string
	}{
		{map[string]any{"v": 3, "c": "bad"}, "mdi:alert-circle", "mdi:alert-circle"},
		{map[string]any{"c": "warn"}, "mdi:alert", "mdi:alert"},
		{map[string]any{"v": 3, "c": "#12ab34"}, "", "mdi:flag"},
		{map[string]any{"v": 3, "c": "attic"}, "", "mdi:flag"},
		{map[string]any{"v": 3, "c": "good"}, "", "mdi:check-circle"},
		{map[string]any{"v": 3, "c": "muted"}, "", ""},
		{map[string]any{"v": 3, "c": "danger"}, "mdi:alert-circle", "mdi:alert-circle"},
		{map[string]any{"v": 3, "c": "fire"}, "mdi:alert-circle", "mdi:flag"},
		{map[string]any{"v": 3, "c": "fine"}, "", "mdi:check-circle"},
		{map[string]any{"v": "failed", "c": "bad"}, "", ""},
		{map[string]any{"v": 3, "c": "attic", "i": "mdi:door"}, "mdi:door", "mdi:door"},
		{map[string]any{"v": 3, "c": "attic", "b": "U4"}, "", ""},
	} {
		for name, l := range alarmLooks {
			own := *l
			own.Colors = maps.Clone(l.Colors)
			own.Colors["attic"] = color.NRGBA{200, 20, 120, 255}
			own.Colors["danger"], own.Colors["fire"], own.Colors["fine"] = l.Colors["bad"], l.Colors["bad"], l.Colors["good"]
			own.Roles = map[string]string{"attic": "", "danger": "bad", "fire": "", "fine": "good"}
			want, shown := map[string]string{"calm": test.calm, "ink": test.ink}[name], file
			if test.row["v"] == nil {
				shown = strings.Replace(file, "value: !data .item.v", "text: Door", 1)
			}
			walltest.ModernBubble(t, shown, walltest.Scene{Size: image.Pt(400, 200)}, &own, func(d *walltest.Data) {
				d.ByName["p"].Publish([]any{test.row}, walltest.T0)
				d.Step(0)
				if got := listIn(d).slots[0].mark.Name; got != want {
					t.Errorf("%s, %v: got the icon %q, want %q", name, test.row, got, want)
				}
			})
		}
	}
}

// TestFirstPageShowsAlarms checks a list and a table with pages. The first page must show the rows with an alarm, and all pages together
// must show every row. The rows arrive while the first or the second page is shown.
func TestFirstPageShowsAlarms(t *testing.T) {
	for kind, params := range map[string]string{
		"list":  "item: {text: !data .item.n, color: !data .item.c}",
		"table": "columns: [{value: !data .item.n, color: !data .item.c}]",
	} {
		for name, l := range alarmLooks {
			file := "widgets: [{widget: " + kind + ", " + walltest.BareCard + "dwell: 10s, items: !data .p, " + params + "}]"
			for first := range 2 {
				walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(400, 85)}, l, func(d *walltest.Data) {
					pages := func() string {
						if kind == "table" {
							return shownCells(walltest.Only[*kit.Frame](d).Inner.(*table))
						}
						return strings.ReplaceAll(strings.Join(shownRows(listIn(d)), ";"), "|", "")
					}
					calm := []any{}
					for _, n := range []string{"a", "b", "c", "d", "e", "f"} {
						calm = append(calm, map[string]any{"n": n})
					}
					d.ByName["p"].Publish(calm, walltest.T0)
					d.Step(0)
					if d.Step(time.Duration(first) * 10 * time.Second); pages() != []string{"a;b", "c;d"}[first] {
						t.Fatalf("%s: page %d shows %s without an alarm", kind, first, pages())
					}
					alarms := slices.Clone(calm)
					alarms[4] = map[string]any{"n": "e", "c": "bad"}
					d.ByName["p"].Publish(alarms, walltest.T0)
					var got []string
					for i := range 3 {
						d.Step(time.Duration(first+i) * 10 * time.Second)
						got = append(got, pages())
					}
					want := []string{"a;e", "b;c", "d;f"}
					if want = append(want[first:], want[:first]...); !slices.Equal(got, want) {
						t.Errorf("%s, %s, from page %d: pages %v, want %v", kind, name, first, got, want)
					}
				})
			}
		}
	}
}

// TestTableShowsAlarms checks tables without pages. The rows with an alarm must be visible, and the line below the rows must count the
// hidden alarms.
func TestTableShowsAlarms(t *testing.T) {
	for name, l := range alarmLooks {
		for _, test := range []struct {
			colors, want string
			hidden       int
			role         string
		}{
			{"good - - - - - - bad", "a;b;h", 0, "warn"},
			{"good - warn bad - - warn -", "c;d;g", 0, "warn"},
			{"warn bad warn bad warn - bad -", "a;b;c", 3, "bad"},
		} {
			file := "widgets: [{widget: table, " + walltest.BareCard + "items: !data .p, columns: [{value: !data .item.n}, {value: !data .item.v, color: !data .item.c}]}]"
			walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(400, 160)}, l, func(d *walltest.Data) {
				var all []any
				for i, c := range strings.Fields(test.colors) {
					all = append(all, map[string]any{"n": string(rune('a' + i)), "v": i, "c": strings.Trim(c, "-")})
				}
				d.ByName["p"].Publish(all, walltest.T0)
				d.Step(0)
				w := walltest.Only[*kit.Frame](d).Inner.(*table)
				var names []string
				for _, row := range strings.Split(shownCells(w), ";") {
					names = append(names, row[:1])
				}
				if got := strings.Join(names, ";"); got != test.want || w.alarms.n != test.hidden || w.alarms.n > 0 && w.alarms.role != test.role {
					t.Errorf("%s: %s: shows %s and %d hidden alarms in %s, want %s and %d in %s", name, test.colors, got, w.alarms.n, w.alarms.role, test.want, test.hidden, test.role)
				}
				for i := range w.slots {
					color := strings.Fields(test.colors)[w.order[i]]
					icon := map[string]string{"bad": "mdi:alert-circle", "warn": "mdi:alert"}[color]
					if name == "ink" && color == "good" {
						icon = "mdi:check-circle"
					}
					if r := &w.slots[i]; r.used && r.cells[1].mark.Name != icon {
						t.Errorf("%s: %s: the icon of row %d is %q, want %q", name, test.colors, i, r.cells[1].mark.Name, icon)
					}
				}
			})
		}
	}
}

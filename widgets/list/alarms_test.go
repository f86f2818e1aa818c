package list

import (
	"fmt"
	"image"
	"slices"
	"strings"
	"testing"

	"dashboard/theme/look"
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
		e := walltest.TestEnv()
		e.Locale, e.Picture = walltest.TestLocale(t, "en"), image.Pt(1280, 720)
		words := walltest.ShowThemed(t, e, "calm", true, list(test.alarms), image.Pt(400, 280)).Words()
		var names, rest []string
		for _, word := range words {
			if len(word) == 2 && word[0]+32 == word[1] {
				names = append(names, word)
			} else if word != "on" && word != "open" {
				rest = append(rest, word)
			}
		}
		slices.Sort(names)
		if got := strings.Join(names, " "); got != test.want {
			t.Errorf("%s: shows %s, want %s", test.alarms, got, test.want)
		}
		if got := strings.Join(rest, " "); got != test.more {
			t.Errorf("%s: says %q, want %q", test.alarms, got, test.more)
		}
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
			if want := w.b.AlarmIn(w.b.Role(test.icon)); w.alarms.n == 0 || w.alarms.role != test.role || w.alarms.mark.Name != want {
				t.Errorf("%s: %d hidden alarms in %s with %s, want %s with %s", test.alarms, w.alarms.n, w.alarms.role, w.alarms.mark.Name, test.role, want)
			}
		})
	}
}

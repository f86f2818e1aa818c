package draft

import (
	"cmp"
	"fmt"
	"image/color"
	"maps"
	"slices"

	"dashboard/config"
	"dashboard/theme/look"
	"dashboard/theme/sun"
)

// roleNotes lists the color roles of a theme, each with an explanation of its use.
var roleNotes = [][2]string{
	{"background", "behind all"}, {"surface", "cards"}, {"raised", "what floats"}, {"line", "lines"},
	{"text", "values"}, {"muted", "titles"}, {"faint", "minor"}, {"accent", "chosen"},
	{"warn", "look soon"}, {"good", "all is well"}, {"bad", "act now"}, {"cold", "cold days"}, {"warm", "warm days"},
}

// Theme returns the colors of the draft's theme for day and night.
func (t *Draft) Theme() (map[string]any, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.open() {
		return nil, fail(404, "the draft is closed")
	}
	x := &txn{t: t, files: map[string]*change{}, nodes: t.nodes}
	_, n, err := x.theme()
	if err != nil {
		return nil, err
	}
	start := n.Text()
	if from := n.Get("from"); from != nil {
		start = from.Text()
	}
	if start == "" {
		start = "calm"
	}
	scale := "1"
	if conf, err := x.doc(config.ConfName); err == nil {
		scale = cmp.Or(conf.doc.At("graphics").Get("text-scale").Text(), scale)
	}
	looks := map[sun.Mode]*look.Look{}
	for _, mode := range []sun.Mode{sun.Day, sun.Night} {
		d, g, report, _ := t.shoot(Shot{Theme: string(mode), Width: 320, Height: 200})
		if g == nil {
			return nil, fail(422, "%s", firstError(report))
		}
		looks[mode] = d.look
	}
	return map[string]any{
		"start": start, "starts": look.Names(), "font": looks[sun.Night].Typeface, "fonts": []string{"inter", "liberation"},
		"scale": scale, "modes": t.drawn.modes, "roles": rolesOf(looks[sun.Day], looks[sun.Night]),
	}, nil
}

func rolesOf(day, night *look.Look) []map[string]any {
	var list []map[string]any
	add := func(name, note string) {
		d, ok := day.Colors[name]
		n, ok2 := night.Colors[name]
		if ok && ok2 {
			list = append(list, map[string]any{"name": name, "note": note, "section": "colors", "day": hexOf(d), "night": hexOf(n)})
		}
	}
	var known []string
	for _, r := range roleNotes {
		add(r[0], r[1])
		known = append(known, r[0])
	}
	for _, name := range slices.Sorted(maps.Keys(night.Colors)) {
		if !slices.Contains(known, name) {
			add(name, "")
		}
	}
	return list
}

func hexOf(c color.NRGBA) string {
	if c.A < 255 {
		return fmt.Sprintf("#%02x%02x%02x%02x", c.R, c.G, c.B, c.A)
	}
	return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
}

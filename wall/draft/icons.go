package draft

import (
	"context"
	"strings"

	"dashboard/render/icon"
	"dashboard/server"
)

// maxIcons is the maximum number of icons in an answer.
const maxIcons = 60

// usualIcons are the icons in the answer to a request without a search word.
var usualIcons = []string{
	"home-outline", "calendar-blank-outline", "weather-partly-cloudy", "thermometer", "lightbulb-outline", "sofa-outline", "bed-outline",
	"silverware-fork-knife", "shower", "door", "lock-outline", "bell-outline", "car", "bus", "train", "bike", "trash-can-outline",
	"washing-machine", "solar-power", "flash", "battery", "water-outline", "wifi", "server", "timer-outline", "clock-outline",
	"cart-outline", "account-outline", "heart-outline", "star-outline",
}

// icons() answers GET /edit/icons with the names and outlines of icons. The request contains a search word, or the names of icons.
func (d *Editor) icons(_ context.Context, c server.EditCall) (server.EditAnswer, error) {
	q := strings.TrimPrefix(c.Query.Get("q"), icon.Prefix)
	names := usualIcons
	if list := c.Query.Get("names"); list != "" {
		names = strings.Split(list, ",")
	} else if q != "" {
		names = icon.Find(q, maxIcons)
	}
	out := []map[string]any{}
	for _, name := range names[:min(len(names), maxIcons)] {
		name = strings.TrimPrefix(name, icon.Prefix)
		if r, known := icon.Lookup(name); known {
			out = append(out, map[string]any{"name": icon.Prefix + name, "path": d.build.Text.IconPath(r)})
		}
	}
	return ok(map[string]any{"icons": out})
}

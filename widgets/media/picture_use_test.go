package media

import (
	"image"
	"testing"

	"dashboard/theme/look"
	"dashboard/widgets/walltest"
)

// Containers first build their pictures in other sizes. The sources for these sizes are dropped. One source for each picture remains,
// even in a container in a container.
func TestOneSourceForEachPicture(t *testing.T) {
	dir := walltest.Flow(t.TempDir())
	for what, wall := range map[string]string{
		"row":    "{widget: row, children: [{widget: photos, path: " + dir + "}, {widget: image, url: 'http://h/a.png'}]}",
		"nested": "{widget: column, children: [{widget: space}, {widget: row, children: [{widget: photos, path: " + dir + "}, {widget: camera, url: 'http://h/a.png'}]}]}",
		"areas": "{widget: layout, areas: ['a b'], children: [{widget: photos, area: a, path: " + dir + "}, " +
			"{widget: column, area: b, children: [{widget: image, url: 'http://h/a.png'}]}]}",
		"hidden": "{widget: row, children: [{widget: photos, path: " + dir + "}, {widget: image, url: 'http://h/a.png', when: {days: mon}}]}",
	} {
		walltest.ModernBubble(t, "widgets: ["+wall+"]", walltest.Scene{Size: image.Pt(320, 200)}, look.Calm(true), func(d *walltest.Data) {
			d.Step(0)
			if kept := d.Used(); kept != 2 || len(d.Given) < 3 {
				t.Errorf("%s: got %d sources, of which %d remain, want 2", what, len(d.Given), kept)
			}
		})
	}
}

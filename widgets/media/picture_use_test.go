package media

import (
	"image"
	"testing"

	"dashboard/theme/look"
	"dashboard/widgets/walltest"
)

// TestOneSourceForEachPicture checks containers that first build their pictures in other sizes. The sources for these sizes are dropped.
// One source for each picture remains, even for a container inside a container.
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

// TestPictureOfGlance checks a glance (a view of a few large widgets) that shows a photo in another size than the wall. The sources for
// both sizes remain.
func TestPictureOfGlance(t *testing.T) {
	wall := "glance: {show: [both], when: {time: '22:00-06:00'}}\nwidgets: [{widget: row, name: both, children: [{widget: photos, path: " +
		walltest.Flow(t.TempDir()) + "}, {widget: space}]}]"
	walltest.ModernBubble(t, wall, walltest.Scene{Size: image.Pt(320, 200)}, look.Calm(true), func(d *walltest.Data) {
		d.Step(0)
		if kept := d.Used(); kept != 2 || len(d.Given) != 4 {
			t.Errorf("got %d sources, of which %d remain, want 2 of 4", len(d.Given), kept)
		}
	})
}

package main

import (
	"image/color"
	"testing"
)

// Each upload is of the view that its output names, else of main.
func TestUploadsOfViews(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t)
	port := freePort(t)
	conf := wallConf(port, "  - {type: post, url: '"+e.URL+"/main', min_interval: 0.1}\n  - {type: post, url: '"+e.URL+"/hall', view: hall, min_interval: 0.1}\nviews:\n  hall: {widgets: hall.yaml}\n")
	b := launch(t, port, files{"conf.yaml": conf, "widgets.yaml": plainWall("red"), "hall.yaml": plainWall("blue")})
	posted := func(path string, want color.RGBA) bool {
		all := e.uploads()
		for i := len(all) - 1; i >= 0; i-- {
			if all[i].path == path {
				img, _, _, _ := pictureOf(t, all[i])
				return near(img, want)
			}
		}
		return false
	}
	check := func(main, hall color.RGBA) {
		t.Helper()
		b.shows(1, 1, main)
		eventually(t, "the main view is posted", func() bool { return posted("/main", main) })
		eventually(t, "the hall is posted", func() bool { return posted("/hall", hall) })
	}
	check(red, blue)
}

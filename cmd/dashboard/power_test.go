package main

import (
	"strings"
	"testing"
	"time"
)

// What may be written of display is read, whole; what is not built yet is told, and no more than that.
func TestDisplayIsRead(t *testing.T) {
	b := newBuilder(func() {}, discardLog())
	defer b.providers.Close()
	for more, want := range map[string]string{
		"display: {when: {days: mon-fri, time: \"07:00-20:00\"}}\n":                              "",
		"display: {when: true, brightness: 60%, backends: [fb, drm, backlight]}\n":               "",
		"display: {when: [{time: \"06:00-09:00\"}, {time: \"22:00-01:00\"}], wake: [trigger]}\n": "",
		"display: {brightness: {day: 100%, night: 0.25, fade: 5s}, wake: []}\n":                  "",
		"display: {presence: {value: !data '.machine.load1', above: 1}, off_after: 90}\n":        "no provider is named 'machine'",
		"display: {presence: {gpio: 17}, off_after: 5m}\n":                                       "presence by gpio is not built yet and has no effect",
		"display: {off_after: 5m}\n":                                                             "off_after by touch alone, without a condition for presence, is not built yet",
		"display: {brightness: {sensor: auto, min: 10%, max: 90%}}\n":                            "brightness by a sensor is not built yet",
		"display: {backends: [cec, drm]}\n":                                                      "cec is not built yet",
		"display: {wake: [touch]}\n":                                                             "waking by touch is not built yet",
		"display: {pixel_shift: true}\n":                                                         "pixel_shift is not built yet",
		"views: {hall: {widgets: widgets.yaml, display: {pixel_shift: true}}}\n":                 "views.hall.display.pixel_shift: warning: pixel_shift is not built yet",
		"display: {pixel_shift: false}\n":                                                        "",
		"views: {hall: {widgets: widgets.yaml, display: {when: {time: \"07:00-20:00\"}}}}\n":     "",
	} {
		g, said := reads(t, b, more)
		if g == nil || strings.Contains(said, "error") || want == "" && said != "" || !strings.Contains(said, want) {
			t.Errorf("%s: got %q, want a warning with %q", more, said, want)
		}
	}
	g, said := reads(t, b, "display: {when: true, presence: true, off_after: 5m, brightness: {night: 20%}}\nviews: {hall: {widgets: widgets.yaml, display: {brightness: 30%}}}\n")
	if g == nil {
		t.Fatal(said)
	}
	main, hall := g.scenes["main"].display, g.scenes["hall"].display
	if s := main.settings; time.Duration(*s.OffAfter) != 5*time.Minute || s.Brightness.Day != 1 || s.Brightness.Night != 0.2 || s.Brightness.Fade != 2*time.Second || len(s.Wake) != 3 || len(s.Backends) != 5 || main.when == nil || main.presence == nil {
		t.Errorf("got %+v", main)
	}
	if hall.settings.Brightness.Night != 0.3 || hall.when != nil {
		t.Errorf("got %+v", hall)
	}
}

// A mistake is told with its place and the nearest right word.
func TestDisplayMistakes(t *testing.T) {
	b := newBuilder(func() {}, discardLog())
	defer b.providers.Close()
	for more, want := range map[string]string{
		"display: {wen: true}\n":                                      "near: when",
		"display: on\n":                                               "must be a mapping",
		"display: {when: 5}\n":                                        "must be a condition",
		"display: {when: {days: mon-fry}}\n":                          "fry",
		"display: {when: {time: \"7-7\"}}\n":                          "conf.yaml:9:24: display.when.time",
		"display: {when: []}\n":                                       "needs at least one condition",
		"display: {presence: {gpio: -1}}\n":                           "must be between 0 and 1023",
		"display: {presence: {gpio: 4, pin: 5}}\n":                    "unknown key 'pin'",
		"display: {presence: {entity: hall}}\n":                       "must be an entity",
		"display: {off_after: 0}\n":                                   "must be at least 1",
		"display: {off_after: 5 parsecs}\n":                           "must be a duration",
		"display: {wake: [tuch]}\n":                                   "near: touch",
		"display: {brightness: 40}\n":                                 "near: 40%",
		"display: {brightness: {day: 140%}}\n":                        "between 0% and 100%",
		"display: {brightness: {sensor: auto, min: 90%, max: 10%}}\n": "min is more than max",
		"display: {brightness: {min: 10%}}\n":                         "sensor",
		"display: {brightness: {day: 50%, max: 70%}}\n":               "day",
		"display: {backends: [dcc]}\n":                                "near: ddc",
		"display: {backends: []}\n":                                   "at least",
		"views: {hall: {widgets: widgets.yaml, display: {wen: 1}}}\n": "views.hall.display",
	} {
		g, said := reads(t, b, more)
		if g != nil || !strings.Contains(said, want) {
			t.Errorf("%s: got %q, want an error with %q", more, said, want)
		}
	}
}

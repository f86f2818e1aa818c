package widgets

import (
	"bytes"
	"fmt"
	"image"
	"slices"
	"testing"
	"time"

	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestSurvey checks that a survey lists the visible widgets with their positions and changes nothing.
func TestSurvey(t *testing.T) {
	e := walltest.TestEnv()
	e.Survey = &kit.Survey{}
	s := walltest.Build(t, e, `
widgets:
  - widget: grid
    rows: 1
    columns: 2
    drop_shadow: true
    children:
      - {widget: text, name: hello, text: Hello, color: white}
      - widget: flip
        interval: 10
        transition: 0
        children:
          - {widget: empty, name: first, color: red}
          - {widget: empty, name: second, color: blue}
`, image.Pt(80, 40))
	r := render.New(s, image.Pt(80, 40))
	if got := e.Survey.Take(r); got != nil {
		t.Errorf("before the first frame: got %v, want nothing", got)
	}
	for _, tc := range []struct {
		at   time.Duration
		want []string
	}{
		{0, []string{"grid (0,0)-(80,40)", "hello (0,0)-(40,40)", "flip (40,0)-(80,40)", "first (40,0)-(80,40)"}},
		{11 * time.Second, []string{"grid (0,0)-(80,40)", "hello (0,0)-(40,40)", "flip (40,0)-(80,40)", "second (40,0)-(80,40)"}},
	} {
		r.Step(walltest.After(tc.at))
		before := bytes.Clone(r.Frame().Pix)
		var got []string
		for _, a := range e.Survey.Take(r) {
			if a.Kind != "screen" {
				got = append(got, fmt.Sprint(a.Name, " ", a.Bounds))
			}
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("at %v: got %q, want %q", tc.at, got, tc.want)
		}
		if !bytes.Equal(r.Frame().Pix, before) {
			t.Errorf("at %v: the survey changed the picture", tc.at)
		}
	}
}

package scene

import (
	"fmt"
	"regexp"
	"strings"

	"dashboard/render"
	"dashboard/render/text"
)

// cutNumber matches a text that was cut within a number: only digits are before the ellipsis.
var cutNumber = regexp.MustCompile(`^[\p{Sc}+\-−~<>≈]*\p{Nd}[\p{Nd}.,:'’\s]*…`)

// ticker is the kind of a widget whose text moves beyond its edges on purpose.
const ticker = "ticker"

// CutTexts lists the texts of a drawn tree that extend beyond the area of their widget, and the numbers that were cut.
func (b *Builder) CutTexts(tree *Tree, r *render.Renderer) (list []string) {
	areas := tree.Survey.Take(r)
	b.Text.OnPaint(func(p text.Painted) {
		for _, a := range areas {
			if a.Kind == ticker && p.Clip.In(a.Bounds) {
				return
			}
		}
		switch line := strings.TrimSpace(string(p.Line)); {
		case !p.Ink.In(p.Clip):
			list = append(list, fmt.Sprintf("the text %q is cut off", line))
		case cutNumber.MatchString(line):
			list = append(list, fmt.Sprintf("the number %q is cut", line))
		}
	})
	defer b.Text.OnPaint(nil)
	r.Trace()
	return list
}

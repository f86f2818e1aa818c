package scene

import (
	"fmt"
	"regexp"
	"strings"

	"dashboard/render"
	"dashboard/render/text"
)

// cutNumber matches a text with an ellipsis after a part of a number.
var cutNumber = regexp.MustCompile(`^[\p{Sc}+\-−~<>≈]*\p{Nd}[\p{Nd}.,:'’\s]*…`)

// ticker is the kind of the widget whose text moves out of its area on purpose.
const ticker = "ticker"

// CutTexts lists the problems of the texts in a drawn tree: texts that extend beyond the area of
// their widget, and numbers with an ellipsis.
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

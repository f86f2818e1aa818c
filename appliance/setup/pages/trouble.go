package pages

import (
	"regexp"

	"dashboard/appliance/about"
)

// troubled matches the beginning of an error message about a file, such as "widgets.yaml:3:5: reason".
var troubled = regexp.MustCompile(`^([^\s:]+):(\d+)(?::\d+)?: `)

// A trouble is an error in the files of the wall. The page shows the error but cannot correct it. The wall runs in spite of the error.
type trouble struct {
	Icon, Title string
	Text        string   // position and reason, or "" if the title contains them
	Steps       []string // steps that correct the line on a laptop, or nil if the line is not known
}

// troubleOf returns the error for the page, or nil if there is none.
func (m *model) troubleOf(problem string) *trouble {
	if problem == "" {
		return nil
	}
	at := troubled.FindStringSubmatch(problem)
	if at == nil {
		return &trouble{Icon: iconFile, Title: problem}
	}
	return &trouble{
		Icon: iconFile, Title: m.Say("mistake", at[1], at[2]), Text: problem,
		Steps: []string{m.Say("laptop.1"), m.Say("laptop.2", about.WallPrefix+at[1]), m.Say("laptop.3", at[2])},
	}
}

package pages

import (
	"net/url"
	"strconv"
	"strings"

	"dashboard/appliance/about"
	"dashboard/appliance/setup/flow"
)

// The constant `meant` is the reason of a mistake in a name. Such a mistake contains the setting that was probably meant.
const meant = "mistake.mean"

// fix fills the page that corrects a line of settings.txt. There are three choices: use the setting that was meant, remove the line, or
// type another text. If a text was refused before, `written` is this text.
func (m *model) fix(mistake *about.Mistake, written string) {
	r := mistake.Wrong()
	m.Page, m.Title, m.Mistake, m.Line, m.AlertIcon = "fix", m.Say("fix"), mistake, strconv.Itoa(mistake.Line), iconFile
	m.Step, m.Back, m.Wrong, m.Reason, m.Fixed = 0, 0, r.Text(), flow.Reason(m.Words, mistake), corrected(mistake)
	if written != "" && written != m.Fixed {
		m.Fixed, m.Own = written, true
	}
	if mistake.Reason != meant {
		return
	}
	m.Right, m.Wrong, m.Reason = mistake.Right, m.Say("fix.none", r.Word), ""
	if strings.HasPrefix(m.Right, "wifi_") && m.Right != "wifi_country" {
		m.Reason = m.Say("fix.offline")
	}
	if name := networkOf(mistake); m.Right == "wifi_password" && name != "" {
		m.RightText = m.Say("password.of", name)
	}
}

// corrected() returns the line with the setting that was meant. If no such setting is known, it returns the line unchanged.
func corrected(mistake *about.Mistake) string {
	r := mistake.Wrong()
	if mistake.Reason == meant {
		r.Word = mistake.Right
	}
	return r.Text()
}

// networkOf returns the name of the network in the line before the mistake, or "".
func networkOf(mistake *about.Mistake) string {
	for _, r := range mistake.Rows {
		if r.Wrong {
			break
		}
		if name, ok := strings.CutPrefix(r.Text(), "wifi_name = "); ok {
			return name
		}
	}
	return ""
}

// fix corrects the line that the form shows. It does nothing if the wall shows another line now, for example after a second tap.
func (s *Server) fix(form url.Values) {
	mistake := s.Machine.View("").Mistake
	if mistake == nil || form.Get("number") != strconv.Itoa(mistake.Line) || form.Get("was") != mistake.Wrong().Text() {
		return
	}
	switch form.Get("choice") {
	case "right":
		s.Machine.Fix(corrected(mistake))
	case "out":
		s.Machine.Fix("")
	default:
		s.Machine.Fix(form.Get("line"))
	}
}

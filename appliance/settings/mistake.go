package settings

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dashboard/appliance/about"
	"dashboard/internal/spelling"
)

// A Mistake is a line of settings.txt that cannot be used, or that is not used exactly as it is written.
type Mistake struct {
	Line   int    // number of the line, from 1, or 0 if the whole file is ignored
	Reason string // key of the sentence in package words, or "" if the line is used
	Right  string // value that the sentence for Reason contains: a name that may have been meant, or an example
	Text   string // sentence for the log
}

// String returns the mistake as the log and the report show it. The text does not contain a password.
func (m Mistake) String() string {
	if m.Line == 0 {
		return m.Text
	}
	return fmt.Sprintf("settings.txt:%d: %s", m.Line, m.Text)
}

// unknown() returns the mistake for a name that no setting has. If a setting has a similar name, the mistake contains the similar name,
// because the owner may have meant this setting.
func unknown(name string, all []entry) Mistake {
	m := Mistake{Reason: "mistake.unknown", Text: fmt.Sprintf("there is no setting %q", shown(name))}
	if near := nearest(name, all); near != "" {
		return Mistake{Reason: "mistake.mean", Right: near, Text: m.Text + "; is " + near + " meant?"}
	}
	return m
}

// nearest() returns the setting whose name is similar to `name`, or "".
func nearest(name string, all []entry) string {
	var names []string
	for _, e := range all {
		names = append(names, e.name)
	}
	return spelling.Nearest(name, names)
}

// examples contains valid values for the settings whose field `rule` contains no example.
var examples = map[string]string{
	"role": Dashboard, "hostname": "kitchen", "locale": "de-DE", "use": "touch gpio", "ssh_key": "ssh-ed25519 AAAA...", "dns": "192.168.1.1",
	"ntp": "192.168.1.1", "update": "stable",
}

// wrong() returns the mistake for a value that is not valid.
func (e entry) wrong() Mistake {
	m := Mistake{Text: fmt.Sprintf("%s must be %s", e.name, e.rule)}
	switch e.name {
	case "wifi_password":
		m.Reason = "password.short"
	case "wifi_name":
		m.Reason = "name.long"
	case "ca_file":
		m.Reason = "mistake.file"
	default:
		_, example, _ := strings.Cut(e.rule, " as ")
		m.Reason, m.Right = "mistake.as", e.name+" = "+cmp.Or(examples[e.name], example)
	}
	return m
}

// Wrong returns the mistake of a setting whose value has the right form but does not exist, such as a time zone. The line of this mistake
// is the last line with the setting.
func Wrong(file []byte, name string) (m Mistake) {
	all := entries()
	if i := slices.IndexFunc(all, func(e entry) bool { return e.name == name }); i >= 0 {
		m = all[i].wrong()
	}
	for i, line := range linesOf(file) {
		if named(line, name) {
			m.Line = i + 1
		}
	}
	return m
}

// linesOf returns the lines of the file without their line ends.
func linesOf(file []byte) []string {
	return strings.Split(strings.ReplaceAll(strings.ReplaceAll(textOf(file), "\r\n", "\n"), "\r", "\n"), "\n")
}

const (
	dots     = "••••••••"
	maxShown = 48 // maximum number of characters of a part of a row that is only shown
	// maxLine is the maximum length of a line that a phone can correct, as in the field of the page. Longer lines in YAML are not shown.
	maxLine = 500
)

// plainName matches a name that may be shown although it is not the name of a setting.
var plainName = regexp.MustCompile(`^[A-Za-z_ -]{1,24}$`)

// Rows returns the line of a mistake, together with the nearest settings before and after it. Dots replace every value that may be
// secret. Dots also replace the value of an unknown name, because the name may be a misspelled password setting.
func (m Mistake) Rows(file []byte) (rows []about.Row) {
	lines := linesOf(file)
	if m.Line < 1 || m.Line > len(lines) {
		return nil
	}
	near := func(step int) {
		for i := m.Line - 1 + step; i >= 0 && i < len(lines); i += step {
			if line := strings.TrimSpace(lines[i]); line != "" && line[0] != '#' {
				r, _ := rowOf(line)
				rows = append(rows, about.Row{Number: i + 1, Before: cutRow(r.Text())})
				return
			}
		}
	}
	near(-1)
	r, _ := rowOf(strings.TrimSpace(lines[m.Line-1]))
	r.Number, r.Wrong = m.Line, true
	rows = append(rows, r)
	near(1)
	return rows
}

// rowOf converts a line to a row in which dots replace the secrets. It also returns these secrets. The field Word is the part to mark if
// the line has a mistake.
func rowOf(line string) (r about.Row, hidden []string) {
	name, value, ok := strings.Cut(line, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	all := entries()
	known := func(name string) bool {
		return slices.ContainsFunc(all, func(e entry) bool { return e.name == strings.ToLower(name) })
	}
	if !ok { // without "=", any word may be a password. The first of several words is shown only if it resembles a setting
		first, rest, _ := strings.Cut(line, " ")
		if bare := strings.TrimRight(first, ":"); rest != "" && (known(bare) || nearest(bare, all) != "") {
			return about.Row{Word: shown(first) + " " + dots}, []string{strings.TrimSpace(rest)}
		}
		return about.Row{Word: dots}, []string{line}
	}
	if known(name) {
		if secret(name) && value != "" {
			value, hidden = dots, []string{value}
		}
		return about.Row{Before: name + " = ", Word: cut(printable(value), maxLine)}, hidden
	}
	if nearest(name, all) == "" && !plainName.MatchString(name) {
		name, hidden = dots, []string{name}
	}
	return about.Row{Word: shown(name), After: " = " + dots}, append(hidden, value)
}

// secret() reports whether the value of a setting may be secret.
func secret(name string) bool {
	return slices.Contains([]string{"wifi_password", "config_url", "update_url", "proxy", "ssh_key"}, strings.ToLower(name))
}

// meant() reports whether a line may contain the setting with the given name: the line has this name or a similar name.
func meant(line, name string) bool {
	old, _, ok := strings.Cut(line, "=")
	if !ok {
		old, _, _ = strings.Cut(line, " ")
		old = strings.TrimRight(old, ":")
	}
	old = strings.TrimSpace(old)
	return strings.EqualFold(old, name) || nearest(old, entries()) == name
}

// Fix returns a copy of the file in which `text` replaces the line of a mistake. `was` is the old line as Rows shows it. If `text` is
// empty, the line becomes a comment.
//
// If the value in `text` consists of dots, Fix replaces the dots by the secret of the old line. In this case both lines must have the
// same name or similar names. Under any other name the secret could be sent to a server, for example as a part of update_url.
func Fix(file []byte, number int, was, text string) ([]byte, error) {
	lines := linesOf(file)
	if number < 1 || number > len(lines) {
		return nil, errChanged
	}
	line := strings.TrimSpace(lines[number-1])
	r, hidden := rowOf(line)
	if r.Before+r.Word+r.After != was {
		return nil, errChanged
	}
	if text = strings.TrimSpace(text); text == "" {
		text = "#" + line
	} else if name, value, _ := strings.Cut(text, "="); strings.Contains(text, dots) {
		if len(hidden) == 0 || strings.TrimSpace(value) != dots || !meant(line, strings.ToLower(strings.TrimSpace(name))) {
			return nil, errDots
		}
		text = strings.TrimSpace(name) + " = " + hidden[len(hidden)-1]
	}
	if strings.Contains(text, dots) || strings.ContainsAny(text, "\r\n\x00") {
		return nil, errDots
	}
	lines[number-1] = text
	return joined(lines, file), nil
}

// joined() returns lines with the line ends of a file.
func joined(lines []string, file []byte) []byte {
	end := "\n"
	if bytes.Contains(file, []byte("\r\n")) {
		end = "\r\n"
	}
	return []byte(strings.Join(lines, end))
}

var (
	errChanged = errors.New("the line has changed on the card")
	errDots    = errors.New("write the whole value in place of the dots, in one line")
)

// shown() returns the beginning of a text without control characters.
func shown(s string) string { return cutRow(printable(s)) }

// printable() removes control characters from a text.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) && r != utf8.RuneError {
			return r
		}
		return -1
	}, s)
}

// cutRow returns the beginning of a text that is only shown.
func cutRow(s string) string { return cut(s, maxShown) }

func cut(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

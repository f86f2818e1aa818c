package config

import (
	"reflect"
	"regexp"
	"strings"
)

var (
	// wholePath matches a text that consists of one jq path, such as .machine.load1.
	wholePath = regexp.MustCompile(`^\.[A-Za-z_]\w*(\.[A-Za-z_]\w*|\[[^\]]*\])*$`)
	// pathStart matches the beginning of a path with at least two steps, such as .item.name + 1.
	pathStart = regexp.MustCompile(`^\.[A-Za-z_]\w*(\.[A-Za-z_]|\[)`)
	// template matches {{ machine.load1 }}, which other programs use to put values into texts.
	template = regexp.MustCompile(`\{\{\s*\.?([\w.]*)`)
)

// forgotten looks for a program without the !data tag, in a key that accepts programs. It returns true if it reports an error. If the key
// also accepts text, it only warns.
func (d *decoder) forgotten(n *Node, plain reflect.Type) bool {
	if n.kind != String || n.secret {
		return false
	}
	hint := ""
	if wholePath.MatchString(n.text) || pathStart.MatchString(n.text) {
		hint = "this is shown as text: write !data " + quotedProgram(n.text) + " to show a value"
	} else if m := template.FindStringSubmatch(n.text); m != nil {
		hint = "{{ }} has no meaning here and is shown as text"
		if m[1] != "" {
			hint += ": write !data ." + m[1] + " to show a value"
		}
	}
	switch {
	case hint == "":
		return false
	case takesText(plain):
		d.report.Warnf(n, "%s", hint)
		return false
	}
	d.report.Errorf(n, "%s", strings.Replace(hint, "this is shown as text", "a program needs its tag", 1))
	return true
}

// takesText reports whether the type accepts any text as a value.
func takesText(t reflect.Type) bool {
	return t.Kind() == reflect.String || isSetter(t) && reflect.PointerTo(t).Implements(texterType)
}

// A Texter is a Setter that accepts any text.
type Texter interface{ TakesText() }

var texterType = reflect.TypeFor[Texter]()

// quotedProgram returns a program, in quotes if YAML may need them.
func quotedProgram(s string) string {
	if strings.ContainsAny(s, `[]{},"#`) || strings.Contains(s, ": ") {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	return s
}

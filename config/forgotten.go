package config

import (
	"reflect"
	"regexp"
	"strings"
)

var (
	// wholePath matches a text that is one jq path, such as .machine.load1.
	wholePath = regexp.MustCompile(`^\.[A-Za-z_]\w*(\.[A-Za-z_]\w*|\[[^\]]*\])*$`)
	// pathStart matches a text that begins with a jq path of at least two steps, such as .item.name + 1.
	pathStart = regexp.MustCompile(`^\.[A-Za-z_]\w*(\.[A-Za-z_]|\[)`)
	// template matches the beginning of a template such as {{ machine.load1 }}, with which other programs show values.
	template = regexp.MustCompile(`\{\{\s*\.?([\w.]*)`)
)

// forgotten() reports a text that looks like a program without the tag !data. It is called only for keys that accept programs. If the key
// also accepts any text, forgotten only warns and returns false. Otherwise it reports an error and returns true.
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

// takesText reports whether any text is a valid value of the type.
func takesText(t reflect.Type) bool {
	return t.Kind() == reflect.String || isSetter(t) && reflect.PointerTo(t).Implements(texterType)
}

// A Texter is a Setter that accepts any text.
type Texter interface{ TakesText() }

var texterType = reflect.TypeFor[Texter]()

// quotedProgram returns the program s. If the program may need quotation marks in YAML, quotedProgram adds them.
func quotedProgram(s string) string {
	if strings.ContainsAny(s, `[]{},"#`) || strings.Contains(s, ": ") {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	return s
}

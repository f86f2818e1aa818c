package config

import (
	"reflect"
	"regexp"
	"strings"
)

var (
	// wholePath is a text that is nothing but a path of a program, such as .machine.load1.
	wholePath = regexp.MustCompile(`^\.[A-Za-z_]\w*(\.[A-Za-z_]\w*|\[[^\]]*\])*$`)
	// pathStart is the beginning of a path of at least two steps, such as .item.name + 1.
	pathStart = regexp.MustCompile(`^\.[A-Za-z_]\w*(\.[A-Za-z_]|\[)`)
	// template is what other programs put between braces, such as {{ machine.load1 }}.
	template = regexp.MustCompile(`\{\{\s*\.?([\w.]*)`)
)

// forgotten looks for a program without its tag in a key that takes programs. It warns if the key also takes text. Otherwise it
// reports an error and returns true.
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

// takesText reports whether any text is a value of the type.
func takesText(t reflect.Type) bool {
	return t.Kind() == reflect.String || isSetter(t) && reflect.PointerTo(t).Implements(texterType)
}

// A Texter is a Setter for which any text is a value.
type Texter interface{ TakesText() }

var texterType = reflect.TypeFor[Texter]()

// quotedProgram is a program in quotes that are valid anywhere in YAML.
func quotedProgram(s string) string {
	if strings.ContainsAny(s, `[]{},"#`) || strings.Contains(s, ": ") {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	return s
}

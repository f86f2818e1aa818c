package cookbook

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// maxRows is the maximum number of rows of an imported widget.
const maxRows = 12

// Patterns for the two places in a Glance template that select data: glanceLoop for a loop over a
// list, and glanceValue for a value with its path.
var (
	glanceLoop  = regexp.MustCompile(`range[^}]*?(?:\(\s*\.Subrequest\s+"([^"]+)"\s*\)|)\.JSON\.Array\s+"([^"]*)"`)
	glanceValue = regexp.MustCompile(`(?:\(\s*\.Subrequest\s+"([^"]+)"\s*\)|)(\.JSON)?\.(?:String|Int|Float|Bool)\s+"([^"]+)"`)
)

// widget returns the content of widgets.yaml. The widget is a list of the values that the template
// shows. If the template has a loop, the widget is a list of the entries of the first loop.
func (g *glance) widget() string {
	template := g.node.Get("template").Text()
	head := fmt.Sprintf("widgets:\n  - widget: list\n    title: %s\n", quoted(g.title))
	if m := glanceLoop.FindStringSubmatchIndex(template); m != nil {
		from := "main"
		if m[2] >= 0 {
			from = slug(template[m[2]:m[3]])
		}
		body, _, _ := strings.Cut(template[m[1]:], "{{ end }}")
		return head + fmt.Sprintf("    items: !data '%s'\n    item: {%s}\n", program(from, template[m[4]:m[5]]), strings.Join(entry(body), ", "))
	}
	rows := g.rows(template)
	if len(rows) == 0 {
		return head + fmt.Sprintf("    items: [{text: Answer, value: !data '%s | tostring'}]\n", program(g.first(), ""))
	}
	return head + "    items:\n" + strings.Join(rows, "")
}

// first() returns the name of the first provider.
func (g *glance) first() string {
	if g.node.Has("url") || g.node.Get("subrequests").Len() == 0 {
		return "main"
	}
	return slug(g.node.Get("subrequests").Pairs()[0].Key)
}

// rows() returns the YAML rows for a template without a loop.
func (g *glance) rows(template string) []string {
	var rows []string
	seen := map[string]bool{}
	for _, m := range glanceValue.FindAllStringSubmatch(template, maxRows) {
		from := "main"
		if m[1] != "" {
			from = slug(m[1])
		}
		code := program(from, m[3])
		if m[2] == "" || seen[code] {
			continue
		}
		seen[code] = true
		rows = append(rows, fmt.Sprintf("      - {text: %s, value: !data '%s'}\n", quoted(label(m[3])), code))
	}
	return rows
}

// entry returns the keys for the entries of a list. The first value in the body of the loop becomes the key `text` of an entry. The
// second value becomes the key `value`, and the third value becomes the key `note`.
func entry(body string) []string {
	var keys []string
	for i, m := range glanceValue.FindAllStringSubmatch(body, 3) {
		if m[2] != "" {
			continue // this value is not from the list
		}
		keys = append(keys, fmt.Sprintf("%s: !data '%s'", [...]string{"text", "value", "note"}[i], program("item", m[3])))
	}
	if len(keys) == 0 {
		return []string{"text: !data .item | tostring"}
	}
	return keys
}

// label makes a title from the last key of a gjson path.
func label(at string) string {
	words := strings.NewReplacer("_", " ", "-", " ").Replace(path.Ext("." + at)[1:])
	return strings.ToUpper(words[:min(len(words), 1)]) + words[min(len(words), 1):]
}

// plainKey matches a key that jq accepts after a dot.
var plainKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// program converts a gjson path, such as a.b.0.c or a.#.b, to a jq program.
func program(from, at string) string {
	code := "." + from
	for _, part := range strings.Split(at, ".") {
		n, err := strconv.Atoi(part)
		switch {
		case part == "" || part == "@this":
		case part == "#":
			code += "[]?"
		case err == nil:
			code += fmt.Sprintf("[%d]", n)
		case plainKey.MatchString(part):
			code += "." + part
		default:
			code += fmt.Sprintf("[%q]", strings.ReplaceAll(part, "'", ""))
		}
	}
	if strings.Contains(code, "[]?") {
		return "[" + code + "]"
	}
	return code
}

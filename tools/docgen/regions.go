package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"dashboard/control/verb"
)

// regionPages are the hand-written pages that contain generated regions.
var regionPages = []string{httpPage, homePage}

const (
	httpPage = "docs/http.md"
	homePage = "docs/home-assistant.md"
)

// region matches a generated region of a page. The region lies between two comments. The first comment contains the name of the generated
// content.
var region = regexp.MustCompile(`(?s)<!-- generated: ([a-z]+)( [a-z]+)? -->\n.*?<!-- end -->`)

// regionsOf returns a page whose regions have been generated again.
func regionsOf(root, path string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		return "", err
	}
	var wrong error
	return region.ReplaceAllStringFunc(string(text), func(old string) string {
		m := region.FindStringSubmatch(old)
		table, err := regionTable(m[1], strings.TrimSpace(m[2]))
		if err != nil {
			wrong = fmt.Errorf("%s: %w", path, err)
		}
		return fmt.Sprintf("<!-- generated: %s%s -->\n%s<!-- end -->", m[1], m[2], table)
	}), wrong
}

func regionTable(what, of string) (string, error) {
	switch what {
	case "verbs":
		return verbTable(), nil
	case "actions":
		return actionTable(), nil
	case "entities":
		return entityTable(), nil
	case "commands":
		return commandTable(), nil
	case "keys":
		if v := verb.Find(of); v != nil {
			return keyTable(v), nil
		}
	}
	return "", fmt.Errorf("there is nothing to generate for %q %q", what, of)
}

// verbTable lists the addresses of the verbs.
func verbTable() string {
	var b strings.Builder
	b.WriteString("| address | method | purpose | keys |\n|---|---|---|---|\n")
	for _, v := range verb.All() {
		for _, r := range v.Addresses() {
			var keys []string
			for _, p := range v.Params {
				if p.Kind != verb.Body && !slices.Contains(r.InPath(), p.Name) {
					keys = append(keys, "`"+p.Name+"`")
				}
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", shownPath(r.Path), r.Method, purpose(&v, r), strings.Join(keys, ", "))
		}
	}
	return b.String()
}

func purpose(v *verb.Verb, r verb.Route) string {
	if r.Needs != "" {
		return v.Help + " Needs `" + r.Needs + "`."
	}
	return v.Help
}

// shownPath returns a path in the form of the documents, such as /notify/ID.
func shownPath(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if name, ok := strings.CutPrefix(p, ":"); ok {
			parts[i] = strings.ToUpper(name)
		}
	}
	return strings.Join(parts, "/")
}

// keyTable lists the parameters of a verb.
func keyTable(v *verb.Verb) string {
	var b strings.Builder
	b.WriteString("| key | value | |\n|---|---|---|\n")
	for _, p := range v.Params {
		help := p.Help
		if p.Required {
			help = "**required**: " + help
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", p.Name, allowedWords(&p), help)
	}
	return b.String()
}

// allowedWords returns the allowed values of a parameter. Words are formatted as code.
func allowedWords(p *verb.Param) string {
	if p.Words == nil {
		return strings.ReplaceAll(p.Allowed(), `"`, "`")
	}
	return "`" + strings.Join(p.Words, "`, `") + "`"
}

// actionTable lists the short forms of the verbs.
func actionTable() string {
	var b strings.Builder
	b.WriteString("| key | value | same as |\n|---|---|---|\n")
	for _, name := range verb.Shorts(true) {
		s := verb.Find(name).Short
		help := s.Help
		if s.Button {
			help += "; only for buttons of notifications"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, help, s.Same)
	}
	return b.String()
}

// commandTable lists the topics of commands.
func commandTable() string {
	var b strings.Builder
	b.WriteString("| command | payload | effect |\n|---|---|---|\n")
	for _, v := range verb.All() {
		for _, t := range v.Topics {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", t.Name, payload(&v, t), cmp.Or(t.Help, v.Help))
		}
	}
	return b.String()
}

// entityTable lists the entities in Home Assistant that send commands.
func entityTable() string {
	var b strings.Builder
	b.WriteString("| entity | function |\n|---|---|\n")
	for _, v := range verb.All() {
		for _, t := range v.Topics {
			for _, e := range t.Entities {
				fmt.Fprintf(&b, "| %s | %s |\n", e.Title, cmp.Or(e.Help, v.Help))
			}
		}
	}
	return b.String()
}

func payload(v *verb.Verb, t verb.Topic) string {
	p := v.Param(t.Param)
	switch {
	case p == nil:
		return "any"
	case t.Percent:
		return "0 to 100"
	case p.Kind == verb.Body:
		return "a text, or an object with " + p.Help
	case p.Words != nil:
		return allowedWords(p)
	}
	return cmp.Or(t.Payload, p.Help) + ", or an object with the keys of the [HTTP request](http.md)"
}

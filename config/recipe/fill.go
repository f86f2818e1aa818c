package recipe

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"dashboard/config"
	"dashboard/config/value"
)

// paramTag is the tag of a value that a parameter replaces: !param stop.
const paramTag = "param"

// written matches a parameter inside a text.
var written = regexp.MustCompile(`\{([a-z][a-z0-9_]*)(?:\.(latitude|longitude|name))?\}`)

// variable matches a parameter inside a program.
var variable = regexp.MustCompile(`\$([a-z][a-z0-9_]*)`)

// programKeys are the keys whose texts are programs.
var programKeys = map[string]bool{"jq_expression": true, "keep_jq": true}

// sentKeys are the keys of providers whose values go to a server and nowhere else.
var sentKeys = map[string]bool{
	"url": true, "caldav": true, "headers": true, "auth": true, "params": true, "body": true, "payload": true, "subscribe": true,
}

// A filling puts parameters into the values of a recipe.
type filling struct {
	use    config.Use
	values map[string]*config.Node
	params map[string]Parameter
	report *config.Report
	asks   bool // the values are of providers
	secret bool // secrets may be used: the value is sent to a server
}

// fill returns a copy of n for the use, with the parameters filled in.
func (f *filling) fill(n *config.Node, key string) *config.Node {
	if tag, name, ok := n.Token(); ok && tag == paramTag {
		return f.whole(n, name)
	}
	c := f.use.Into(n)
	switch {
	case n.IsProgram():
		return c.WithProgram(f.bind(n))
	case n.Kind() == config.String && programKeys[key]:
		return c.WithText(f.bind(n))
	case n.Kind() == config.String:
		return f.text(n, c, key)
	case n.Kind() == config.List:
		var items []*config.Node
		for _, item := range n.Items() {
			items = append(items, f.fill(item, key))
		}
		return c.WithItems(items)
	case n.Kind() == config.Map:
		var pairs []config.Pair
		for _, p := range n.Pairs() {
			p.At, p.Value = f.use.Into(p.At), f.entry(p, key)
			if key != "headers" || p.Value.Text() != "" || p.Value.Broken() {
				pairs = append(pairs, p) // a header is left out if its parameter is absent
			}
		}
		return c.WithPairs(pairs)
	}
	return c
}

// entry returns a copy of an entry's value in a mapping that has only the given key.
func (f *filling) entry(p config.Pair, key string) *config.Node {
	outside := f.secret
	defer func() { f.secret = outside }()
	f.secret = f.secret || f.asks && sentKeys[p.Key]
	return f.fill(p.Value, within(key, p.Key))
}

// within returns the key that decides how the texts of a value are read: the texts of keep are programs.
func within(parent, key string) string {
	if parent == "keep" {
		return "keep_jq"
	}
	return key
}

// whole returns the value of a parameter in place of a token.
func (f *filling) whole(n *config.Node, name string) *config.Node {
	v, ok := f.value(n, name)
	if !ok {
		return f.use.Into(n).AsBroken()
	}
	return f.use.Given(v, n)
}

// value returns the value of a parameter. It reports an error for a secret outside of providers.
func (f *filling) value(n *config.Node, name string) (*config.Node, bool) {
	p, ok := f.params[name]
	if !ok {
		f.report.Near(f.use.Into(n), name, names(f.params), "the recipe has no parameter '%s'", name)
		return nil, false
	}
	if p.Type == "secret" && !f.secret {
		f.report.Errorf(f.use.Into(n), "the secret '%s' is for the addresses, headers and logins of providers.yaml", name)
		return nil, false
	}
	return f.values[name], true
}

// text fills parameters into a text. In addresses they are escaped.
func (f *filling) text(n, c *config.Node, key string) *config.Node {
	var b strings.Builder
	last, secret, found := 0, false, false
	for _, m := range written.FindAllStringSubmatchIndex(n.Text(), -1) {
		name, part := n.Text()[m[2]:m[3]], ""
		if m[4] >= 0 {
			part = n.Text()[m[4]:m[5]]
		}
		if _, ok := f.params[name]; !ok {
			continue // a format such as {value} is no parameter
		}
		v, ok := f.value(n, name)
		if !ok {
			return c.AsBroken()
		}
		found, secret = true, secret || v.Secret() || f.params[name].Type == "secret"
		b.WriteString(n.Text()[last:m[0]])
		b.WriteString(f.escaped(plain(v, part), b.String(), name, key))
		last = m[1]
	}
	if !found {
		return c
	}
	b.WriteString(n.Text()[last:])
	if c = c.WithText(b.String()); secret {
		c = c.AsSecret()
	}
	return c
}

// plain returns a value as text, or a part of a place as text.
func plain(v *config.Node, part string) string {
	if part != "" {
		v = v.Get(part)
	}
	if v.Kind() == config.List {
		var all []string
		for _, item := range v.Items() {
			all = append(all, item.Text())
		}
		return strings.Join(all, ",")
	}
	return v.Text()
}

// escaped escapes the text of a parameter for its position in an address. The address of a server stays unchanged.
func (f *filling) escaped(text, before, name, key string) string {
	switch {
	case key != "url" && key != "href":
		return text
	case f.params[name].Type == "address":
		return strings.TrimSuffix(text, "/")
	case strings.Contains(before, "?"):
		return url.QueryEscape(text)
	}
	return url.PathEscape(text)
}

// bind returns a program that defines the parameters it uses as variables.
func (f *filling) bind(n *config.Node) string {
	code, bound, head := n.Text(), map[string]bool{}, ""
	for _, m := range variable.FindAllStringSubmatch(code, -1) {
		name := m[1]
		if _, ok := f.params[name]; !ok || bound[name] {
			continue
		}
		bound[name] = true
		outside := f.secret
		f.secret = false // a program's result can be shown
		v, ok := f.value(n, name)
		f.secret = outside
		if !ok {
			return "null"
		}
		head += fmt.Sprintf("%s as $%s | ", literal(v, f.params[name]), name)
	}
	return head + code
}

// literal returns a value as a jq term.
func literal(v *config.Node, p Parameter) string {
	x := v.Value()
	if p.Type == "duration" && v.Kind() != config.Null {
		x = durationOf(v)
	}
	data, err := json.Marshal(x)
	if err != nil {
		return "null"
	}
	// A backslash before a parenthesis would begin an interpolation in jq, but JSON never contains that.
	return "(" + string(data) + ")"
}

// durationOf returns a duration in seconds.
func durationOf(n *config.Node) any {
	var v struct {
		D value.Duration `yaml:"d"`
	}
	(&config.Node{}).AsMap().WithPairs([]config.Pair{{Key: "d", At: n, Value: n}}).Decode(&v, &config.Report{}, nil)
	return seconds(v.D)
}

func names(params map[string]Parameter) []string {
	var all []string
	for name := range params {
		all = append(all, name)
	}
	return all
}

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

// paramTag is the tag of a value that a parameter replaces, such as !param stop.
const paramTag = "param"

// `written` matches a parameter in a text, such as {stop} or {place.latitude}.
var written = regexp.MustCompile(`\{([a-z][a-z0-9_]*)(?:\.(latitude|longitude|name))?\}`)

// variable matches a parameter in a program, such as $stop.
var variable = regexp.MustCompile(`\$([a-z][a-z0-9_]*)`)

// programKeys contains the keys whose texts are jq programs.
var programKeys = map[string]bool{"jq_expression": true, "keep_jq": true}

// sentKeys contains the keys of providers whose values are only sent to a server.
var sentKeys = map[string]bool{
	"url": true, "caldav": true, "headers": true, "auth": true, "params": true, "body": true, "payload": true, "subscribe": true,
}

// The type filling replaces the parameters in a recipe by the values of one use. It is the state of fill().
type filling struct {
	use    config.Use
	values map[string]*config.Node
	params map[string]Parameter
	report *config.Report
	asks   bool // true if the values belong to a provider
	secret bool // true if the value may contain secrets, because it is only sent to a server
}

// fill returns a copy of n in which the parameters are replaced by their values. `key` is the key of n.
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
				pairs = append(pairs, p) // leave a header out if its parameter is not set
			}
		}
		return c.WithPairs(pairs)
	}
	return c
}

// entry returns the value of the entry p with its parameters replaced. `key` is the key of the surrounding mapping.
func (f *filling) entry(p config.Pair, key string) *config.Node {
	outside := f.secret
	defer func() { f.secret = outside }()
	f.secret = f.secret || f.asks && sentKeys[p.Key]
	return f.fill(p.Value, within(key, p.Key))
}

// within() returns the key that determines how texts inside of an entry are read. Texts inside of the key `keep` are programs, like the
// text of the key keep_jq.
func within(parent, key string) string {
	if parent == "keep" {
		return "keep_jq"
	}
	return key
}

// whole() returns a node that replaces n, a node with the tag !param. The new node has the value of the parameter with the given name.
func (f *filling) whole(n *config.Node, name string) *config.Node {
	v, ok := f.value(n, name)
	if !ok {
		return f.use.Into(n).AsBroken()
	}
	return f.use.Given(v, n)
}

// value returns the value of the parameter with the given name. A secret is an error, unless the value is only sent to a server.
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

// text replaces the parameters in the text of n, and returns c with the new text. c is the copy of n for this use. In an address, the
// values are escaped.
func (f *filling) text(n, c *config.Node, key string) *config.Node {
	var b strings.Builder
	last, secret, found := 0, false, false
	for _, m := range written.FindAllStringSubmatchIndex(n.Text(), -1) {
		name, part := n.Text()[m[2]:m[3]], ""
		if m[4] >= 0 {
			part = n.Text()[m[4]:m[5]]
		}
		if _, ok := f.params[name]; !ok {
			continue // {value} in the key format is not a parameter
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

// plain() returns the text of a value. For a place, `part` selects its latitude, longitude or name.
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

// escaped() returns the value of a parameter, escaped for its position in an address. `before` is the text before the parameter. The value
// is not escaped if `key` is not url or href, or if the parameter has the type address. If the parameter has this type, a slash at the end
// of its value is removed.
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

// bind returns the program n with definitions of variables at its beginning. There is one variable
// for each parameter that the program uses.
func (f *filling) bind(n *config.Node) string {
	code, bound, head := n.Text(), map[string]bool{}, ""
	for _, m := range variable.FindAllStringSubmatch(code, -1) {
		name := m[1]
		if _, ok := f.params[name]; !ok || bound[name] {
			continue
		}
		bound[name] = true
		outside := f.secret
		f.secret = false // no secrets, because the result of a program may be shown
		v, ok := f.value(n, name)
		f.secret = outside
		if !ok {
			return "null"
		}
		head += fmt.Sprintf("%s as $%s | ", literal(v, f.params[name]), name)
	}
	return head + code
}

// literal() returns a value as jq source code.
func literal(v *config.Node, p Parameter) string {
	x := v.Value()
	if p.Type == "duration" && v.Kind() != config.Null {
		x = durationOf(v)
	}
	data, err := json.Marshal(x)
	if err != nil {
		return "null"
	}
	// In jq, a backslash before a parenthesis begins an interpolation. JSON never contains these two characters in sequence.
	return "(" + string(data) + ")"
}

// durationOf returns a duration in seconds, as a number.
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

package cookbook

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"dashboard/config"
)

// glanceKind is the type of the widgets that fetch data in Glance. Glance is another dashboard program.
const glanceKind = "custom-api"

// maxImported is the maximum number of widgets that are imported from one file.
const maxImported = 100

// Glance converts the custom-api widgets of a Glance file to recipes. A recipe sends the same requests as the Glance widget. It shows the
// values as a simple list, which you can then change.
func Glance(name string, data []byte) ([]*Bundle, error) {
	report := &config.Report{}
	root := config.Parse(name, data, report, nil)
	if err := report.Err(); err != nil {
		return nil, err
	}
	var all []*Bundle
	names := map[string]int{}
	var failed error
	eachGlance(root, func(n *config.Node) {
		if failed != nil || len(all) == maxImported {
			return
		}
		g := newGlance(n)
		if names[g.name]++; names[g.name] > 1 {
			g.name = fmt.Sprintf("%s-%d", g.name, names[g.name])
		}
		b, err := bundle(g.files())
		if err != nil {
			failed = fmt.Errorf("%s: %w", n.Pos(), err)
			return
		}
		all = append(all, b)
	})
	if failed == nil && len(all) == 0 {
		failed = fmt.Errorf("there is no widget of type %s in %s", glanceKind, name)
	}
	return all, failed
}

// eachGlance calls f with each custom-api widget below n.
func eachGlance(n *config.Node, f func(*config.Node)) {
	if n.Kind() == config.Map && n.Get("type").Text() == glanceKind {
		f(n)
		return
	}
	for _, item := range n.Items() {
		eachGlance(item, f)
	}
	for _, p := range n.Pairs() {
		eachGlance(p.Value, f)
	}
}

// A glance is a widget that is being converted to a recipe.
type glance struct {
	node   *config.Node
	name   string
	title  string
	hosts  []string
	params []string // lines of parameters
	known  map[string]bool
	from   strings.Builder // content of providers.yaml
}

var notName = regexp.MustCompile(`[^a-z0-9]+`)

func newGlance(n *config.Node) *glance {
	title := cmp.Or(n.Get("title").Text(), "Imported")
	name := strings.Trim(notName.ReplaceAllString(strings.ToLower(title), "-"), "-")
	if name == "" || name[0] < 'a' {
		name = "glance-" + name
	}
	return &glance{node: n, name: strings.TrimRight(name[:min(len(name), 50)], "-"), title: title, known: map[string]bool{}}
}

// files() returns the files of the recipe.
func (g *glance) files() map[string][]byte {
	g.from.WriteString("providers:\n")
	if g.node.Has("url") {
		g.provider("main", g.node, g.node.Get("cache").Text())
	}
	for _, p := range g.node.Get("subrequests").Pairs() {
		g.provider(slug(p.Key), p.Value, g.node.Get("cache").Text())
	}
	var b strings.Builder
	fmt.Fprintf(&b, "name: %s\ntitle: %s\ncategory: imported\n", g.name, quoted(g.title))
	b.WriteString("about: Imported from a custom-api widget of Glance. Its list is a skeleton.\n")
	fmt.Fprintf(&b, "version: \"1.0\"\nlicense: unknown\nauthor: unknown\ntried: false\nhosts: [%s]\n", strings.Join(g.hosts, ", "))
	if len(g.params) > 0 {
		b.WriteString("parameters:\n" + strings.Join(g.params, ""))
	}
	return map[string][]byte{
		"recipe.yaml": []byte(b.String()), "providers.yaml": []byte(g.from.String()), "widgets.yaml": []byte(g.widget()),
	}
}

// provider writes a provider for one request of the widget: the main request or a subrequest.
func (g *glance) provider(name string, n *config.Node, cache string) {
	address := n.Get("url").Text()
	fmt.Fprintf(&g.from, "  %s:\n    url: %s\n", name, quoted(g.host(address)))
	if method := strings.ToUpper(n.Get("method").Text()); method != "" && method != "GET" {
		fmt.Fprintf(&g.from, "    method: %s\n", method)
	}
	g.mapping("params", n.Get("parameters"))
	g.mapping("headers", n.Get("headers"))
	if auth := n.Get("basic-auth"); auth.Kind() == config.Map {
		fmt.Fprintf(&g.from, "    auth: {basic: {username: %s, password: %s}}\n",
			quoted(g.values(auth.Get("username").Text())), quoted(g.values(auth.Get("password").Text())))
	}
	if body := n.Get("body"); body.Kind() == config.Map || body.Kind() == config.List {
		fmt.Fprintf(&g.from, "    body: %s\n", g.values(body.Flow(maxFile)))
		if !n.Has("method") {
			g.from.WriteString("    method: POST\n")
		}
	}
	if cache != "" {
		fmt.Fprintf(&g.from, "    update_interval: %s\n", cache)
	}
}

// mapping writes a mapping with headers or query parameters.
func (g *glance) mapping(key string, n *config.Node) {
	if n.Len() == 0 {
		return
	}
	fmt.Fprintf(&g.from, "    %s:\n", key)
	for _, p := range n.Pairs() {
		text := quoted(g.values(p.Value.Text()))
		if p.Value.Kind() == config.List {
			text = g.values(p.Value.Flow(maxFile))
		}
		fmt.Fprintf(&g.from, "      %s: %s\n", quoted(p.Key), text)
	}
}

// glanceVariable matches a variable of Glance: ${NAME}, ${secret:NAME} or ${readFileFromEnv:NAME}.
var glanceVariable = regexp.MustCompile(`\$\{(?:[a-zA-Z]+:)?([A-Za-z_][A-Za-z0-9_-]*)\}`)

// values() replaces each variable of Glance in a text with a parameter of the recipe. The parameter has the type secret.
func (g *glance) values(text string) string {
	return glanceVariable.ReplaceAllStringFunc(text, func(v string) string {
		name := slug(glanceVariable.FindStringSubmatch(v)[1])
		g.parameter(name, "secret", "Value of "+v+" in the Glance file.", "put-the-value-here")
		return "{" + name + "}"
	})
}

// host adds the host of an address to the hosts of the recipe. It returns the address with parameters in place of Glance's variables and
// of a server in the home network. A variable at the start of the address stands for the user's server.
func (g *glance) host(address string) string {
	m := glanceVariable.FindStringSubmatchIndex(address)
	scheme, rest, ok := strings.Cut(address, "://")
	if m != nil && (m[0] == 0 || ok && strings.HasPrefix(rest, "${")) {
		name := slug(address[m[2]:m[3]])
		g.parameter(name, "address", "Address of the server.", "http://server.lan")
		g.addHost(`"{` + name + `}"`)
		return "{" + name + "}" + g.values(address[m[1]:])
	}
	host, _, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, "?")
	if ok && scheme != "" && !private(host) {
		g.addHost(host)
		return g.values(address)
	}
	g.parameter("server", "address", "Address of the server.", scheme+"://"+host)
	g.addHost(`"{server}"`)
	return "{server}" + g.values(strings.TrimPrefix(address, scheme+"://"+host))
}

// private() reports whether a host seems to be in the home network: a name without a dot, a name in a domain of home networks, or an IPv4
// address. A recipe does not name such a host and has a parameter for it.
func private(host string) bool {
	name, _, _ := strings.Cut(host, ":")
	if !strings.Contains(name, ".") {
		return true
	}
	for _, end := range []string{".lan", ".local", ".home", ".internal", ".home.arpa"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return regexp.MustCompile(`^[0-9.]+$`).MatchString(name)
}

func (g *glance) addHost(host string) {
	if !slices.Contains(g.hosts, host) {
		g.hosts = append(g.hosts, host)
	}
}

func (g *glance) parameter(name, kind, help, example string) {
	if g.known[name] {
		return
	}
	g.known[name] = true
	g.params = append(g.params, fmt.Sprintf("  %s: {type: %s, help: %s, example: %s}\n", name, kind, quoted(help), quoted(example)))
}

// slug converts a text to a valid name for a parameter or a provider.
func slug(text string) string {
	name := strings.Trim(regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(text), "_"), "_")
	if name == "" || name[0] < 'a' || slices.Contains([]string{"now", "now_s", "item", "index", "name", "when", "size", "place"}, name) {
		name = "v_" + name
	}
	return name[:min(len(name), 40)]
}

// quoted() returns a text as a quoted YAML scalar.
func quoted(text string) string {
	return "'" + strings.ReplaceAll(strings.ReplaceAll(text, "\n", " "), "'", "''") + "'"
}

package recipe

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"dashboard/config"
)

// A Use is one widget on a wall that uses a recipe, with the values of the recipe's parameters.
type Use struct {
	ID        string
	Recipe    *Recipe
	Node      *config.Node
	Providers []*config.Provider // providers of the recipe. During the expansion, they have the names that the recipe uses
	Named     []string           // hosts that the author of the recipe has chosen
	Given     []string           // hosts that the user has set in parameters
	Entities  []string           // entities of Home Assistant that the user has set in parameters
	Allow     []string           // actions of the recipe that the user allows
	Cost      Cost
}

// Global returns the name that a provider of the recipe has on the wall. `name` is the provider's name in the recipe.
func (u *Use) Global(name string) string { return u.ID + "." + name }

// An Expansion replaces each use of a recipe in the files of a wall by the recipe's widget.
type Expansion struct {
	Uses []*Use

	library *Library
	report  *config.Report
	types   []string // known types of providers
	known   map[string]*Recipe
	ids     map[string]int
	total   Cost
}

// NewExpansion returns an expansion that finds recipes in the library l. `types` lists the known types of providers.
func NewExpansion(l *Library, types []string, report *config.Report) *Expansion {
	return &Expansion{library: l, report: report, types: types, known: map[string]*Recipe{}, ids: map[string]int{}}
}

// Widgets returns the root of a widgets file in which the recipe's widget replaces each use.
func (e *Expansion) Widgets(root *config.Node) *config.Node {
	if root == nil || root.Kind() != config.Map {
		return root
	}
	return e.value(root)
}

// value returns a copy of n in which all uses are replaced. If n contains no use, value returns n.
func (e *Expansion) value(n *config.Node) *config.Node {
	if n.Kind() == config.Map && n.Get("widget").Text() == Kind {
		return e.use(n)
	}
	switch n.Kind() {
	case config.List:
		items := slices.Clone(n.Items())
		for i, item := range items {
			items[i] = e.value(item)
		}
		if !slices.Equal(items, n.Items()) {
			return n.WithItems(items)
		}
	case config.Map:
		pairs, changed := slices.Clone(n.Pairs()), false
		for i, p := range pairs {
			pairs[i].Value = e.value(p.Value)
			changed = changed || pairs[i].Value != p.Value
		}
		if changed {
			return n.WithPairs(pairs)
		}
	}
	return n
}

// use() returns the widget that replaces n, a use of a recipe.
func (e *Expansion) use(n *config.Node) *config.Node {
	name := n.Get("recipe")
	if name.Kind() != config.String {
		e.report.Errorf(n, "'use' needs the name of a recipe: recipe: NAME")
		return n.AsBroken()
	}
	r, seen := e.known[name.Text()]
	if !seen {
		r = e.library.Find(name.Text(), name, e.report)
		e.known[name.Text()] = r
	}
	if r == nil {
		return n.AsBroken()
	}
	u := &Use{ID: e.id(n, r), Recipe: r, Node: n}
	values, ok := e.parameters(n, r)
	if !ok || !e.allow(u, n) || !u.hosts(values, e.report) {
		return n.AsBroken()
	}
	w := e.expand(u, values)
	if !e.afford(u, w) {
		return n.AsBroken()
	}
	e.Uses = append(e.Uses, u)
	return w
}

// id returns an ID that is unique on the wall. It is the name of the widget, or the name of the recipe if the widget has no valid name. A
// number is added if the ID is already in use.
func (e *Expansion) id(n *config.Node, r *Recipe) string {
	id := r.Name
	if name := n.Get("name").Text(); ValidName(name) {
		id = name
	}
	e.ids[id]++
	if e.ids[id] > 1 {
		id = fmt.Sprintf("%s-%d", id, e.ids[id])
	}
	return id
}

// parameters() returns the values of all parameters by name. ok is false if there is an error.
func (e *Expansion) parameters(n *config.Node, r *Recipe) (map[string]*config.Node, bool) {
	before, values := len(e.report.Errors()), map[string]*config.Node{}
	for _, p := range r.Parameters {
		v := n.Get(p.Name)
		switch {
		case v.Broken():
			return nil, false
		case v.Kind() != config.Null:
			p.Check(v, e.report)
		case p.Required():
			e.report.Errorf(n, "the recipe %s needs '%s': %s", r.Name, p.Name, p.Help)
		default:
			v = p.Default
		}
		if values[p.Name] = v; p.Type == "secret" && v.Kind() != config.Null {
			values[p.Name] = v.AsSecret()
		}
	}
	e.unknown(n, r)
	return values, len(e.report.Errors()) == before
}

// unknown() reports the keys of a use that are neither parameters nor common keys.
func (e *Expansion) unknown(n *config.Node, r *Recipe) {
	known := append([]string{"widget", "recipe", "allow", "name"}, e.library.Common...)
	for _, p := range r.Parameters {
		known = append(known, p.Name)
	}
	for _, p := range n.Pairs() {
		if !slices.Contains(known, p.Key) {
			e.report.Near(p.At, p.Key, known, "the recipe %s has no parameter '%s'", r.Name, p.Key)
		}
	}
}

// allow reads the list of the recipe's actions that the user allows. It returns false if there is an error.
func (e *Expansion) allow(u *Use, n *config.Node) bool {
	var f struct {
		Allow []string `yaml:"allow" maxlen:"20"`
	}
	if !n.Decode(&f, e.report, &config.DecodeOptions{Others: true}) {
		return false
	}
	u.Allow = f.Allow
	return true
}

// hosts() sets the hosts to which the recipe's providers may send requests. It returns false if there is an error.
func (u *Use) hosts(values map[string]*config.Node, report *config.Report) bool {
	for _, h := range u.Recipe.Hosts {
		name, param := strings.CutPrefix(h, "{")
		if !param {
			u.Named = append(u.Named, h)
			continue
		}
		v := values[strings.TrimSuffix(name, "}")]
		if v.Text() == "" {
			continue
		}
		host := hostOf(v.Text())
		if host == "" {
			report.Errorf(v, "must be a server's address or its name, not %s", v.Shown())
			return false
		}
		if u.written(strings.TrimSuffix(name, "}")) {
			u.Given = append(u.Given, host)
		} else {
			u.Named = append(u.Named, host) // this default comes from the author of the recipe
		}
	}
	return true
}

// written() reports whether the use sets the parameter with the given name. Otherwise the parameter has its default.
func (u *Use) written(name string) bool { return u.Node.Get(name).Kind() != config.Null }

// hostOf returns the host in an address. If `text` is only a host, hostOf returns `text`. For an invalid address it returns "".
func hostOf(text string) string {
	if !strings.Contains(text, "//") {
		text = "http://" + text
	}
	p, err := url.Parse(text)
	if err != nil || p.User != nil {
		return ""
	}
	return p.Host
}

// expand returns the widget of the recipe for the use, with all parameters replaced. It also sets the providers of the use.
func (e *Expansion) expand(u *Use, values map[string]*config.Node) *config.Node {
	at := config.Use{ID: u.ID, Node: u.Node, Path: u.Node.Path()}
	f := &filling{use: at, values: values, params: map[string]Parameter{}, report: e.report}
	for _, p := range u.Recipe.Parameters {
		f.params[p.Name] = p
		u.entities(p, values[p.Name])
	}
	w := f.fill(u.Recipe.widget, "")
	(&checker{report: e.report}).filled(w, "")
	f.asks = true
	if u.Recipe.providers.Len() > 0 {
		list := f.fill(u.Recipe.providers, "")
		if !slices.Contains(u.Allow, todoAction) {
			list = readOnly(list)
		}
		u.Cost.count(list)
		u.Providers = config.ProvidersOf(list, e.report, e.types)
	}
	w = e.grants(u, w)
	u.Cost.Providers = u.Recipe.providers.Len()
	u.Cost.count(w)
	return at.Top(w, e.kept(u.Node))
}

// kept() returns the entries of a use that also apply to the recipe's widget: its name and the common keys.
func (e *Expansion) kept(n *config.Node) []config.Pair {
	var all []config.Pair
	for _, p := range n.Pairs() {
		if p.Key == "name" || slices.Contains(e.library.Common, p.Key) {
			all = append(all, p)
		}
	}
	return all
}

// entities() records the entities of Home Assistant in the value of a parameter.
func (u *Use) entities(p Parameter, v *config.Node) {
	switch {
	case p.Type == "entity" && v.Text() != "":
		u.Entities = append(u.Entities, v.Text())
	case p.Type == "list" && p.Of == "entity":
		for _, item := range v.Items() {
			u.Entities = append(u.Entities, item.Text())
		}
	}
}

// afford reports an error if the use is too large, or if all uses on the wall together are too large.
func (e *Expansion) afford(u *Use, w *config.Node) bool {
	if over := u.Cost.over(Cost{maxProviders, maxWidgets, maxPrograms, maxBytes}); over != "" {
		e.report.Errorf(u.Node, "the recipe %s is too large: %s", u.Recipe.Name, over)
		return false
	}
	e.total.add(u.Cost)
	if over := e.total.over(Cost{allProviders, allWidgets, allPrograms, allBytes}); over != "" {
		e.report.Errorf(u.Node, "the recipes of this wall are too large together: %s", over)
		return false
	}
	return w != nil
}

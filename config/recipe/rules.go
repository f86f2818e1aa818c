package recipe

import (
	"regexp"
	"slices"
	"strings"

	"dashboard/config"
)

// types lists the types of providers that a recipe may use. Providers of these types send requests to hosts or compute values.
var types = []string{"rest", "feed", "prometheus", "calendar", "stream", "derived", "sun"}

// notIn lists the kinds of widgets that a recipe must not use. Such widgets send requests without a provider, show files, or accept
// messages.
var notIn = []string{
	Kind, "photos", "rest", "restimage", "httpflip", "providertemplate", "notifiabletext", "notifiableimage", "timer",
}

// fileKeys lists the keys whose values are names of files.
var fileKeys = []string{
	"path", "image_path", "picture", "ca_file", "folder", "background_image", "fallback_image",
	"font_path", "label_font_path", "time_font_path", "date_font_path",
}

// actionKeys lists the keys that contain actions. directions lists the keys inside of on_swipe.
var (
	actionKeys = []string{"on_tap", "on_double_tap", "on_hold", "on_swipe"}
	directions = []string{"left", "right", "up", "down"}
)

// targetKeys lists the keys in an action's data that select other targets in Home Assistant than the entity of the action.
var targetKeys = []string{"entity_id", "device_id", "area_id", "floor_id", "label_id"}

// noticeKeys lists the keys of a notification that do more than show a text. A recipe must not contain these keys, even if the use allows
// notify.
var noticeKeys = []string{"actions", "image", "url", "sound", "wake", "view"}

// fileIcon matches the name of an icon that is a file.
var fileIcon = regexp.MustCompile(`(?i)\.(svg|png)$`)

// rules() reports every forbidden part of the recipe as an error.
func (r *Recipe) rules(report *config.Report) {
	params := map[string]Parameter{}
	for _, p := range r.Parameters {
		params[p.Name] = p
	}
	for _, h := range r.Hosts {
		if name, ok := strings.CutPrefix(h, "{"); ok {
			name = strings.TrimSuffix(name, "}")
			if t := params[name].Type; t != "address" && t != "text" {
				report.Errorf(r.node.Get("hosts"), "'%s' is no parameter of type address", name)
			}
		}
	}
	c := checker{params: params, report: report}
	c.value(r.widget, "")
	if r.providers.Kind() != config.Map && r.providers.Kind() != config.Null {
		report.Errorf(r.providers, "must be a mapping of name to provider, not %s", r.providers.Shown())
		return
	}
	for _, p := range r.providers.Pairs() {
		if t := p.Value.Get("type").Text(); t != "" && !slices.Contains(types, t) {
			report.Errorf(p.Value.Get("type"), "a recipe may have providers of type %s, not %s", strings.Join(types, ", "), t)
		}
		c.value(p.Value, "")
	}
}

// A checker searches a recipe for forbidden parts.
type checker struct {
	params map[string]Parameter
	report *config.Report
}

func (c *checker) value(n *config.Node, key string) {
	tag, name, token := n.Token()
	switch {
	case token && tag == paramTag:
		c.parameter(n, key, name)
	case key == "entity":
		c.report.Errorf(n, "a recipe takes its entities from parameters: write !param and the name of one of type entity")
	case slices.Contains(fileKeys, key) && n.Kind() != config.Null:
		c.report.Errorf(n, "a recipe may not read files, so it has no '%s'", key)
	case strings.HasPrefix(strings.ToLower(strings.TrimSpace(n.Text())), "file:"):
		c.report.Errorf(n, "a recipe may not read files")
	case key == "icon" && fileIcon.MatchString(n.Text()) && !n.IsProgram():
		c.report.Errorf(n, "a recipe may not read files: use an icon such as mdi:sofa")
	case key == "widget" && slices.Contains(notIn, n.Text()):
		c.report.Errorf(n, "a recipe cannot have a '%s'", n.Text())
	}
	for _, item := range n.Items() {
		c.value(item, key)
	}
	for _, p := range n.Pairs() {
		if slices.Contains(actionKeys, p.Key) {
			c.action(p.Value)
		}
		c.value(p.Value, p.Key)
	}
}

// filled() reports the forbidden parts in the texts of the widget n after the parameters are replaced. value() checks the texts before
// the replacement, so it cannot find these parts.
func (c *checker) filled(n *config.Node, key string) {
	if key == "icon" || key == "widget" {
		c.value(n, key)
		return
	}
	for _, item := range n.Items() {
		c.filled(item, key)
	}
	for _, p := range n.Pairs() {
		c.filled(p.Value, p.Key)
	}
}

// action reports the parts of an action that do more than the action's name tells the user.
func (c *checker) action(n *config.Node) {
	for _, p := range n.Pairs() {
		switch {
		case slices.Contains(directions, p.Key):
			c.action(p.Value)
		case p.Key == "data":
			c.targets(p.Value)
		case p.Key == "notify":
			c.notice(p.Value)
		}
	}
}

// targets() reports the keys in an action's data that select other targets.
func (c *checker) targets(n *config.Node) {
	for _, item := range n.Items() {
		c.targets(item)
	}
	for _, p := range n.Pairs() {
		if slices.Contains(targetKeys, p.Key) {
			c.report.Errorf(p.At, "a recipe takes its entities from parameters: write 'entity' next to 'action', not '%s'", p.Key)
		}
		c.targets(p.Value)
	}
}

// notice reports the parts of a notification that do more than show texts, colors and a built-in icon.
func (c *checker) notice(n *config.Node) {
	for _, p := range n.Pairs() {
		if slices.Contains(noticeKeys, p.Key) || p.Key == "icon" && !strings.HasPrefix(p.Value.Text(), "mdi:") {
			c.report.Errorf(p.At, "a notification of a recipe may have texts, colors and an icon such as mdi:bell, but not this '%s'", p.Key)
		}
	}
}

// parameter checks whether the parameter with the given name may replace the whole value of a key. If not, it reports an error.
func (c *checker) parameter(n *config.Node, key, name string) {
	p, ok := c.params[name]
	switch {
	case !ok:
		c.report.Near(n, name, names(c.params), "the recipe has no parameter '%s'", name)
	case key == "entity" && p.Type != "entity":
		c.report.Errorf(n, "'%s' must be a parameter of type entity", name)
	case slices.Contains(fileKeys, key):
		c.report.Errorf(n, "a recipe may not read files, so it has no '%s'", key)
	case key == "widget" || key == "type" && p.Type != "enumeration":
		c.report.Errorf(n, "'%s' cannot be a parameter", key)
	}
}

// grants() returns a copy of the widget n without the actions that the use does not allow. The parameters in n must be replaced before.
func (e *Expansion) grants(u *Use, n *config.Node) *config.Node {
	switch n.Kind() {
	case config.List:
		var items []*config.Node
		for _, item := range n.Items() {
			items = append(items, e.grants(u, item))
		}
		return n.WithItems(items)
	case config.Map:
		var pairs []config.Pair
		for _, p := range n.Pairs() {
			isAction := slices.Contains(actionKeys, p.Key)
			if isAction && !granted(p.Value, u.Allow) {
				continue
			}
			if p.Value = e.grants(u, p.Value); isAction {
				p.Value = e.resolve(u, p.Value)
			}
			pairs = append(pairs, p)
		}
		return n.WithPairs(pairs)
	}
	return n
}

// resolve checks the data of an allowed action. The parameters must be replaced before. If the action names a list of the recipe, resolve
// changes the name to the list's name on the wall. If the action adds a task without a list, resolve sets the list.
func (e *Expansion) resolve(u *Use, n *config.Node) *config.Node {
	if n.Kind() != config.Map {
		return n
	}
	(&checker{report: e.report}).targets(n.Get("data"))
	var pairs []config.Pair
	for _, p := range n.Pairs() {
		switch {
		case slices.Contains(directions, p.Key):
			p.Value = e.resolve(u, p.Value)
		case p.Key == "list" && slices.ContainsFunc(u.Providers, func(own *config.Provider) bool { return own.Name == p.Value.Text() }):
			p.Value = p.Value.WithText(u.Global(p.Value.Text()))
		}
		pairs = append(pairs, p)
	}
	if n.Has(todoAction) && n.Get("list").Text() == "" {
		pairs = append(pairs, config.Pair{Key: "list", At: n, Value: e.ownList(u, n)})
	}
	return n.WithPairs(pairs)
}

// ownList returns the name on the wall of the recipe's first provider with the key write. If there is none, it reports an error, because
// a new task would otherwise go to a list that is not the recipe's.
func (e *Expansion) ownList(u *Use, n *config.Node) *config.Node {
	for _, p := range u.Providers {
		if p.Node().Has("write") {
			return config.ValueAt(u.Global(p.Name), n)
		}
	}
	e.report.Errorf(n, "a new task needs 'list', because the recipe has no provider with 'write': write list: !param and a parameter's name")
	return n.AsBroken()
}

// granted() reports whether `allow` contains every action in n.
func granted(n *config.Node, allow []string) bool {
	all := actionsOf(n)
	return len(all) > 0 && !slices.ContainsFunc(all, func(a string) bool { return !slices.Contains(allow, a) })
}

// todoAction is the name of the action that changes tasks.
const todoAction = "todo"

// writeKeys lists the keys with which a provider accepts changes of tasks. If an action does not name the list of a new task, the task
// goes to the first provider with the key write.
var writeKeys = []string{"write", "on"}

// readOnly returns a copy of providers without the keys with which they accept changes of tasks.
func readOnly(providers *config.Node) *config.Node {
	var all []config.Pair
	for _, p := range providers.Pairs() {
		if p.Value.Kind() == config.Map {
			keys := slices.DeleteFunc(slices.Clone(p.Value.Pairs()), func(k config.Pair) bool { return slices.Contains(writeKeys, k.Key) })
			p.Value = p.Value.WithPairs(keys)
		}
		all = append(all, p)
	}
	return providers.WithPairs(all)
}

// toggle is the name of the action that switches the entity of a widget on or off.
const toggle = "homeassistant.toggle"

// actionsOf returns the names of the actions in n, which is the value of a key with actions.
func actionsOf(n *config.Node) []string {
	switch {
	case n.Kind() != config.Map:
		switch n.Text() {
		case "toggle":
			return []string{toggle}
		case "done":
			return []string{todoAction}
		}
		return []string{n.Text()}
	case n.Has("action"): // the form of an action that calls Home Assistant
		return []string{n.Get("action").Text()}
	}
	var all []string
	for _, p := range n.Pairs() {
		if slices.Contains(directions, p.Key) {
			all = append(all, actionsOf(p.Value)...)
		} else if p.Key != "list" { // the key list is not an action: it names the list of a new task
			all = append(all, p.Key) // the key is the name of an action
		}
	}
	return all
}

// Actions returns the sorted names of the recipe's actions. The field Allow of a Use lists the actions that the user allows.
func (r *Recipe) Actions() []string {
	var all []string
	var walk func(n *config.Node)
	walk = func(n *config.Node) {
		for _, p := range n.Pairs() {
			if slices.Contains(actionKeys, p.Key) {
				all = append(all, actionsOf(p.Value)...)
			}
			walk(p.Value)
		}
		for _, item := range n.Items() {
			walk(item)
		}
	}
	walk(r.widget)
	for _, p := range r.providers.Pairs() {
		if p.Value.Has("write") {
			all = append(all, todoAction)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

package theme

import (
	"slices"

	"dashboard/config"
	"dashboard/internal/spelling"
)

// The sections of a theme that have a special meaning. All other sections contain tokens.
const (
	groupsKey   = "groups"
	defaultsKey = "defaults"
)

// A theme is a checked theme block. It comes from the widgets file or from a theme file.
type theme struct {
	node     *config.Node // theme block, nil if there is no theme
	groups   []group      // groups in the order of the file
	defaults map[string]*config.Node
	order    []string                 // keys of the section `defaults`, in the order of the file
	cache    map[string][]config.Pair // results of paramsOf, by widget type
	bad      bool                     // true if the block is not a mapping. Tokens then have no value, and only the block is reported
}

// A group is a name for several widget types.
type group struct {
	name  string
	types []string
}

// read checks the form of a theme block and reports errors. `node` may be nil.
func read(node *config.Node, r *config.Report) *theme {
	t := &theme{node: node, defaults: make(map[string]*config.Node), cache: make(map[string][]config.Pair)}
	switch {
	case node.Broken():
		t.node, t.bad = nil, true
		return t
	case node.Kind() == config.Null:
		t.node = nil
		return t
	case node.Kind() != config.Map:
		r.Errorf(node, "theme must be a mapping")
		t.node, t.bad = nil, true
		return t
	}
	t.readGroups(node.Get(groupsKey), r)
	t.readDefaults(node.Get(defaultsKey), r)
	for _, p := range node.Pairs() {
		if p.Key == faceKey && p.Value.Kind() == config.String {
			continue
		}
		if isSection(p.Key) && p.Value.Kind() != config.Map && p.Value.Kind() != config.Null && p.Value.Kind() != config.Token {
			r.Warnf(p.Value, "theme.%s has no effect: a theme has mappings of name to value, such as colors: {accent: teal}", p.Key)
		}
	}
	return t
}

func isSection(key string) bool { return key != groupsKey && key != defaultsKey }

func (t *theme) readGroups(n *config.Node, r *config.Report) {
	if n.Kind() == config.Null {
		return
	}
	if n.Kind() != config.Map {
		r.Errorf(n, "theme.groups must be a mapping of group name to a list of widget types")
		return
	}
	for _, p := range n.Pairs() {
		types, ok := typeList(p.Value)
		if !ok && !p.Value.Broken() {
			r.Errorf(p.Value, "theme.groups.%s must be a list of widget types", p.Key)
		}
		t.groups = append(t.groups, group{p.Key, types})
	}
}

func typeList(n *config.Node) (types []string, ok bool) {
	for _, item := range n.Items() {
		if item.Kind() != config.String {
			return nil, false
		}
		types = append(types, item.Text())
	}
	return types, n.Kind() == config.List
}

func (t *theme) readDefaults(n *config.Node, r *config.Report) {
	if n.Kind() == config.Null {
		return
	}
	if n.Kind() != config.Map {
		r.Errorf(n, "theme.defaults must be a mapping of widget type or group to parameters")
		return
	}
	for _, p := range n.Pairs() {
		switch {
		case p.Value.Kind() == config.Map:
			t.defaults[p.Key] = p.Value
			t.order = append(t.order, p.Key)
		case !p.Value.Broken():
			r.Errorf(p.Value, "theme.defaults.%s must be a mapping of parameter name to value", p.Key)
		}
	}
}

// paramsOf returns the defaults of a widget type. First it takes the defaults of the groups that contain the type, in the order of the
// file. Then it takes the defaults of the type itself. Later defaults override earlier defaults.
func (t *theme) paramsOf(kind string) []config.Pair {
	params, ok := t.cache[kind]
	if !ok {
		params = t.collect(kind)
		t.cache[kind] = params
	}
	return params
}

func (t *theme) collect(kind string) []config.Pair {
	var params []config.Pair
	for _, key := range t.order {
		if t.isGroup(key) && t.member(key, kind) {
			params = overlay(params, t.defaults[key], true)
		}
	}
	if own := t.defaults[kind]; own != nil && !t.isGroup(kind) {
		params = overlay(params, own, false)
	}
	return params
}

func (t *theme) isGroup(name string) bool {
	return slices.ContainsFunc(t.groups, func(g group) bool { return g.name == name })
}

func (t *theme) member(name, kind string) bool {
	return slices.ContainsFunc(t.groups, func(g group) bool { return g.name == name && slices.Contains(g.types, kind) })
}

// overlay() returns `params` with the entries of a mapping. If `params` and the mapping have the same key, the mapping's entry is used. If
// `soft` is true, an entry whose parameter does not exist in the type is not an error.
func overlay(params []config.Pair, n *config.Node, soft bool) []config.Pair {
	for _, p := range n.Pairs() {
		p.Default, p.Soft = true, soft
		i := slices.IndexFunc(params, func(q config.Pair) bool { return q.Key == p.Key })
		if i < 0 {
			params = append(params, p)
			continue
		}
		params[i] = p
	}
	return params
}

// CheckTypes warns about members of groups that are not widget types. It also warns about keys of the section `defaults` that are not
// groups or widget types. `root` is a resolved widgets file.
func CheckTypes(root *config.Node, types []string, r *config.Report) {
	t := read(root.Get("theme"), &config.Report{})
	for _, p := range t.node.Get(groupsKey).Pairs() {
		for _, item := range p.Value.Items() {
			warnType(item, item.Text(), types, r)
		}
	}
	for _, p := range t.node.Get(defaultsKey).Pairs() {
		if !t.isGroup(p.Key) {
			warnType(p.At, p.Key, types, r)
		}
	}
}

func warnType(at *config.Node, name string, types []string, r *config.Report) {
	if slices.Contains(types, name) {
		return
	}
	r.Add(config.Diagnostic{
		File: at.File(), Line: at.Line(), Column: at.Column(), Path: at.Path(),
		Severity: config.Warning, Code: config.CodeUnknownKey,
		Message: "'" + name + "' is no widget type and no group", Near: spelling.Nearest(name, types),
	})
}

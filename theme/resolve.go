package theme

import (
	"slices"
	"sort"
	"strings"

	"dashboard/config"
)

// maxNodes is the maximum number of values in a resolved file. Without this limit, a small file could become huge, because tokens may
// refer to lists of tokens.
const maxNodes = 200_000

// maxChain is the maximum length of a chain in which each token refers to the next token. It limits the depth of the recursion.
const maxChain = 1000

// Resolve returns the widgets file with its theme applied. Under the key `theme`, the result has the theme file, or the theme block if
// themeFile is nil. All widgets have their defaults, and all tokens are replaced by their values. The inputs are not changed, so one
// widgets file can be used with several theme files.
//
// Defaults are merged first. A value that the widget sets takes precedence over a default, even if the value is null. After that, all
// tokens are resolved, also those in the theme. A resolved value has the position of its token. Values with an error are marked as
// broken, so that decoding does not report them again.
func Resolve(widgets, themeFile *config.Node, r *config.Report) *config.Node {
	if widgets.Kind() != config.Map {
		return widgets // config.Tree reports the error
	}
	base := widgets.Get("theme")
	block := base
	if themeFile != nil {
		if !checkFile(themeFile, r) {
			return widgets.AsBroken()
		}
		checkComplete(base, themeFile, widgets.File(), r)
		block = themeFile
	}
	v := &resolver{theme: read(block, r), report: r, done: make(map[string]*config.Node)}
	pairs := make([]config.Pair, 0, widgets.Len())
	if v.theme.node != nil {
		pairs = append(pairs, config.Pair{Key: "theme", At: widgets.At("theme"), Value: v.node(v.theme.node, false)})
	}
	for _, p := range widgets.Pairs() {
		if p.Key != "theme" {
			p.Value = v.node(p.Value, true)
			pairs = append(pairs, p)
		}
	}
	if v.over() {
		r.Errorf(widgets, "more than %d values with all tokens written out", maxNodes)
		return widgets.AsBroken()
	}
	return widgets.WithPairs(pairs)
}

type resolver struct {
	theme  *theme
	report *config.Report
	nodes  int
	done   map[string]*config.Node // resolved entries, by section and name
	open   []string                // entries that are being resolved now, to detect loops
	bare   bool                    // true after the missing theme was reported
}

func (v *resolver) over() bool { return v.nodes > maxNodes }

func (v *resolver) count() bool {
	v.nodes++
	return !v.over()
}

// node() returns a copy of a value in which all tokens are resolved. If `defaults` is true, widgets in the value get their defaults.
func (v *resolver) node(n *config.Node, defaults bool) *config.Node {
	if !v.count() {
		return n.AsBroken()
	}
	switch n.Kind() {
	case config.Token:
		return v.token(n)
	case config.List:
		items := make([]*config.Node, len(n.Items()))
		for i, item := range n.Items() {
			items[i] = v.node(item, defaults)
		}
		return n.WithItems(items)
	case config.Map:
		return v.mapping(n, defaults)
	}
	return n
}

func (v *resolver) mapping(n *config.Node, defaults bool) *config.Node {
	pairs := make([]config.Pair, 0, n.Len())
	for _, p := range n.Pairs() {
		p.Value = v.node(p.Value, defaults)
		pairs = append(pairs, p)
	}
	kind := n.Get("widget")
	if !defaults || kind.Kind() != config.String {
		return n.WithPairs(pairs)
	}
	for _, p := range v.theme.paramsOf(kind.Text()) {
		if n.Has(p.Key) {
			continue
		}
		p.Value = v.node(p.Value, false)
		pairs = append(pairs, p)
	}
	return n.WithPairs(pairs)
}

// token() returns the value of the theme's entry that a token names. If this value is another token, token() returns the value of the
// other token. If the token's tag marks a program and the theme has no section for this tag, token() returns the program.
func (v *resolver) token(use *config.Node) *config.Node {
	section, name, _ := use.Token()
	if v.theme.bad {
		return use.AsBroken()
	}
	if use.IsProgram() && !v.theme.node.Has(section) && !v.theme.node.Has(section+"s") {
		return use.AsProgram()
	}
	entries, key, ok := v.section(use, section)
	if !ok {
		return use.AsBroken()
	}
	if !entries.Has(name) {
		names := entries.Keys()
		sort.Strings(names)
		v.report.Near(use, name, names, "'!%s %s' is not defined (%s defines: %s)", section, name, key, orNothing(names))
		return use.AsBroken()
	}
	resolved, ok := v.entry(use, key+"."+name, entries.Get(name))
	if !ok || resolved.Broken() {
		return use.AsBroken()
	}
	return resolved.UsedAt(use, v.count)
}

// entry() returns the value of an entry of the theme, with its tokens resolved. Each entry is resolved only once. `full` is the section's
// name, a dot, and the entry's name.
func (v *resolver) entry(use *config.Node, full string, n *config.Node) (resolved *config.Node, ok bool) {
	if resolved, ok := v.done[full]; ok {
		return resolved, true
	}
	section, name, _ := use.Token()
	if len(v.open) >= maxChain {
		v.report.Errorf(use, "'!%s %s' stands for more than %d tokens in a row", section, name, maxChain)
		return nil, false
	}
	if i := slices.Index(v.open, full); i >= 0 {
		chain := append(slices.Clone(v.open[i:]), full)
		v.report.Errorf(use, "'!%s %s' refers to itself in a loop: %s", section, name, strings.Join(chain, " -> "))
		return nil, false
	}
	v.open = append(v.open, full)
	resolved = v.node(n, false)
	v.open = v.open[:len(v.open)-1]
	v.done[full] = resolved
	return resolved, true
}

// section() returns the section to which a token refers, and the section's key. The key is the tag, or the tag with an s at its end.
func (v *resolver) section(use *config.Node, tag string) (entries *config.Node, key string, ok bool) {
	for _, key := range []string{tag, tag + "s"} {
		if !isSection(key) || !v.theme.node.Has(key) {
			continue
		}
		entries := v.theme.node.Get(key)
		if entries.Kind() == config.Map || entries.Kind() == config.Null && !entries.Broken() {
			return entries, key, true
		}
		v.report.Errorf(use, "'!%s' names theme.%s, which is no mapping of name to value", tag, key)
		return nil, "", false
	}
	sections := v.sections()
	_, name, _ := use.Token()
	if len(sections) == 0 {
		v.tellBare(use, tag+" "+name)
		return nil, "", false
	}
	v.report.Near(use, tag, sections, "'!%s %s' has no matching theme section (theme defines: %s)", tag, name, strings.Join(sections, ", "))
	return nil, "", false
}

// tellBare reports that a token is used in a file without a theme. It reports only the first token,
// because the cause is the same for all tokens.
func (v *resolver) tellBare(use *config.Node, token string) {
	if !v.bare {
		v.report.Errorf(use, "'!%s' is looked up in a theme, and there is none: conf.yaml names theme files in appearance.themes, or this file has one under 'theme'", token)
	}
	v.bare = true
}

// sections() returns the sorted names of the theme's sections with tokens.
func (v *resolver) sections() []string {
	var names []string
	for _, key := range v.theme.node.Keys() {
		if isSection(key) {
			names = append(names, key)
		}
	}
	sort.Strings(names)
	return names
}

func orNothing(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}

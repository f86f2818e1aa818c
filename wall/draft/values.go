package draft

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"dashboard/internal/extract"
	"dashboard/provider"
	"dashboard/provider/live"
	"dashboard/wall/scene"
)

const (
	// maxKeys is the maximum number of entries of a value that Values lists. A large Home Assistant has about this many entities.
	maxKeys = 2000
	// maxEval is the maximum number of parts (lists, mappings and their entries) in the result of a formula.
	maxEval = 500
	// evalTime is the time limit for evaluating a formula.
	evalTime = time.Second
)

// Values lists the entries of the value at `path`. If `path` is "", Values lists the providers with their states. The state of a calendar
// includes the number of events in the next `days` days.
func (t *Draft) Values(path string, days int) (map[string]any, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	g, err := t.generation()
	if err != nil {
		return nil, err
	}
	if path == "" || path == "." {
		keys := []map[string]any{}
		now := t.editor.Now()
		for _, name := range g.Sources.Names() {
			st, _ := g.Sources.Status(name, now)
			key := keyOf(name, provider.Plain(st.Value), "."+quotedKey(name), g)
			maps.Copy(key, stateOf(st, days, now, g.Secrets.Mask()))
			keys = append(keys, key)
		}
		return map[string]any{"path": "", "keys": keys}, nil
	}
	v, err := t.eval(g, path)
	if err != nil {
		return nil, fail(422, "%v", err)
	}
	return map[string]any{"path": path, "keys": keysOf(v, path, g)}, nil
}

// generation returns the generation that the picture shows, with its providers. The caller must hold the lock.
func (t *Draft) generation() (*scene.Generation, error) {
	if !t.open() {
		return nil, fail(404, "the draft is closed")
	}
	t.draw()
	if t.drawn.gen == nil {
		return nil, fail(422, "there are no values yet: the files have errors")
	}
	return t.drawn.gen, nil
}

// keysOf lists the entries of the value v. The parameter `path` is the path of v.
func keysOf(v any, path string, g *scene.Generation) []map[string]any {
	keys := []map[string]any{}
	switch v := v.(type) {
	case map[string]any:
		for _, k := range sortedKeys(v)[:min(len(v), maxKeys)] {
			keys = append(keys, keyOf(k, v[k], strings.TrimSuffix(path, ".")+"."+quotedKey(k), g))
		}
	case []any:
		for i, e := range v[:min(len(v), maxKeys)] {
			keys = append(keys, keyOf(strconv.Itoa(i), e, fmt.Sprintf("%s[%d]", path, i), g))
		}
	}
	return keys
}

func sortedKeys(m map[string]any) []string {
	list := make([]string, 0, len(m))
	for k := range m {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

var plainKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// quotedKey returns a key in the form that formulas need after a dot.
func quotedKey(k string) string {
	if plainKey.MatchString(k) {
		return k
	}
	return quotedWord(k)
}

// keyOf describes an entry of a value: its name, its kind and, unless it is a mapping or a list, its value.
func keyOf(name string, v any, path string, g *scene.Generation) map[string]any {
	out := map[string]any{"name": name, "path": path, "value": nil}
	switch v := v.(type) {
	case map[string]any:
		out["kind"], out["count"] = "mapping", len(v)
	case []any:
		out["kind"], out["count"] = "list", len(v)
	case nil:
		out["kind"] = "null"
	case bool:
		out["kind"] = "boolean"
	case string:
		out["kind"] = "text"
	default:
		out["kind"] = "number"
	}
	if _, deep := out["count"]; !deep {
		out["value"], _ = scene.Show(v, 1, g.Secrets.Mask())
	}
	return out
}

// Eval evaluates a formula with the values of the draft's providers.
func (t *Draft) Eval(program string) (map[string]any, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	g, err := t.generation()
	if err != nil {
		return nil, err
	}
	program = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(program), "!data"))
	v, err := t.eval(g, program)
	if err != nil {
		out := map[string]any{"error": g.Secrets.Mask().Replace(err.Error())}
		if m := errorColumn.FindStringSubmatch(err.Error()); m != nil {
			out["column"], _ = strconv.Atoi(m[1])
		}
		return out, nil
	}
	shown, cut := scene.Show(v, maxEval, g.Secrets.Mask())
	return map[string]any{"result": shown, "cut": cut}, nil
}

var errorColumn = regexp.MustCompile(`column (\d+)`)

// eval runs a program with the values of the providers that it reads.
func (t *Draft) eval(g *scene.Generation, program string) (any, error) {
	if len(program) > maxText {
		return nil, fmt.Errorf("the formula is longer than %d bytes", maxText)
	}
	code, err := extract.Compile(program)
	if err != nil {
		return nil, err
	}
	names, all := code.Reads()
	if all {
		names = g.Sources.Names()
	}
	now := t.editor.Now()
	input := map[string]any{live.Now: float64(now.Unix()), live.Second: float64(now.Unix())}
	for _, name := range names {
		if st, ok := g.Sources.Status(name, now); ok {
			input[name] = provider.Plain(st.Value)
		} else if _, known := input[name]; !known {
			return nil, fmt.Errorf("no provider is named '%s'", name)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), evalTime)
	defer cancel()
	return code.Run(ctx, input)
}

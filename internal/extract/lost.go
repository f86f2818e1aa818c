package extract

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/itchyny/gojq"
)

// A Loss is a key that a program reads although its input does not have it.
type Loss struct {
	In   string   // the path of the mapping that lacks the key, such as .shop.list
	Key  string   // the missing key
	Keys []string // the keys of the mapping, sorted
	Text *string  // the text at the path In, if there is a text instead of a mapping
}

// Lost returns the first key that the program reads and that the input does not have. It checks only paths that the program always follows.
// A path with a question mark, or with a default after //, may end at a missing key.
func (p *Program) Lost(input map[string]any) (l Loss, ok bool) {
	q, err := gojq.Parse(p.source)
	if err != nil {
		return l, false
	}
	for _, steps := range leads(q) {
		if l, ok = lostOn(steps, input); ok {
			return l, true
		}
	}
	return l, false
}

// lostOn follows a path through a value and returns the first key that is missing.
func lostOn(steps []any, v any) (l Loss, ok bool) {
	var at strings.Builder
	for _, step := range steps {
		switch in := v.(type) {
		case map[string]any:
			key, named := step.(string)
			if !named {
				return l, false
			}
			if v, ok = in[key]; !ok {
				return Loss{In: at.String(), Key: key, Keys: KeysOf(in)}, true
			}
		case []any:
			i, placed := step.(int)
			if !placed {
				return l, false
			}
			v = item(in, i)
		case string:
			if key, named := step.(string); named {
				return Loss{In: at.String(), Key: key, Text: &in}, true
			}
			return l, false
		default:
			return l, false
		}
		at.WriteString(stepText(step))
	}
	return l, false
}

// KeysOf returns the keys of a mapping, sorted.
func KeysOf(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// stepText returns a step as it is written in a jq program.
func stepText(step any) string {
	key, named := step.(string)
	switch {
	case !named:
		return fmt.Sprintf("[%v]", step)
	case plainKey(key):
		return "." + key
	}
	return ".[" + strconv.Quote(key) + "]"
}

// plainKey reports whether a key can be written after a dot without quotes.
func plainKey(key string) bool {
	for i, c := range key {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return key != ""
}

// leads() returns the paths that a program always follows, starting at the input. A path ends before a step that is computed.
func leads(q *gojq.Query) [][]any {
	switch {
	case q == nil, len(q.FuncDefs) > 0, len(q.Patterns) > 0:
		return nil
	case q.Term != nil:
		all, _ := termLeads(q.Term)
		return all
	case q.Right == nil, q.Op == gojq.OpAlt, slices.Contains(assigning, q.Op):
		return nil
	case q.Op == gojq.OpPipe:
		return pipeLeads(q)
	case (q.Op == gojq.OpEq || q.Op == gojq.OpNe) && (isNull(q.Left) || isNull(q.Right)):
		return nil // the program compares a key with null, so the key may be missing
	}
	return append(leads(q.Left), leads(q.Right)...)
}

// pipeLeads continues the paths on the left of a pipe with the paths on the right.
func pipeLeads(q *gojq.Query) [][]any {
	if q.Left.Term == nil {
		return leads(q.Left)
	}
	all, whole := termLeads(q.Left.Term)
	if !whole || len(all) != 1 {
		return all
	}
	var joined [][]any
	for _, l := range leads(q.Right) {
		joined = append(joined, slices.Concat(all[0], l))
	}
	if joined == nil {
		return all
	}
	return joined
}

// termLeads returns the paths of a term. `whole` is true if the term is only a single path.
func termLeads(t *gojq.Term) (all [][]any, whole bool) {
	var steps []any
	switch t.Type {
	case gojq.TermTypeIdentity:
	case gojq.TermTypeIndex:
		step := fixed(t.Index)
		if step == nil {
			return nil, false
		}
		steps = append(steps, step)
	case gojq.TermTypeString:
		for _, q := range t.Str.Queries {
			all = append(all, leads(q)...)
		}
		return all, false
	case gojq.TermTypeArray:
		return leads(t.Array.Query), false
	case gojq.TermTypeQuery:
		return leads(t.Query), false
	case gojq.TermTypeUnary:
		all, _ = termLeads(t.Unary.Term)
		return all, false
	default:
		return nil, false
	}
	for i, s := range t.SuffixList {
		step := fixed(s.Index)
		if s.Optional || i+1 < len(t.SuffixList) && t.SuffixList[i+1].Optional {
			return nil, false
		}
		if step == nil {
			return [][]any{steps}, false
		}
		steps = append(steps, step)
	}
	return [][]any{steps}, true
}

// isNull reports whether a part of a program is the constant null.
func isNull(q *gojq.Query) bool { return q.Term != nil && q.Term.Type == gojq.TermTypeNull }

package rest

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"dashboard/internal/fetch"
	"dashboard/internal/spelling"
	"dashboard/provider"
	"dashboard/provider/ask"
)

// Reads lists the names in braces that the requests contain, such as stop in {stop.id}. It omits the names of kept values. A name need
// not belong to a provider, because braces may have another meaning in a text.
func (p *Params) Reads() (names []string) {
	keeps := map[string]bool{}
	parts := []any{p.URL, p.Params, p.Body, p.Payload, texts(p.Headers)}
	for _, s := range p.Steps {
		for name := range s.Keep {
			keeps[name] = true
		}
		parts = append(parts, s.URL, s.Params, s.Body, texts(s.Headers))
	}
	for _, ref := range refs(parts) {
		if name := kept.FindStringSubmatch(ref)[1]; !keeps[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func texts(m map[string]string) (all []any) {
	for _, name := range slices.Sorted(maps.Keys(m)) {
		all = append(all, m[name])
	}
	return all
}

// refs() returns the references in a value, such as {stop.id}, sorted and without duplicates.
func refs(v any) (all []string) {
	switch v := v.(type) {
	case string:
		all = kept.FindAllString(v, -1)
	case []any:
		for _, e := range v {
			all = append(all, refs(e)...)
		}
	case map[string]any:
		for _, e := range v {
			all = append(all, refs(e)...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// The type others has the other providers whose values the requests contain.
type others struct {
	cells map[string]*provider.Cell
	refs  []string // references to the values that are used, such as {stop.id}
	last  []any    // values of the field `refs` at the time of the latest requests
}

// othersOf returns the other providers that a definition uses, or nil.
func (p *Params) othersOf(d ask.Deps) *others {
	o := &others{cells: map[string]*provider.Cell{}}
	for _, name := range p.Reads() {
		if cell := d.Values[name]; cell != nil {
			o.cells[name] = cell
		}
	}
	parts := []any{p.URL, p.Params, p.Body, p.Payload, texts(p.Headers)}
	for _, s := range p.Steps {
		parts = append(parts, s.URL, s.Params, s.Body, texts(s.Headers))
	}
	for _, ref := range refs(parts) {
		if o.cells[kept.FindStringSubmatch(ref)[1]] != nil {
			o.refs = append(o.refs, ref)
		}
	}
	if len(o.cells) == 0 {
		return nil
	}
	return o
}

// copied() returns a copy that has not used any values yet.
func (o *others) copied() *others {
	if o == nil {
		return nil
	}
	return &others{cells: o.cells, refs: o.refs}
}

// from() returns the cells of the other providers. The cells are sorted by the name of the provider.
func (o *others) from() (all []*provider.Cell) {
	if o == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(o.cells)) {
		all = append(all, o.cells[name])
	}
	return all
}

// key returns a text that identifies the other providers.
func (o *others) key() (key string) {
	for _, cell := range o.from() {
		key += fmt.Sprintf(" %p", cell)
	}
	return key
}

// take returns the values of the other providers for new requests. It returns a WaitsError if a value is missing.
func (o *others) take() (map[string]any, error) {
	values := map[string]any{}
	if o == nil {
		return values, nil
	}
	for _, name := range slices.Sorted(maps.Keys(o.cells)) {
		s := o.cells[name].Load()
		if !s.Has() {
			return nil, &ask.WaitsError{Name: name, Err: s.Err}
		}
		values[name] = provider.Plain(s.Value)
	}
	o.last = o.parts(values)
	return values, nil
}

// parts() returns the value of each entry of o.refs.
func (o *others) parts(values map[string]any) (all []any) {
	for _, ref := range o.refs {
		m := kept.FindStringSubmatch(ref)
		all = append(all, inside(values[m[1]], m[2]))
	}
	return all
}

// moved() reports whether a part that the requests contain has changed since the latest requests.
func (o *others) moved() bool {
	values := map[string]any{}
	for name, cell := range o.cells {
		s := cell.Load()
		if !s.Has() {
			return false
		}
		values[name] = provider.Plain(s.Value)
	}
	return o.last == nil || !reflect.DeepEqual(o.last, o.parts(values))
}

// checkAddress returns an error if an address with names in braces is not allowed. The host must be in the configuration, because values
// are not trusted to name a host. There are two exceptions. An address may begin with a value from an earlier step, because all requests
// go only to hosts in the configuration. In a recipe, an address may begin with any value, because the client allows only the hosts that
// the recipe lists.
func (p *Params) checkAddress(d ask.Deps, address string, known map[string]bool) error {
	for _, m := range kept.FindAllStringSubmatch(address, -1) {
		switch near := spelling.Nearest(m[1], slices.Sorted(maps.Keys(d.Values))); {
		case known[m[1]] || d.Values[m[1]] != nil:
		case len(p.Steps) > 0 && near == "":
			return fmt.Errorf("no earlier step keeps '%s'", m[1])
		case near != "":
			return fmt.Errorf("no provider and no earlier step is named '%s'; is '%s' meant?", m[1], near)
		default:
			return fmt.Errorf("no provider is named '%s'", m[1])
		}
	}
	if m := kept.FindStringIndex(address); m != nil && m[0] == 0 && (d.Owner != "" || known[kept.FindStringSubmatch(address)[1]]) {
		return nil
	}
	_, rest, _ := strings.Cut(address, "//")
	if host := rest[:strings.IndexAny(rest+"/", "/?#")]; strings.HasPrefix(address, "{") || kept.MatchString(host) {
		return errors.New("the host must be written, because values are not trusted with hosts")
	}
	return fetch.CheckURL(kept.ReplaceAllString(address, "x"))
}

package live

import (
	"context"
	"fmt"
	"strings"

	"dashboard/internal/extract"
	"dashboard/provider"
)

// An Entry is one entry of a list.
type Entry struct {
	Items *extract.Program
	Index int
}

// AddItem is Add for a program that reads an entry of a list as .item and the index of the entry as .index. That entry is the last
// one of in. The entries before it contain it: the program of each list, except for the first one, reads the previous entry as
// .item. If there is no such entry, the result is null.
func (p *Programs) AddItem(code *extract.Program, in []Entry, at provider.Place) (*provider.Cell, error) {
	if err := p.check(code, Item, Index); err != nil {
		return nil, err
	}
	codes, key, err := p.entered(in)
	if err != nil {
		return nil, err
	}
	n := &program{code: code, place: at, in: in}
	return p.add(n, fmt.Sprintf("%s %q", key, code), append(codes, code)...)
}

// entered returns the programs of lists, and their key.
func (p *Programs) entered(in []Entry) (codes []*extract.Program, key string, err error) {
	var b strings.Builder
	for i, e := range in {
		if err := p.checkItems(e.Items, in[:i]); err != nil {
			return nil, "", err
		}
		codes = append(codes, e.Items)
		fmt.Fprintf(&b, "item %d %q ", e.Index, e.Items)
	}
	return codes, b.String(), nil
}

// checkItems rejects an invalid program of a list. Within an entry it can read .item.
func (p *Programs) checkItems(items *extract.Program, in []Entry) error {
	if len(in) == 0 {
		return p.check(items)
	}
	return p.check(items, Item, Index)
}

// enter adds the entry of the innermost list to the input, and reports whether the entry exists.
func enter(ctx context.Context, in []Entry, input map[string]any) (bool, error) {
	for _, e := range in {
		v, err := e.Items.Run(ctx, input)
		if err != nil || v == nil {
			return false, err
		}
		list, ok := v.([]any)
		if !ok {
			return false, fmt.Errorf("%.40v %w", v, errNoList)
		}
		if e.Index >= len(list) {
			return false, nil
		}
		input[Item], input[Index] = list[e.Index], e.Index
	}
	return true, nil
}

package live

import (
	"context"
	"fmt"
	"strings"

	"dashboard/internal/extract"
	"dashboard/provider"
)

// An Entry identifies one entry of a list: the program that returns the list, and the index of the entry.
type Entry struct {
	Items *extract.Program
	Index int
}

// AddItem is like Add for a program that reads an entry of a list as .item, and the index of the entry as .index. The last element of
// `in` identifies this entry. Several elements mean nested lists: the program of each element except the first reads the previous entry
// as .item. If the entry does not exist, the result is null.
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

// entered() checks the programs of nested lists. It returns these programs, and a key that identifies the entries in `in`.
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

// checkItems checks the program that returns a list. The argument `in` has the entries that surround the list. The program can read .item
// only if there are such entries.
func (p *Programs) checkItems(items *extract.Program, in []Entry) error {
	if len(in) == 0 {
		return p.check(items)
	}
	return p.check(items, Item, Index)
}

// enter() adds the entry of the innermost list to the input. It returns false if the entry does not exist.
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

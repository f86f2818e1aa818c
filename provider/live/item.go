package live

import (
	"fmt"

	"dashboard/internal/extract"
	"dashboard/provider"
)

// item is the entry of a list that a program has as .item.
type item struct {
	items *extract.Program
	index int
}

// AddItem is Add for a program that has the entry at an index of the list that items gives as .item, and the index as .index. Where
// there is no such entry the result is null.
func (p *Programs) AddItem(code, items *extract.Program, index int, at provider.Place) (*provider.Cell, error) {
	if err := p.check(items); err != nil {
		return nil, err
	}
	if err := p.check(code, Item, Index); err != nil {
		return nil, err
	}
	n := &program{code: code, place: at, item: &item{items, index}}
	return p.add(n, fmt.Sprintf("item %d %q %q", index, items, code), code, items)
}

// of runs the program. The input is its to add to.
func (i *item) of(code *extract.Program, input map[string]any) (any, error) {
	v, err := i.items.Run(input)
	if err != nil || v == nil {
		return nil, err
	}
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("%.40v %w", v, errNoList)
	}
	if i.index >= len(list) {
		return nil, nil
	}
	input[Item], input[Index] = list[i.index], i.index
	return code.Run(input)
}

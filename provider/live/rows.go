package live

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"dashboard/internal/extract"
	"dashboard/provider"
)

// A Row has the results of the programs for one entry of a list.
type Row []Field

// Rows has the rows for the first entries of a list, and the number of all entries.
type Rows struct {
	List []Row
	All  int
}

// A Field is the result of one program for one row. After a failure, the value is null and there is an error.
type Field struct {
	Value any
	Err   error
}

// The type rows has the programs that run for each entry of a list.
type rows struct {
	fields []*extract.Program
	most   int
}

// errNoList is returned if the result of a list's program is not a list.
var errNoList = errors.New("is not a list")

// AddRows adds the program `items`, which returns a list, and the programs `fields`. The programs `fields` run for each of the list's
// first entries. `most` is the maximum number of these entries. The programs read the entry as .item and the entry's index as .index. If
// the list is inside entries of other lists, `in` identifies these entries, as it does for AddItem. The samples of the cell have the type
// Rows.
func (p *Programs) AddRows(items *extract.Program, most int, fields []*extract.Program, in []Entry, at provider.Place) (*provider.Cell, error) {
	if err := p.checkItems(items, in); err != nil {
		return nil, err
	}
	codes, within, err := p.entered(in)
	if err != nil {
		return nil, err
	}
	var key strings.Builder
	fmt.Fprintf(&key, "%srows %d %q", within, most, items)
	for _, f := range fields {
		if err := p.CheckField(f); err != nil {
			return nil, err
		}
		fmt.Fprintf(&key, " %q", f)
	}
	n := &program{code: items, place: at, in: in, rows: &rows{fields, min(most, MaxRows)}}
	return p.add(n, key.String(), append(append(codes, items), fields...)...)
}

// CheckField returns an error if a program for the entries of a list names an unknown provider.
func (p *Programs) CheckField(code *extract.Program) error { return p.check(code, Item, Index) }

// of() returns the Rows that the programs compute from an input. It changes the input.
func (r *rows) of(ctx context.Context, items *extract.Program, input map[string]any) (any, error) {
	v, err := items.Run(ctx, input)
	if err != nil || v == nil {
		return Rows{}, err
	}
	list, ok := v.([]any)
	if !ok {
		return Rows{}, fmt.Errorf("%.40v %w", v, errNoList)
	}
	all := make([]Row, min(len(list), r.most))
	for i := range all {
		input[Item], input[Index] = list[i], i
		row := make(Row, len(r.fields))
		for f, code := range r.fields {
			row[f].Value, row[f].Err = code.Run(ctx, input)
			if row[f].Err != nil && err == nil {
				err = fmt.Errorf("row %d: %w", i, row[f].Err)
			}
		}
		all[i] = row
	}
	return Rows{all, len(list)}, err
}

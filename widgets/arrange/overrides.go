package arrange

import (
	"fmt"

	"dashboard/theme"
	"dashboard/widgets/kit"
)

// overrides are values for single cells of a grid, found by the name or the index of the child.
type overrides[T any] struct {
	byName  map[string]*T
	byIndex []*T
}

// cellColors are colors of individual cells.
type cellColors struct{ overrides[theme.Color] }

// cellRadii are corner radii of individual cells, in px.
type cellRadii struct{ overrides[int] }

// TypeName returns the name of this type for the reference.
func (*cellColors) TypeName() string { return "mapping or list of color" }

// TypeName returns the name of this type for the reference.
func (*cellRadii) TypeName() string { return "mapping or list of integer" }

// SetValue sets the colors from a decoded YAML value.
func (o *cellColors) SetValue(v any) error {
	return o.set(v, func(v any) (c theme.Color, err error) { return c, c.SetValue(v) })
}

// SetValue sets the radii from a decoded YAML value.
func (o *cellRadii) SetValue(v any) error { return o.set(v, wholeNumber) }

func wholeNumber(v any) (int, error) {
	if n, ok := v.(int); ok {
		return n, nil
	}
	return 0, fmt.Errorf("must be a whole number, not %v", v)
}

// set reads a mapping or a list. A cell whose value is null uses the value of the whole grid.
func (o *overrides[T]) set(v any, parse func(any) (T, error)) error {
	switch v := v.(type) {
	case map[string]any:
		o.byName = make(map[string]*T, len(v))
		for name, item := range v {
			if item == nil {
				continue
			}
			value, err := parse(item)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			o.byName[name] = &value
		}
	case []any:
		o.byIndex = make([]*T, len(v))
		for i, item := range v {
			if item == nil {
				continue
			}
			value, err := parse(item)
			if err != nil {
				return fmt.Errorf("entry %d: %w", i+1, err)
			}
			o.byIndex[i] = &value
		}
	default:
		return fmt.Errorf("must be a mapping by the children's names, or a list in their order, not %v", v)
	}
	return nil
}

// of() returns the value for the i-th child. If there is no value for this child, it returns `other`.
func (o *overrides[T]) of(i int, child *kit.Spec, other *T) *T {
	if i < len(o.byIndex) && o.byIndex[i] != nil {
		return o.byIndex[i]
	}
	if v, ok := o.byName[child.Name]; ok && child.Name != "" {
		return v
	}
	for name, v := range o.byName {
		if child.Called(name) {
			return v
		}
	}
	return other
}

// check warns about values that belong to no cell.
func (o *overrides[T]) check(s *kit.Spec, key string) {
	for name := range o.byName {
		if s.ChildNamed(name) < 0 {
			s.Warnf(key, "no child is named '%s'; there are: %s", name, s.ChildNames())
		}
	}
	if n := len(o.byIndex); n > len(s.Children) {
		s.Warnf(key, "%s for %s", kit.Plural(n, "entry", "entries"), kit.Plural(len(s.Children), "child", "children"))
	}
}

package edit

import "gopkg.in/yaml.v3"

// list finds the spans of the entries in a list, and the end of the list.
func (b *spanner) list(n *Node, depth int) error {
	d := b.doc
	column := d.column(n.Content.Start)
	i := n.Content.Start
	if n.Flow {
		i++
	}
	for k, y := range n.y.Content {
		if i = d.skip(i); n.Flow && k > 0 {
			if d.at(i) != ',' {
				return b.lost(i)
			}
			i = d.skip(i + 1)
		}
		e := &Entry{In: n, Index: k, mark: -1, Span: Span{Start: i}}
		if !n.Flow {
			if d.at(i) != '-' {
				return b.lost(i)
			}
			e.mark = i
		}
		v, err := b.build(y, column, depth+1)
		if err != nil {
			return err
		}
		if v.Span.Start < i || n.Flow && v.Span.Start != i {
			return b.lost(v.Span.Start)
		}
		v.Parent, e.Value = e, v
		e.Span.End = max(v.Span.End, e.mark+1)
		n.Entries = append(n.Entries, e)
		i = e.Span.End
	}
	return b.close(n, i, ']')
}

// close finds the end of a collection. `i` is the offset at which the collection's last entry ends. `sign` is the closing bracket.
func (b *spanner) close(n *Node, i int, sign byte) error {
	n.Content.End = i
	if !n.Flow || n.bare {
		return nil
	}
	if i = b.doc.skip(i); b.doc.at(i) == ',' {
		i = b.doc.skip(i + 1)
	}
	if b.doc.at(i) != sign {
		return b.lost(i)
	}
	n.Content.End = i + 1
	return nil
}

// mapping finds the spans of the entries in a mapping, and the end of the mapping.
func (b *spanner) mapping(n *Node, depth int) error {
	d := b.doc
	column := d.column(n.Content.Start)
	i := n.Content.Start
	if n.Flow && !n.bare {
		i++
	}
	for k := 0; k+1 < len(n.y.Content); k += 2 {
		if i = d.skip(i); n.Flow && k > 0 {
			if d.at(i) != ',' {
				return b.lost(i)
			}
			i = d.skip(i + 1)
		}
		e := &Entry{In: n, Index: k / 2, mark: -1, Span: Span{Start: i}}
		if err := b.pair(e, n.y.Content[k], n.y.Content[k+1], column, depth); err != nil {
			return err
		}
		n.Entries = append(n.Entries, e)
		i = e.Span.End
	}
	return b.close(n, i, '}')
}

// pair finds the spans of the key and the value of an entry, and the offset of the colon.
func (b *spanner) pair(e *Entry, key, value *yaml.Node, column, depth int) error {
	d := b.doc
	e.explicit = d.at(e.Span.Start) == '?' && key.Column-1 != d.column(e.Span.Start)
	k, err := b.build(key, column, depth+1)
	if err != nil {
		return err
	}
	if k.Span.Start < e.Span.Start || !e.explicit && k.Span.Start != e.Span.Start {
		return b.lost(k.Span.Start)
	}
	e.Key, e.Span.End = k, k.Span.End
	k.Parent = e
	if i := d.skip(k.Span.End); d.at(i) == ':' {
		e.mark, e.Span.End = i, i+1
	}
	v, err := b.build(value, column, depth+1)
	if err != nil {
		return err
	}
	if v.Empty() && v.Span.Len() == 0 {
		v.Span = Span{e.Span.End, e.Span.End}
		v.Content = v.Span
	}
	if v.Span.Start < e.Span.End {
		return b.lost(v.Span.Start)
	}
	v.Parent, e.Value = e, v
	e.Span.End = max(v.Span.End, e.Span.End)
	return nil
}

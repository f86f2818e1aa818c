package edit

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Remove removes an entry, the comment lines directly above it, and the comment on its last line.
func (d *Document) Remove(e *Entry) (*Result, error) {
	p := d.plan()
	if err := p.remove(e); err != nil {
		return nil, err
	}
	return p.finish()
}

func (p *plan) remove(e *Entry) error {
	if e.odd() {
		return refuse("an entry written with '?' or without braces can be removed as text only")
	}
	in, at, count := p.model2(e)
	in.Content = slices.Delete(in.Content, at, at+count)
	if len(e.In.Entries) == 1 {
		return p.removeLast(e, in)
	}
	if e.In.Flow {
		p.removeFlow(e)
		return nil
	}
	p.removeBlock(e)
	return nil
}

// removeLast removes the only entry of a collection. Empty brackets replace the collection.
func (p *plan) removeLast(e *Entry, model *yaml.Node) error {
	text := "{}"
	if e.In.Kind == Seq {
		text = "[]"
	}
	if e.In.Flow {
		p.replace(e.In.Content.Start, e.In.Content.End, text)
		return nil
	}
	if e.In.Parent == nil || p.d.Line(e.In.Content.Start) == p.d.Line(e.In.Parent.mark) {
		p.replace(e.In.Content.Start, e.In.Content.End, text)
		return nil
	}
	if e.In.Span.Start != e.In.Content.Start {
		text = string(p.d.Bytes[e.In.Span.Start:p.d.propertiesEnd(e.In)]) + " " + text
	}
	if e.In.Parent.In.Kind != Map {
		p.replace(e.In.Content.Start, e.In.Content.End, text)
		return nil
	}
	from := e.In.Parent.mark + 1
	if e.In.Span.Start != e.In.Content.Start {
		p.replace(from, p.d.propertiesEnd(e.In), "")
		from = p.d.propertiesEnd(e.In)
	}
	p.replace(from, from, " "+text)
	p.deleteLines(p.d.leadStart(e), e.In.Span.End)
	return nil
}

// removeFlow removes an entry from a collection in brackets, together with one comma.
func (p *plan) removeFlow(e *Entry) {
	d := p.d
	if e.Index+1 < len(e.In.Entries) {
		next := e.In.Entries[e.Index+1].Span.Start
		if !strings.Contains(string(d.Bytes[e.Span.End:next]), "#") {
			p.replace(e.Span.Start, next, "")
			return
		}
		p.replace(e.Span.Start, d.skip(e.Span.End)+1, "")
		return
	}
	before := e.In.Entries[e.Index-1].Span.End
	if !strings.Contains(string(d.Bytes[before:e.Span.Start]), "#") {
		p.replace(before, e.Span.End, "")
		return
	}
	end := e.Span.End
	if i := d.skip(end); d.at(i) == ',' {
		end = i + 1
	}
	p.replace(e.Span.Start, end, "")
}

// removeBlock removes the lines of an entry in a collection without brackets.
func (p *plan) removeBlock(e *Entry) {
	d := p.d
	if d.alone(e.Span.Start) {
		p.deleteLines(d.leadStart(e), e.Span.End)
		return
	}
	next := e.In.Entries[e.Index+1].Span.Start // keep the beginning of the line, because the first entry is on the line of a dash or key
	if !strings.Contains(string(d.Bytes[e.Span.End:next]), "#") {
		p.replace(e.Span.Start, next, "")
		return
	}
	p.replace(e.Span.Start, d.lineEndAt(e.Span.End), "")
}

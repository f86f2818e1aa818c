package render

import "image"

// maxSpareTransitions bounds the transitions that are kept for the next one: two that move at a time are rare.
const maxSpareTransitions = 2

// Transitions lends the memory of transitions to the widgets of a wall. Each transition takes one at its start and
// returns it at its end, so a wall has as many as move at a time. The zero value is empty. It belongs to the loop, as
// the widgets do.
type Transitions struct{ spare []*Transition }

// Take is NewTransition, in memory that was given back if there is some of that size.
func (p *Transitions) Take(size image.Point, m Motion, to Direction) *Transition {
	for i, t := range p.spare {
		if t.Next.Bounds().Size() == size {
			p.spare[i] = p.spare[len(p.spare)-1]
			p.spare = p.spare[:len(p.spare)-1]
			t.Reset(m, to)
			return t
		}
	}
	return NewTransition(size, m, to)
}

// Give takes back what Take gave. The oldest makes room.
func (p *Transitions) Give(t *Transition) {
	if len(p.spare) == maxSpareTransitions {
		copy(p.spare, p.spare[1:])
		p.spare = p.spare[:maxSpareTransitions-1]
	}
	p.spare = append(p.spare, t)
}

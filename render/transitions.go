package render

import "image"

// maxSpareTransitions bounds the transitions that are kept for reuse. Two at the same time are rare.
const maxSpareTransitions = 2

// Transitions lends the memory of transitions to the widgets of a wall. Each widget takes a transition at its start and returns it
// at its end, so a wall has only as many as run at the same time. The zero value is empty. It belongs to the goroutine of the loop,
// like the widgets.
type Transitions struct{ spare []*Transition }

// Take is NewTransition, but it reuses returned memory of that size if there is any.
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

// Give returns a transition from Take. If there are too many, the oldest one is dropped.
func (p *Transitions) Give(t *Transition) {
	if len(p.spare) == maxSpareTransitions {
		copy(p.spare, p.spare[1:])
		p.spare = p.spare[:maxSpareTransitions-1]
	}
	p.spare = append(p.spare, t)
}

package render

import "image"

// maxSpareTransitions bounds the unused transitions that are kept. Two transitions at the same time are rare.
const maxSpareTransitions = 2

// Transitions lends transitions to the widgets of a wall, so that they share memory. A widget takes a transition when an animation
// starts, and gives it back at the end. So a wall needs only as many transitions as run at the same time. The zero value is empty. Only
// the loop's goroutine may use it.
type Transitions struct{ spare []*Transition }

// Take returns a transition, as NewTransition does. If a transition of the same size was given back, Take reuses its memory.
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

// Give takes back a transition from Take. If too many transitions are unused, it drops the oldest transition.
func (p *Transitions) Give(t *Transition) {
	if len(p.spare) == maxSpareTransitions {
		copy(p.spare, p.spare[1:])
		p.spare = p.spare[:maxSpareTransitions-1]
	}
	p.spare = append(p.spare, t)
}

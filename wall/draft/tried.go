package draft

import (
	"slices"
	"time"

	"dashboard/wall/scene"
)

const (
	// maxTried limits the memory of the tested values that a draft keeps, in bytes. A value counts at least as much as its answers.
	maxTried = 4 << 20
	// leastTried is the size that the draft counts for a small answer, so that it keeps at most maxTried/leastTried values.
	leastTried = 64 << 10
)

// A tried is the value of a provider that a test has returned. The draft shows it until the running wall has a value for the provider.
type tried struct {
	name       string
	definition string // text of the provider's definition in the tested file
	value      any
	at         time.Time
	size       int // memory of the value in bytes, or the size of the answers if it is larger
}

// size returns the number of bytes of all recorded answers.
func (r *recorder) size() (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, a := range r.all {
		n += a.size
	}
	return n
}

// definition returns the text of a provider's definition in the draft, or "".
func (t *Draft) definition(name string) string {
	f := t.files["providers.yaml"]
	if f == nil || f.good == nil {
		return ""
	}
	n := f.good.At("providers").Get(name)
	if n == nil {
		return ""
	}
	return string(f.good.Bytes[n.Span.Start:n.Span.End])
}

// keepTried keeps a tested value for the pictures and the values of the draft, unless the running wall has the same provider. It drops the
// oldest values if all values together are too large.
func (t *Draft) keepTried(one tried) {
	t.mu.Lock()
	defer t.mu.Unlock()
	one.size = max(one.size, leastTried)
	if !t.open() || one.definition != t.definition(one.name) || one.size > maxTried {
		return
	}
	if t.draw(); t.drawn.gen == nil || !t.drawn.gen.Sources.Fill(one.name, one.value, one.at) {
		return
	}
	t.tried = append(slices.DeleteFunc(t.tried, func(old tried) bool { return old.name == one.name }), one)
	sum := 0
	for i, old := range slices.Backward(t.tried) {
		if sum += old.size; sum > maxTried {
			t.tried = slices.Delete(t.tried, 0, i+1)
			break
		}
	}
	t.touch()
}

// fillTried publishes the tested values of providers that have no value and that the draft has not changed since the test.
func (t *Draft) fillTried(g *scene.Generation) {
	for _, one := range t.tried {
		if one.definition == t.definition(one.name) {
			g.Sources.Fill(one.name, one.value, one.at)
			if entries, ok := one.value.(map[string]any); ok {
				g.Sources.FillParts(one.name, entries, one.at)
			}
		}
	}
}

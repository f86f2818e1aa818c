package todo

import (
	"cmp"
	"slices"
	"strings"

	"dashboard/internal/stable"
)

const (
	// maxAdded is the maximum number of titles whose additions a list counts. A household buys fewer different things.
	maxAdded = 100
	// MaxOften is the maximum number of titles that a list suggests.
	MaxOften = 8
	// leastOften is how often a title must be added before it is suggested. It is also the minimum
	// number of such titles. With fewer titles, nothing is suggested.
	leastOften = 2
)

// An Addition is a title with the number of times that it was added to a list.
type Addition struct {
	Title string
	Times int
}

// count counts an added title. If there is no room, it forgets the title that was added least often. If several titles were added equally
// rarely, it forgets the oldest of them. mu must be held.
func (q *Queue) count(title string) {
	i := slices.IndexFunc(q.added, func(a Addition) bool { return strings.EqualFold(a.Title, title) })
	if i >= 0 {
		q.added[i] = Addition{title, q.added[i].Times + 1}
		return
	}
	if len(q.added) >= maxAdded {
		least := 0
		for i, a := range q.added {
			if a.Times < q.added[least].Times {
				least = i
			}
		}
		q.added = slices.Delete(q.added, least, least+1)
	}
	q.added = append(q.added, Addition{title, 1})
}

// Often returns the titles that were added most often. It returns at most MaxOften titles, and no titles until two titles were added at
// least twice.
func (q *Queue) Often() (titles []string) {
	q.mu.Lock()
	all := slices.Clone(q.added)
	q.mu.Unlock()
	all = slices.DeleteFunc(all, func(a Addition) bool { return a.Times < leastOften })
	if len(all) < leastOften {
		return nil
	}
	stable.Sort(all, func(a, b Addition) int { return cmp.Compare(b.Times, a.Times) })
	for _, a := range all[:min(len(all), MaxOften)] {
		titles = append(titles, a.Title)
	}
	return titles
}

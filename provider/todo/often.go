package todo

import (
	"cmp"
	"slices"
	"strings"
)

const (
	// maxAdded limits the titles whose additions a list counts. A household buys fewer kinds of things.
	maxAdded = 100
	// MaxOften limits the titles that a list suggests.
	MaxOften = 8
	// leastOften is the minimum number of times that a title was added before it is suggested, and the minimum number of such titles.
	leastOften = 2
)

// An Addition counts how often a title was added to a list.
type Addition struct {
	Title string
	Times int
}

// count counts an added title. Without room the title that was added least often is forgotten, the oldest first. q.mu is held.
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

// Often returns the titles that were added most often, at most MaxOften. It returns none before two titles were added twice.
func (q *Queue) Often() (titles []string) {
	q.mu.Lock()
	all := slices.Clone(q.added)
	q.mu.Unlock()
	all = slices.DeleteFunc(all, func(a Addition) bool { return a.Times < leastOften })
	if len(all) < leastOften {
		return nil
	}
	slices.SortStableFunc(all, func(a, b Addition) int { return cmp.Compare(b.Times, a.Times) })
	for _, a := range all[:min(len(all), MaxOften)] {
		titles = append(titles, a.Title)
	}
	return titles
}

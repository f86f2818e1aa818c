package todo

import (
	"fmt"
	"strings"
	"testing"
)

// After two titles were added twice, titles are suggested. The most frequent title is the first suggestion. The counts survive a restart
// and are limited.
func TestOften(t *testing.T) {
	disk := &memory{}
	q := NewQueue("t", disk, quiet)
	add := func(title string, times int) {
		t.Helper()
		for range times {
			if err := q.Put(Change{New: true, Title: title}); err != nil {
				t.Fatal(err)
			}
			q.all = nil // the change was sent
		}
	}
	add("Milk", 2)
	add("Tea", 1)
	if got := q.Often(); got != nil {
		t.Errorf("with one frequent title: got %v", got)
	}
	add("bread", 2)
	add("Bread", 1)
	if err := q.Put(Change{Task: "1", Title: "Tea", Done: true}); err != nil {
		t.Fatal(err)
	}
	q = NewQueue("t", disk, quiet)
	if got := strings.Join(q.Often(), " "); got != "Bread Milk" {
		t.Errorf("got %s, want Bread Milk", got)
	}
	for i := range 10 * maxAdded {
		add(fmt.Sprint("once ", i), 1)
	}
	for i := range 2 * MaxOften {
		add(fmt.Sprint("twice ", i), 2)
	}
	if got := q.Often(); len(q.added) != maxAdded || len(got) != MaxOften || got[0] != "Bread" {
		t.Errorf("%d titles are counted, %v are suggested", len(q.added), got)
	}
}

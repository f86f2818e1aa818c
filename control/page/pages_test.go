package page

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func tree(p *Pages, names ...string) (*Set, *Place) {
	s := p.Begin()
	var pages []Page
	for _, n := range names {
		pages = append(pages, Page{Name: n, Dwell: 10 * time.Second})
	}
	return s, s.Add("", pages)
}

func all(n int) []Condition {
	in := make([]Condition, n)
	for i := range in {
		in[i].When = true
	}
	return in
}

// TestOutlivesTrees: the current page and a user's choice continue in the next tree if it has the page.
func TestOutlivesTrees(t *testing.T) {
	woken := 0
	p := New(func() { woken++ })
	s, place := tree(p, "home", "solar", "")
	p.Commit(s)
	place.Step(at(0), all(3))
	if st, err := p.Show("solar", time.Minute, at(1)); err != nil || st.Page != "solar" || st.Why != Hand || !st.Until.Equal(at(61)) || woken != 1 {
		t.Fatalf("got %+v, %v, woken %d times", st, err, woken)
	}
	if got := strings.Join(p.Names(), " "); got != "home solar 3" {
		t.Errorf("got names %q", got)
	}
	if got := strings.Join(p.First(), " "); got != "home solar 3" {
		t.Errorf("got pages %q of the outermost widget", got)
	}
	tree(p, "solar") // this tree is never committed, like the tree of a reload that was refused
	s, place = tree(p, "cellar", "home", "solar")
	if c := place.Step(at(2), all(3)); c.Page != 2 || !c.Fresh {
		t.Errorf("in the next tree: got %+v", c)
	}
	p.Commit(s)
	if st := p.List(at(5))[0]; st.Page != "solar" || st.Why != Hand || !st.Since.Equal(at(1)) {
		t.Errorf("after the reload: got %+v", st)
	}
	s, place = tree(p, "home", "cellar")
	p.Commit(s)
	if c := place.Step(at(6), all(2)); c.Page != 0 || !c.Next.Equal(at(16)) {
		t.Errorf("without the page: got %+v", c)
	}
	if place.Step(at(7), all(2)).Fresh {
		t.Error("fresh twice")
	}
	if p.Commit(p.Begin()); len(p.List(at(7))) != 0 || len(p.First()) != 0 {
		t.Error("a tree without pages has some")
	}
}

// TestShow shows pages, with valid and invalid requests.
func TestShow(t *testing.T) {
	p := New(func() {})
	if _, err := p.Show("home", 0, at(0)); !errors.Is(err, ErrNone) {
		t.Errorf("without pages: got %v", err)
	}
	s, place := tree(p, "home", "solar", "door")
	p.Commit(s)
	in := all(3)
	place.Step(at(0), in)
	for _, tt := range []struct {
		what, page string
		hold       time.Duration
		until      time.Time
		err        error
	}{
		{Next, "solar", 0, at(10), nil},
		{Previous, "home", 5 * time.Second, at(5), nil},
		{Previous, "door", 0, at(10), nil},
		{"home", "home", 0, time.Time{}, nil},
		{"solar", "solar", MaxHold, at(0).Add(MaxHold), nil},
		{Auto, "solar", 0, at(10), nil},
		{"slar", "", 0, time.Time{}, ErrUnknown},
		{"", "", 0, time.Time{}, ErrUnknown},
		{"home", "", -1, time.Time{}, ErrHold},
		{"home", "", MaxHold + 1, time.Time{}, ErrHold},
	} {
		st, err := p.Show(tt.what, tt.hold, at(0))
		if st.Page != tt.page || !st.Until.Equal(tt.until) || !errors.Is(err, tt.err) {
			t.Errorf("%s for %v: got %+v, %v", tt.what, tt.hold, st, err)
		}
		if tt.what == "slar" && !strings.Contains(err.Error(), "'solar'") {
			t.Errorf("got %v, want the right name", err)
		}
	}
	place.Step(at(1), make([]Condition, 3))
	if _, err := p.Show(Next, 0, at(1)); !errors.Is(err, ErrAlone) {
		t.Errorf("nothing in turn: got %v", err)
	}
}

// Until the first step of a new tree, only pages without a condition are in the rotation. A new tree exists at the start and after a
// reload.
func TestNextBeforeTheFirstStep(t *testing.T) {
	p := New(func() {})
	for _, when := range []string{"start", "reload"} {
		s := p.Begin()
		s.Add("", []Page{{Name: "home", Dwell: time.Minute}, {Name: "bins", Rule: ".bins.due"}, {Name: "bell", Trigger: &Trigger{}}, {Name: "solar", Dwell: time.Minute}})
		p.Commit(s)
		if st, err := p.Show(Next, 0, at(0)); st.Page != "solar" || err != nil {
			t.Errorf("%s: next is %q, %v", when, st.Page, err)
		}
		if st, err := p.Show(Previous, 0, at(0)); st.Page != "home" || err != nil {
			t.Errorf("%s: previous is %q, %v", when, st.Page, err)
		}
	}
}

// TestNested: a page of an inner widget is found by its name, and a trigger that switches the screen on is reported.
func TestNested(t *testing.T) {
	p := New(func() {})
	s := p.Begin()
	outer := s.Add("", []Page{{Name: "a", Dwell: time.Second}, {Name: "bell", Trigger: &Trigger{Hold: time.Second, Wake: true}}})
	inner := s.Add("inner", []Page{{Name: "c", Dwell: time.Second}, {Name: "d", Dwell: time.Second}})
	s.Add("inner", []Page{{Name: "e", Dwell: time.Second}})
	p.Commit(s)
	in := []Condition{{When: true}, {When: true, Clear: true}}
	outer.Step(at(0), in)
	if p.Awake() {
		t.Error("awake before the bell")
	}
	in[1] = Condition{When: true, Fire: true}
	outer.Step(at(1), in)
	if !p.Awake() {
		t.Error("the bell wakes nobody")
	}
	if st, err := p.Show("d", 0, at(2)); err != nil || st.Name != "inner" || st.Page != "d" {
		t.Errorf("got %+v, %v", st, err)
	}
	if c := inner.Step(at(2), all(2)); c.Page != 1 {
		t.Errorf("the inner widget shows %d", c.Page)
	}
	if list := p.List(at(3)); len(list) != 3 || list[0].Page != "bell" || list[2].Page != "e" {
		t.Errorf("got %+v", list)
	}
}

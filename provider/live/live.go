// Package live runs jq programs on the values of providers, after every change.
package live

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"dashboard/internal/extract"
	"dashboard/internal/spelling"
	"dashboard/provider"
)

// The names that programs can read in addition to the names of providers. A provider must not have one of these names.
const (
	Now     = "now"   // time in Unix seconds; programs that read it run once a minute
	Second  = "now_s" // time in Unix seconds; programs that read it run once a second
	Item    = "item"  // list entry for which a row is made
	Index   = "index" // index of that entry, from 0
	allowed = Now + ", " + Second
)

// MaxRows is the maximum number of rows of one list.
const MaxRows = 1000

// Reads lists the names that a program reads: names of providers, and other names.
func Reads(program string) []string { return extract.Reads(program) }

// Reserved reports whether a name has a special meaning in programs, so that no provider may have this name.
func Reserved(name string) bool { return slices.Contains([]string{Now, Second, Item, Index}, name) }

// Programs holds all programs of one generation of walls. One goroutine adds the programs while it builds the generation. After that, Run
// keeps the cells of the programs up to date. Equal programs share a cell.
type Programs struct {
	sources map[string]*source // sources that programs read, by the names of the provider and the entry
	find    func(name string) (*provider.Cell, bool)
	part    Part
	names   []string // names of all providers, sorted
	now     func() time.Time
	second  time.Time // time of the last call of due(), truncated to a second
	minute  time.Time // time of the last call of due(), truncated to a minute

	mu       sync.Mutex // locked while programs run, so that other methods see complete results
	programs []*program
	same     map[string]*program // programs by the key that identifies equal programs
}

// A Part is a function that returns the cell of one entry in the mapping of a provider. `at` is the position for messages. ok is false if
// the entry has no separate cell.
type Part func(name, entry string, at provider.Place) (cell *provider.Cell, ok bool, err error)

// A source is a provider, or one entry of a provider's mapping. It also has the programs that read this provider or entry.
type source struct {
	name    string
	entry   string // name of the entry; "" means the whole mapping
	cell    *provider.Cell
	seen    *provider.Sample
	readers []*program

	plainOf *provider.Sample // sample from which the field `plain` was made
	plain   any
}

// value returns the value of a sample in the form for programs. It computes this form only once for each sample.
func (s *source) value(of *provider.Sample) any {
	if s.plainOf == nil || s.plainOf.Seq != of.Seq {
		s.plainOf, s.plain = of, provider.Plain(of.Value)
	}
	return s.plain
}

// A program is a jq program and the cell with its result.
type program struct {
	code   *extract.Program
	rows   *rows   // programs for the rows of a list; nil for a program with a single value
	in     []Entry // entries of nested lists; the last entry is .item
	reads  []*source
	clock  time.Duration // time.Second or time.Minute for a program that reads the time; otherwise 0
	cell   *provider.Cell
	place  provider.Place
	dirty  bool
	failed error // error of the program itself; nil after a success
}

// New returns programs that read providers. `find` returns the cell of a provider, and `names` lists all providers, sorted. `part`
// returns the cell of one entry of a provider. It may be nil. If it is not nil, a program that reads only certain entries runs only after
// a change of these entries.
func New(find func(name string) (*provider.Cell, bool), part Part, names []string) *Programs {
	if part == nil {
		part = func(string, string, provider.Place) (*provider.Cell, bool, error) { return nil, false, nil }
	}
	return &Programs{sources: map[string]*source{}, same: map[string]*program{}, find: find, part: part, names: names, now: time.Now}
}

// At sets the clock of the programs. Call At before the first program is added.
func (p *Programs) At(now func() time.Time) { p.now = now }

var _ provider.Provider = (*Programs)(nil)

// Kind is "live".
func (p *Programs) Kind() string { return "live" }

// Add adds a program and returns the cell with its result. If the program fails, the result is null with an error. The result is as old
// as its oldest source. Add returns an error if the program names an unknown provider.
func (p *Programs) Add(code *extract.Program, at provider.Place) (*provider.Cell, error) {
	if err := p.check(code); err != nil {
		return nil, err
	}
	return p.add(&program{code: code, place: at}, code.String(), code)
}

// check returns an error if a program names an unknown provider. `besides` lists other names that are valid here, such as "item".
func (p *Programs) check(code *extract.Program, besides ...string) error {
	for _, name := range code.Names() {
		if name == Now || name == Second || slices.Contains(p.names, name) || slices.Contains(besides, name) {
			continue
		}
		if Reserved(name) {
			return fmt.Errorf(".%s is only there in a row of items", name)
		}
		return fmt.Errorf("no provider is named '%s'%s", name, p.meant(name, besides))
	}
	return nil
}

// homeProvider is the name of the provider that the key homeassistant of conf.yaml defines.
const homeProvider = "homeassistant"

// meant() returns a hint for an unknown name: the most similar name, or all names.
func (p *Programs) meant(name string, besides []string) string {
	if name == homeProvider {
		return ": write homeassistant: {url: …, token: …} in conf.yaml"
	}
	for _, n := range p.names {
		if strings.HasPrefix(n, name+"-") {
			return fmt.Sprintf("; is .[%q] meant? A minus subtracts", n)
		}
	}
	if near := spelling.Nearest(name, slices.Concat(p.names, besides)); near != "" {
		return fmt.Sprintf("; is .%s meant?", near)
	}
	if len(p.names) == 0 {
		return "; there are none, but " + allowed
	}
	return "; there are: " + strings.Join(p.names, ", ") + ", " + allowed
}

// add connects a program to its sources and runs it once, so that its result exists at once. `codes` lists all jq programs of n.
func (p *Programs) add(n *program, key string, codes ...*extract.Program) (*provider.Cell, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if old, ok := p.same[key]; ok {
		return old.cell, nil
	}
	for _, code := range codes {
		keys, all := code.Reads()
		if all {
			keys = p.names
		}
		for _, name := range keys {
			if err := p.subscribe(n, name, codes); err != nil {
				return nil, err
			}
		}
	}
	n.cell = provider.NewCell(nil)
	p.same[key], p.programs = n, append(p.programs, n)
	from := make([]*provider.Cell, 0, len(n.reads))
	for _, s := range n.reads {
		s.readers = append(s.readers, n)
		from = append(from, s.cell)
	}
	n.cell.MadeOf(from...)
	p.run(context.Background(), n, p.now())
	return n.cell, nil
}

// subscribe makes a program run after each change of the value with the given name. If the program reads only some entries of this value,
// it runs only after changes of these entries.
func (p *Programs) subscribe(n *program, name string, codes []*extract.Program) error {
	switch {
	case name == Second:
		n.clock = time.Second
		return nil
	case name == Now:
		if n.clock == 0 {
			n.clock = time.Minute
		}
		return nil
	}
	for _, entry := range entries(name, codes) {
		cell, ok, err := p.part(name, entry, n.place)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		n.read(p.source(name, entry, cell))
	}
	if slices.ContainsFunc(n.reads, func(s *source) bool { return s.name == name }) {
		return nil
	}
	if cell, known := p.find(name); known {
		n.read(p.source(name, "", cell))
	}
	return nil
}

// entries() lists the entries that programs read from the value with the given name. It returns nil if a program may read the whole
// value.
func entries(name string, codes []*extract.Program) (list []string) {
	for _, code := range codes {
		keys, all := code.Reads()
		if !all && !slices.Contains(keys, name) {
			continue
		}
		parts, ok := code.Parts(name)
		if !ok {
			return nil
		}
		list = append(list, parts...)
	}
	return list
}

// source returns the source for a cell. If the source does not exist, the function creates the source.
func (p *Programs) source(name, entry string, cell *provider.Cell) *source {
	key := name + "\x00" + entry
	s, ok := p.sources[key]
	if !ok {
		s = &source{name: name, entry: entry, cell: cell, seen: cell.Load()}
		p.sources[key] = s
	}
	return s
}

// read adds a source to the sources that the program reads.
func (n *program) read(s *source) {
	if !slices.Contains(n.reads, s) {
		n.reads = append(n.reads, s)
	}
}

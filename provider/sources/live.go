package sources

import (
	"fmt"
	"slices"
	"strings"

	"dashboard/internal/extract"
	"dashboard/provider"
	"dashboard/provider/document"
	"dashboard/provider/file"
	"dashboard/provider/live"
	"dashboard/provider/query"
)

// Live returns a cell with the result of a jq program that reads the values of providers by their names. The result is updated after each
// change of a value that the program reads. An error in the program's text is reported at the configuration key `key`. If the running
// program fails, the value is null with an error.
func (s *Sources) Live(a query.Asker, key, code string) (*provider.Cell, bool) {
	s = s.of(a)
	p, ok := s.compiled(a, key, code)
	if !ok {
		return nil, false
	}
	s.tellParts(a, key, p)
	cell, err := s.programs().Add(p, provider.Place{At: a.Pos, What: a.Kind})
	if err != nil {
		a.Errorf(key, "%v", err)
		return nil, false
	}
	return cell, true
}

// LiveItem is like Live for a program that reads an entry of a list as .item, and the index of the entry as .index. The last element of
// `in` identifies this entry. Several elements mean nested lists: the program of each element except the first reads the previous entry
// as .item.
func (s *Sources) LiveItem(a query.Asker, key, code string, in []query.Entry) (*provider.Cell, bool) {
	s = s.of(a)
	p, ok := s.compiled(a, key, code)
	path, sound := s.entered(a, in)
	if !ok || !sound {
		return nil, false
	}
	s.tellParts(a, key, p)
	cell, err := s.programs().AddItem(p, path, provider.Place{At: a.Pos, What: a.Kind})
	if err != nil {
		a.Errorf(key, "%v", err)
		return nil, false
	}
	return cell, true
}

// Rows returns a cell with rows for a list. The program `items` returns the list. The programs `fields` run for each of the list's first
// entries. `most` is the maximum number of these entries. The programs read the entry as .item and the entry's index as .index. If the
// list is inside entries of other lists, `in` identifies these entries, as it does for LiveItem.
func (s *Sources) Rows(a query.Asker, key, items string, most int, fields []string, in []query.Entry) (rows provider.Typed[live.Rows], ok bool) {
	s = s.of(a)
	list, ok := s.compiled(a, key, items)
	path, sound := s.entered(a, in)
	ok = ok && sound
	all := make([]*extract.Program, len(fields))
	for i, code := range fields {
		at := key
		if i < len(a.Fields) {
			at = a.Fields[i]
		}
		if all[i], sound = s.compiled(a, at, code); !sound {
			ok = false
			continue
		}
		s.tellParts(a, at, all[i])
		if err := s.programs().CheckField(all[i]); err != nil {
			a.Errorf(at, "%v", err)
			ok = false
		}
	}
	if !ok {
		return rows, false
	}
	s.tellParts(a, key, list)
	cell, err := s.programs().AddRows(list, most, all, path, provider.Place{At: a.Pos, What: a.Kind})
	if err != nil {
		a.Errorf(key, "%v", err)
		return rows, false
	}
	return provider.Typed[live.Rows]{Cell: cell}, true
}

// File returns a cell with the text of a file. The text is updated when the file changes. If the file is unreadable, the sample has an
// error.
func (s *Sources) File(a query.Asker, key, path string) (*provider.Cell, bool) {
	s = s.of(a)
	p, err := file.New(file.Params{Path: path, Parse: document.Text}, s.Files)
	if err != nil {
		a.Errorf(key, "%v", err)
		return nil, false
	}
	return s.add(a, fmt.Sprintf("text of %s %q", rootKey(s.Files), path), p), true
}

// Problems lists the programs whose latest run failed, and their positions. Status pages show this list.
func (s *Sources) Problems() []live.Problem {
	var all []live.Problem
	for _, in := range s.all() {
		if in.live != nil {
			all = append(all, in.live.Problems()...)
		}
	}
	return all
}

// Doubts lists the programs that fail or read missing keys, and their positions. See live.Programs.Doubts.
func (s *Sources) Doubts() []live.Problem {
	var all []live.Problem
	for _, in := range s.all() {
		if in.live != nil {
			all = append(all, in.live.Doubts()...)
		}
	}
	return all
}

// programs() returns the jq programs of this generation. At the first call, it adds them to the set of providers, so that they run.
func (s *Sources) programs() *live.Programs {
	if s.live == nil {
		s.live = live.New(s.set.Named, s.part, s.set.Names())
		if s.Now != nil {
			s.live.At(s.Now)
		}
		s.set.Add(fmt.Sprintf("live %p", s.live), s.live)
	}
	return s.live
}

// part returns the cell of one entry in the mapping of a provider.
func (s *Sources) part(name, entry string, at provider.Place) (*provider.Cell, bool, error) {
	if in, ok := s.set.(scopedSet); ok {
		return in.Part(name, entry, at)
	}
	return provider.Part(s.set, name, entry, at)
}

// entered() compiles the programs of the surrounding lists. An error is reported at the widget itself.
func (s *Sources) entered(a query.Asker, in []query.Entry) (path []live.Entry, ok bool) {
	for _, e := range in {
		p, ok := s.compiled(a, "", e.Items)
		if !ok {
			return nil, false
		}
		path = append(path, live.Entry{Items: p, Index: e.Index})
	}
	return path, true
}

// compiled() compiles a program. It reports an error at the configuration key `key`.
func (s *Sources) compiled(a query.Asker, key, code string) (*extract.Program, bool) {
	p, err := extract.Compile(code)
	if err != nil {
		a.Errorf(key, "%v%s", err, s.dotless(code))
	}
	return p, err == nil
}

// dotless() returns a hint for a program that begins with the name of a provider without the dot before it.
func (s *Sources) dotless(code string) string {
	name, _, _ := strings.Cut(strings.TrimSpace(code), ".")
	if slices.Contains(s.set.Names(), name) {
		return fmt.Sprintf("; a value begins with a dot: .%s", strings.TrimSpace(code))
	}
	return ""
}

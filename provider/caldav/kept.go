package caldav

import (
	"net/url"
	"time"
)

// A State is the form in which the calendars of a server are stored.
type State struct {
	URL, Depth  string
	Collections []Kept
}

// Kept is one calendar of a State.
type Kept struct {
	URL, Mark string
	To        time.Time
	Texts     []string
	Refs      []string `json:",omitempty"`
	Tasks     bool     `json:",omitempty"` // whether the calendar can contain tasks
	Color     string   `json:",omitempty"`
}

// State returns the calendars in the form for storing.
func (s *Server) State() State { return s.Snapshot()() }

// Snapshot returns a function that returns the present calendars in the form for storing. Any goroutine may call that function.
func (s *Server) Snapshot() func() State {
	at, all := s.place, s.all
	return func() State { return stateOf(at, all) }
}

func stateOf(at place, all []collection) State {
	v := State{URL: at.url, Depth: at.depth}
	for _, c := range all {
		k := Kept{URL: c.url, Mark: c.mark, To: c.to, Color: c.color, Refs: c.refs, Tasks: c.has.tasks}
		for _, t := range c.texts {
			k.Texts = append(k.Texts, string(t))
		}
		v.Collections = append(v.Collections, k)
	}
	return v
}

// Restore restores stored calendars. It ignores calendars of another server.
func (s *Server) Restore(v State) {
	s.place, s.all = place{}, nil
	if v.URL == "" || !s.mine(v.URL) {
		return
	}
	s.place = place{v.URL, v.Depth}
	for _, k := range v.Collections {
		if !s.mine(k.URL) {
			continue
		}
		c := collection{url: k.URL, mark: k.Mark, to: k.To, color: plainColor(k.Color), has: kinds{tasks: k.Tasks}}
		for i, t := range k.Texts {
			c.texts, c.refs = append(c.texts, []byte(t)), append(c.refs, "")
			if i < len(k.Refs) && s.mine(k.Refs[i]) {
				c.refs[i] = k.Refs[i]
			}
		}
		s.all = append(s.all, c)
	}
}

// mine() reports whether an address is on the configured server.
func (s *Server) mine(raw string) bool {
	u, err := url.Parse(raw)
	return err == nil && s.home(u)
}

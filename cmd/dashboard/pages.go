package main

import "time"

// mainPage is what the outermost widget with pages of the main view shows, and what can be asked for; empty if it has none.
func (s *service) mainPage(now time.Time) (shown string, names []string) {
	v := s.main()
	if list := v.pages.List(now); len(list) > 0 {
		return list[0].Page, v.pages.Names()
	}
	return "", nil
}

package sources

import (
	"fmt"
	"slices"
	"strings"

	"dashboard/internal/spelling"
	"dashboard/provider"
	"dashboard/provider/ask"
	"dashboard/provider/calendar"
	"dashboard/provider/homeassistant"
	"dashboard/provider/query"
)

// makeCalendar makes a provider of calendars. The key identifies the definition, the wall's time zone, the folder of the calendar files,
// and the Home Assistant whose entities the provider reads.
func makeCalendar(d Deps, p *calendar.Params) (string, provider.Provider, error) {
	env := calendar.Env{Client: d.Client, Files: d.Files, Zone: d.Location, Sun: d.asking().Sun, Asking: d.asking(), Now: d.Now}
	env.Queues = d.Queues
	var home string
	if h := d.HomeAssistant; h != nil && p.OfHome() {
		at, err := homeassistant.NewHome(h.URL, h.URLSecret, h.Token, homeassistant.Deps{Client: d.Client, Sessions: d.Sessions})
		if err != nil {
			return "", nil, fmt.Errorf("homeassistant of conf.yaml: %w", err)
		}
		env.Home, home = at, at.Key()
	}
	c, err := calendar.New(*p, env)
	if err != nil {
		return "", nil, err
	}
	zone := ""
	if d.Location != nil {
		zone = d.Location.String()
	}
	return ask.Key("calendar", []any{p, zone, rootKey(d.Files), home}), c, nil
}

// Calendar returns the events and tasks of the provider of type calendar with the given name. If `name` is "", it uses the only provider of
// this type. `picked` has the names of the calendars to use. Errors about these names are reported at the key "calendars". If `need` is
// false, a missing provider is not an error.
func (s *Sources) Calendar(a query.Asker, name string, picked []string, need bool) (c provider.Typed[*calendar.Agenda], ok bool) {
	s = s.of(a)
	if !need && name == "" && len(picked) == 0 && len(s.ofKind("calendar")) == 0 {
		return c, false
	}
	if name, ok = s.madeName(a, "calendar", name); !ok {
		return c, false
	}
	c.Cell, ok = s.set.Named(name)
	p, _ := s.set.Provider(name)
	if all, is := p.(*calendar.Provider); is {
		known := all.Names()
		for _, n := range picked {
			if !slices.Contains(known, n) {
				a.Errorf("calendars", "'%s' has no calendar '%s'%s", name, n, meant(n, known))
			}
		}
	}
	return c, ok
}

// meant() returns a hint for an unknown name: the most similar name, or all names.
func meant(name string, known []string) string {
	if near := spelling.Nearest(name, known); near != "" {
		return fmt.Sprintf("; is '%s' meant?", near)
	}
	return "; there are: " + strings.Join(known, ", ")
}

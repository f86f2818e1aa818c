package sources

import (
	"dashboard/provider"
	"dashboard/provider/ask"
	"dashboard/provider/calendar"
)

// makeCalendar makes a provider of calendars. Its definition is told apart by its keys, the wall's zone and the folder of its files.
func makeCalendar(d Deps, p *calendar.Params) (string, provider.Provider, error) {
	c, err := calendar.New(*p, calendar.Env{Client: d.Client, Files: d.Files, Zone: d.Location})
	if err != nil {
		return "", nil, err
	}
	zone := ""
	if d.Location != nil {
		zone = d.Location.String()
	}
	return ask.Key("calendar", []any{p, zone, rootKey(d.Files)}), c, nil
}

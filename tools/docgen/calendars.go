package main

import (
	"context"
	"errors"
	"time"

	"dashboard/config"
	"dashboard/provider"
	"dashboard/provider/calendar"
)

// An agenda is a provider of what is in the household's calendars at the moment of the pictures.
type agenda struct{ entries []calendar.Entry }

// agendaOf reads the definition of a provider of calendars.
func agendaOf(def *config.Provider) (agenda, bool) {
	var p calendar.Params
	ok := def.Decode(&p)
	return agenda{p.Calendars}, ok
}

// Kind is "calendar".
func (agenda) Kind() string { return "calendar" }

// Run publishes the agenda and keeps it.
func (a agenda) Run(ctx context.Context, cell *provider.Cell) error {
	var all []calendar.Calendar
	var texts [][]byte
	for i, e := range a.entries {
		text, err := homeFiles.ReadFile("home/" + e.Path)
		if err != nil {
			return errors.Join(errors.New("there is nothing recorded"), err)
		}
		if e.Color == "" {
			e.Color = []string{"series1", "series2", "series3"}[i%3]
		}
		all, texts = append(all, calendar.Calendar{Name: e.Name, Color: e.Color, Icon: e.Icon, Kind: e.Kind}), append(texts, text)
	}
	cell.Publish(calendar.Read(moment, time.UTC, all, texts), time.Now())
	<-ctx.Done()
	return nil
}

package main

import (
	"time"

	"dashboard/provider/calendar"
)

// agenda returns the content of the calendars of the home at the time that the pictures show.
func agenda(entries []calendar.Entry) (any, error) {
	var all []calendar.Calendar
	var texts [][]byte
	for i, e := range entries {
		text, err := homeFiles.ReadFile("home/" + e.Path)
		if err != nil {
			return nil, err
		}
		if e.Color == "" {
			e.Color = []string{"series1", "series2", "series3"}[i%3]
		}
		all, texts = append(all, calendar.Calendar{Name: e.Name, Color: e.Color, Icon: e.Icon, Kind: e.Kind}), append(texts, text)
	}
	return calendar.Read(moment, time.UTC, all, texts), nil
}

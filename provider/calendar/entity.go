package calendar

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"dashboard/internal/fetch"
	"dashboard/provider/ical"
)

// A Home creates requests for the events of an entity in Home Assistant.
type Home interface {
	Key() string
	Calendar(id string, from, to time.Time) (fetch.Request, error)
}

// maxEntityEvents is the maximum number of events of one entity.
const maxEntityEvents = 5000

// An entityEvent is an event in an answer of Home Assistant. Each occurrence of a series is a separate event.
type entityEvent struct {
	Start, End  entityTime
	Summary     string
	Description string
	Location    string
}

// An entityTime is a date or a time in an answer of Home Assistant.
type entityTime struct {
	Date     string `json:"date"`
	DateTime string `json:"dateTime"`
}

// ask requests the events of an entity. It stores the events as an iCalendar text, so that they are processed like the events of all
// other calendars.
func (c *source) ask(ctx context.Context, client *fetch.Client, from, to time.Time) error {
	req, err := c.home.Calendar(c.entity, from, to)
	if err != nil {
		return err
	}
	req.MaxBytes, req.Timeout = ical.MaxBytes, c.timeout
	resp, err := client.Do(ctx, &req)
	if err != nil {
		return err
	}
	defer resp.Release()
	if err := resp.Check(); err != nil {
		return fmt.Errorf("%s: %w", c.entity, err)
	}
	text, err := calendarOf(resp.Body)
	if err != nil {
		return fmt.Errorf("%s: %w", c.entity, err)
	}
	c.texts = [][]byte{text}
	return nil
}

var errEvents = errors.New("the answer is not a list of events")

// calendarOf converts a list of events to an iCalendar text (RFC 5545). It ignores events whose time is unreadable.
func calendarOf(data []byte) ([]byte, error) {
	var list []entityEvent
	if json.Unmarshal(data, &list) != nil || list == nil {
		return nil, errEvents
	}
	if len(list) > maxEntityEvents {
		return nil, fmt.Errorf("more than %d events", maxEntityEvents)
	}
	var b bytes.Buffer
	b.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
	for i, e := range list {
		start, ok := e.Start.line("DTSTART")
		if !ok {
			continue
		}
		end, _ := e.End.line("DTEND")
		fmt.Fprintf(&b, "BEGIN:VEVENT\r\nUID:%d\r\n%s%sSUMMARY:%s\r\nDESCRIPTION:%s\r\nLOCATION:%s\r\nEND:VEVENT\r\n",
			i, start, end, escaped.Replace(e.Summary), escaped.Replace(e.Description), escaped.Replace(e.Location))
	}
	b.WriteString("END:VCALENDAR\r\n")
	return b.Bytes(), nil
}

// escaped escapes the special characters of a text (RFC 5545, section 3.3.11).
var escaped = strings.NewReplacer("\\", "\\\\", ";", "\\;", ",", "\\,", "\r\n", "\\n", "\n", "\\n", "\r", "\\n", "\x00", "")

// line returns an iCalendar property with the time. ok is false if there is no time.
func (t entityTime) line(name string) (string, bool) {
	if at, err := time.Parse(time.RFC3339, t.DateTime); err == nil {
		return name + ":" + at.UTC().Format("20060102T150405Z") + "\r\n", true
	}
	if day, err := time.Parse(time.DateOnly, t.Date); err == nil {
		return name + ";VALUE=DATE:" + day.Format("20060102") + "\r\n", true
	}
	return "", false
}

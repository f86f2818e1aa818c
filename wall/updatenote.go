package wall

import (
	"fmt"
	"reflect"
	"time"

	"dashboard/appliance/about"
	"dashboard/appliance/startscreen"
)

const (
	// runsTime is the time for which the wall shows that a new release runs.
	runsTime = time.Minute
	// keptTime is the maximum time for which the note about a failed release is shown. If a person is near for nearTime, the note ends
	// earlier.
	keptTime = 24 * time.Hour
	nearTime = time.Minute
)

// showUpdate shows the note about a running update, a new release or a failed release.
func (s *Service) showUpdate(now time.Time) {
	u := s.update.Load()
	if u == nil {
		return
	}
	s.seenUpdate(u, now)
	says := updateNote(u, now)
	if says != nil && says.Card && s.note.Now.Load() != nil {
		says = nil // the other note, which contains the address, has priority
	}
	if !reflect.DeepEqual(says, s.note.Update.Load()) {
		s.note.Update.Store(says)
		s.redraw()
	}
}

// updateNote returns the note about an update. If there is nothing to show, it returns nil.
func updateNote(u *about.Update, now time.Time) *startscreen.Update {
	switch {
	case u.Phase == about.Trial:
		return running(u, "restart", "the wall returns in a moment")
	case u.Phase == about.Write || u.Phase == about.Check:
		return running(u, "progress-download", "the wall keeps running")
	case !u.Painted.IsZero() && recent(now, u.Painted, runsTime):
		return &startscreen.Update{
			Icon: "check-circle", Role: "good", Title: u.Version + " runs", Text: []string{"the update is done"}, Percent: -1,
		}
	case u.Failed != "" && !u.Seen && recent(now, u.At, keptTime):
		at := u.At.Local()
		return &startscreen.Update{
			Icon: "backup-restore", Role: "warn", Title: "Still on " + u.Version, Card: true, Percent: -1,
			At: fmt.Sprintf("%d:%02d", at.Hour(), at.Minute()), Text: []string{
				fmt.Sprintf("%s %s, so %s came back.", u.Failed, u.Why, u.Version),
				fmt.Sprintf("Nothing was lost. %s is not tried again.", u.Failed),
			},
		}
	}
	return nil
}

// running() returns the note about a running update.
func running(u *about.Update, icon, text string) *startscreen.Update {
	return &startscreen.Update{Icon: icon, Role: "accent", Title: "Updating to " + u.Latest, Text: []string{text}, Percent: u.Percent}
}

// recent() reports whether the times `at` and `now` differ by less than `limit`. After a large change of the clock, `at` is not recent.
func recent(now, at time.Time, limit time.Duration) bool { return now.Sub(at).Abs() < limit }

// seenUpdate ends the note about a failed release when a person has been near for nearTime. Otherwise it ends the note nearTime before
// keptTime is over. To end the note, seenUpdate sends the keeper the message that a person has seen the note.
func (s *Service) seenUpdate(u *about.Update, now time.Time) {
	note := s.note.Update.Load()
	if note == nil || !note.Card {
		s.nearSince = now
		return
	}
	if !s.main().Near() {
		s.nearSince = now
	}
	if s.told == u.Failed || now.Sub(s.nearSince) < nearTime && now.Sub(u.At).Abs() < keptTime-nearTime {
		return
	}
	s.told = u.Failed // send the request once, even if the keeper does not answer
	s.askSeen()
}

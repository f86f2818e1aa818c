package wall

import (
	"context"
	"crypto/rand"
	"fmt"
	"reflect"
	"time"

	"dashboard/appliance/about"
	"dashboard/appliance/startscreen"
	"dashboard/config"
	"dashboard/internal/state"
	"dashboard/wall/address"
	"dashboard/wall/note"
)

const (
	// noteTime is the time for which the note about the appliance's state is shown after the start.
	noteTime = 2 * time.Minute
	// notePause is the interval at which the machine's state is read.
	notePause = 2 * time.Second
	// networkTime is the time without a network after which the note about the appliance's state is shown again. A slow board finds its
	// network interfaces late, so the note reports missing interfaces only when this time has passed since the start.
	networkTime = time.Minute
	// maxTolerated is the maximum number of tolerated errors that the note lists. A tolerated error
	// concerns a part of the files, and the rest of the wall still works.
	maxTolerated = 3
	// tokenKind is the kind of the token's file in the state folder.
	tokenKind = "control-token"
)

// A tolerance lists the errors of a configuration that was loaded despite these errors.
type tolerance struct {
	lines []string
	at    time.Time
}

// tolerate adds the tolerated errors of the files, such as a source that cannot be requested, to the note about the appliance's state.
// Without the note, nothing would explain the missing values.
func (s *Service) tolerate(r *config.Report) {
	t := &tolerance{at: time.Now()}
	for _, d := range r.Diagnostics() {
		if d.Code == config.CodeTolerated {
			t.lines = append(t.lines, d.String())
		}
	}
	if more := len(t.lines) - maxTolerated; more > 0 {
		t.lines = append(t.lines[:maxTolerated], fmt.Sprintf("and %d more", more))
	}
	s.tolerated.Store(t)
}

// runNote shows two kinds of notes on the screens of this machine. A note of the first kind contains the code of a device that requests
// access. A note of the second kind contains the state and the address of an appliance. It is shown after the start, after a load with
// tolerated errors, and while there is a problem. Streams, files and uploads do not contain the notes, because the QR code of a note
// contains a token.
func (s *Service) runNote(ctx context.Context) {
	facts, appliance := about.Read(s.builder.Machine)
	tick := time.NewTicker(notePause)
	defer tick.Stop()
	connected := time.Now()
	var shown *startscreen.Content
	for {
		now := time.Now()
		var says *startscreen.Content
		if appliance {
			says = s.stateNote(facts, now, &connected)
		}
		if a := s.askedToEdit.Load(); a != nil && now.Before(a.until) {
			says = &a.Content
		}
		if !reflect.DeepEqual(says, shown) {
			shown = says
			s.note.Now.Store(says)
			s.redraw()
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// stateNote returns the note about an appliance's state, or nil if there is nothing to show. It updates `connected`, the last time at
// which the machine had a network.
func (s *Service) stateNote(facts about.Facts, now time.Time, connected *time.Time) *startscreen.Content {
	m := s.machine(facts, now)
	if _, ok := note.Reached(m.Interfaces); ok {
		*connected = now
	}
	begins := now.Sub(s.started) < noteTime
	if !begins {
		m.Token = ""
	}
	read := s.tolerated.Load()
	begins = begins || read != nil && len(read.lines) > 0 && now.Sub(read.at) < noteTime
	if !begins && len(m.Wrong) == 0 && now.Sub(*connected) < networkTime {
		return nil
	}
	c := note.Of(m)
	return &c
}

// machine reads the state that the note about the appliance describes.
func (s *Service) machine(facts about.Facts, now time.Time) note.Machine {
	m := note.Machine{
		Facts: facts, Wrong: about.Wrong(s.builder.Machine), Interfaces: address.Interfaces(),
		Starting: now.Sub(s.started) < networkTime, TimeSet: s.builder.TimeSet.Load(), Listen: s.web.listening(),
		Mistake: s.problem.Load() != nil,
	}
	if t := s.tolerated.Load(); t != nil {
		m.Tolerated = t.lines
	}
	if token := s.ownToken; token != nil && !s.web.hasToken() {
		m.Token = *token
	}
	return m
}

// redraw redraws all windows.
func (s *Service) redraw() {
	for _, v := range s.all() {
		v.Outs.Redraw()
	}
}

// makeToken loads or creates the control token of an appliance, which is used if conf.yaml has no token. The screen shows this token, so
// a person in front of the screen can use it, and other hosts in the network cannot. If possible, a new token is stored for the next
// start.
func (s *Service) makeToken() error {
	if _, ok := about.Read(s.builder.Machine); !ok {
		return nil
	}
	token, err := ownToken(s.store)
	s.ownToken = &token
	return err
}

// ownToken returns the stored token, or a new token.
func ownToken(store *state.Store) (string, error) {
	const least = 20 // minimum length; 20 letters of rand.Text contain 100 random bits
	if data, ok := store.Load(tokenKind, ""); ok && len(data) >= least {
		return string(data), nil
	}
	token := rand.Text()
	if err := store.Save(tokenKind, "", []byte(token)); err != nil {
		return token, fmt.Errorf("the token for control is another one at the next start: %w", err)
	}
	return token, nil
}

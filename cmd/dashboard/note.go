package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"time"

	"dashboard/appliance/about"
	"dashboard/appliance/startscreen"
	"dashboard/config"
	"dashboard/internal/qrcode"
	"dashboard/internal/state"
	"dashboard/wall/address"
)

const (
	// noteTime is how long the note stays after the start.
	noteTime = 2 * time.Minute
	// notePause is between two looks at what it tells.
	notePause = 2 * time.Second
	// networkTime is how long there may be no network before the note comes back for it, and how long after the start a slow
	// board may still be looking for its cables and radios: until then the note does not say that there are none.
	networkTime = time.Minute
	// maxTolerated bounds the lines about mistakes in the files that leave the rest of the wall.
	maxTolerated = 3
	// tokenKind is the kind of the token's file in the state folder.
	tokenKind = "control-token"
)

// A machine is what the note tells of.
type machine struct {
	facts      about.Facts
	wrong      []string
	tolerated  []string // mistakes in the files that leave the rest of the wall
	interfaces []address.Interface
	starting   bool // what is not there may still come: drivers are loaded beside the wall
	timeSet    bool
	listen     string // host and port of the server; "" without one
	token      string // for control; "" when it is no longer told
	mistake    bool   // the lower edge of the wall shows a mistake in the files
}

// noteOf is what the note says of a machine.
func noteOf(m machine) startscreen.Content {
	c := startscreen.Content{Name: cmp.Or(m.facts.Name, "dashboard"), Version: "Dashboard " + m.facts.Version, Top: m.mistake}
	c.Lines = append(c.Lines, networkLine(m))
	host, port, err := net.SplitHostPort(m.listen)
	if addr, ok := reached(m.interfaces); err == nil && ok && open(host) {
		c.Lines = append(c.Lines, startscreen.Line{Icon: "web", Text: net.JoinHostPort(c.Name+".local", port)})
		url := "http://" + net.JoinHostPort(addr.String(), port) + "/"
		if m.token != "" {
			url += "#token=" + m.token
		}
		c.Code, _ = qrcode.Encode(url) // an address is never too long
	}
	if m.timeSet {
		c.Lines = append(c.Lines, startscreen.Line{Icon: "clock-check-outline", Role: "good", Text: "The time is set"})
	} else {
		c.Lines = append(c.Lines, startscreen.Line{Icon: "clock-alert-outline", Role: "warn", Text: "The time is not set yet: no time server has answered"})
	}
	for _, w := range m.wrong {
		c.Lines = append(c.Lines, startscreen.Line{Icon: "alert-circle", Role: "bad", Text: w})
	}
	for _, p := range slices.Concat(m.facts.Problems, m.tolerated) {
		c.Lines = append(c.Lines, startscreen.Line{Icon: "alert", Role: "warn", Text: p})
	}
	return c
}

// open reports whether a server that listens at a host answers to others.
func open(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "" || err == nil && !addr.IsLoopback()
}

// reached is the address by which others reach the machine.
func reached(list []address.Interface) (netip.Addr, bool) {
	if len(list) == 0 || len(list[0].Addrs) == 0 {
		return netip.Addr{}, false
	}
	return list[0].Addrs[0], true
}

// networkLine tells of the network.
func networkLine(m machine) startscreen.Line {
	line := startscreen.Line{Icon: "lan-disconnect", Role: "warn"}
	first := address.Interface{}
	if len(m.interfaces) > 0 {
		first = m.interfaces[0]
	}
	switch {
	case len(first.Addrs) > 0:
		line.Icon, line.Role, line.Text = "lan-connect", "good", first.Addrs[0].String()
		if first.Wireless() {
			line.Icon = "wifi"
		}
	case first.Up:
		line.Text = "No address yet: the network gives none"
	case len(m.facts.Networks) > 0:
		line.Icon, line.Text = "wifi-off", "Not in the network yet: looking for "+strings.Join(m.facts.Networks, ", ")
	case m.starting:
		line.Text = "No network yet: looking for a cable and a radio"
	case len(m.interfaces) == 0:
		line.Text = "No network: no cable and no radio seen yet"
	default:
		line.Text = "No network: no cable seen yet, and settings.txt names no wifi_name"
	}
	return line
}

// A tolerance is what a load found wrong and went on with.
type tolerance struct {
	lines []string
	at    time.Time
}

// tolerate has the note tell of the mistakes in the files that leave the rest of the wall, such as a source that cannot be asked:
// its values are missing without a word.
func (s *service) tolerate(r *config.Report) {
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

// runNote shows on the screens of an appliance what it is and by which address it is reached: after the start, after files with
// a mistake in them were read, and whenever something is wrong. Streams, files and uploads do not have it: a token is in its code.
func (s *service) runNote(ctx context.Context) {
	facts, ok := about.Read(s.builder.Machine)
	if !ok {
		return
	}
	tick := time.NewTicker(notePause)
	defer tick.Stop()
	connected := time.Now()
	var shown *startscreen.Content
	for {
		now := time.Now()
		m := s.machine(facts, now)
		if _, ok := reached(m.interfaces); ok {
			connected = now
		}
		begins := now.Sub(s.started) < noteTime
		if !begins {
			m.token = ""
		}
		read := s.tolerated.Load()
		begins = begins || read != nil && len(read.lines) > 0 && now.Sub(read.at) < noteTime
		var says *startscreen.Content
		if begins || len(m.wrong) > 0 || now.Sub(connected) >= networkTime {
			c := noteOf(m)
			says = &c
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

// machine looks at what the note tells of.
func (s *service) machine(facts about.Facts, now time.Time) machine {
	m := machine{
		facts: facts, wrong: about.Wrong(s.builder.Machine), interfaces: address.Interfaces(),
		starting: now.Sub(s.started) < networkTime, timeSet: s.builder.TimeSet.Load(), listen: s.web.listening(),
		mistake: s.problem.Load() != nil,
	}
	if t := s.tolerated.Load(); t != nil {
		m.tolerated = t.lines
	}
	if token := s.ownToken; token != nil && !s.web.hasToken() {
		m.token = *token
	}
	return m
}

// redraw has every window drawn again.
func (s *service) redraw() {
	for _, v := range s.all() {
		v.Outs.Redraw()
	}
}

// makeToken gives an appliance a token for control of its own, which is asked for where conf.yaml has none: whoever stands
// before the screen can read it there, others in the network cannot. It is kept for the next start, where that is possible.
func (s *service) makeToken() error {
	if _, ok := about.Read(s.builder.Machine); !ok {
		return nil
	}
	token, err := ownToken(s.store)
	s.ownToken = &token
	return err
}

// ownToken is the token that is kept, or a new one.
func ownToken(store *state.Store) (string, error) {
	const least = 20 // letters of rand.Text: 100 bits
	if data, ok := store.Load(tokenKind, ""); ok && len(data) >= least {
		return string(data), nil
	}
	token := rand.Text()
	if err := store.Save(tokenKind, "", []byte(token)); err != nil {
		return token, fmt.Errorf("the token for control is another one at the next start: %w", err)
	}
	return token, nil
}

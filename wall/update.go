package wall

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"dashboard/appliance/about"
	"dashboard/control"
	"dashboard/control/device"
	"dashboard/server"
	"dashboard/wall/fact"
)

// updatePause is the time between two reads of the state of updates. It is short, because the state changes with each part of a download.
const updatePause = time.Second

// runUpdates reads the state of updates on an appliance until ctx ends.
func (s *Service) runUpdates(ctx context.Context) {
	if _, ok := about.Read(s.builder.Machine); !ok {
		return
	}
	tick := time.NewTicker(updatePause)
	defer tick.Stop()
	for {
		u, ok := about.ReadUpdate(s.builder.Machine)
		if old := s.update.Load(); ok && (old == nil || !reflect.DeepEqual(*old, u)) {
			s.update.Store(&u)
		}
		s.showUpdate(time.Now())
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// `asks` maps the argument `action` of the verb `update` to the request for the keeper, the program that installs updates.
var asks = map[string]about.Ask{
	"check": {Do: about.DoCheck}, "install": {Do: about.DoNow}, "back": {Do: about.DoBack},
	"stable": {Do: about.DoChannel, Value: "stable"}, "beta": {Do: about.DoChannel, Value: "beta"}, "off": {Do: about.DoChannel, Value: "off"},
}

// askKeeper performs the verb update: it sends the request to the appliance's keeper.
func (s *Service) askKeeper(_ context.Context, a control.Action) (control.Result, error) {
	ask := asks[a.Args.Text("action")]
	switch window := a.Args.Text("window"); {
	case s.update.Load() == nil:
		return nil, control.ErrNoUpdates
	case window != "":
		ask = about.Ask{Do: about.DoWindow, Value: window}
	case ask.Do == "":
		return nil, errNoAction
	}
	return nil, about.Send(cmp.Or(s.opts.AskSocket, askSocket), ask)
}

// askSeen sends the appliance's keeper the message that a person has seen the note about a failed update.
func (s *Service) askSeen() {
	if err := about.Send(cmp.Or(s.opts.AskSocket, askSocket), about.Ask{Do: about.DoSeen}); err != nil {
		s.log.Warn("cannot end the note about an update", "error", err)
	}
}

// errNoAction means that a request to the verb update has no valid action and no window.
var errNoAction = errors.New("'action' or 'window' is missing")

// updateState returns the state of updates for the page. On a machine without updates it returns nil. The caller must not change the
// result.
func (s *Service) updateState() any {
	if u := s.update.Load(); u != nil {
		return u
	}
	return nil
}

// updateHealth returns the state of updates for /healthz.
func (s *Service) updateHealth(now time.Time) any {
	u := s.update.Load()
	if u == nil {
		return nil
	}
	orNull := func(text string) any {
		if text == "" {
			return nil
		}
		return text
	}
	return map[string]any{
		"version": u.Version, "channel": u.Channel, "latest": orNull(u.Latest), "ready": u.Ready, "phase": orNull(u.Phase), "percent": u.Percent,
		"problem": orNull(u.Problem), "warning": orNull(u.Warning), "failed": orNull(u.Failed), "back": orNull(u.Back),
		"seconds_since_asked": fact.Age(now, u.Asked),
	}
}

// updateMeasures calls `yield` with the metrics of updates.
func (s *Service) updateMeasures(yield func(string, float64) bool) bool {
	u := s.update.Load()
	if u == nil {
		return true
	}
	return yield(server.MetricName("dashboard_update_info", "version", u.Version, "channel", u.Channel), 1) &&
		yield("dashboard_update_ready", fact.Truth(u.Ready)) &&
		yield("dashboard_update_running", fact.Truth(u.Phase != "")) &&
		yield("dashboard_update_percent", float64(u.Percent)) &&
		yield("dashboard_update_refused", fact.Truth(u.Problem != "")) &&
		yield("dashboard_update_given_up", fact.Truth(u.Failed != "")) &&
		(u.Asked.IsZero() || yield("dashboard_update_asked_seconds", time.Since(u.Asked).Seconds()))
}

// updateOnBroker returns the state of updates for a broker. On a machine without updates it returns nil.
func (s *Service) updateOnBroker() *device.Update {
	u := s.update.Load()
	if u == nil {
		return nil
	}
	return &device.Update{
		Installed: u.Version, Latest: cmp.Or(u.Latest, u.Version),
		Summary: strings.Join(u.Notes, "\n"), Running: u.Phase != "", Percent: u.Percent,
	}
}

// askSocket is the path of the socket on which the appliance's keeper receives requests.
var askSocket = filepath.Join("/", about.AskSocket)

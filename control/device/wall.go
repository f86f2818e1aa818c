package device

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"dashboard/control"
	"dashboard/control/notify"
	"dashboard/control/verb"
)

// wall is a view on the broker. Only the goroutine of run uses it.
type wall struct {
	*run
	Wall
	first    bool   // true for the main view
	id, base string // id of the device of the wall and prefix of its topics
	had      map[string]component
	ends     []func() // ends its subscriptions
	painted  time.Time
	frames   uint64 // number of painted frames when the latest picture was taken
	pictured time.Time
	message  []byte // latest text of text/set, nil before the first
}

// maxMessage is the maximum length of the text that text/set repeats, in characters, because Home Assistant limits states to this
// length.
const maxMessage = 255

// join subscribes to the commands of a view.
func (r *run) join(view string, first bool) *wall {
	w := &wall{run: r, first: first, id: r.ID, base: r.Base}
	if !first {
		w.id, w.base = r.ID+"_"+view, r.Base+"_"+view
	}
	for _, f := range filters(first) {
		w.ends = append(w.ends, r.conn.Subscribe(w.topic(f), r.take, r.connection))
	}
	return w
}

// filters returns the topics of commands below the prefix of a wall.
func filters(first bool) []string {
	all := []string{"+/set"}
	for _, v := range verb.All() {
		for _, t := range v.Topics {
			if !strings.HasSuffix(t.Name, "/set") && (first || !v.Whole) {
				all = append(all, t.Name)
			}
		}
	}
	return all
}

// leave ends the subscriptions.
func (w *wall) leave() {
	for _, end := range w.ends {
		end()
	}
	w.ends = nil
}

// gone removes a view from the broker after a reload removed it.
func (w *wall) gone(ctx context.Context) {
	for _, topic := range []string{w.config(), w.topic("state"), w.topic("theme"), w.topic("page"), w.topic("display"), w.topic("brightness"), w.topic("text")} {
		if len(w.said[topic]) > 0 {
			_ = w.conn.Publish(ctx, topic, nil, true) // without a connection the broker keeps the topic until the wall's next start
		}
		delete(w.said, topic)
	}
}

// config returns the discovery topic of the device.
func (w *wall) config() string { return "homeassistant/device/" + w.id + "/config" }

// topic returns a topic of the wall.
func (w *wall) topic(name string) string { return w.base + "/" + name }

// command returns the name of a topic below this wall's prefix.
func (w *wall) command(topic string) (string, bool) { return strings.CutPrefix(topic, w.base+"/") }

// publish publishes the state of the wall.
func (w *wall) publish(ctx context.Context, s Wall) {
	if s.Painted.Sub(w.painted) >= paintedEvery || s.Painted.Before(w.painted) {
		w.painted = s.Painted
	}
	state := map[string]any{"painted": nil}
	if !w.painted.IsZero() {
		state["painted"] = w.painted.UTC().Format(time.RFC3339)
	}
	if w.first {
		state["stale"] = w.now.Stale
		if w.now.Origin {
			state["revision"] = w.now.Revision
		}
		if known(w.now.Temperature) {
			state["temperature"] = math.Round(w.now.Temperature)
		}
		w.putJSON(ctx, "update", w.update())
	}
	w.putJSON(ctx, "state", state)
	if s.Theme != "" {
		w.put(ctx, w.topic("theme"), []byte(s.Theme))
	}
	if len(s.Pages) > 0 {
		w.put(ctx, w.topic("page"), []byte(s.Page))
	}
	if s.Screen {
		w.put(ctx, w.topic("display"), []byte(map[bool]string{true: "ON", false: "OFF"}[s.On]))
		level := 1.0 // full brightness if unchanged
		if s.Level >= 0 {
			level = s.Level
		}
		w.put(ctx, w.topic("brightness"), strconv.AppendInt(nil, int64(math.Round(level*100)), 10))
	}
	if w.message != nil {
		w.put(ctx, w.topic("text"), w.message)
	}
	w.show(ctx, s)
}

// maxSummary is the maximum length of a version's summary, in characters, because Home Assistant limits it.
const maxSummary = 255

// update returns the state of the version. It has a progress only during an installation.
func (w *wall) update() map[string]any {
	u := w.now.Update
	if u == nil {
		return map[string]any{"installed_version": w.Version, "latest_version": w.Version, "title": "dashboard"}
	}
	summary := []rune(u.Summary)
	state := map[string]any{
		"installed_version": u.Installed, "latest_version": u.Latest, "title": "dashboard", "in_progress": u.Running, "update_percentage": nil,
		"release_summary": string(summary[:min(len(summary), maxSummary)]),
	}
	if u.Running {
		state["update_percentage"] = u.Percent
	}
	return state
}

// putJSON publishes a retained object.
func (w *wall) putJSON(ctx context.Context, name string, v map[string]any) {
	data, err := json.Marshal(v)
	if err == nil { // texts, times and numbers always marshal
		w.put(ctx, w.topic(name), data)
	}
}

// show publishes the picture of the wall, if it changed. It is not retained.
func (w *wall) show(ctx context.Context, s Wall) {
	now := time.Now()
	if !w.Discovery || now.Sub(w.pictured) < pictureEvery || s.Frames == w.frames && !w.pictured.IsZero() {
		return
	}
	picture := w.Device.walls.Picture(ctx, s.View)
	if len(picture) == 0 || len(picture) > MaxPicture {
		return
	}
	if w.conn.Publish(ctx, w.topic("picture"), picture, false) == nil {
		w.frames, w.pictured = s.Frames, now
	}
}

// do runs a command.
func (w *wall) do(ctx context.Context, name string, payload []byte) error {
	v, t := command(name)
	if v == nil {
		return fmt.Errorf("there is no command %.40q", name)
	}
	said := payload
	if p := v.Param(t.Param); p != nil && p.Kind == verb.Body {
		payload = notify.Message(payload)
	}
	args, err := v.Payload(t, payload)
	if err != nil {
		return err
	}
	a := control.Action{By: control.Caller{Via: "mqtt"}, View: w.view(), Verb: v.Name, Args: args}
	if v.Whole {
		a.View = ""
	}
	_, err = w.doer.Do(ctx, a)
	if err == nil && name == "text/set" && plain(said) {
		w.message = said
	}
	return err
}

// command returns the verb for a topic below the wall's prefix, or nil.
func command(name string) (*verb.Verb, verb.Topic) {
	for _, v := range verb.All() {
		for _, t := range v.Topics {
			if t.Name == name {
				return &v, t
			}
		}
	}
	return nil, verb.Topic{}
}

// plain reports whether a payload is a text that is allowed as the state of an entity.
func plain(payload []byte) bool {
	return utf8.Valid(payload) && utf8.RuneCount(payload) <= maxMessage && !bytes.HasPrefix(bytes.TrimSpace(payload), []byte("{"))
}

// view returns the view of the wall in actions.
func (w *wall) view() string {
	if w.first {
		return ""
	}
	return w.View
}

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

// A wall represents one view of the service on the broker. Only the goroutine of Run uses it.
type wall struct {
	*run
	Wall
	first    bool   // whether this is the main view
	id, base string // id: ID of the wall's device. base: prefix of the wall's topics
	had      map[string]component
	ends     []func() // functions that end the subscriptions
	painted  time.Time
	frames   uint64 // number of painted frames at the time of the latest picture
	pictured time.Time
	message  []byte // latest text on the topic text/set that became the state; nil if there was none
}

// maxMessage is the maximum length of the text that is published as the state of text/set, in characters. Home Assistant limits states to
// this length.
const maxMessage = 255

// join subscribes to the commands of a view and returns its wall.
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

// filters() returns MQTT topic filters that match the topics of all commands, without the prefix of the wall.
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

// leave ends the wall's subscriptions.
func (w *wall) leave() {
	for _, end := range w.ends {
		end()
	}
	w.ends = nil
}

// gone() removes the topics of a view from the broker. The view no longer exists after a reload.
func (w *wall) gone() {
	w.drop(w.config(), w.topic("state"), w.topic("theme"), w.topic("page"), w.topic("display"), w.topic("brightness"), w.topic("text"))
}

// config returns the discovery topic of the device.
func (w *wall) config() string { return "homeassistant/device/" + w.id + "/config" }

// topic returns the full name of one of the wall's topics.
func (w *wall) topic(name string) string { return w.base + "/" + name }

// command returns a topic without the prefix of this wall. The second result is false if the topic does not have the prefix.
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
		level := 1.0 // full brightness if nothing sets it
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

// maxSummary is the maximum length of an update's description, in characters. Home Assistant has this limit.
const maxSummary = 255

// update returns the state of the updates. The progress is null unless an update is being installed.
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

// putJSON publishes an object as a retained payload.
func (w *wall) putJSON(ctx context.Context, name string, v map[string]any) {
	data, err := json.Marshal(v)
	if err == nil { // texts, times and numbers can always be encoded
		w.put(ctx, w.topic(name), data)
	}
}

// show publishes a new picture of the wall at most once within pictureEvery, if a frame was painted since the last picture. Without
// discovery, it publishes no pictures. The picture is not retained.
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

// do runs the command with the given name.
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

// command returns the verb and the topic for a command, or nil.
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

// plain() reports whether a payload is text that Home Assistant accepts as a state.
func plain(payload []byte) bool {
	return utf8.Valid(payload) && utf8.RuneCount(payload) <= maxMessage && !bytes.HasPrefix(bytes.TrimSpace(payload), []byte("{"))
}

// view returns the wall's view for actions. It is "" for the main view.
func (w *wall) view() string {
	if w.first {
		return ""
	}
	return w.View
}

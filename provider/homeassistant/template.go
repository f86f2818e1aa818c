package homeassistant

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"dashboard/provider"
)

// Limits for templates.
const (
	MaxTemplates = 32      // templates of one provider
	maxTemplate  = 1 << 20 // maximum size in bytes, including the statements in front that set variables; Home Assistant accepts 4 MiB
	maxText      = 4 << 10 // size of a result in bytes; no widget has room for more
	templateTime = 3       // maximum time for rendering in Home Assistant, in seconds
)

var errLong = fmt.Errorf("the template, with the values in it, has more than %d bytes", maxTemplate)

// checkTemplates returns an error if a template is invalid. The error begins with the name of the key.
func checkTemplates(all map[string]string) error {
	if len(all) > MaxTemplates {
		return fmt.Errorf("templates: more than %d", MaxTemplates)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !named(name) {
			return fmt.Errorf("templates: %.80q is not a valid name: use letters, digits and _", name)
		}
		if strings.TrimSpace(all[name]) == "" || len(all[name]) > maxTemplate {
			return fmt.Errorf("templates.%s: must be a template of Home Assistant, such as \"{{ states('sensor.pv') | float * 2 }}\"", name)
		}
	}
	return nil
}

// nameLetters are the characters that a name may contain.
const nameLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

// Render returns a provider of the result of a template, and the key of the provider's definition. The result follows every change in Home
// Assistant. The template is the string in a cell. When the string changes, the new string is rendered. The result is always text. Home
// Assistant converts an output such as 1.10 to a number, so the result is 1.1. It does not convert an output that begins with [Mark], and
// the result is the text after the mark.
func (h *Home) Render(template *provider.Cell) (key string, p provider.Provider) {
	return fmt.Sprintf("%s template %p", h.key, template), &rendered{home: h, from: template}
}

// template returns a provider of the result of a template that the configuration contains. Home Assistant converts the result to numbers,
// lists and other types.
func (h *Home) template(text string) (key string, p provider.Provider) {
	return fmt.Sprintf("%s template %q", h.key, text), &fixed{rendered: rendered{home: h, text: text}}
}

// The type fixed is a provider of the result of a template in the configuration. The result is stored for the next start, because the
// text of the template still identifies its result after a restart.
type fixed struct {
	rendered
	keeps
}

// The type rendered is a provider of the result of a template.
type rendered struct {
	home *Home
	text string
	from *provider.Cell // cell with the template; nil if the template is in the field `text`
}

// Kind is "template".
func (*rendered) Kind() string { return "template" }

// Run publishes the result of the template until ctx ends.
func (r *rendered) Run(ctx context.Context, cell *provider.Cell) error {
	c, release, err := r.home.Connect(ctx)
	if err != nil {
		return err
	}
	defer release()
	if r.from == nil {
		defer c.render(r.text, &rendering{cell: cell})()
		<-ctx.Done()
		return nil
	}
	changed := make(chan struct{}, 1)
	defer r.from.Watch(changed)()
	text, end, failing := "", func() {}, false
	defer func() { end() }()
	for ctx.Err() == nil {
		s := r.from.Load()
		well := failing && s.Err == nil // the input has recovered, so publish again to remove its error from the cell
		if next, _ := s.Value.(string); s.Has() && (next != text || well) {
			end()
			text, end = next, c.render(next, &rendering{cell: cell, from: r.from})
		}
		if failing = s.Err != nil; failing {
			cell.Fail(s.Err, s.Tried)
		}
		select {
		case <-ctx.Done():
		case <-changed:
		}
	}
	return nil
}

// Mark is the prefix of a template's output that Home Assistant must not convert to a number or another type.
const Mark = "="

// A rendering publishes the result of a template. Connection.mu guards its fields.
type rendering struct {
	cell *provider.Cell
	from *provider.Cell // cell with the template, whose output may begin with Mark; nil for a template in the configuration
	warn error          // warning that arrived since the last result
	last any            // latest result
	told error          // warning of the latest result
	well bool           // whether the latest event was a result and not an error
}

// render makes Home Assistant render a template after every change until `end` is called.
func (c *Connection) render(text string, r *rendering) (end func()) {
	r.cell.Promise(pingEvery)
	if len(text) > maxTemplate {
		r.cell.Fail(errLong, time.Now())
		return func() {}
	}
	c.mu.Lock()
	c.renderings[r] = struct{}{}
	c.mu.Unlock()
	left := c.Subscribe(map[string]any{"type": "render_template", "template": text, "timeout": templateTime, "report_errors": true}, func(event any, err error) {
		r.take(event, err)
		c.stale = true
	})
	return func() {
		left()
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.renderings, r)
	}
}

// take publishes an event of a template: a result or an error. It stores a warning and publishes the warning together with the next
// result.
func (r *rendering) take(event any, err error) {
	now := time.Now()
	m, _ := event.(map[string]any)
	text, wrong := m["error"].(string)
	v, ok := m["result"]
	r.well = r.well && err == nil && (!wrong || m["level"] == "WARNING")
	switch {
	case err != nil:
		r.cell.Fail(&provider.Upstream{Err: err}, now)
	case wrong && m["level"] == "WARNING":
		r.warn = told(text)
	case wrong:
		r.cell.Fail(told(text), now)
	case ok:
		r.publish(v, now)
	}
}

// told() returns the error that Home Assistant reports for a template.
func told(text string) error {
	const most = 200 // in bytes; enough for a sentence
	return errors.New("the template: " + strings.ToValidUTF8(text[:min(len(text), most)], ""))
}

// publish publishes a value. If the value has not changed, publish only confirms it.
func (r *rendering) publish(v any, now time.Time) {
	if r.from != nil {
		text := strings.TrimSpace(strings.TrimPrefix(fmt.Sprint(v), Mark))
		v = strings.ToValidUTF8(text[:min(len(text), maxText)], "")
	}
	warn := r.warn
	r.warn, r.last, r.told, r.well = nil, v, warn, true
	if s := r.cell.Load(); s.Has() && s.Err == nil && warn == nil && reflect.DeepEqual(s.Value, v) {
		r.cell.Confirm(now)
		return
	}
	r.cell.PublishPart(v, now, warn)
}

// confirm records that the value is still current, provided that the template's input is not stale and has no error.
func (r *rendering) confirm(now time.Time) {
	if r.from != nil && (r.from.Load().Err != nil || r.from.Load().Stale(now)) {
		return
	}
	if r.cell.Refused() {
		if r.well {
			r.cell.PublishPart(r.last, now, r.told)
		}
		return
	}
	if s := r.cell.Load(); s.Has() && s.Err == nil {
		r.cell.Confirm(now)
	}
}

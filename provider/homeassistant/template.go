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

	"dashboard/internal/spelling"
	"dashboard/provider"
)

// Bounds of templates.
const (
	MaxTemplates = 32      // of one provider
	maxTemplate  = 1 << 20 // bytes, with the values that are set before it: Home Assistant takes 4 MiB at once
	maxText      = 4 << 10 // bytes of what one comes to: no cell has room for more
	templateTime = 3       // s that Home Assistant may take for one
)

var errLong = fmt.Errorf("the template, with the values in it, has more than %d bytes", maxTemplate)

// checkTemplates says what is wrong with templates by their names. The error begins with the key it is about.
func checkTemplates(all map[string]string) error {
	if len(all) > MaxTemplates {
		return fmt.Errorf("templates: more than %d", MaxTemplates)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if name == "" || strings.Trim(name, templateLetters) != "" {
			return fmt.Errorf("templates: %.80q is no name: it has letters, digits and _, and no dot, which entities have", name)
		}
		if strings.TrimSpace(all[name]) == "" || len(all[name]) > maxTemplate {
			return fmt.Errorf("templates.%s: must be a template of Home Assistant, such as \"{{ states('sensor.pv') | float * 2 }}\"", name)
		}
	}
	return nil
}

// templateLetters are what the name of a template is made of.
const templateLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

// Render returns a provider of what a template comes to, anew whenever that changes there, and what tells its definition from others. The
// template is the text in a cell, a string: with another one it is rendered anew. What it comes to are texts, as it writes them, if its
// output begins with [Mark], which is left out; without, Home Assistant makes 1.10 a number, and True a truth.
func (h *Home) Render(template *provider.Cell) (key string, p provider.Provider) {
	return fmt.Sprintf("%s template %p", h.key, template), &rendered{home: h, from: template}
}

// template is a provider of a template of the configuration, whose values are of the types that they look like.
func (h *Home) template(text string) (key string, p provider.Provider) {
	return fmt.Sprintf("%s template %q", h.key, text), &fixed{rendered: rendered{home: h, text: text}}
}

// fixed is a provider of what a template of the configuration comes to, which is kept: the same text is the same source after a restart.
type fixed struct {
	rendered
	keeps
}

// rendered is a provider of what a template comes to.
type rendered struct {
	home *Home
	text string
	from *provider.Cell // of the text; nil for text itself
}

// Kind is "template".
func (*rendered) Kind() string { return "template" }

// Run publishes what the template comes to.
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
		well := failing && s.Err == nil // again: the error in the cell is of no use any more
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

// Mark stands before what is to be a text.
const Mark = "="

// A rendering is where what a template comes to lands. Its fields are guarded by the connection's mu.
type rendering struct {
	cell *provider.Cell
	from *provider.Cell // of the template, whose value begins with Mark; nil for one that has its own types
	warn error          // told since the last result
}

// render has a template rendered by Home Assistant, whenever something in it changes, until end is called.
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

// take publishes an event: a result, or what is wrong with the template. A warning comes before the result that it is about.
func (r *rendering) take(event any, err error) {
	now := time.Now()
	m, _ := event.(map[string]any)
	text, wrong := m["error"].(string)
	v, ok := m["result"]
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

// told is what Home Assistant says of a template.
func told(text string) error {
	const most = 200 // bytes: a sentence
	return errors.New("the template: " + strings.ToValidUTF8(text[:min(len(text), most)], ""))
}

// publish leaves a value that did not change in place.
func (r *rendering) publish(v any, now time.Time) {
	if r.from != nil {
		text := strings.TrimSpace(strings.TrimPrefix(fmt.Sprint(v), Mark))
		v = strings.ToValidUTF8(text[:min(len(text), maxText)], "")
	}
	warn := r.warn
	r.warn = nil
	if s := r.cell.Load(); s.Has() && s.Err == nil && warn == nil && reflect.DeepEqual(s.Value, v) {
		r.cell.Confirm(now)
		return
	}
	r.cell.PublishPart(v, now, warn)
}

// confirm says that the value still holds, if all that it is made of does.
func (r *rendering) confirm(now time.Time) {
	if s := r.cell.Load(); !s.Has() || s.Err != nil {
		return
	}
	if r.from == nil || r.from.Load().Err == nil && !r.from.Load().Stale(now) {
		r.cell.Confirm(now)
	}
}

// noSuch says that an entry of the mapping is neither an entity nor a template.
func noSuch(name string, templates map[string]string) error {
	names := slices.Sorted(maps.Keys(templates))
	if near := spelling.Nearest(name, names); near != "" {
		return fmt.Errorf("there is no template %.80q; is %s meant?", name, near)
	}
	return CheckID(name)
}

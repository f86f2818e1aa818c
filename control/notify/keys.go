package notify

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"dashboard/internal/spelling"
	"dashboard/render/icon"
)

// Keys returns the valid keys of a request.
func Keys() []string {
	return []string{
		"widget", "target", "id", "title", "text", "message", "icon", "url", "image", "color", "background_color", "progress",
		"priority", "mode", "duration", "hold", "ttl", "wake", "dedupe", "restart", "view", "actions", "sound",
	}
}

// ViewOf returns the view that a request names, or "". It does not check the other keys, because the view's Poster checks them.
func ViewOf(body []byte) string {
	var r struct {
		View json.RawMessage `json:"view"`
	}
	var name string
	if json.Unmarshal(body, &r) != nil || len(r.View) == 0 || json.Unmarshal(r.View, &name) == nil {
		return name
	}
	return strings.ToValidUTF8(string(r.View[:min(len(r.View), MaxTitle)]), "") // this is not a name, so the caller reports it as unknown
}

// All is the target that stands for every widget that can show the notification.
const All = "all"

// targets() reads the keys target and widget, which name the widgets of a request.
func (p *parser) targets(r *Request, wall bool) {
	raw, given := p.keys["target"]
	if _, named := p.keys["widget"]; named || !given && !wall {
		r.Widget = p.word("widget")
		return
	}
	if !given {
		return
	}
	var one string
	switch {
	case json.Unmarshal(raw, &one) == nil && one != "":
		r.Targets = []string{one}
	case json.Unmarshal(raw, &r.Targets) != nil || len(r.Targets) == 0:
		p.fail("target", "must be the name of a widget, a list of names, or all")
	case len(r.Targets) > MaxTargets:
		p.fail("target", fmt.Sprintf("must name at most %d widgets", MaxTargets))
	}
}

// more() reads the keys that requests to the program Grydgets do not have.
func (p *parser) more(r *Request) {
	r.ID = p.short("id", MaxID)
	r.Title = p.short("title", MaxTitle)
	if m := p.text("message"); m != nil {
		r.Message = *m
	}
	if _, given := p.keys["image"]; given && r.URL == "" {
		r.URL = p.address("image")
	}
	r.Icon = p.icon("icon")
	r.Progress = p.percent("progress")
	r.Priority = p.whole("priority", 1, 5)
	r.Mode = p.mode("mode")
	_, timed := p.keys["duration"]
	r.Untimed = !timed
	r.TTL = p.within("ttl", MaxTTL)
	r.Hold, r.Wake, r.Restart = p.yes("hold"), p.yes("wake"), p.yes("restart")
	if _, given := p.keys["dedupe"]; given {
		again := p.yes("dedupe")
		r.Again = &again
	}
	r.Actions, r.Sound = p.choices("actions"), p.short("sound", MaxID)
	if len(r.Actions) > 0 && r.ID == "" {
		r.ID = newID()
	}
	r.unknown = p.unknown()
}

// roles are the colors of the theme that a request can use.
var roles = []string{"text", "muted", "accent", "good", "warn", "bad", "cold", "warm"}

// role reads an optional color of the theme.
func (p *parser) role(key string) string {
	v, _ := p.value(key)
	if s, ok := v.(string); ok && slices.Contains(roles, s) {
		delete(p.keys, key)
		return s
	}
	return ""
}

// short() reads an optional text of one line. `most` is the maximum number of characters.
func (p *parser) short(key string, most int) string {
	if v, given := p.value(key); !given || v == nil {
		return ""
	}
	s := strings.Join(strings.Fields(clean(p.word(key))), " ")
	if utf8.RuneCountInString(s) > most {
		p.fail(key, fmt.Sprintf("must have at most %d characters", most))
	}
	return s
}

// icon reads an optional icon: a name, or the address of a picture.
func (p *parser) icon(key string) string {
	if v, _ := p.value(key); isAddress(v) {
		return p.address(key)
	}
	s := p.short(key, MaxTitle)
	if s == "" || p.err != nil {
		return ""
	}
	name, ok := strings.CutPrefix(s, icon.Prefix)
	if !ok {
		p.fail(key, "must be mdi:NAME, such as mdi:doorbell, or an http or https URL of a picture")
		return ""
	}
	if _, known := icon.Lookup(name); !known {
		p.fail(key, fmt.Sprintf("is an unknown icon; near: %s", strings.Join(icon.Near(name, 3), ", ")))
	}
	return s
}

// isAddress reports whether an icon is the address of a picture.
func isAddress(icon any) bool {
	s, _ := icon.(string)
	return strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://")
}

// number reads an optional number. `given` is false if it is missing or not a number.
func (p *parser) number(key, what string) (x float64, given bool) {
	v, given := p.value(key)
	if !given || v == nil {
		return 0, false
	}
	x, ok := v.(float64)
	if !ok {
		p.fail(key, "must be "+what)
	}
	return x, ok
}

// percent reads an optional percentage and returns it as a number from 0 to 1.
func (p *parser) percent(key string) *float64 {
	x, given := p.number(key, "a number from 0 to 100")
	if !given {
		return nil
	}
	if x < 0 || x > 100 {
		p.fail(key, "must be a number from 0 to 100")
	}
	x /= 100
	return &x
}

// whole() reads an optional whole number. It returns 0 if the number is missing.
func (p *parser) whole(key string, least, most int) int {
	what := fmt.Sprintf("a whole number from %d to %d", least, most)
	x, given := p.number(key, what)
	if given && (x < float64(least) || x > float64(most) || x != float64(int(x))) {
		p.fail(key, "must be "+what)
		return 0
	}
	return int(x)
}

// within() reads an optional number of seconds. It must be above 0 and must not exceed the given limit.
func (p *parser) within(key string, most time.Duration) time.Duration {
	x, given := p.number(key, "a number of seconds")
	if given && (x <= 0 || x > most.Seconds()) {
		p.fail(key, fmt.Sprintf("must be more than 0 and at most %.0f seconds", most.Seconds()))
		return 0
	}
	return time.Duration(x * float64(time.Second))
}

// yes() reads an optional boolean.
func (p *parser) yes(key string) bool {
	v, given := p.value(key)
	b, ok := v.(bool)
	if given && v != nil && !ok {
		p.fail(key, "must be true or false")
	}
	return b
}

// modes are the words that requests use for the modes.
var modes = []string{Queue: "queue", Stack: "stack", Replace: "replace"}

// String returns the word that requests use for the mode.
func (m Mode) String() string { return modes[m] }

func (p *parser) mode(key string) *Mode {
	s := p.short(key, MaxTitle)
	if s == "" || p.err != nil {
		return nil
	}
	at := slices.Index(modes, s)
	if at < 0 {
		p.fail(key, "must be stack, queue or replace")
		return nil
	}
	m := Mode(at)
	return &m
}

// unknown() returns a text that names the first unknown key and the most similar valid key. It returns "" if all keys are valid.
func (p *parser) unknown() string {
	all := make([]string, 0, len(p.keys))
	for key := range p.keys {
		if !slices.Contains(Keys(), key) {
			all = append(all, key)
		}
	}
	if len(all) == 0 {
		return ""
	}
	slices.Sort(all)
	const most = 40 // maximum length of the key in the message, in bytes
	told := strings.ToValidUTF8(all[0][:min(len(all[0]), most)], "")
	if near := spelling.Nearest(all[0], Keys()); near != "" {
		return fmt.Sprintf("'%s' is no key of a notification; is '%s' meant?", told, near)
	}
	return fmt.Sprintf("'%s' is no key of a notification; there are: %s", told, strings.Join(Keys(), ", "))
}

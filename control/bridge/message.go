package bridge

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"dashboard/control/notify"
	"dashboard/control/verb"
	"dashboard/internal/fetch"
	"dashboard/render/icon"
)

// A body is the body of a request POST /notify.
type body map[string]any

// bell is the icon of messages without an icon.
const bell = "mdi:bell-outline"

// An ntfyMessage has the fields of an ntfy message that the wall uses.
type ntfyMessage struct {
	ID          string
	Time        int64
	Event       string
	Topic       string
	Title       string
	Message     string
	Priority    int
	ContentType string `json:"content_type"`
	Attachment  struct{ URL, Type string }
	Icon        string
	Tags        []string
	Actions     []ntfyAction
}

// An ntfyAction is a button of an ntfy message.
type ntfyAction struct {
	Action, Label, URL, Method, Body string
	Headers                          map[string]string
	Clear                            bool
}

// ntfy converts a message of ntfy to a notification. ok is false if `data` is invalid or another event of ntfy.
func (b *Bridge) ntfy(data []byte) (out body, at time.Time, ok bool) {
	var m ntfyMessage
	if json.Unmarshal(data, &m) != nil || m.Event != "message" || m.ID == "" {
		return nil, at, false
	}
	id := cut(m.ID, notify.MaxID/2)
	b.seen.set(position{ID: id, Time: time.Unix(m.Time, 0)})
	title := m.Title
	if title == "" {
		title = m.Topic
	}
	out = compose(title, m.Message, m.ContentType, m.Priority)
	out["id"] = "ntfy " + id
	if strings.HasPrefix(m.Attachment.Type, "image/") {
		out["image"] = m.Attachment.URL
	}
	out["icon"] = m.icon()
	if all := m.buttons(); len(all) > 0 {
		out["actions"] = all
	}
	return out, time.Unix(m.Time, 0), true
}

// tagIcons maps the most common tags to icons. ntfy shows these tags as emojis (docs.ntfy.sh/emojis).
var tagIcons = map[string]string{
	"warning": "alert", "rotating_light": "alarm-light", "no_entry": "cancel", "x": "close-circle", "white_check_mark": "check-circle",
	"heavy_check_mark": "check-circle", "tada": "party-popper", "fire": "fire", "droplet": "water", "door": "door", "bell": "bell-outline",
	"house": "home", "key": "key", "lock": "lock", "car": "car", "computer": "laptop", "email": "email", "calendar": "calendar",
	"shopping_cart": "cart", "wastebasket": "trash-can", "battery": "battery", "bulb": "lightbulb", "camera": "camera", "loudspeaker": "bullhorn",
}

// icon returns the address of the message's picture. If there is no valid address, it returns the icon of the first tag in tagIcons. If
// there is no such tag, it returns bell.
func (m *ntfyMessage) icon() string {
	if address(m.Icon) {
		return m.Icon
	}
	for _, tag := range m.Tags {
		if name, ok := tagIcons[tag]; ok {
			return icon.Prefix + name
		}
	}
	return bell
}

// buttons() returns the actions that a wall can run: POST requests without headers. It omits actions that open a page, because a wall
// cannot do this.
func (m *ntfyMessage) buttons() (all []body) {
	for _, a := range m.Actions {
		label := cut(strings.Join(strings.Fields(a.Label), " "), notify.MaxLabel)
		if a.Action != "http" || a.Method != "" && a.Method != "POST" || len(a.Headers) > 0 || label == "" || len(all) == notify.MaxActions ||
			!address(a.URL) || len(a.Body) > verb.MaxData {
			continue
		}
		one := body{"label": label, "url": a.URL, "clear": a.Clear}
		if a.Body != "" {
			one["body"] = a.Body
		}
		all = append(all, one)
	}
	return all
}

// address reports whether a notification may contain the address s.
func address(s string) bool { return len(s) <= notify.MaxURL && fetch.CheckURL(s) == nil }

// A gotifyMessage has the fields of a Gotify message that the wall uses.
type gotifyMessage struct {
	ID       int64
	Title    string
	Message  string
	Priority int
	Date     time.Time
	Extras   struct {
		Display struct {
			ContentType string `json:"contentType"`
		} `json:"client::display"`
		Notification struct {
			BigImageURL string `json:"bigImageUrl"`
		} `json:"client::notification"`
	}
}

// gotify converts a message of Gotify to a notification.
func gotify(data []byte) (out body, at time.Time, ok bool) {
	var m gotifyMessage
	if json.Unmarshal(data, &m) != nil || m.ID <= 0 || m.Title == "" && m.Message == "" {
		return nil, at, false
	}
	out = compose(m.Title, m.Message, m.Extras.Display.ContentType, gotifyPriority(m.Priority))
	out["id"] = "gotify " + strconv.FormatInt(m.ID, 10)
	if m.Extras.Notification.BigImageURL != "" {
		out["image"] = m.Extras.Notification.BigImageURL
	}
	return out, m.Date, true
}

// gotifyPriority converts a Gotify priority, from 0 to 10, to a priority from 1 to 5. Normal messages have a Gotify priority from 4 to 7.
func gotifyPriority(p int) int {
	switch {
	case p <= 0:
		return 1
	case p <= 3:
		return 2
	case p <= 7:
		return 3
	case p <= 9:
		return 4
	}
	return 5
}

// compose returns a notification made from the parts of a message. It cuts each part to its limit.
func compose(title, message, contentType string, priority int) body {
	out := body{"icon": bell, "priority": min(max(priority, 1), 5), "ttl": int(MaxAge.Seconds())}
	if priority == 0 {
		out["priority"] = notify.DefaultPriority
	}
	if title != "" {
		out["title"] = cut(title, notify.MaxTitle)
	}
	key := "text"
	if contentType == "text/markdown" {
		key = "message"
	}
	if message != "" {
		out[key] = cut(message, notify.MaxText)
	}
	return out
}

// cut returns the beginning of a text, up to the given number of characters.
func cut(s string, most int) string {
	n := 0
	for i := range s {
		if n == most {
			return s[:i]
		}
		n++
	}
	return s
}

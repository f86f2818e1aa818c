package kit

import (
	"fmt"
	"slices"
	"strings"

	"dashboard/config"
	"dashboard/config/value"
)

// Notices is the value of the key `notifications` in conf.yaml. It configures notifications above the wall.
type Notices struct {
	// Form of the notifications.
	Kind string `yaml:"kind" default:"card" enum:"card,banner,toast,fullscreen"`
	// Position. Default: center for cards, top for banners, top right for toasts. Full-screen notifications have none.
	Place string `yaml:"place" enum:"center,top,bottom,top left,top right,bottom left,bottom right,none"`
	// Duration of a notification without its own duration.
	Duration value.Duration `yaml:"duration" default:"10s" min:"1" max:"86400"`
	// Darkening of the wall behind a card. Default: 60%.
	Dim *value.Share `yaml:"dim"`
	// Number of notifications shown at once.
	Limit int `yaml:"limit" default:"3" min:"1" max:"8"`
	// Topics of an ntfy server to show: {url, topics, token}.
	Ntfy *Ntfy `yaml:"ntfy"`
	// Gotify server whose messages are shown: {url, token}.
	Gotify *Gotify `yaml:"gotify"`
	// Topic whose messages are shown, on the broker in conf.yaml. + and # are allowed. A message is a text, or a mapping
	// as for POST /notify.
	MQTT string `yaml:"mqtt"`
}

// TypeName returns the name of this type for the reference.
func (*Notices) TypeName() string { return "kind or mapping" }

// SetNode implements config.NodeSetter. A string is the value of the key `kind`.
func (n *Notices) SetNode(node *config.Node, c *config.Context) error {
	if node.Kind() == config.Map {
		c.Decode(node, (*noticesKeys)(n))
		return nil
	}
	c.Decode(&config.Node{}, (*noticesKeys)(n))
	if n.Kind = node.Text(); !slices.Contains(noticeKinds, n.Kind) {
		return fmt.Errorf("must be %s, or a mapping with a kind, not %s", strings.Join(noticeKinds, ", "), node.Shown())
	}
	return nil
}

// Ntfy is a server of ntfy.
type Ntfy struct {
	// Address of the server.
	URL string `yaml:"url" default:"https://ntfy.sh"`
	// Topics to subscribe to.
	Topics []string `yaml:"topics" required:"true"`
	// Access token, if the topics need one.
	Token string `yaml:"token"`
}

// Gotify is a Gotify server.
type Gotify struct {
	// Address of the server.
	URL string `yaml:"url" required:"true"`
	// Token of a client. It begins with C.
	Token string `yaml:"token" required:"true"`
}

// noticesKeys has the same keys as Notices, but no unmarshaler.
type noticesKeys Notices

// NoticesOf decodes the value of the key `notifications`. After an error, it returns false.
func NoticesOf(node *config.Node, r *config.Report) (*Notices, bool) {
	n := &Notices{}
	if node.Kind() == config.Map {
		return n, node.Decode((*noticesKeys)(n), r, nil)
	}
	(&config.Node{}).Decode((*noticesKeys)(n), r, nil)
	if n.Kind = node.Text(); !slices.Contains(noticeKinds, n.Kind) {
		r.Errorf(node, "must be %s, or a mapping with a kind, not %s", strings.Join(noticeKinds, ", "), node.Shown())
		return n, false
	}
	return n, true
}

var noticeKinds = []string{"card", "banner", "toast", "fullscreen"}

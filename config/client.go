package config

import (
	"io/fs"
	"net/url"
	"strconv"
	"strings"
)

// ClientName is the default name of the client's configuration file.
const ClientName = "client.yaml"

// Client is client.yaml, the configuration of a remote screen.
type Client struct {
	// The service. Without an address the client searches the local network.
	Server ClientServer `yaml:"server"`
	// The screen.
	Graphics ClientGraphics `yaml:"graphics" required:"true"`
	// Logging. debug also shows latencies.
	Logging Logging `yaml:"logging"`
	// The triangle that warns of a lost connection.
	Indicator ClientIndicator `yaml:"indicator"`
	// Screen that replaces the triangle after a long outage.
	Offline ClientOffline `yaml:"offline"`
	// When the screen is on.
	Display ClientDisplay `yaml:"display"`
	// Exactly one output of type window or framebuffer.
	OutputList *Node `yaml:"outputs" required:"true"`

	// Window contains the settings of the only output. OutputType is the type of this output as written in the file.
	Window     *WindowOutput
	OutputType string
}

// ClientServer sets the service from which frames come.
type ClientServer struct {
	// Base address of the wall. Default: found by multicast DNS. A screen without a token then requests one if necessary.
	URL string `yaml:"url" format:"url"`
	// Service name or host name of the wall, if there is no url and several walls answer.
	Name string `yaml:"name" json:",omitzero"`
	// View of the wall to show. Default: main.
	View string `yaml:"view"`
	// The wall's stream token.
	Token string `yaml:"token"`
	// Pause before the next attempt after a lost connection.
	ReconnectDelay float64 `yaml:"reconnect_delay" default:"2" min:"0.1" max:"3600" numeric:"string" unit:"s"`
	// Downtime after which the screen shows a warning.
	StaleAfter float64 `yaml:"stale_after" default:"30" min:"1" max:"86400" numeric:"string" unit:"s"`
}

// ClientGraphics sets the size of the screen.
type ClientGraphics struct {
	// Requested frame size.
	Resolution Size `yaml:"resolution" required:"true" unit:"px"`
}

// ClientIndicator sets the warning triangle.
type ClientIndicator struct {
	// Corner of the warning triangle and of badges.
	Corner string `yaml:"corner" default:"bottom-right" enum:"top-left,top-right,bottom-left,bottom-right"`
}

// ClientOffline sets the offline screen.
type ClientOffline struct {
	// Shows the offline screen instead of the triangle.
	Enabled bool `yaml:"enabled" default:"false"`
	// Text under the clock.
	Message string `yaml:"message" default:"Dashboard server unavailable"`
	// Clock format (strftime).
	ClockFormat string `yaml:"clock_format" default:"%H:%M"`
	// How much the blurred last frame is darkened.
	Dim float64 `yaml:"dim" default:"0.4" min:"0" max:"1"`
}

// ClientDisplay sets when the screen is on, and with which methods it is switched off. Backends is nil if client.yaml does not set it.
type ClientDisplay struct {
	// Copies the power state, brightness and warmth of the wall's screens. During an outage the state stays, but a screen that is off is
	// switched on after 12 hours.
	Follow bool `yaml:"follow" default:"true"`
	// Methods to switch the screen off, tried in this order, as in conf.yaml. Without this key, commands go to a monitor or television only
	// after the wall's screen was switched off or dimmed once.
	Backends []string `yaml:"backends" default:"[backlight, ddc, cec, drm, fb]" enum:"backlight,ddc,cec,drm,fb" minlen:"1"`
	// For cec. Televisions that a person switched off, or that show another input, are left alone.
	Yield bool `yaml:"yield" default:"true"`
}

// LoadClient reads client.yaml. The second result is false if the file has an error. The caller must not use the settings in this case.
func LoadClient(fsys fs.FS, path string, r *Report, secrets SecretSource) (*Client, bool) {
	before := r.errors
	root := document(fsys, path, r, secrets)
	if root == nil {
		return nil, false
	}
	c := &Client{}
	root.Decode(c, r, nil)
	c.window(r)
	if !root.Get("display").Has("backends") {
		c.Display.Backends = nil
	}
	c.Server.check(root.Get("server"), r)
	if c.Server.URL != "" && c.Server.Name != "" {
		r.Errorf(root.Get("server").At("name"), "'url' says where the service is: leave out name, by which it is looked for")
	}
	return c, r.errors == before
}

// check reports an address or a token that cannot be part of an HTTP request.
func (c *ClientServer) check(n *Node, r *Report) {
	if strings.ContainsFunc(c.Token, func(l rune) bool { return l < ' ' || l == 0x7f }) {
		r.Errorf(n.Get("token"), "the token has a character that no header can carry")
	}
	u, err := url.Parse(c.URL)
	if err != nil || u.Port() == "" { // if url.Parse fails, the address was reported before
		return
	}
	if port, err := strconv.Atoi(u.Port()); err != nil || port < 1 || port > maxPort {
		r.Errorf(n.Get("url"), "the port of an address is a number between 1 and %d, not %s", maxPort, u.Port())
	}
}

// maxPort is the highest TCP port.
const maxPort = 65535

// window decodes the list of outputs. The list must contain exactly one output, of the type window or framebuffer.
func (c *Client) window(r *Report) {
	n := c.OutputList
	if n == nil || n.Broken() {
		return
	}
	if n.Kind() != List || n.Len() != 1 {
		r.Errorf(n, "must be a list of exactly one output of type window or framebuffer")
		return
	}
	item := n.Items()[0]
	kind := item.Get("type")
	if kind.Kind() == Null || kind.Text() == OutputWindow || kind.Text() == OutputFramebuffer {
		if o, ok := outputOf(item, r); ok {
			c.Window, c.OutputType = o.Window, o.Type
			if o.Window.View != "" {
				r.Errorf(item.At("view"), "a remote screen asks for a view with server.view")
			}
			noteIgnored(item, "x_display", r)
			if key := "touch_matrix"; item.Has(key) {
				r.Warnf(item.At(key), "'%s' has no effect: on a remote screen a touch only switches it on, wherever it is", key)
			}
		}
		return
	}
	r.Near(kind, kind.word(), []string{OutputWindow, OutputFramebuffer},
		"the output of a remote screen must be a window or framebuffer, not '%s'", kind.word())
}

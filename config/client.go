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
	Server     ClientServer    `yaml:"server" doc:"The service whose frames are shown; without an address it is looked for on the network at home."`
	Graphics   ClientGraphics  `yaml:"graphics" required:"true" doc:"The screen."`
	Logging    Logging         `yaml:"logging" doc:"What is logged; debug also shows latencies."`
	Indicator  ClientIndicator `yaml:"indicator" doc:"The triangle that warns of a lost connection."`
	Offline    ClientOffline   `yaml:"offline" doc:"What is shown instead of the triangle."`
	Display    ClientDisplay   `yaml:"display" doc:"When the screen is on."`
	OutputList *Node           `yaml:"outputs" required:"true" doc:"Exactly one output of type window or framebuffer."`

	// Window is the one output, and OutputType its name in the file.
	Window     *WindowOutput
	OutputType string
}

// ClientServer is where frames come from.
type ClientServer struct {
	URL            string  `yaml:"url" format:"url" doc:"Base address of the service. Without one it is looked for by multicast DNS, and the screen asks for a token of its own."`
	Name           string  `yaml:"name" json:",omitzero" doc:"Which service is looked for, by its name or its host's, where there is no url and several answer."`
	View           string  `yaml:"view" doc:"View of the service that is shown; by default its main one."`
	Token          string  `yaml:"token" doc:"The service's stream token."`
	ReconnectDelay float64 `yaml:"reconnect_delay" default:"2" min:"0.1" max:"3600" numeric:"string" unit:"s" doc:"Wait after a lost connection."`
	StaleAfter     float64 `yaml:"stale_after" default:"30" min:"1" max:"86400" numeric:"string" unit:"s" doc:"Downtime after which the screen says so."`
}

// ClientGraphics is the screen.
type ClientGraphics struct {
	Resolution Size `yaml:"resolution" required:"true" unit:"px" doc:"Size of the frames that are asked for."`
}

// ClientIndicator is the warning triangle.
type ClientIndicator struct {
	Corner string `yaml:"corner" default:"bottom-right" enum:"top-left,top-right,bottom-left,bottom-right" doc:"Where the triangle is drawn."`
}

// ClientOffline is the offline screen.
type ClientOffline struct {
	Enabled     bool    `yaml:"enabled" default:"false" doc:"Shows the offline screen instead of the triangle."`
	Message     string  `yaml:"message" default:"Dashboard server unavailable" doc:"Text under the clock."`
	ClockFormat string  `yaml:"clock_format" default:"%H:%M" doc:"strftime format of the clock."`
	Dim         float64 `yaml:"dim" default:"0.75" min:"0" max:"1" doc:"How much the last frame is darkened, from 0 to 1."`
}

// ClientDisplay is when the screen is on, and what may switch it. Backends are nil where none are written.
type ClientDisplay struct {
	Follow   bool     `yaml:"follow" default:"true" doc:"The screen is off while those of the wall are, by hand, by its times, by presence; and as bright and as warm. In an outage it stays as it was, off for half a day at most."`
	Backends []string `yaml:"backends" default:"[backlight, ddc, cec, drm, fb]" enum:"backlight,ddc,cec,drm,fb" minlen:"1" doc:"What may be used to switch the screen off, in this order; the first that works is. ddc is the monitor's own setting, by the wire for it in the cable; cec the television's remote control by HDMI. Without this key a monitor and a television are asked nothing before the wall's screen is first switched off or dimmed."`
	Yield    bool     `yaml:"yield" default:"true" doc:"A television that somebody switched, or that shows something else, is left alone. Of cec."`
}

// LoadClient reads client.yaml. The second result is false if anything is
// wrong; then the settings must not be used.
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

// check reports what no request can be made of, where it is written.
func (c *ClientServer) check(n *Node, r *Report) {
	if strings.ContainsFunc(c.Token, func(l rune) bool { return l < ' ' || l == 0x7f }) {
		r.Errorf(n.Get("token"), "the token has a character that no header can carry")
	}
	u, err := url.Parse(c.URL)
	if err != nil || u.Port() == "" { // an address that is none was told
		return
	}
	if port, err := strconv.Atoi(u.Port()); err != nil || port < 1 || port > maxPort {
		r.Errorf(n.Get("url"), "the port of an address is a number between 1 and %d, not %s", maxPort, u.Port())
	}
}

// maxPort is the highest of TCP.
const maxPort = 65535

// window takes the one output there may be.
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

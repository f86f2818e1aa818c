package config

import (
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"strings"
)

// ConfName is the file of general settings.
const ConfName = "conf.yaml"

// Conf is conf.yaml, checked and with its defaults.
type Conf struct {
	Graphics   Graphics    `yaml:"graphics" doc:"What is rendered."`
	Logging    Logging     `yaml:"logging" doc:"What is logged."`
	Server     Server      `yaml:"server" doc:"The HTTP server."`
	Theme      *Node       `yaml:"theme" doc:"A built-in theme by name (calm, paper, amber, photo, contrast, eink), a theme file, or {day: …, night: …} of the two; counts before the widgets file's."`
	Locale     *Language   `yaml:"locale" doc:"Language and region: names, order of dates, hours, weeks, signs, units and the wall's own words. A tag such as de-AT, or a mapping of language, hour_cycle (12, 24), week_start (mon …), units (metric, us, uk) and digits (native, latin). Without it, that of the machine; clocks of the classic widgets stay English then. Years are those of the Gregorian calendar in every language, without eras."`
	Timezone   *Zone       `yaml:"timezone" doc:"Time zone of all clocks and times, such as Europe/Berlin, instead of the machine's."`
	Location   *Location   `yaml:"location" doc:"Where the wall hangs: for sun, day and night, weather. A mapping of latitude, longitude and name, or the name of a place, which is looked up once at open-meteo.com and kept."`
	Appearance *Appearance `yaml:"appearance" doc:"Day and night themes; without it there is one theme."`
	Headless   *Headless   `yaml:"headless" doc:"Old form of a file output, used only without 'outputs'."`
	Reload     *string     `yaml:"reload" enum:"watch,signal" doc:"Whether saved files are taken over at once, or when a reload is asked for. Without it they are watched, unless --config-dir names the folder."`

	HomeAssistant *HomeAssistant `yaml:"homeassistant" doc:"The Home Assistant whose entities the wall shows: the provider 'homeassistant', and the default of providers of that type."`
	MQTT          *MQTT          `yaml:"mqtt" doc:"The broker on which the wall is a device, and the default of providers of type mqtt."`

	Display *Node `yaml:"display" json:",omitempty" doc:"When the screen is on and how bright: a mapping of when, presence, off_after, wake, brightness, backends, yield and pixel_shift."`

	Views map[string]*View `yaml:"views" doc:"Further walls from the same providers, by name: each a mapping of widgets and whatever is not as in this file. main is widgets.yaml. At most 16."`

	OutputList *Node `yaml:"outputs" doc:"Where frames go: at least one, at most one of window and framebuffer."`

	Notifications *Node `yaml:"notifications" json:",omitempty" doc:"Shows notifications over the wall, without a widget for them: a kind (card, banner, toast, fullscreen) or a mapping of kind, place, duration, dim, limit, ntfy and gotify. It starts the HTTP server."`

	// Outputs is OutputList decoded, or what the old keys mean without it.
	Outputs []Output

	root *Node
}

// At is where a key is written, for mistakes that are found later.
func (c *Conf) At(key string) *Node { return c.root.At(key) }

// Decode fills a struct from the keys of the file that its fields name, and reports what is wrong with them.
func (c *Conf) Decode(into any, r *Report) bool {
	return c.root.Decode(into, r, &DecodeOptions{Others: true})
}

// Graphics says what is rendered.
type Graphics struct {
	Resolution    Resolution `yaml:"resolution" default:"screen" unit:"px" doc:"Width and height of the dashboard. screen is the size of the window output's screen, upright, and again when it changes; without a screen that of design. fullscreen has no meaning then."`
	Design        *Size      `yaml:"design" unit:"px" doc:"With resolution: screen the size in which lengths are written, [1280, 720] if it says nothing; else the resolution is."`
	Motion        string     `yaml:"motion" default:"auto" enum:"auto,full,reduced" doc:"Whether anything moves: transitions, fades, tickers, sweeping hands. auto is reduced where only files, uploads and panels show the wall."`
	FPSLimit      int        `yaml:"fps-limit" default:"60" min:"1" max:"60" unit:"frames/s" doc:"Most frames painted in a second."`
	Flip          bool       `yaml:"flip" default:"false" doc:"Turns the picture by 180 degrees."`
	SmoothScaling bool       `yaml:"smooth-scaling" default:"true" doc:"Scales pictures with filtering instead of nearest neighbour."`
	TextScale     float64    `yaml:"text-scale" default:"1.0" min:"0.1" max:"10" numeric:"string" doc:"Factor on every text_size."`
	Fullscreen    bool       `yaml:"fullscreen" default:"false" doc:"Old form of the window output's key, used only without 'outputs'."`
	FBDevice      *string    `yaml:"fb-device" doc:"Old form of a framebuffer output, used only without 'outputs'."`
	XDisplay      *string    `yaml:"x-display" doc:"Accepted and ignored: there is no X here."`
}

// Logging says what is logged.
type Logging struct {
	Level string `yaml:"level" default:"info" enum:"debug,info,warning" doc:"Least severity that is logged."`
}

// Server is the HTTP server.
type Server struct {
	Host     string       `yaml:"host" default:"127.0.0.1" doc:"Address to listen on; 0.0.0.0 for every one."`
	Port     int          `yaml:"port" default:"5000" min:"1" max:"65535" doc:"TCP port to listen on."`
	Names    []HostName   `yaml:"names" doc:"Names by which browsers and screens reach the server, beyond addresses and names of the network at home; '*' is any."`
	Auth     ServerAuth   `yaml:"auth" doc:"Bearer tokens; without one its part is open."`
	Notify   ServerNotify `yaml:"notify" doc:"Rules for notifications."`
	Rate     ServerRate   `yaml:"rate_limit" doc:"How often one caller may ask for notifications and themes; who asks more often gets 429."`
	Announce Announcement `yaml:"announce" json:",omitzero" default:"true" doc:"Whether the network at home is told of the wall by multicast DNS (_dashboard._tcp, _http._tcp, NAME.local), and by which name; without one that of the machine. Only a wall with a stream that others can reach is announced."`
}

// ServerAuth holds the bearer tokens. A token that is given but empty is set.
type ServerAuth struct {
	StreamToken  *string `yaml:"stream_token" doc:"Guards frames, events and pages that show them."`
	ControlToken *string `yaml:"control_token" doc:"Guards notifications, theme control and what the page tells of widgets."`
}

// ServerNotify holds the rules for notifications.
type ServerNotify struct {
	// Allow is nil when the key is absent: public and private LAN addresses.
	Allow []AddressRange `yaml:"allow" doc:"Address ranges from which notification images may be fetched, exactly these; without the key, public and private LAN ones."`
}

// ServerRate bounds control requests. The defaults are far above what a person's
// automations send and far below what costs a board anything.
type ServerRate struct {
	PerSecond int `yaml:"per_second" default:"100" min:"1" max:"10000" unit:"requests/s" doc:"Control requests of one caller, lasting."`
	Burst     int `yaml:"burst" default:"500" min:"1" max:"10000" unit:"requests" doc:"Control requests of one caller at once."`
}

// Appearance switches between a day and a night theme.
type Appearance struct {
	Themes      *Themes  `yaml:"themes" doc:"The two theme files. Old form of 'theme'."`
	Latitude    *float64 `yaml:"latitude" min:"-90" max:"90" numeric:"string" unit:"degrees north" doc:"Old form of 'location'."`
	Longitude   *float64 `yaml:"longitude" min:"-180" max:"180" numeric:"string" unit:"degrees east" doc:"Old form of 'location'."`
	Default     string   `yaml:"default" default:"day" enum:"day,night" doc:"Theme when the sun does not say."`
	HTTPControl bool     `yaml:"http_control" default:"false" doc:"Lets /theme show and change the theme."`
	Offsets     Offsets  `yaml:"offsets" doc:"Shifts of the switches."`
}

// Place is where the wall hangs, and whether that is said.
func (c *Conf) Place() (l Location, ok bool) {
	if c.Location != nil {
		return *c.Location, true
	}
	if a := c.Appearance; a != nil && a.Latitude != nil && a.Longitude != nil {
		return Location{Latitude: *a.Latitude, Longitude: *a.Longitude, Known: true}, true
	}
	return Location{}, false
}

// Themes names the two theme files, relative to the working directory.
type Themes struct {
	Day   string `yaml:"day" required:"true" doc:"Theme file by day."`
	Night string `yaml:"night" required:"true" doc:"Theme file by night."`
}

// Offsets shift sunrise and sunset, in minutes; negative is earlier.
type Offsets struct {
	Sunrise int `yaml:"sunrise" default:"0" min:"-720" max:"720" unit:"minutes" doc:"Shift of the switch to day."`
	Sunset  int `yaml:"sunset" default:"0" min:"-720" max:"720" unit:"minutes" doc:"Shift of the switch to night."`
}

// Headless is the old form of a file output.
type Headless struct {
	Enabled bool `yaml:"enabled" default:"false" doc:"Whether files are written; the other keys are those of a file output."`
	FileOutput
}

// MaxSide is the greatest width or height of a frame, in pixels: 8K.
const MaxSide = 7680

// Size is a width and a height in pixels, each 1 to MaxSide; in a file a list
// of the two.
type Size struct{ Width, Height int }

// SetValue implements Setter.
func (s *Size) SetValue(v any) error {
	list, ok := v.([]any)
	if !ok || len(list) != 2 {
		return errors.New("must be a list of two numbers, [width, height]")
	}
	for i, into := range []*int{&s.Width, &s.Height} {
		side, ok := list[i].(int)
		if f, isFloat := list[i].(float64); isFloat && f == float64(int(f)) {
			side, ok = int(f), true
		}
		if !ok || side < 1 || side > MaxSide {
			return fmt.Errorf("%s must be a whole number between 1 and %d", [2]string{"width", "height"}[i], MaxSide)
		}
		*into = side
	}
	return nil
}

// TypeName implements TypeNamer.
func (*Size) TypeName() string { return "[width, height]" }

// AddressRange is a range of IP addresses, written 10.0.0.0/8 or, for a single
// one, 10.1.2.3.
type AddressRange struct{ netip.Prefix }

// SetValue implements Setter.
func (a *AddressRange) SetValue(v any) error {
	s, ok := v.(string)
	if !ok {
		return errors.New("must be an address range such as 192.168.0.0/16")
	}
	if !strings.Contains(s, "/") {
		if addr, err := netip.ParseAddr(s); err == nil && addr.Zone() == "" {
			a.Prefix = netip.PrefixFrom(addr, addr.BitLen())
			return nil
		}
	} else if p, err := netip.ParsePrefix(s); err == nil {
		a.Prefix = p.Masked()
		return nil
	}
	return fmt.Errorf("%q is no address range such as 192.168.0.0/16", s)
}

// TypeName implements TypeNamer.
func (*AddressRange) TypeName() string { return "address range" }

// HostName is a name that a server is reached by, such as wall.example.org, or *
// for any.
type HostName string

// SetValue implements Setter.
func (h *HostName) SetValue(v any) error {
	s, ok := v.(string)
	if !ok || s == "" || strings.ContainsAny(s, "/:@ ") || s != "*" && strings.Contains(s, "*") {
		return errors.New("must be a name such as wall.example.org, without scheme and port, or * for any")
	}
	*h = HostName(s)
	return nil
}

// TypeName implements TypeNamer.
func (*HostName) TypeName() string { return "host name" }

// JSONSchema implements Describer.
func (*HostName) JSONSchema() map[string]any {
	return map[string]any{"type": "string", "pattern": `^(\*|[^/:@ *]+)$`}
}

// LoadConf reads conf.yaml. The second result is false if anything is wrong;
// then the settings must not be used.
func LoadConf(fsys fs.FS, path string, r *Report, secrets SecretSource) (*Conf, bool) {
	before := r.errors
	root := document(fsys, path, r, secrets)
	if root == nil {
		return nil, false
	}
	return confOf(root, r), r.errors == before
}

func confOf(root *Node, r *Report) *Conf {
	c := &Conf{root: root}
	root.Decode(c, r, nil)
	if root.Has("outputs") {
		c.Outputs = outputsOf(c.OutputList, r)
	} else {
		c.Outputs = c.legacyOutputs()
	}
	if c.Appearance != nil {
		c.Appearance.check(root.Get("appearance"), root.Has("location"), root.Has("theme"), r)
	}
	c.Graphics.checkDesign(root.Get("graphics"), r)
	c.checkViews(root.Get("views"), r)
	c.noteIgnored(root, r)
	return c
}

// check wants both coordinates or neither, and nothing beside the key that it is the old form of.
func (a *Appearance) check(n *Node, located, themed bool, r *Report) {
	given := func(key string) bool { return n.Get(key).Kind() != Null || n.Get(key).Broken() }
	const both = "give both to switch themes by the sun, or neither to switch them only over HTTP"
	if a.Themes != nil && themed {
		r.Errorf(n.At("themes"), "'theme' says how the wall looks: leave out themes, its old name")
	}
	switch lat, long := given("latitude"), given("longitude"); {
	case located && lat:
		r.Errorf(n.At("latitude"), "'location' says where the wall is: leave out latitude and longitude, its old name")
	case located && long:
		r.Errorf(n.At("longitude"), "'location' says where the wall is: leave out latitude and longitude, its old name")
	case lat && !long:
		r.Errorf(n.At("latitude"), "appearance has a latitude but no longitude: %s", both)
	case long && !lat:
		r.Errorf(n.At("longitude"), "appearance has a longitude but no latitude: %s", both)
	}
}

// noteIgnored says once of each key without effect that it has none.
func (c *Conf) noteIgnored(root *Node, r *Report) {
	noteIgnored(root.Get("graphics"), "x-display", r)
	for _, o := range c.Outputs {
		noteIgnored(o.Node, "x_display", r)
	}
}

// noteIgnored warns of an X display, if one is named.
func noteIgnored(n *Node, key string, r *Report) {
	if !n.Has(key) {
		return
	}
	d := diagnose(n.At(key), Warning, fmt.Sprintf("'%s' is accepted and ignored: frames go to the framebuffer, there is no X display", key))
	d.Code = CodeIgnored
	r.Add(d)
}

package config

import (
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"strings"
)

// ConfName is the name of the file of general settings.
const ConfName = "conf.yaml"

// Conf is the content of conf.yaml after the check, with default values for missing keys.
type Conf struct {
	// Size and motion of frames.
	Graphics Graphics `yaml:"graphics"`
	// Logging.
	Logging Logging `yaml:"logging"`
	// The HTTP server.
	Server Server `yaml:"server"`
	// Built-in theme (calm, paper, amber, photo, contrast, eink), theme file, or {day: …, night: …}. Overrides 'theme'
	// in the widgets file.
	Theme *Node `yaml:"theme"`
	// Language and region. Sets names of days and months, date order, hour cycle, first day of the week, decimal signs, units and the
	// wall's own words. A tag such as de-AT, or a mapping of language, hour_cycle (12, 24), week_start (mon …), units (metric, us, uk) and
	// digits (native, latin). Default: the machine's language, with English clocks in classic widgets. Years are Gregorian in every
	// language, without eras.
	Locale *Language `yaml:"locale"`
	// Time zone of all clocks and times, such as Europe/Berlin, instead of the machine's.
	Timezone *Zone `yaml:"timezone"`
	// Place of the wall, for the sun, the day and night themes, and the weather. A mapping of latitude, longitude and name, or only a place
	// name. The name is looked up once at open-meteo.com.
	Location *Location `yaml:"location"`
	// Day and night themes. Default: one theme.
	Appearance *Appearance `yaml:"appearance"`
	// The words of the wall for screen readers.
	Accessibility Accessibility `yaml:"accessibility"`
	// Walls for the page of all walls, in addition to the walls found on the local network. At most 64.
	Walls []FleetWall `yaml:"walls" maxlen:"64" json:",omitempty"`
	// Where the files of this wall are, instead of in this folder.
	ConfigURL *ConfigURL `yaml:"config_url" json:",omitempty"`
	// Lowest version of the program for these files, such as 1.6.0. Older programs refuse the files.
	Requires string `yaml:"requires" json:",omitempty"`
	// Old form of a file output, used only without 'outputs'.
	Headless *Headless `yaml:"headless"`
	// watch: saved files are applied. signal: files are applied only after SIGUSR1 or another request to reload. Default: watch, or signal
	// with --config-dir.
	Reload *string `yaml:"reload" enum:"watch,signal"`

	// The Home Assistant whose entities the wall shows: the provider 'homeassistant', and the default of providers of that
	// type.
	HomeAssistant *HomeAssistant `yaml:"homeassistant"`
	// Address of a catalogue of recipes, for 'dashboard recipe add NAME'. Default: none.
	Catalogue string `yaml:"catalogue" format:"url"`
	// Broker on which the wall is a device, and the default broker of providers of type mqtt.
	MQTT *MQTT `yaml:"mqtt"`

	// When the screen is on and how bright: a mapping of when, presence, off_after, wake, brightness, backends, yield and
	// pixel_shift.
	Display *Node `yaml:"display" json:",omitempty"`

	// Further walls from the same providers, by name. Each mapping has widgets and the keys that differ from this file.
	// main is widgets.yaml. At most 16.
	Views map[string]*View `yaml:"views"`

	// Outputs of frames: at least one, and at most one window or framebuffer.
	OutputList *Node `yaml:"outputs"`

	// Notifications over the wall, even without a notification widget: a kind (card, banner, toast, fullscreen) or a mapping of kind, place,
	// duration, dim, limit, ntfy and gotify. Starts the HTTP server.
	Notifications *Node `yaml:"notifications" json:",omitempty"`

	// Outputs are the decoded entries of OutputList. If OutputList is missing, Outputs are the outputs that old keys describe.
	Outputs []Output

	root *Node
}

// At returns the node of a key in conf.yaml. Callers report errors that they find after loading at the position of this node.
func (c *Conf) At(key string) *Node { return c.root.At(key) }

// Get returns the value of a key in conf.yaml, or nil if the key is missing.
func (c *Conf) Get(key string) *Node { return c.root.Get(key) }

// Decode reads only the keys that belong to fields of the struct *into, and sets these fields. It reports errors in these keys and ignores
// all other keys. It returns false if there was an error.
func (c *Conf) Decode(into any, r *Report) bool {
	return c.root.Decode(into, r, &DecodeOptions{Others: true})
}

// Graphics contains the settings for the size and motion of frames.
type Graphics struct {
	// Width and height of the wall. screen: the size of the window output's screen after rotation, or graphics.design if there is no screen.
	// With the value screen, the key fullscreen has no effect.
	Resolution Resolution `yaml:"resolution" default:"screen" unit:"px"`
	// Size that the lengths in widgets.yaml refer to. Default: [1280, 720] if resolution is screen, otherwise the resolution.
	Design *Size `yaml:"design" unit:"px"`
	// Movement: transitions, fades, tickers and sweeping hands. reduced switches movement off. auto: reduced if all outputs are of type file,
	// post, panel or trmnl, otherwise full.
	Motion string `yaml:"motion" default:"auto" enum:"auto,full,reduced"`
	// Maximum number of frames in a second.
	FPSLimit int `yaml:"fps-limit" default:"60" min:"1" max:"60" unit:"frames/s"`
	// Rotates the picture by 180 degrees.
	Flip bool `yaml:"flip" default:"false"`
	// Scales pictures with filtering instead of nearest neighbor.
	SmoothScaling bool `yaml:"smooth-scaling" default:"true"`
	// Factor for every text_size.
	TextScale float64 `yaml:"text-scale" default:"1.0" min:"0.1" max:"10" numeric:"string"`
	// Old form of fullscreen in a window output. Used only if 'outputs' is missing.
	Fullscreen bool `yaml:"fullscreen" default:"false"`
	// Old form of a framebuffer output. Used only if 'outputs' is missing.
	FBDevice *string `yaml:"fb-device"`
	// Accepted without effect.
	XDisplay *string `yaml:"x-display"`
}

// Logging sets the level of the log.
type Logging struct {
	// Lowest severity to log.
	Level string `yaml:"level" default:"info" enum:"debug,info,warning"`
}

// Server sets the HTTP server.
type Server struct {
	// Address to listen on. 0.0.0.0 listens on every address.
	Host string `yaml:"host" default:"127.0.0.1"`
	// TCP port to listen on.
	Port int `yaml:"port" default:"5000" min:"1" max:"65535"`
	// Further host names that requests may use, in addition to addresses and local names. '*' allows any name.
	Names []HostName `yaml:"names"`
	// Bearer tokens. Without stream_token, all callers can see the wall. Without control_token, all callers can control the wall.
	Auth ServerAuth `yaml:"auth"`
	// Rules for notifications.
	Notify ServerNotify `yaml:"notify"`
	// Limit of control requests for each caller. Further requests get status 429.
	Rate ServerRate `yaml:"rate_limit"`
	// Announces the wall by multicast DNS (_dashboard._tcp, _http._tcp, NAME.local). Default name: the machine's. A wall is announced only if
	// other machines can reach its stream.
	Announce Announcement `yaml:"announce" json:",omitzero" default:"true"`
}

// ServerAuth contains the bearer tokens. A token is nil if the file does not set it. An empty token counts as set.
type ServerAuth struct {
	// Protects frames, events and pages that show frames.
	StreamToken *string `yaml:"stream_token"`
	// Protects requests that control the wall or read its values.
	ControlToken *string `yaml:"control_token"`
	// Protects editing in the browser. Default: editing works from the wall's own machine only.
	ConfigToken *string `yaml:"config_token" json:",omitempty"`
}

// FleetWall is another wall on the page of all walls.
type FleetWall struct {
	// Name on the page. Default: the address.
	Name string `yaml:"name"`
	// Address of the wall, such as http://hall.local:5000.
	URL string `yaml:"url" required:"true"`
	// The wall's control token.
	Token string `yaml:"token"`
}

// ConfigURL is an archive with the files of a wall. They replace the files in the wall's folder, except secrets.yaml. If the archive has
// no conf.yaml, the conf.yaml in the wall's folder applies.
type ConfigURL struct {
	// Address of a zip file or a tar.gz, such as the archive of a branch on GitHub, Gitea or GitLab.
	URL string `yaml:"url" required:"true" format:"https"`
	// Token for the server. Use a secret.
	Token string `yaml:"token"`
	// Header that contains only the token, such as PRIVATE-TOKEN of GitLab. Default: Authorization, with Bearer before the token.
	Header string `yaml:"header"`
	// Folder in the archive. Default: the whole archive.
	Folder string `yaml:"folder"`
	// Time between two requests, at least a minute. A random delay of up to an eighth of this time is added.
	Every Interval `yaml:"every" default:"15m"`
	// PEM file of additional certificate authorities.
	CAFile string `yaml:"ca_file"`
}

// Accessibility contains the settings for screen readers.
type Accessibility struct {
	// Changes that screen readers announce in a browser. notifications includes warnings and failures.
	Announce string `yaml:"announce" default:"notifications" enum:"notifications,all,none"`
}

// ServerNotify contains the rules for notifications.
type ServerNotify struct {
	// Address ranges from which pictures of notifications may come. Default: public addresses and home networks.
	Allow []AddressRange `yaml:"allow"` // nil if the key is absent
}

// ServerRate limits control requests. The default limits are far above the rate of home
// automations, and far below a rate that slows a board down.
type ServerRate struct {
	// Maximum average number of requests in a second.
	PerSecond int `yaml:"per_second" default:"100" min:"1" max:"10000" unit:"requests/s"`
	// Maximum number of requests at once.
	Burst int `yaml:"burst" default:"500" min:"1" max:"10000" unit:"requests"`
}

// Appearance switches between a day and a night theme.
type Appearance struct {
	// The two theme files. Old form of 'theme'.
	Themes *Themes `yaml:"themes"`
	// Old form of 'location'.
	Latitude *float64 `yaml:"latitude" min:"-90" max:"90" numeric:"string" unit:"degrees north"`
	// Old form of 'location'.
	Longitude *float64 `yaml:"longitude" min:"-180" max:"180" numeric:"string" unit:"degrees east"`
	// Theme while the sun's position is unknown.
	Default string `yaml:"default" default:"day" enum:"day,night"`
	// Allows requests to /theme.
	HTTPControl bool `yaml:"http_control" default:"false"`
	// Shifts of the theme changes at sunrise and sunset. Negative values mean earlier changes.
	Offsets Offsets `yaml:"offsets"`
}

// Place returns the location of the wall. ok is false if the file sets no location.
func (c *Conf) Place() (l Location, ok bool) {
	if c.Location != nil {
		return *c.Location, true
	}
	if a := c.Appearance; a != nil && a.Latitude != nil && a.Longitude != nil {
		return Location{Latitude: *a.Latitude, Longitude: *a.Longitude, Known: true}, true
	}
	return Location{}, false
}

// Themes contains the paths of the two theme files, relative to the working directory.
type Themes struct {
	// Theme file by day.
	Day string `yaml:"day" required:"true"`
	// Theme file by night.
	Night string `yaml:"night" required:"true"`
}

// Offsets shift sunrise and sunset, in minutes. A negative offset is earlier.
type Offsets struct {
	// Shift of the change to the day theme.
	Sunrise int `yaml:"sunrise" default:"0" min:"-720" max:"720" unit:"minutes"`
	// Shift of the change to the night theme.
	Sunset int `yaml:"sunset" default:"0" min:"-720" max:"720" unit:"minutes"`
}

// Headless is the old form of a file output.
type Headless struct {
	// Whether files are written.
	Enabled bool `yaml:"enabled" default:"false"`
	FileOutput
}

// MaxSide is the maximum width or height of a frame, in pixels: 8K.
const MaxSide = 7680

// Size is a width and a height in pixels, each from 1 to MaxSide. In a file it is a list of two numbers.
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

// AddressRange is a range of IP addresses such as 10.0.0.0/8, or a single address such as 10.1.2.3.
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

// HostName is a host name of the server, such as wall.example.org, or * for any.
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

// LoadConf reads conf.yaml. The second result is false if the file has an error. The caller must not use the settings in this case.
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
	c.Server.check(root.Get("server"), r)
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

// check reports an error if only one of latitude and longitude is set. It also reports an old key if its new form is set too: `themed` is
// true if the file sets `theme`, and `located` is true if it sets `location`.
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

// noteIgnored warns once about each key that the program accepts but ignores.
func (c *Conf) noteIgnored(root *Node, r *Report) {
	noteIgnored(root.Get("graphics"), "x-display", r)
	for _, o := range c.Outputs {
		noteIgnored(o.Node, "x_display", r)
	}
}

// noteIgnored warns if the file sets a key for X displays, which the program accepts but ignores.
func noteIgnored(n *Node, key string, r *Report) {
	if !n.Has(key) {
		return
	}
	d := diagnose(n.At(key), Warning, fmt.Sprintf("'%s' is accepted and ignored: frames go to the framebuffer, there is no X display", key))
	d.Code = CodeIgnored
	r.Add(d)
}

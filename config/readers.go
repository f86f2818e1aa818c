package config

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

const (
	// MaxReaders is the maximum number of e-readers in an output.
	MaxReaders = 32
	// minReaderRefresh is the minimum time between two requests of an e-reader, because each request uses its battery.
	minReaderRefresh = 30 * time.Second
)

// TRMNLOutput shows frames on e-readers that use TRMNL's protocol.
type TRMNLOutput struct {
	// Devices, at most 32, by MAC address, or by any name if they have a token. Each entry is a mapping of settings, or empty.
	Devices map[string]*Reader `yaml:"devices"`
	// Time between two requests of a device, at least 30s. This time is shorter before a known change, such as a page change.
	Refresh Interval `yaml:"refresh" default:"15m"`
	// Time window in which devices sleep, such as 23:00-06:00.
	Sleep *Node `yaml:"sleep" json:",omitempty"`
	// Whether you can allow unlisted devices in the browser. They show the view main.
	AutoRegister bool `yaml:"auto_register" default:"false"`
}

// Reader contains the settings of one e-reader.
type Reader struct {
	Shows
	// Model. Default: reported by the device.
	Model string `yaml:"model" enum:"og_png,og_bmp,og_plus,v2,amazon_kindle_2024,amazon_kindle_7,amazon_kindle_oasis_2,amazon_kindle_paperwhite_6th_gen,amazon_kindle_paperwhite_7th_gen,amazon_kindle_scribe,kobo_libra_2,kobo_aura_one,kobo_aura_hd,inkplate_10"`
	// Time between two requests. Default: `refresh` of the output.
	Refresh *Interval `yaml:"refresh"`
	// Time window without requests. Default: `sleep` of the output.
	Sleep *Node `yaml:"sleep" json:",omitempty"`
	// Access token, for devices whose software requires one. Use a secret. A device with a MAC address and without this key gets a token at
	// setup.
	Token string `yaml:"token" minlen:"8"`
	// Waveforms of the panel in TRMNL's firmware. Try other values if letters are gray or leave shadows.
	Profile string `yaml:"temperature_profile" enum:"default,a,b,c" default:"default"`
	// Always refreshes the whole panel, which then flashes. For panels that show stripes or noise.
	Full bool `yaml:"maximum_compatibility" default:"false"`
}

// Address returns the MAC address in a key of Devices, in upper case with colons. The second result
// is false if the key is not a MAC address.
func (*TRMNLOutput) Address(key string) (string, bool) {
	key = strings.ToUpper(strings.ReplaceAll(key, "-", ":"))
	return key, macAddress.MatchString(key)
}

var (
	macAddress = regexp.MustCompile(`^([0-9A-F]{2}:){5}[0-9A-F]{2}$`)
	readerName = regexp.MustCompile(`^[A-Za-z0-9 _-]{1,32}$`)
)

// views() returns the views that the e-readers show.
func (t *TRMNLOutput) views() []string {
	var all []string
	for _, d := range t.Devices {
		all = append(all, cmp.Or(d.view(), MainView))
	}
	if t.AutoRegister {
		all = append(all, MainView)
	}
	return all
}

func (d *Reader) view() string {
	if d == nil {
		return ""
	}
	return d.View
}

// check reports invalid and duplicate devices, devices that need a token but have none, and refresh times that are too short.
func (t *TRMNLOutput) check(n *Node, r *Report) {
	if len(t.Devices) > MaxReaders {
		r.Errorf(n.At("devices"), "there are %d devices; at most %d are shown the wall", len(t.Devices), MaxReaders)
	}
	if len(t.Devices) == 0 && !t.AutoRegister && !n.Get("devices").Broken() && n.Get("devices").Len() == 0 {
		r.Errorf(n, "no device is shown anything: name one under 'devices', or set auto_register")
	}
	t.checkRefresh(n, t.Refresh, r)
	addresses, tokens := map[string]bool{}, map[string]bool{}
	for _, key := range slices.Sorted(maps.Keys(t.Devices)) {
		at, in, d := n.Get("devices").At(key), n.Get("devices").Get(key), t.Devices[key]
		if d == nil {
			d = &Reader{}
		}
		address, is := t.Address(key)
		switch {
		case is && addresses[address]:
			r.Errorf(at, "the device %s is here twice", address)
		case !is && !readerName.MatchString(key):
			r.Errorf(at, "'%s' is neither a MAC address such as AA:BB:CC:DD:EE:FF nor a name of letters, digits, _ and -, at most 32", key)
		case !is && in.Get("token").Kind() == Null && !in.Get("token").Broken():
			r.Errorf(at, "'%s' is no MAC address, so that the device is known by a token alone: write one", key)
		case d.Token != "" && tokens[d.Token]:
			r.Errorf(in.Get("token"), "another device has this token")
		}
		addresses[address], tokens[d.Token] = true, true
		if d.Refresh != nil {
			t.checkRefresh(in, *d.Refresh, r)
		}
	}
}

func (*TRMNLOutput) checkRefresh(n *Node, d Interval, r *Report) {
	if at := n.Get("refresh"); time.Duration(d) < minReaderRefresh && !at.Broken() && new(Interval).SetNode(at, nil) == nil {
		r.Errorf(at, "must be at least %v: every refresh costs a reader's battery", minReaderRefresh)
	}
}

// checkReaders reports a second output for e-readers, and e-readers whose view does not exist.
func (c *Conf) checkReaders(r *Report) {
	var first *Output
	for i, o := range c.Outputs {
		if o.TRMNL == nil {
			continue
		}
		if first != nil {
			r.Errorf(o.Node, "one trmnl output serves all devices; the first is at %s", first.Node.Pos())
		} else {
			first = &c.Outputs[i]
		}
		for key, d := range o.TRMNL.Devices {
			if name := cmp.Or(d.view(), MainView); !slices.Contains(c.ViewNames(), name) {
				at := o.Node.Get("devices").Get(key).At("view")
				r.Near(at, name, c.ViewNames(), "%s", unknownWord("view", name, strings.Join(c.ViewNames(), ", ")))
			}
		}
	}
}

// Readers returns the output for e-readers, or nil.
func (c *Conf) Readers() *TRMNLOutput {
	for _, o := range c.Outputs {
		if o.TRMNL != nil {
			return o.TRMNL
		}
	}
	return nil
}

// Package power decides whether a wall's screen is on and how bright it is. It also switches the screen, with the backends that are
// available.
package power

import (
	"errors"
	"time"

	"dashboard/config"
	"dashboard/config/value"
)

// The events that can switch a screen on while its settings would keep it off.
const (
	WakeTouch        = "touch"
	WakeNotification = "notification"
	WakeTrigger      = "trigger"
)

// The kinds of backends, in the order in which they are tried.
const (
	Backlight = "backlight" // backlight of the panel, through the kernel
	DDC       = "ddc"       // settings of the monitor, through the monitor cable
	CEC       = "cec"       // remote control of the television, through HDMI
	DRM       = "drm"       // power mode of the graphics card's connector
	FB        = "fb"        // power mode of the framebuffer
)

const (
	// OffAfter is the default time without presence after which the screen goes off.
	OffAfter = 10 * time.Minute
	// Fade is the default duration of a gradual change of the brightness.
	Fade = 2 * time.Second
)

// Settings are the values of the key display in conf.yaml and in views. Missing keys are nil or empty.
type Settings struct {
	// Keeps the screen on while this condition is true: {days: mon-fri, time: "07:00-20:00"}, !data and a program, or a list of
	// these. Default: always on.
	When *value.Condition `yaml:"when"`
	// Detects presence by a condition, such as {entity: binary_sensor.hall_motion}, or by a GPIO line, {gpio: 17}. A sensor without a value
	// counts as presence. {gpio: 17, low: true} inverts the line. The key pull sets the line's resistor (up, down or none, default: down).
	// Pulses shorter than min_on (default: 200ms) are ignored.
	Presence *Presence `yaml:"presence"`
	// Buttons on GPIO lines: a list of {gpio, pull, on_press, on_hold}. A pressed button must connect its line to ground, or to the supply
	// voltage if pull is down. on_press and on_hold are actions, like on_tap of widgets.
	Buttons *config.Node `yaml:"buttons" json:",omitempty"`
	// Time from the last sign of presence until the screen goes off. Touches and key presses count as signs. Default: 10m if presence is set.
	OffAfter *value.Duration `yaml:"off_after" min:"1"`
	// Events that switch the screen on although when or presence keeps it off: a touch, or a notification or page trigger with wake: true.
	Wake []string `yaml:"wake" default:"[touch, notification, trigger]" enum:"touch,notification,trigger"`
	// Brightness: a share such as 60%, a share for each theme ({day: 100%, night: 25%, fade: 2s}), or shares by the light in the room
	// ({sensor: auto, min: 10%, max: 100%, fade: 2s}). The key schedule, such as [{when: {time: "22:00-06:00"}, level: 5%}], overrides these
	// shares. The schedule's first entry with a true condition applies. The wall sets the panel's backlight or the monitor's brightness. If
	// this is impossible, the wall darkens the picture. A brightness set by hand lasts until the theme or the schedule sets another one.
	Brightness *Brightness `yaml:"brightness"`
	// Methods to switch the screen off, tried in this order. ddc controls a monitor over its cable, cec a television over HDMI.
	Backends []string `yaml:"backends" default:"[backlight, ddc, cec, drm, fb]" enum:"backlight,ddc,cec,drm,fb" minlen:"1"`
	// For cec. Televisions that a person switched off, or that show another input, are left alone.
	Yield bool `yaml:"yield" default:"true"`
	// Prevents burn-in: moves the picture by one pixel every minute, up to 4 px to each side. The wall is then 4 px smaller on each side.
	// Default: true with resolution: screen, otherwise false.
	PixelShift *bool `yaml:"pixel_shift"`
	// Warmth of the picture with the night theme. 100% is the color of an incandescent lamp. Default: unchanged colors.
	Warmth *value.Share `yaml:"warmth"`
}

// Presence is the source that detects presence: a condition, or a line of the board. Exactly one is set.
type Presence struct {
	Condition *value.Condition
	Line      *Line
}

// A Line is an input line of the board that a sensor uses.
type Line struct {
	GPIO  int            `yaml:"gpio" required:"true" min:"0" max:"1023"`
	Pull  string         `yaml:"pull" default:"down" enum:"up,down,none"`
	Low   bool           `yaml:"low" default:"false"`
	MinOn value.Duration `yaml:"min_on" default:"200ms" max:"60"`
}

// TypeName implements config.TypeNamer.
func (*Presence) TypeName() string { return "condition or {gpio}" }

// JSONSchema implements config.Describer.
func (*Presence) JSONSchema() map[string]any {
	line := map[string]any{"type": "object", "required": []any{"gpio"}, "additionalProperties": false, "properties": map[string]any{
		"gpio": map[string]any{"type": "integer", "minimum": 0, "maximum": 1023}, "pull": map[string]any{"enum": []any{"up", "down", "none"}},
		"low": map[string]any{"type": "boolean"}, "min_on": (*value.Duration)(nil).JSONSchema(),
	}}
	return map[string]any{"anyOf": []any{(*value.Condition)(nil).JSONSchema(), line}}
}

// TakesProgram implements config.ProgramTaker.
func (*Presence) TakesProgram() {}

// SetNode implements config.NodeSetter.
func (p *Presence) SetNode(n *config.Node, c *config.Context) error {
	if n.Kind() == config.Map && n.Has("gpio") {
		p.Line = &Line{}
		c.Decode(n, p.Line)
		return nil
	}
	p.Condition = &value.Condition{}
	return p.Condition.SetNode(n, c)
}

// Brightness sets the brightness of a screen: by day and night, by a schedule, or by the light in the room. All values are from 0 to 1.
type Brightness struct {
	Day, Night value.Share
	Fade       time.Duration
	Sensor     bool // whether the light in the room sets the brightness. Night is then its minimum and Day its maximum
	Schedule   []Scheduled
}

// A Scheduled is a brightness that applies while a condition is true.
type Scheduled struct {
	When  *value.Condition `yaml:"when" required:"true"`
	Level value.Share      `yaml:"level" required:"true"`
}

// maxScheduled is the maximum number of entries in a schedule. It allows one entry for each hour of the day, and some more.
const maxScheduled = 32

// themeKeys and sensorKeys are the keys of the two mappings that the key brightness accepts: brightness by theme, and brightness by a
// light sensor.
type (
	themeKeys struct {
		Day   value.Share    `yaml:"day" default:"100%"`
		Night value.Share    `yaml:"night" default:"100%"`
		Fade  value.Duration `yaml:"fade" default:"2s" max:"3600"`

		Schedule []Scheduled `yaml:"schedule" minlen:"1" maxlen:"32"`
	}
	sensorKeys struct {
		Sensor string         `yaml:"sensor" required:"true" enum:"auto"`
		Min    value.Share    `yaml:"min" default:"10%"`
		Max    value.Share    `yaml:"max" default:"100%"`
		Fade   value.Duration `yaml:"fade" default:"2s" max:"3600"`

		Schedule []Scheduled `yaml:"schedule" minlen:"1" maxlen:"32"`
	}
)

// TypeName implements config.TypeNamer.
func (*Brightness) TypeName() string { return "share or mapping" }

// JSONSchema implements config.Describer.
func (*Brightness) JSONSchema() map[string]any {
	share, fade := (*value.Share)(nil).JSONSchema, (*value.Duration)(nil).JSONSchema()
	mapping := func(keys map[string]any) map[string]any {
		return map[string]any{"type": "object", "additionalProperties": false, "properties": keys}
	}
	scheduled := mapping(map[string]any{"when": (*value.Condition)(nil).JSONSchema(), "level": share()})
	scheduled["required"] = []any{"when", "level"}
	schedule := map[string]any{"type": "array", "minItems": 1, "maxItems": maxScheduled, "items": scheduled}
	sensor := mapping(map[string]any{"sensor": map[string]any{"enum": []any{"auto"}}, "min": share(), "max": share(), "fade": fade, "schedule": schedule})
	sensor["required"] = []any{"sensor"}
	return map[string]any{"anyOf": []any{share(), mapping(map[string]any{"day": share(), "night": share(), "fade": fade, "schedule": schedule}), sensor}}
}

// SetNode implements config.NodeSetter.
func (b *Brightness) SetNode(n *config.Node, c *config.Context) error {
	switch {
	case n.Kind() != config.Map:
		var s value.Share
		if err := s.SetNode(n, c); err != nil {
			return err
		}
		*b = Brightness{Day: s, Night: s, Fade: Fade}
	case n.Has("sensor") || n.Has("min") || n.Has("max"):
		var k sensorKeys
		if c.Decode(n, &k) && k.Min > k.Max {
			return errors.New("min is more than max")
		}
		*b = Brightness{Day: k.Max, Night: k.Min, Fade: time.Duration(k.Fade), Sensor: true, Schedule: k.Schedule}
	default:
		var k themeKeys
		c.Decode(n, &k)
		*b = Brightness{Day: k.Day, Night: k.Night, Fade: time.Duration(k.Fade), Schedule: k.Schedule}
	}
	return nil
}

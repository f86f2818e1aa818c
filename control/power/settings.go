// Package power decides whether a wall's screen is on and how bright it is, and has whatever can do that do it.
package power

import (
	"errors"
	"time"

	"dashboard/config"
	"dashboard/config/value"
)

// What switches a screen on outside of its times.
const (
	WakeTouch        = "touch"
	WakeNotification = "notification"
	WakeTrigger      = "trigger"
)

// What can switch a screen off or dim it, in the order in which it is tried.
const (
	Backlight = "backlight" // of the panel, by sysfs
	DDC       = "ddc"       // of the monitor, by its wire for settings
	CEC       = "cec"       // of the television
	DRM       = "drm"       // the connector's power
	FB        = "fb"        // the framebuffer's
)

const (
	// OffAfter is how long after the last sign of somebody the screen goes off, where nothing is said of it.
	OffAfter = 10 * time.Minute
	// Fade is how long a change of brightness takes, where nothing is said of it.
	Fade = 2 * time.Second
)

// Settings say when a screen is on and how bright: the key display of conf.yaml and of views. What is not written is nil or empty.
type Settings struct {
	When       *value.Condition `yaml:"when" doc:"The screen is on while this holds; always without it. A condition: {days: mon-fri, time: \"07:00-20:00\"}, !data and a program, or a list of these."`
	Presence   *Presence        `yaml:"presence" doc:"Somebody is there while this condition holds, such as {entity: binary_sensor.hall_motion}. A sensor without a value counts as presence. Or a line of the board, {gpio: 17}, which is high while somebody is there; low: true turns that round, pull (up, down, none; down without it) is its resistor, and what is shorter than min_on, 200ms, does not count."`
	Buttons    *config.Node     `yaml:"buttons" json:",omitempty" doc:"Buttons on lines of the board: a list of {gpio, pull, on_press, on_hold}. A button goes to ground, with pull: down to the supply. on_press and on_hold are actions, as on_tap of widgets has them."`
	OffAfter   *value.Duration  `yaml:"off_after" min:"1" doc:"How long after the last sign of somebody the screen goes off; 10m with presence. Touches and keys are signs."`
	Wake       []string         `yaml:"wake" default:"[touch, notification, trigger]" enum:"touch,notification,trigger" doc:"What switches the screen on outside of that: a touch, a notification with wake: true, a page's trigger with wake: true."`
	Brightness *Brightness      `yaml:"brightness" doc:"How bright the screen is: a share such as 60%, {day: 100%, night: 25%, fade: 2s} by the theme, or by the light in the room, {sensor: auto, min: 10%, max: 100%, fade: 2s}. With schedule: [{when: {time: \"22:00-06:00\"}, level: 5%}] beside these keys, or alone, the first entry counts whose condition holds. By the panel's backlight or the monitor's own setting; where there is neither the picture itself is darker."`
	Backends   []string         `yaml:"backends" default:"[backlight, ddc, cec, drm, fb]" enum:"backlight,ddc,cec,drm,fb" minlen:"1" doc:"What may be used to switch the screen off, in this order; the first that works is. ddc is the monitor's own setting, by the wire for it in the cable; cec the television's remote control by HDMI."`
	Yield      bool             `yaml:"yield" default:"true" doc:"A television that somebody switched, or that shows something else, is left alone. Of cec."`
	PixelShift *bool            `yaml:"pixel_shift" doc:"Moves the picture by a pixel a minute, 4 px to each side at most, against burn-in. By itself where resolution is screen: the wall is laid out 4 px smaller on each side then; not where a resolution is written."`
	Warmth     *value.Share     `yaml:"warmth" doc:"How warm the picture is while the theme is the night's: 100% is the light of a lamp. Without it colors are as they are."`
}

// Presence is who tells that somebody is there: a condition, or a line of the board. One of the two is set.
type Presence struct {
	Condition *value.Condition
	Line      *Line
}

// A Line is one of the board with a sensor.
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

// Brightness is how bright a screen is: by day and by night, from 0 to 1, or by the light in the room.
type Brightness struct {
	Day, Night value.Share
	Fade       time.Duration
	Sensor     bool // by the light in the room, from Night to Day
	Schedule   []Scheduled
}

// Scheduled is a brightness while a condition holds.
type Scheduled struct {
	When  *value.Condition `yaml:"when" required:"true"`
	Level value.Share      `yaml:"level" required:"true"`
}

// maxScheduled bounds the entries of a schedule: more than the hours of a day.
const maxScheduled = 32

// themeKeys and sensorKeys are the two mappings that say it.
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

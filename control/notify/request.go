package notify

import (
	"encoding/json"
	"fmt"
	"image/color"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"dashboard/control/verb"
	"dashboard/internal/fetch"
)

// A Request is a checked request of a caller. Parse does not know which kind of widget will show it.
type Request struct {
	Widget     string
	Text       *string // nil if missing. It contains no control characters
	URL        string  // address of a picture; http or https; empty if missing
	Local      bool    // whether the caller and the picture are on this machine: see [Poster.SetLocal]
	LocalIcon  bool    // whether the caller and the icon are on this machine
	Duration   time.Duration
	Color      *color.NRGBA // color of the text; nil if missing or invalid
	Background *color.NRGBA
	Notes      []string // reasons why parts were ignored

	Targets  []string // names of widgets if Widget is "", or ["all"] for all widgets that can show it
	ID       string
	Title    string
	Message  string // text that may contain marks: see [Runs]
	Icon     string // mdi:NAME, or the http or https URL of a picture
	Role     string // color of the theme, used instead of Color
	Progress *float64
	Priority int // 0 if missing
	Mode     *Mode
	Untimed  bool // whether the duration is missing
	Hold     bool
	TTL      time.Duration
	Wake     bool
	Again    *bool
	Restart  bool
	Posted   time.Time // time of arrival; zero means now
	Count    int       // how often it arrived before a restart; 0 means 1
	From     string    // server that sent it; empty for callers of the control interface
	Actions  []Choice
	Sound    string // name of a sound, which is published but not played

	unknown string // message about an unknown key; "" if all keys are known
}

// Parse reads the body of a request, a JSON object with the keys of [Keys]. It accepts unknown keys, because only cards reject them. This
// check follows later, when the widgets are known. All errors have the type *KeyError. If `parseColor` rejects a color, Parse ignores the
// color and adds a note.
func Parse(body []byte, parseColor func(any) (color.NRGBA, error)) (*Request, error) {
	return parse(body, parseColor, false)
}

// Parse is like the function [Parse]. If the board shows notifications over the wall, a request need not name a widget.
func (b *Board) Parse(body []byte, parseColor func(any) (color.NRGBA, error)) (*Request, error) {
	_, err := b.Lookup(Wall)
	return parse(body, parseColor, err == nil)
}

func parse(body []byte, parseColor func(any) (color.NRGBA, error), wall bool) (*Request, error) {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(body, &keys); err != nil {
		return nil, &KeyError{"", "must be a JSON object: " + verb.PlainJSON(body, err)}
	}
	if keys == nil {
		return nil, &KeyError{"", "must be a JSON object, not null"}
	}
	p := &parser{keys: keys, color: parseColor}
	r := &Request{Role: p.role("color")}
	p.targets(r, wall)
	*r = Request{
		Widget: r.Widget, Targets: r.Targets, Role: r.Role,
		Text:       p.text("text"),
		URL:        p.address("url"),
		Duration:   p.duration("duration"),
		Color:      p.shade("color"),
		Background: p.shade("background_color"),
	}
	p.more(r)
	r.Notes = p.notes
	if p.err != nil {
		return nil, p.err
	}
	return r, nil
}

// A parser reads the keys of a request one by one and keeps the first error.
type parser struct {
	keys  map[string]json.RawMessage
	color func(any) (color.NRGBA, error)
	notes []string
	err   error
}

func (p *parser) fail(key, problem string) {
	if p.err == nil {
		p.err = &KeyError{key, problem}
	}
}

// A tooLarge stands for a number that is too large for a float64. The type check of the key rejects it.
type tooLarge struct{}

func (tooLarge) String() string { return "a number that large" }

// value decodes the value of one key. Keys are decoded separately, so that an invalid key does not affect the others.
func (p *parser) value(key string) (v any, given bool) {
	raw, given := p.keys[key]
	if given && json.Unmarshal(raw, &v) != nil {
		v = tooLarge{}
	}
	return v, given
}

// word reads a required text.
func (p *parser) word(key string) string {
	v, given := p.value(key)
	s, ok := v.(string)
	switch {
	case !given:
		p.fail(key, "is required")
	case !ok:
		p.fail(key, "must be a text")
	}
	return s
}

// text reads an optional text.
func (p *parser) text(key string) *string {
	if _, given := p.keys[key]; !given {
		return nil
	}
	s := p.word(key)
	if utf8.RuneCountInString(s) > MaxText {
		p.fail(key, fmt.Sprintf("must have at most %d characters", MaxText))
	}
	s = clean(s)
	return &s
}

// lineBreaks replaces each kind of line break by a line feed, and each tab by a space.
var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n", "\t", " ")

// clean removes control characters except line feeds.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, lineBreaks.Replace(s))
}

// address reads an optional http or https URL.
func (p *parser) address(key string) string {
	if _, given := p.keys[key]; !given {
		return ""
	}
	s := p.word(key)
	switch err := fetch.CheckURL(s); {
	case p.err != nil:
	case len(s) > MaxURL:
		p.fail(key, fmt.Sprintf("must have at most %d bytes", MaxURL))
	case err != nil:
		p.fail(key, "must be an http or https URL")
	}
	return s
}

// duration reads an optional number of seconds and returns DefaultDuration if it is missing.
func (p *parser) duration(key string) time.Duration {
	v, given := p.value(key)
	if !given {
		return DefaultDuration
	}
	s, ok := v.(float64)
	switch {
	case !ok:
		p.fail(key, "must be a number of seconds")
	case s <= 0 || s > MaxDuration.Seconds():
		p.fail(key, fmt.Sprintf("must be more than 0 and at most %.0f seconds", MaxDuration.Seconds()))
	}
	return max(time.Duration(s*float64(time.Second)), 1)
}

// shade reads an optional color. It returns nil if the color is missing, null or invalid. The widget then uses its own color.
func (p *parser) shade(key string) *color.NRGBA {
	v, _ := p.value(key)
	if v == nil {
		return nil
	}
	c, err := p.color(v)
	if err != nil {
		const most = 200 // maximum length of the value in a note, in bytes, because the value may be as long as the body
		note := fmt.Sprintf("%s: %v", key, err)
		p.notes = append(p.notes, strings.ToValidUTF8(note[:min(len(note), most)], ""))
		return nil
	}
	return &c
}

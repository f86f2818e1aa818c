package client

import (
	"errors"
	"fmt"
	"image"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"dashboard/netstream"
	"dashboard/render/text"
)

// A Corner is the corner of the screen for the triangle and for badges.
type Corner uint8

// The corners. The zero value is the default.
const (
	BottomRight Corner = iota
	BottomLeft
	TopRight
	TopLeft
)

var cornerNames = [...]string{"bottom-right", "bottom-left", "top-right", "top-left"}

// ParseCorner returns the corner with a name such as "top-left".
func ParseCorner(name string) (Corner, error) {
	for c, n := range cornerNames {
		if n == name {
			return Corner(c), nil
		}
	}
	return 0, fmt.Errorf("client: no corner %q; there are %s", name, strings.Join(cornerNames[:], ", "))
}

// Offline describes the screen that is shown while the service is missing.
type Offline struct {
	Message     string
	ClockFormat string  // format of the clock, as for strftime
	Dim         float64 // how much the last frame is darkened, from 0 to 1 (black)
}

// Options are the settings of a client.
type Options struct {
	URL            string // URL of the service, with the scheme http or https, and with the path
	View           string // name of a view. "" means main
	Token          string // token for the header Authorization. "" sends no header
	Size           image.Point
	ReconnectDelay time.Duration
	StaleAfter     time.Duration
	Corner         Corner
	Offline        *Offline // if nil, a triangle is shown instead of the offline screen
	Latency        bool     // show the latency panel
	Problem        string   // error in the settings. If Problem is set, the client only shows the error, and does not contact a service
	Notice         *Notice  // message that is shown instead of a wall, without contacting a service
	Paired         bool     // the token belongs to this screen. If the service rejects the token, this screen was removed
	Version        string   // version of the program in the header User-Agent

	Display  Display
	Text     *text.Cache    // cache of glyphs. If nil, the client makes one
	Location *time.Location // time zone of the clock. nil means local time
	// TimeSet reports whether the machine's clock is set. Until then, the offline screen shows no time. nil means that the clock is set.
	TimeSet func(now time.Time) bool
	Log     *slog.Logger // nil logs nothing
	// Screen, if not nil, is called at the start, and when the wall's screen is switched on or off. It must not block.
	Screen func(on bool)
	// Light, if not nil, is called at the start, and when the brightness or warmth of the wall's screen changes. It must not block.
	Light func(Light)
	// Passed, if not nil, is called after every pass of the loop that shows frames, at least once in every Heartbeat. The calls prove that
	// the loop is running.
	Passed    func(now time.Time)
	Heartbeat time.Duration // maximum time between two calls of Passed, at most MaxSleep. 0 means MaxSleep
}

// A Notice is a message that is shown instead of a wall.
type Notice struct {
	Title  string
	Detail string // one line of further text, or ""
	Code   string // digits that are shown instead of the time, or ""
}

// silent() reports whether the client shows a message and contacts no service.
func (o *Options) silent() bool { return o.Problem != "" || o.Notice != nil }

// A Display shows frames. `src` is the whole frame. `damage` lists the rectangles that contain all changed pixels. If `damage` is nil, the
// whole frame has changed. Both arguments are valid only during the call. If a call fails, the client draws the frame again a second later.
type Display interface {
	DrawFrame(src *image.RGBA, damage []image.Rectangle) error
}

// glyphBytes bounds the cache of glyphs that the client makes if Options.Text is nil. On a screen of 1920x1080, the clock and the message
// take about 200 kB.
const glyphBytes = 1 << 20

// Validate returns an error if the options can never work. It does not use the network or the display. The field Display may still be nil.
func (o *Options) Validate() error {
	side := func(n int) bool { return n >= 1 && n <= netstream.MaxSide }
	switch {
	case !side(o.Size.X) || !side(o.Size.Y):
		return fmt.Errorf("client: a screen of %dx%d: each side must be 1 to %d", o.Size.X, o.Size.Y, netstream.MaxSide)
	case strings.ContainsFunc(o.Token, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return errors.New("client: the token has a character that no header can carry")
	}
	_, err := o.resource("frame")
	return err
}

// check validates the options and fills in the defaults.
func (o *Options) check() error {
	if o.Display == nil {
		return errors.New("client: no display")
	}
	if err := o.Validate(); err != nil {
		return err
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Text == nil {
		o.Text = text.NewCache(glyphBytes)
	}
	if o.Location == nil {
		o.Location = time.Local
	}
	if o.Heartbeat <= 0 || o.Heartbeat > MaxSleep {
		o.Heartbeat = MaxSleep
	}
	if o.Light == nil {
		o.Light = func(Light) {}
	}
	if o.Screen == nil {
		o.Screen = func(bool) {}
	}
	if o.Passed == nil {
		o.Passed = func(time.Time) {}
	}
	return nil
}

// resource() returns the URL of a resource of the service, with the size of the screen as a parameter.
func (o *Options) resource(name string) (string, error) {
	u, err := url.Parse(o.URL)
	switch {
	case err != nil:
		return "", fmt.Errorf("client: %w", err)
	case u.Scheme != "http" && u.Scheme != "https":
		return "", fmt.Errorf("client: %q: want an address that begins with http:// or https://", o.URL)
	case u.Host == "":
		return "", fmt.Errorf("client: %q has no host", o.URL)
	}
	u = u.JoinPath(name)
	u.RawQuery = fmt.Sprintf("width=%d&height=%d", o.Size.X, o.Size.Y)
	if o.View != "" {
		u.RawQuery += "&view=" + url.QueryEscape(o.View)
	}
	u.Fragment = ""
	return u.String(), nil
}

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

// A Corner is a corner of the screen, for the triangle.
type Corner uint8

// The corners. The zero value is the default.
const (
	BottomRight Corner = iota
	BottomLeft
	TopRight
	TopLeft
)

var cornerNames = [...]string{"bottom-right", "bottom-left", "top-right", "top-left"}

// ParseCorner returns the corner of a name such as "top-left".
func ParseCorner(name string) (Corner, error) {
	for c, n := range cornerNames {
		if n == name {
			return Corner(c), nil
		}
	}
	return 0, fmt.Errorf("client: no corner %q; there are %s", name, strings.Join(cornerNames[:], ", "))
}

// Offline describes the offline screen.
type Offline struct {
	Message     string
	ClockFormat string  // strftime
	Dim         float64 // darkening of the last frame, 0 to 1 (black)
}

// Options are the settings of a client.
type Options struct {
	URL            string // base address of the service, http or https, with its path
	View           string // view of the service ("" means main)
	Token          string // token for Authorization: Bearer. "" sends no header
	Size           image.Point
	ReconnectDelay time.Duration
	StaleAfter     time.Duration
	Corner         Corner
	Offline        *Offline // nil means the triangle
	Latency        bool     // shows the latency panel
	Problem        string   // error in the settings. If set, only it is shown and no service is asked
	Notice         *Notice  // shown instead of a wall, without asking a service
	Paired         bool     // the token belongs to this screen: a rejection means that it was removed
	Version        string   // version for the User-Agent

	Display  Display
	Text     *text.Cache    // nil creates a new one
	Location *time.Location // time zone of the clock (nil means local time)
	Log      *slog.Logger   // nil is silent
	// Screen may be nil. It is called when the wall's screen is switched on or off. It must not block.
	Screen func(on bool)
	// Light may be nil. It is called when the light of the wall's screen changes. It must not block.
	Light func(Light)
	// Passed may be nil. It is called after every pass of the loop that shows frames, at least every Heartbeat, which proves that
	// the loop is running.
	Passed    func(now time.Time)
	Heartbeat time.Duration // 0 or a greater value means MaxSleep
}

// A Notice is a message on a screen without a wall.
type Notice struct {
	Title  string
	Detail string // one line. May be ""
	Code   string // digits, in place of the time. May be ""
}

// silent reports whether a message replaces the service.
func (o *Options) silent() bool { return o.Problem != "" || o.Notice != nil }

// A Display shows frames. src is the whole frame. It and damage, rectangles with all changed pixels, are valid during the call
// only. Nil damage means everything. A failed frame is drawn again a second later.
type Display interface {
	DrawFrame(src *image.RGBA, damage []image.Rectangle) error
}

// glyphBytes limits cached glyphs without a cache in Options. A clock at 1080p and its message take about 200 kB.
const glyphBytes = 1 << 20

// Validate reports errors that are independent of network and display. Display may still be missing.
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

// check validates the options and sets defaults.
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

// resource returns the address of a resource of the service, with the size of the screen.
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

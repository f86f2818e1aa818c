// Package query describes the requests of widgets as plain data: which value of which provider or address, and its
// format. Package provider/sources answers.
package query

import (
	"image"
	"time"

	"dashboard/provider"
	"dashboard/render/picture"
)

// An Asker is the asking widget: its place in the file, and the receiver of errors in its request.
type Asker struct {
	Kind, Pos string // of widget; file:line:column
	Recipe    string // use of the recipe around the widget, or ""
	// Errorf reports a mistake at one of the widget's keys. If "", it is the widget itself.
	Errorf func(key, format string, args ...any)
}

// A Pick is the place of a value in a document: a path such as list[0].name, then a jq program. Each of them may be
// empty.
type Pick struct {
	Path, JQ       string
	PathKey, JQKey string // the keys they are written at, for mistakes
}

// A Value is a value of a provider of providers.yaml.
type Value struct {
	Provider string // its name
	Pick     Pick
}

// A Text requests a value as text, formatted as Python does.
type Text struct {
	Value
	Format     string // with {value}
	Fallback   string // for a missing value, or a value that does not suit the format
	ShowErrors bool   // the error in place of Fallback
}

// An Answer asks for what an address answers, formatted as Python does.
type Answer struct {
	Address
	Format string // with {}
}

// A Template requests a Jinja template filled in by Home Assistant whenever one of the providers has a new value.
type Template struct {
	Providers []string // their values are provider_NAME in it
	Template  string
	URL       string // of Home Assistant
	Secret    bool   // URL is shown nowhere
	Token     string
	Fallback  string // before the first answer
}

// A Series requests a list of numbers with labels.
type Series struct {
	Value
	Labels Pick
	Most   int // of numbers kept
}

// A Picture requests a picture, decoded for a box. Its address is URL, the result of Pick in the document there, or the
// value of From, or of At, or it is the camera of a Home Assistant.
type Picture struct {
	Address
	From *Value         // nil if Address has the address
	At   *provider.Cell // holds the address, if not nil
	Path bool           // At holds a path of a file
	// Player is the provider of the song whose cover At names, "" for other pictures.
	Player string

	Refresh time.Duration // pause between fetches where At or Camera is; 0 is never again
	Camera  string        // kind of camera: auto, mjpeg or snapshot, "" is none
	Entity  string        // of the provider Home, instead of an address, "" is none
	Home    string

	Box    image.Point // px
	Fit    picture.Fit
	Smooth bool
}

// An Entry is one of a list that a jq program gives.
type Entry struct {
	Items string // the program
	Index int
}

// Words is the answer to a question for text.
type Words struct {
	provider.Typed[string]
	// Instead is the text for a sample without a value, or "" for one with a value.
	Instead func(s *provider.Sample, stale bool) string
}

// Numbers is the answer to a question for a series. It is immutable.
type Numbers struct {
	Values   []float64 // NaN leaves its place empty
	Labels   []string  // at most as many; none if there are no labels
	Count    int       // of values before those beyond the most that were requested were cut off
	Max, Min float64   // of all values, NaN without one
}

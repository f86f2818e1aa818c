// Package query describes the requests of widgets as plain data: which value of which provider or address, and its format. Package
// provider/sources answers them.
package query

import (
	"image"
	"time"

	"dashboard/provider"
	"dashboard/render/picture"
)

// An Asker is the widget that makes a request: its place in the file, and the receiver of errors in its request.
type Asker struct {
	Kind, Pos string // kind of the widget, and file:line:column
	Recipe    string // use of the recipe around the widget, or ""
	// Errorf reports an error at one of the widget's keys. "" means the widget itself.
	Errorf func(key, format string, args ...any)
}

// A Pick is the place of a value in a document: a path such as list[0].name, then a jq program. Each of them may be
// empty.
type Pick struct {
	Path, JQ       string
	PathKey, JQKey string // the keys at which they are written, for errors
}

// A Value is a value of a provider of providers.yaml.
type Value struct {
	Provider string // name of the provider
	Pick     Pick
}

// A Text requests a value as text, formatted like in Python.
type Text struct {
	Value
	Format     string // format that contains {value}
	Fallback   string // text for a missing value, or for a value that does not suit the format
	ShowErrors bool   // show the error instead of Fallback
}

// An Answer requests the answer of an address as text, formatted like in Python.
type Answer struct {
	Address
	Format string // format that contains {}
}

// A Template requests a Jinja template filled in by Home Assistant whenever one of the providers has a new value.
type Template struct {
	Providers []string // names of providers. The template reads their values as provider_NAME
	Template  string
	URL       string // address of Home Assistant
	Secret    bool   // the URL is never shown
	Token     string
	Fallback  string // text until the first answer
}

// A Series requests a list of numbers with labels.
type Series struct {
	Value
	Labels Pick
	Most   int // greatest number of values
}

// A Picture requests a picture that is decoded for a box. Its address is URL, the result of Pick in the document at URL, the value
// of From, or the value of At. Instead of an address it may be a camera of Home Assistant.
type Picture struct {
	Address
	From *Value         // nil if Address has the address
	At   *provider.Cell // cell that contains the address, if not nil
	Path bool           // true if At contains the path of a file
	// Player is the provider of the song whose cover At names, or "" for other pictures.
	Player string

	Refresh time.Duration // pause between fetches with At or Camera; 0 is never again
	Camera  string        // kind of camera: auto, mjpeg or snapshot; "" is none
	Entity  string        // entity of the provider Home, instead of an address; "" is none
	Home    string

	Box    image.Point // px
	Fit    picture.Fit
	Smooth bool
}

// An Entry is an entry of a list that a jq program returns.
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
	Values   []float64 // NaN leaves a gap
	Labels   []string  // labels of the first values, or empty
	Count    int       // number of values before the limit was applied
	Max, Min float64   // lowest and highest of all values, or NaN
}

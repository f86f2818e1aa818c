// Package query describes the requests of widgets as plain data. A request names a provider or an address. It also has the position of
// the value in the document, and the format of the value. Package provider/sources answers the requests.
package query

import (
	"image"
	"time"

	"dashboard/provider"
	"dashboard/render/picture"
)

// An Asker is the widget that makes a request. It has the position of the widget in its file, and the function that reports errors in the
// request.
type Asker struct {
	Kind, Pos string // type of the widget, and its position as file:line:column
	Recipe    string // ID of the use of a recipe to which the widget belongs; "" if it belongs to no recipe
	// Errorf reports an error at one of the widget's keys. The key "" means the widget itself.
	Errorf func(key, format string, args ...any)
	// Fields has the keys or paths of the programs that run for each entry of a list. An error of a program without a key is reported at
	// the list.
	Fields []string
}

// A Pick is the position of a value in a document: a path such as list[0].name, followed by a jq program. Both may be empty.
type Pick struct {
	Path, JQ       string
	PathKey, JQKey string // configuration keys that contain Path and JQ, for errors
}

// A Value is the value of a provider in providers.yaml, or a part of it.
type Value struct {
	Provider string // name of the provider
	Pick     Pick
}

// A Text requests a value as text. The value is formatted as in Python.
type Text struct {
	Value
	Format     string // format that contains {value}
	Fallback   string // text if there is no value, or if the value does not fit the format
	ShowErrors bool   // whether errors are shown instead of Fallback
}

// An Answer requests the answer of an address as text. The answer is formatted as in Python.
type Answer struct {
	Address
	Format string // format that contains {}
}

// A Template requests the result of a Jinja template, which Home Assistant renders whenever one of the providers has a new value.
type Template struct {
	Providers []string // names of providers; the template reads their values as provider_NAME
	Template  string
	URL       string // address of Home Assistant
	Secret    bool   // whether URL must never be shown
	Token     string
	Fallback  string // text until the first result
}

// A Series requests a list of numbers with labels.
type Series struct {
	Value
	Labels Pick
	Most   int // maximum number of values
}

// A Picture requests a picture that is decoded for a box. The picture's address is URL. If Pick is set, the address is in the document at
// URL. If From is set, the address is the value that From names. If At is set, the address is in the cell At. Instead of an address, Entity
// may name a camera of Home Assistant.
type Picture struct {
	Address
	From *Value         // nil if the address is not a value
	At   *provider.Cell // cell that contains the address; nil if there is no such cell
	Path bool           // whether At contains the path of a file
	// Player is the name of the provider that plays a song. The cell At then contains the address of the song's cover. Player is "" if
	// the picture is not a cover.
	Player string

	Refresh time.Duration // time between two requests; 0 means UpdateFrequency or, with At, a request only after the address changes
	Camera  string        // kind of camera: auto, mjpeg or snapshot; "" if it is not a camera
	Entity  string        // entity of the provider Home, used instead of an address; "" if there is no entity
	Home    string

	Box    image.Point // size in pixels
	Fit    picture.Fit
	Smooth bool
}

// An Entry is an entry of a list that a jq program returns.
type Entry struct {
	Items string // program that returns the list
	Index int
}

// Words is the answer to a request for text.
type Words struct {
	provider.Typed[string]
	// Instead returns the text that is shown if a sample has no value. It returns "" if the sample has a value.
	Instead func(s *provider.Sample, stale bool) string
}

// Numbers is the answer to a request for a series. It is immutable.
type Numbers struct {
	Values   []float64 // NaN is a gap
	Labels   []string  // labels of the first values; may be empty
	Count    int       // number of values before the limit was applied
	Max, Min float64   // greatest and least of all values; NaN if there is no value
}

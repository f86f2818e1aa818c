package trmnl

import (
	"image"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	// maxWord limits a text in a device's header, in bytes.
	maxWord = 40
	// maxVolts is the highest voltage of a battery or of a board's supply. Kindles send a percentage in the same header. A higher
	// value is therefore a percentage, unless the battery is nearly empty.
	maxVolts = 13
)

// Said holds the headers of a device's request. Missing or invalid values are zero, and numbers are NaN.
type Said struct {
	ID, Token       string
	Model, Firmware string
	Size            image.Point // size of its screen in px
	Volts           float64     // voltage of its battery
	Percent         float64     // charge of its battery in percent
	Charging        bool
	Signal          float64 // dBm
}

// Hear parses the headers of a request.
func Hear(h http.Header) Said {
	s := Said{
		ID: h.Get("ID"), Token: h.Get("Access-Token"), Model: word(h.Get("Model")), Firmware: word(h.Get("FW-Version")),
		Size:  size(h.Get("Width"), h.Get("Height")),
		Volts: number(h.Get("Battery-Voltage"), 0, maxVolts), Percent: math.NaN(),
		Charging: h.Get("Battery-Charging") == "1", Signal: number(h.Get("RSSI"), -150, 0),
	}
	if s.Size == (image.Point{}) {
		s.Size = size(h.Get("png-width"), h.Get("png-height"))
	}
	if math.IsNaN(s.Volts) {
		s.Percent = number(h.Get("Battery-Voltage"), maxVolts, 100)
	}
	for _, name := range []string{"percent-charged", "battery-percent"} {
		if v := number(h.Get(name), 0, 100); !math.IsNaN(v) {
			s.Percent = v
		}
	}
	if s.Signal == 0 { // readers that do not measure the signal send 0
		s.Signal = math.NaN()
	}
	return s
}

// word returns a text without unprintable characters.
func word(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, s[:min(len(s), maxWord)])
}

// number returns a number within limits, otherwise NaN.
func number(s string, least, most float64) float64 {
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || !(v >= least && v <= most) {
		return math.NaN()
	}
	return v
}

// size returns the size of a screen, zero if it is implausible.
func size(width, height string) image.Point {
	w, err := strconv.Atoi(width)
	h, err2 := strconv.Atoi(height)
	if err != nil || err2 != nil || min(w, h) < minSide || max(w, h) > MaxSide {
		return image.Point{}
	}
	return image.Pt(w, h)
}

// Address normalizes a device's ID: six bytes in upper case, AA:BB:CC:DD:EE:FF. It returns false for other texts.
func Address(id string) (string, bool) {
	id = strings.ToUpper(strings.ReplaceAll(id, "-", ":"))
	if len(id) != len("AA:BB:CC:DD:EE:FF") {
		return "", false
	}
	for i, c := range []byte(id) {
		hex := c >= '0' && c <= '9' || c >= 'A' && c <= 'F'
		if i%3 == 2 && c != ':' || i%3 != 2 && !hex {
			return "", false
		}
	}
	return id, true
}

// A Status is the state of a device. Zero times mean never, NaN means unknown.
type Status struct {
	Name, View      string
	Friendly        string // short name, which the device also shows
	Public          string // public name that does not reveal an address
	Guest           bool   // not listed, but allowed
	Model, Firmware string
	Seen            time.Time // time of its latest request for the wall
	Volts, Percent  float64
	Charging        bool
	Signal          float64 // dBm
	Refresh         int     // sleep in seconds
	Picture         string  // name of its newest picture
	Said            string  // the newest line of its log
}

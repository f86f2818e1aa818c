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
	// maxWord bounds the bytes of a text in a device's headers.
	maxWord = 40
	// maxVolts is the highest plausible voltage. Kindles send a percentage in the same header, so a greater number is a percentage. A
	// percentage below maxVolts is mistaken for a voltage. This happens rarely, because the battery is then nearly empty.
	maxVolts = 13
)

// Said contains the headers of a device's request. A missing or invalid text is empty, a missing or invalid number is NaN, and a missing
// or invalid size is zero.
type Said struct {
	ID, Token       string
	Model, Firmware string
	Size            image.Point // size of the device's screen
	Volts           float64     // voltage of the battery
	Percent         float64     // charge of the battery in percent
	Charging        bool
	Signal          float64 // strength of the radio signal in dBm
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
	if s.Signal == 0 { // 0 means that the reader does not measure the signal
		s.Signal = math.NaN()
	}
	return s
}

// word() returns the first maxWord bytes of s without control characters and other characters that are not ASCII.
func word(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, s[:min(len(s), maxWord)])
}

// number() parses a number. If the number is not between `least` and `most`, it returns NaN.
func number(s string, least, most float64) float64 {
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || !(v >= least && v <= most) {
		return math.NaN()
	}
	return v
}

// size() parses the size of a screen. If the size is not plausible, it returns zero.
func size(width, height string) image.Point {
	w, err := strconv.Atoi(width)
	h, err2 := strconv.Atoi(height)
	if err != nil || err2 != nil || min(w, h) < minSide || max(w, h) > MaxSide {
		return image.Point{}
	}
	return image.Pt(w, h)
}

// Address returns the ID of a device in its normal form: six bytes in upper case, AA:BB:CC:DD:EE:FF. ok is false for other texts.
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

// A Status is the state of a device. A zero time means never, and NaN means unknown.
type Status struct {
	Name, View      string
	Friendly        string // short name, which the device shows too
	Public          string // name for public pages, which does not reveal the address
	Guest           bool   // permitted, but not in the settings
	Model, Firmware string
	Seen            time.Time // time of the latest request for the wall
	Volts, Percent  float64
	Charging        bool
	Signal          float64 // strength of the radio signal in dBm
	Refresh         int     // how long the device sleeps, in seconds
	Picture         string  // name of the newest picture
	Said            string  // newest line of the device's own log
}

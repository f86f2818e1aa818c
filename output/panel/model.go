// Package panel shows frames on e-paper and small panels at a board's pins.
//
// A frame is converted to the panel's inks (render/ink), a Policy decides whether the panel is refreshed partially or fully, and a
// driver of the model's chip sends the commands. After every update the panel sleeps. Its picture is kept for the next start. An
// output.Pacer isolates refreshes of half a minute.
//
// The drivers follow the vendors' programs and datasheets. Tests use a simulator of each chip. No real panel was tested.
package panel

import (
	"image"
	"time"

	"dashboard/render/ink"
)

// A Model is a panel that can be bought.
type Model struct {
	Name    string
	Doc     string      // one line for the reference
	Size    image.Point // px, as its chip counts them
	Palette string      // one of ink.Names

	Partial     bool          // a part can be refreshed without a flash
	Instant     bool          // it is no paper: it shows each frame at once, and does not sleep
	MinInterval time.Duration // default time from one update to the next

	right  bool // turns a wide frame to the right. Otherwise to the left
	pins   pins
	speed  int // of the bus, Hz
	driver func(*Model) driver
}

// pins are line numbers of a Raspberry Pi. The bus has separate lines.
type pins struct {
	dc, reset, busy int
	power           int   // switches the panel's supply (0 if there is no such line)
	selects         []int // select lines of parallel controllers, if the bus has too few
}

// Pins of Waveshare's boards (epdconfig.py) and of Pimoroni's (inky_e673.py) on a Raspberry Pi.
var (
	waveshare = pins{dc: 25, reset: 17, busy: 24, power: 18}
	pimoroni  = pins{dc: 22, reset: 27, busy: 17}
	large     = pins{dc: 22, reset: 27, busy: 17, selects: []int{26, 16}} // Pimoroni's 13.3 inch (inky_el133uf1.py)
)

const (
	paperInterval = time.Minute      // black and white: a refresh takes some seconds, and some parts of one
	colorInterval = 15 * time.Minute // colors: half a minute of flashing
)

// Models lists them all.
func Models() []*Model {
	return []*Model{
		{Name: "waveshare-7in5-v2", Doc: "Waveshare 7.5 inch V2, black and white.", Size: image.Pt(800, 480), Palette: "bw", Partial: true, MinInterval: paperInterval, pins: waveshare, speed: 4_000_000, driver: newUC8179},
		{Name: "waveshare-7in5-b-v2", Doc: "Waveshare 7.5 inch B V2, black, white and red.", Size: image.Pt(800, 480), Palette: "bwr", MinInterval: colorInterval, pins: waveshare, speed: 4_000_000, driver: newUC8179},
		{Name: "waveshare-4in2-v2", Doc: "Waveshare 4.2 inch V2, black and white.", Size: image.Pt(400, 300), Palette: "bw", Partial: true, MinInterval: paperInterval, pins: waveshare, speed: 4_000_000, driver: newSSD16},
		{Name: "waveshare-2in13-v4", Doc: "Waveshare 2.13 inch V4, black and white.", Size: image.Pt(122, 250), Palette: "bw", Partial: true, MinInterval: paperInterval, pins: waveshare, speed: 4_000_000, driver: newSSD16},
		{Name: "spectra6-7in3", Doc: "Waveshare 7.3 inch E, the six colors of Spectra 6.", Size: image.Pt(800, 480), Palette: "spectra6", MinInterval: colorInterval, pins: waveshare, speed: 4_000_000, driver: newSpectra},
		{Name: "waveshare-7in3-f", Doc: "Waveshare 7.3 inch F, seven colors.", Size: image.Pt(800, 480), Palette: "inky7", MinInterval: colorInterval, pins: waveshare, speed: 4_000_000, driver: newSpectra},
		{Name: "inky-7in3-2025", Doc: "Pimoroni Inky Impression 7.3 inch of 2025, the six colors of Spectra 6.", Size: image.Pt(800, 480), Palette: "spectra6", MinInterval: colorInterval, pins: pimoroni, speed: 1_000_000, driver: newSpectra},
		{Name: "inky-13in3", Doc: "Pimoroni Inky Impression 13.3 inch, the six colors of Spectra 6.", Size: image.Pt(1200, 1600), Palette: "spectra6", MinInterval: colorInterval, right: true, pins: large, speed: 10_000_000, driver: newEL133},
		{Name: "ssd1306", Doc: "OLED of 128x64 with an SSD1306 on the board's I2C bus.", Size: image.Pt(128, 64), Palette: "bw", Instant: true, driver: newOLED},
	}
}

// Named returns a model by its name, or false if it does not exist.
func Named(name string) (*Model, bool) {
	for _, m := range Models() {
		if m.Name == name {
			return m, true
		}
	}
	return nil, false
}

// Names returns the names of all models.
func Names() []string {
	var names []string
	for _, m := range Models() {
		names = append(names, m.Name)
	}
	return names
}

// Upright is the size of a frame that is wider than high, px: the usual position of panels.
func (m *Model) Upright() image.Point {
	return image.Pt(max(m.Size.X, m.Size.Y), min(m.Size.X, m.Size.Y))
}

// Fits reports whether frames of a size fill the panel, upright or turned by 90 degrees.
func (m *Model) Fits(frame image.Point) bool {
	return frame == m.Size || frame == image.Pt(m.Size.Y, m.Size.X)
}

// Quantizer returns a converter of frames of a size to the panel's inks. Photos are regular patterns on panels with partial
// refresh, and finer on others.
func (m *Model) Quantizer(frame image.Point) *ink.Quantizer {
	p, _ := ink.Named(m.Palette)
	how := ink.Diffuse
	if m.Partial || m.Instant {
		how = ink.Ordered
	}
	return ink.New(p, frame, how)
}

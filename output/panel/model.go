// Package panel shows frames on e-paper and on small panels that are connected to the pins of a board.
//
// A frame is converted to the panel's inks (render/ink). A Policy decides whether the panel is refreshed partially or completely. A
// driver for the model's chip sends the commands. After every update the panel sleeps, and the shown picture is stored for the next
// start. An output.Pacer isolates the wall, because a refresh can take half a minute.
//
// The drivers follow the vendors' programs and datasheets. They were tested with a simulator of each chip, but not with real panels.
package panel

import (
	"image"
	"time"

	"dashboard/render/ink"
)

// A Model is a panel that can be bought.
type Model struct {
	Name    string
	Doc     string      // description in one line, for the reference page
	Size    image.Point // size in px in the chip's orientation, before rotation
	Palette string      // name of the palette, one of ink.Names

	Partial     bool          // the panel can refresh a part without flashing
	Instant     bool          // the display is not e-paper: it shows each frame at once and does not sleep
	MinInterval time.Duration // default minimum time between two updates

	right  bool // direction in which a wide frame is rotated: true for right, false for left
	pins   pins
	speed  int // clock of the SPI bus, in Hz
	driver func(*Model) driver
}

// pins are GPIO line numbers of a Raspberry Pi. They do not include the lines of the SPI bus.
type pins struct {
	dc, reset, busy int
	power           int   // line that switches the panel's power, or 0
	selects         []int // lines that select one of several controllers, if the bus has fewer select lines than controllers
}

// The pins are the Raspberry Pi's pins that Waveshare's boards (epdconfig.py) and Pimoroni's boards (inky_e673.py) use.
var (
	waveshare = pins{dc: 25, reset: 17, busy: 24, power: 18}
	pimoroni  = pins{dc: 22, reset: 27, busy: 17}
	large     = pins{dc: 22, reset: 27, busy: 17, selects: []int{26, 16}} // Pimoroni's 13.3 inch panel (inky_el133uf1.py)
)

const (
	paperInterval = time.Minute      // black and white: a full refresh takes some seconds, a partial refresh takes about one second
	colorInterval = 15 * time.Minute // for color panels: a refresh takes half a minute and flashes
)

// Models lists all models.
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

// Named returns the model with the given name. ok is false for an unknown name.
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

// Upright returns the size of the panel in px if it lies on its longer side, which is the usual orientation.
func (m *Model) Upright() image.Point {
	return image.Pt(max(m.Size.X, m.Size.Y), min(m.Size.X, m.Size.Y))
}

// Fits reports whether frames of the given size fill the panel, either directly or rotated by 90 degrees.
func (m *Model) Fits(frame image.Point) bool {
	return frame == m.Size || frame == image.Pt(m.Size.Y, m.Size.X)
}

// Quantizer returns a converter to the panel's inks, for frames of the given size. If the panel can refresh parts or is not e-paper,
// photos are dithered with a regular pattern. Otherwise they are dithered more finely.
func (m *Model) Quantizer(frame image.Point) *ink.Quantizer {
	p, _ := ink.Named(m.Palette)
	how := ink.Diffuse
	if m.Partial || m.Instant {
		how = ink.Ordered
	}
	return ink.New(p, frame, how)
}

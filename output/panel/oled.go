package panel

import (
	"image"

	"periph.io/x/devices/v3/ssd1306"
)

// oled drives a small display with an SSD1306, through the driver of periph.
type oled struct {
	size image.Point
	dev  *ssd1306.Dev // nil before the first update and after a failure
}

func newOLED(m *Model) driver { return &oled{size: m.Size} }

// update implements driver.
func (d *oled) update(s *session, r request) {
	if d.dev == nil {
		dev, err := ssd1306.NewI2C(s.w.I2C, &ssd1306.Opts{W: d.size.X, H: d.size.Y})
		if err != nil {
			s.fail(err)
			return
		}
		d.dev = dev
	}
	if err := d.dev.Draw(r.next.Rect, r.next, image.Point{}); err != nil {
		d.dev = nil
		s.fail(err)
	}
}

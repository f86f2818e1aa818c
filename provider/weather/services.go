package weather

import (
	"strings"
)

// scaled() multiplies a number by a factor, for example to convert km/h to m/s. A missing number becomes None.
func scaled(v *float64, by float64) Number { return Number(float64(of(v)) * by) }

const (
	kmh     = 1 / 3.6 // m/s
	percent = 100
)

func of(v *float64) Number {
	if v == nil {
		return None
	}
	return Number(*v)
}

// suns() computes sunrise and sunset of all days, for services that do not report them.
func (p place) suns(days []Day) {
	for i := range days {
		d := &days[i]
		d.Sunrise, d.Sunset = p.day(d.Date)
	}
}

// clip cuts a text of a service to its maximum length.
func clip(s string) string {
	const most = 200
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "")
	}
	return s
}

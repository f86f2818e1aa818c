// Package weather contains the widgets for the weather and the air quality.
package weather

import "dashboard/widgets/kit"

// Kinds returns the kinds of this package for the catalog of widgets.
func Kinds() []kit.Kind {
	return []kit.Kind{
		kit.Modern("weather", "Current weather, forecast for hours and days, and warnings.", 0, 0, kit.Framing{Card: true}, func(p *WeatherParams) *kit.Framed { return &p.Framed }, buildWeather),
		kit.Modern("airquality", "Air quality: an index, pollen, the UV index.", 0, 0, kit.Framing{Card: true}, func(p *AirParams) *kit.Framed { return &p.Framed }, buildAir),
	}
}

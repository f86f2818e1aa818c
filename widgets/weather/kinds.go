// Package weather shows the weather and the air.
package weather

import "dashboard/widgets/kit"

// Kinds is the part of the catalog with kinds for the weather.
func Kinds() []kit.Kind {
	return []kit.Kind{
		kit.Modern("weather", "Weather of the moment, the next hours and days, and warnings.", 0, 0, kit.Framing{Card: true}, func(p *WeatherParams) *kit.Framed { return &p.Framed }, buildWeather),
		kit.Modern("airquality", "Air quality: an index, pollen, the UV index.", 0, 0, kit.Framing{Card: true}, func(p *AirParams) *kit.Framed { return &p.Framed }, buildAir),
	}
}

package widgets

// weatherKinds is the part of the catalog with kinds for the weather.
func weatherKinds() []Kind {
	return []Kind{
		modern("weather", "The weather now, of the hours and days that come, and warnings.", 0, 0, framing{card: true}, func(p *WeatherParams) *Framed { return &p.Framed }, buildWeather),
		modern("airquality", "What the air holds: an index, pollen, the UV index.", 0, 0, framing{card: true}, func(p *AirParams) *Framed { return &p.Framed }, buildAir),
	}
}

package widgets

// clockKinds is the part of the catalog with kinds for times.
func clockKinds() []Kind {
	return []Kind{
		modern("clock", "The time in large figures, and the date.", 0, 0, framing{padded: true}, func(p *ClockParams) *Framed { return &p.Framed }, buildClock),
		modern("countdown", "How long it is until a moment or an event.", 0, 0, framing{card: true}, func(p *CountdownParams) *Framed { return &p.Framed }, buildCountdown),
		modern("timer", "A timer that runs down, or a stopwatch.", 0, 0, framing{card: true}, func(p *TimerParams) *Framed { return &p.Framed }, buildTimer),
		modern("moon", "The moon as it looks today, and when it is full and new.", 0, 0, framing{card: true}, func(p *MoonParams) *Framed { return &p.Framed }, buildMoon),
		modern("sunpath", "How long the day is, and the sun on its way.", 0, 0, framing{card: true}, func(p *SunpathParams) *Framed { return &p.Framed }, buildSunpath),
	}
}

// Package clock contains the widgets for times: clocks, countdowns, timers, the sun and the moon.
package clock

import "dashboard/widgets/kit"

// Kinds returns the kinds of this package for the catalog of widgets.
func Kinds() []kit.Kind {
	return []kit.Kind{
		kit.Modern("clock", "The time in large figures, and the date.", 0, 0, kit.Framing{Padded: true}, func(p *ClockParams) *kit.Framed { return &p.Framed }, buildClock),
		kit.Modern("countdown", "Time left until a moment or an event.", 0, 0, kit.Framing{Card: true}, func(p *CountdownParams) *kit.Framed { return &p.Framed }, buildCountdown),
		kit.Modern("timer", "A timer that runs down, or a stopwatch.", 0, 0, kit.Framing{Card: true, Titled: crowns},
			func(p *TimerParams) *kit.Framed { return &p.Framed }, buildTimer),
		kit.Modern("moon", "The phase of the moon today, and the dates of the next full and new moon.", 0, 0, kit.Framing{Card: true}, func(p *MoonParams) *kit.Framed { return &p.Framed }, buildMoon),
		kit.Modern("drawing", "Line art that changes each day.", 0, 0, kit.Framing{},
			func(p *DrawingParams) *kit.Framed { return &p.Framed }, buildDrawing),
		kit.Modern("sunpath", "Length of the day, and the position of the sun.", 0, 0, kit.Framing{Card: true}, func(p *SunpathParams) *kit.Framed { return &p.Framed }, buildSunpath),
	}
}

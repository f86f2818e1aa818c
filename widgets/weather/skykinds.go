package weather

import (
	"dashboard/provider/weather"
	"dashboard/widgets/kit/piece"
)

// skyDrawing returns the function that draws the icon for a kind of weather. Rain and snow fall from a light cloud. Heavy rain, heavy
// snow, hail and thunder have a dark cloud.
func skyDrawing(k weather.Kind) func(d *sky, isDay bool) {
	if f, ok := skyDrawings[k]; ok {
		return f
	}
	return (*sky).overcast // for an unknown kind, clouds without sun or moon
}

var skyDrawings = map[weather.Kind]func(d *sky, isDay bool){
	weather.Clear: (*sky).clear, weather.MainlyClear: (*sky).mostlyClear, weather.PartlyCloudy: (*sky).partlyCloudy, weather.Cloudy: (*sky).overcast,
	weather.Fog: (*sky).fog, weather.Drizzle: (*sky).drizzle, weather.FreezingDrizzle: (*sky).sleet, weather.LightRain: (*sky).rain, weather.Rain: (*sky).rain,
	weather.HeavyRain: (*sky).heavyRain, weather.FreezingRain: (*sky).sleet, weather.Sleet: (*sky).sleet, weather.LightSnow: (*sky).snow,
	weather.Snow: (*sky).snow, weather.HeavySnow: (*sky).heavySnow, weather.Showers: (*sky).showers, weather.SnowShowers: (*sky).snowShowers,
	weather.Thunderstorm: (*sky).thunder, weather.ThunderstormHail: (*sky).hail, weather.Windy: (*sky).wind,
}

// top() draws the cloud from which rain or snow falls.
func (d *sky) top(ink piece.SkyInk) { d.cloud(7, 5, 1.12, ink) }

// peek() draws a cloud that covers a part of the sun or the moon.
func (d *sky) peek(isDay bool) {
	d.body(isDay, 22.5, 22.5, 9.5, []int{7, 0, 1, 6, 5})
	d.cloud(15, 15, 0.98, piece.InkCloud)
}

func (d *sky) clear(isDay bool) {
	if isDay {
		d.sun(32, 32, 13, allRays)
		return
	}
	d.crescent(31, 33, 21)
	d.disc(47, 14, 2.6, piece.InkMoon)
	d.disc(55, 27, 1.9, piece.InkMoon)
}

func (d *sky) mostlyClear(isDay bool) {
	if isDay {
		d.sun(28, 27, 12, []int{0, 1, 2, 5, 6, 7})
	} else {
		d.crescent(27, 27, 18)
		d.disc(49, 12, 2.2, piece.InkMoon)
	}
	d.cloud(25, 35, 0.76, piece.InkCloud)
}

func (d *sky) partlyCloudy(isDay bool) {
	d.body(isDay, 24, 24, 11, []int{6, 7, 0, 1, 5})
	d.cloud(14, 23, 1.02, piece.InkCloud)
}

func (d *sky) overcast(bool) {
	d.cloud(24, 11, 0.8, piece.InkDark)
	d.cloud(7, 20, 1.06, piece.InkCloud)
}

func (d *sky) fog(isDay bool) {
	if isDay {
		d.cloud(8, 4, 1.06, piece.InkCloud)
	} else {
		d.body(false, 19, 15, 9, nil)
		d.cloud(15, 7, 0.94, piece.InkCloud)
	}
	d.bars(piece.InkMist, 4, [3]float64{10, 40, 41}, [3]float64{49, 54, 41}, [3]float64{16, 54, 49}, [3]float64{10, 17, 57}, [3]float64{26, 46, 57})
}

func (d *sky) drizzle(bool) {
	d.top(piece.InkCloud)
	for _, at := range [][2]float64{{20, 45}, {32, 50}, {44, 45}} {
		d.streak(at[0], at[1], 3.2, 3.8)
	}
}

func (d *sky) rain(bool) {
	d.top(piece.InkCloud)
	d.streak(22, 44, 10, 3.8)
	d.streak(34, 44, 13, 3.8)
	d.streak(46, 44, 10, 3.8)
}

func (d *sky) heavyRain(bool) {
	d.cloud(7, 3, 1.12, piece.InkDark)
	for i, x := range []float64{18, 28.5, 39, 49.5} {
		d.streak(x, 41, []float64{16, 9}[i%2], 4.2)
	}
	d.streak(24, 56, 3, 4.2)
	d.streak(45, 56, 3, 4.2)
}

func (d *sky) showers(isDay bool) {
	d.peek(isDay)
	d.streak(25, 49, 6, 3.8)
	d.streak(37, 49, 9, 3.8)
	d.streak(49, 49, 6, 3.8)
}

func (d *sky) sleet(bool) {
	d.top(piece.InkCloud)
	d.streak(20, 44, 10, 3.8)
	d.streak(48, 44, 10, 3.8)
	d.flake(32, 49, 5.2)
}

func (d *sky) snow(isDay bool) {
	if !isDay {
		d.snowShowers(false)
		return
	}
	d.top(piece.InkCloud)
	d.flakes()
}

func (d *sky) heavySnow(bool) {
	d.top(piece.InkDark)
	d.flakes()
}

func (d *sky) flakes() {
	d.flake(18, 47, 5)
	d.flake(32, 54, 5)
	d.flake(46, 47, 5)
}

func (d *sky) snowShowers(isDay bool) {
	d.body(isDay, 22.5, 22.5, 9.5, []int{7, 0, 1, 6, 5})
	d.cloud(15, 12, 0.98, piece.InkCloud)
	d.flake(24, 48, 4.8)
	d.flake(37, 55, 4.8)
	d.flake(49, 48, 4.8)
}

func (d *sky) thunder(isDay bool) {
	if !isDay {
		d.body(false, 20, 20, 9.5, nil)
		d.cloud(14, 13, 0.98, piece.InkDark)
		d.streak(25, 46, 7, 3.8)
		d.streak(50, 46, 7, 3.8)
		d.bolt(29, 39, 1.02)
		return
	}
	d.cloud(7, 4, 1.12, piece.InkDark)
	d.streak(20, 43, 8, 3.8)
	d.streak(48, 43, 8, 3.8)
	d.bolt(25.5, 36, 1.08)
}

func (d *sky) hail(bool) {
	d.cloud(7, 4, 1.12, piece.InkDark)
	for _, at := range [][2]float64{{18, 44}, {32, 44}, {46, 44}, {25, 54}, {39, 54}} {
		d.disc(at[0], at[1], 3.2, piece.InkSnow)
	}
}

func (d *sky) wind(bool) {
	d.gust(piece.InkCloud, 8, 40, 26, 7.5, true)
	d.gust(piece.InkCloud, 8, 50, 36, 6.5, false)
	d.gust(piece.InkMist, 14, 28, 46, 6, false)
}

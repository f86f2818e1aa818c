package clock

import (
	"hash/fnv"
	"image"
	"math"
	"math/rand/v2"
	"time"

	"dashboard/internal/localtime"
	"dashboard/render"
	"dashboard/render/path"
	"dashboard/widgets/kit"
)

// DrawingParams are the parameters of the drawing widget.
type DrawingParams struct {
	kit.Framed
	// Form of the drawing. year: the days of the year as a ring. sun: the paths of the sun over a year. tide: waves. auto: another form each
	// day.
	Form string `yaml:"kind" default:"auto" enum:"auto,year,sun,tide"`
	// Any text. Different texts give different drawings.
	Seed string `yaml:"seed"`
}

// drawing shows an abstract line drawing that changes at midnight.
type drawing struct {
	b       *kit.Builder
	size    image.Point
	form    string
	seed    string
	next    time.Time     // time of the next midnight
	quiet   path.Shape    // shape of the faint lines
	strong  path.Shape    // shape of the stronger lines, such as the lines of past days
	present path.Shape    // shape of the most visible line, such as today's line
	points  []path.Point  // points of one line
	rng     *rand.PCG     // source of the day's random numbers
	waves   [5][3]float64 // frequency, phase and amplitude of each wave
}

// Proportions of a drawing.
const (
	ringInner  = 0.56 // radius at which the lines of days start, as a share of the whole radius
	ringLeast  = 0.05 // minimum length of a day's line, as a share of the radius
	ringMost   = 0.34
	sunPaths   = 26
	sunSteps   = 96
	tideLines  = 22
	tideSteps  = 160
	tideHeight = 3.2 // height of a wave, as a multiple of the distance between two lines
	usualNorth = 50  // latitude in degrees, used if the wall has no place
)

func buildDrawing(b *kit.Builder, _ *kit.Spec, p *DrawingParams, size image.Point) render.Widget {
	return &drawing{b: b, size: size, form: p.Form, seed: p.Seed, rng: rand.NewPCG(0, 0)}
}

// Natural implements kit.Sized.
func (w *drawing) Natural(width int) image.Point { return image.Pt(width, width*9/16) }

// Update implements render.Widget.
func (w *drawing) Update(t render.Tick) {
	now := t.Now().In(w.b.Location)
	if !w.next.IsZero() && now.Before(w.next) && w.next.Sub(now) <= 25*time.Hour {
		t.Wake(w.next)
		return
	}
	w.next = localtime.NextDay(now)
	t.Wake(w.next)
	w.draw(now)
	t.DamageAll()
}

// draw builds the lines of a day.
func (w *drawing) draw(now time.Time) {
	form := w.form
	if form == "auto" || form == "" {
		form = [...]string{"year", "sun", "tide"}[now.YearDay()%3]
	}
	day := uint64(now.YearDay())
	if form == "year" {
		day = 0 // the form of the ring stays the same all year
	}
	sum := fnv.New64a()
	sum.Write([]byte(w.seed))
	w.rng.Seed(uint64(now.Year())<<16|day, sum.Sum64())
	for i := range w.waves {
		w.waves[i] = [3]float64{float64(1 + w.rng.Uint64()%uint64(3+4*i)), w.unit() * 2 * math.Pi, 0.4 + 0.6*w.unit()}
	}
	switch form {
	case "year":
		w.year(now)
	case "sun":
		w.sun(now)
	default:
		w.tide()
	}
}

// unit() returns a random number from 0 to 1.
func (w *drawing) unit() float64 { return float64(w.rng.Uint64()>>11) / (1 << 53) }

// swell() returns a smooth pseudo-random value from 0 to 1 for a position on a circle. `at` is a share of the full circle.
func (w *drawing) swell(at float64) float64 {
	sum, most := 0.0, 0.0
	for _, v := range w.waves {
		sum += v[2] * math.Sin(2*math.Pi*at*v[0]+v[1])
		most += v[2]
	}
	return 0.5 + 0.5*sum/most
}

// stroke() builds a shape from the lines that were collected in Outlines.
func (w *drawing) stroke(dst *path.Shape, wide float64) {
	pen := path.Pen{Width: max(1, wide*float64(w.b.Px(1))), Cap: path.Round}
	w.b.Outlines.Stroke(dst, pen, image.Rectangle{Max: w.size})
}

// year() draws one line for each day of the year, arranged as a ring. The lines of past days are long and the lines of future days are
// short.
func (w *drawing) year(now time.Time) {
	days := time.Date(now.Year(), time.December, 31, 12, 0, 0, 0, time.UTC).YearDay()
	middle := [2]float64{float64(w.size.X) / 2, float64(w.size.Y) / 2}
	radius := min(middle[0], middle[1]) * 0.98
	today := now.YearDay() - 1
	lines := func(from, to int, length func(at float64) float64) {
		w.b.Outlines.Begin()
		for d := from; d < to; d++ {
			at := float64(d) / float64(days)
			sin, cos := math.Sincos(2*math.Pi*at - math.Pi/2)
			in, out := radius*ringInner, radius*(ringInner+length(at))
			w.b.Outlines.Line.MoveTo(middle[0]+in*cos, middle[1]+in*sin)
			w.b.Outlines.Line.LineTo(middle[0]+out*cos, middle[1]+out*sin)
		}
	}
	grown := func(at float64) float64 { return ringLeast + (ringMost-ringLeast)*w.swell(at) }
	lines(0, today, grown)
	w.stroke(&w.strong, 1.2)
	lines(today, today+1, func(float64) float64 { return 1 - ringInner })
	w.stroke(&w.present, 3)
	lines(today+1, days, func(float64) float64 { return ringLeast })
	w.stroke(&w.quiet, 1.2)
}

// sun() draws the path of the sun for every second week of the year, and for today.
func (w *drawing) sun(now time.Time) {
	north := usualNorth * math.Pi / 180
	if w.b.Place.Known {
		north = w.b.Place.Latitude * math.Pi / 180
	}
	line := func(day float64) {
		tilt := 23.44 * math.Pi / 180 * math.Sin(2*math.Pi*(day-81)/365.25)
		w.points = w.points[:0]
		for i := range sunSteps + 1 {
			at := float64(i) / sunSteps
			height := math.Asin(math.Sin(north)*math.Sin(tilt) - math.Cos(north)*math.Cos(tilt)*math.Cos(2*math.Pi*at))
			x, y := at*float64(w.size.X), float64(w.size.Y)*(0.5-0.49*height/(math.Pi/2))
			w.points = append(w.points, path.Point{X: x, Y: y})
		}
		w.b.Outlines.Line.Line(w.points)
	}
	w.b.Outlines.Begin()
	for i := range sunPaths {
		line(float64(i) * 365.25 / sunPaths)
	}
	w.stroke(&w.quiet, 1)
	w.b.Outlines.Begin()
	w.b.Outlines.Line.Line([]path.Point{{X: 0, Y: float64(w.size.Y) / 2}, {X: float64(w.size.X), Y: float64(w.size.Y) / 2}})
	w.stroke(&w.strong, 1)
	w.b.Outlines.Begin()
	line(float64(now.YearDay()))
	w.stroke(&w.present, 3)
}

// tide() draws lines with waves, one below the other. The waves are highest in the middle.
func (w *drawing) tide() {
	gap := float64(w.size.Y) / (tideLines + tideHeight)
	marked := tideLines/3 + int(w.unit()*tideLines/3)
	line := func(i int) {
		w.points = w.points[:0]
		base, drift := gap*(tideHeight+float64(i)), w.unit()
		for k := range tideSteps + 1 {
			at := float64(k) / tideSteps
			hill := math.Exp(-math.Pow((at-0.5)*4, 2))
			y := base - gap*tideHeight*hill*w.swell(at*0.6+drift*0.08+float64(i)*0.013)
			w.points = append(w.points, path.Point{X: at * float64(w.size.X), Y: y})
		}
		w.b.Outlines.Line.Line(w.points)
	}
	w.b.Outlines.Begin()
	for i := range tideLines {
		if i != marked {
			line(i)
		}
	}
	w.stroke(&w.strong, 1.2)
	w.b.Outlines.Begin()
	line(marked)
	w.stroke(&w.present, 3)
	w.b.Outlines.Begin()
	w.stroke(&w.quiet, 1)
}

// Paint implements render.Widget.
func (w *drawing) Paint(c render.Canvas) {
	c.Shape(&w.quiet, image.Point{}, w.b.Role("line"))
	c.Shape(&w.strong, image.Point{}, w.b.Role("muted"))
	c.Shape(&w.present, image.Point{}, w.b.Role("accent"))
}

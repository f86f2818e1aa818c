package classic

import (
	"image"
	"slices"
	"strconv"
	"strings"
	"time"

	"dashboard/internal/localtime"
	"dashboard/internal/stable"
	"dashboard/render"
	"dashboard/widgets/arrange"
	"dashboard/widgets/kit"
)

// ScheduleFlipParams are the parameters of the scheduleflip widget.
type ScheduleFlipParams struct {
	// Times of day, such as '08:00', each with the name of the child that is shown from this time on. Before the day's earliest
	// entry, the child of the latest entry is shown.
	Schedule map[string]string `yaml:"schedule" required:"true"`
	// Accepted for Grydgets' files, without effect. The schedule is exact to the minute.
	Interval float64 `yaml:"interval" default:"5" min:"0"`
	arrange.Sliding
}

// scheduled is one entry of a schedule.
type scheduled struct {
	minute int // minute of the day
	child  int
}

// scheduleFlip shows the child that its schedule selects for the time of day.
type scheduleFlip struct {
	arrange.Slider
	entries  []scheduled // sorted by minute
	location *time.Location
	begun    bool

	from, until time.Time // child is the child to show for all times t with from <= t < until
	child       int
}

func buildScheduleFlip(b *kit.Builder, s *kit.Spec, p *ScheduleFlipParams, size image.Point) render.Widget {
	f := &scheduleFlip{Slider: arrange.NewSlider(b, s, p.Sliding, size), location: b.Location}
	times := make([]string, 0, len(p.Schedule))
	for at := range p.Schedule {
		times = append(times, at)
	}
	slices.Sort(times) // sorted, so that errors always have the same order
	for _, at := range times {
		f.add(s, at, p.Schedule[at])
	}
	if len(times) == 0 {
		s.Errorf("schedule", "needs at least one time and the name of the child to show then")
	}
	if len(f.entries) == 0 {
		return nil
	}
	stable.Sort(f.entries, func(a, b scheduled) int { return a.minute - b.minute })
	return f
}

// add adds the line "at: name" of the schedule, or reports the error in this line.
func (f *scheduleFlip) add(s *kit.Spec, at, name string) {
	minute, ok := timeOfDay(at)
	child := s.ChildNamed(name)
	switch {
	case !ok:
		s.Errorf("schedule", "'%s' is no time of day; write it as '08:00'", at)
	case child < 0:
		s.Errorf("schedule", "no child is named '%s'; there are: %s", name, s.ChildNames())
	case slices.ContainsFunc(f.entries, func(e scheduled) bool { return e.minute == minute }):
		s.Errorf("schedule", "'%s' is there twice", at)
	default:
		f.entries = append(f.entries, scheduled{minute, child})
	}
}

// timeOfDay parses H:MM and returns the minutes since midnight.
func timeOfDay(s string) (minutes int, ok bool) {
	hours, mins, found := strings.Cut(strings.TrimSpace(s), ":")
	h, errH := strconv.ParseUint(hours, 10, 8)
	m, errM := strconv.ParseUint(mins, 10, 8)
	if !found || errH != nil || errM != nil || h > 23 || m > 59 {
		return 0, false
	}
	return int(h)*60 + int(m), true
}

// at() returns the child to show at the time `now`, and the time of the next change. If a clock change repeats a time of the schedule, only
// its first occurrence counts. If a clock change skips a time of the schedule, the child of this time is shown from the clock change on.
func (f *scheduleFlip) at(now time.Time) (child int, until time.Time) {
	y, m, d := now.In(f.location).Date()
	var since time.Time
	for day := d - 1; day <= d+1; day++ {
		for _, e := range f.entries {
			switch due := localtime.At(y, m, day, e.minute, f.location); {
			case due.After(now):
				if until.IsZero() || due.Before(until) {
					until = due
				}
			case !due.Before(since):
				child, since = e.child, due
			}
		}
	}
	return child, until
}

// Update implements render.Widget.
func (f *scheduleFlip) Update(t render.Tick) {
	now := t.Now().Round(0) // without the monotonic clock, which ignores changes of the wall clock
	if now.Before(f.from) || !now.Before(f.until) {
		f.from = now
		f.child, f.until = f.at(now)
	}
	if !f.begun {
		f.begun = true
		f.Jump(t, f.child)
	}
	f.Move(t)
	f.Slide(t, f.child)
	if f.Sliding {
		t.Wake(t.Now())
	}
	t.Wake(f.until)
	f.Advance(t)
}

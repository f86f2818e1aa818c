package classic

import (
	"image"
	"testing"

	"dashboard/render"
	"dashboard/widgets/walltest"
)

func TestDateClockShowsItsZone(t *testing.T) {
	w := walltest.BuildOne[*dateClock](t, walltest.TestEnv(), "{widget: dateclock, timezone: Asia/Kolkata, date_format: '%Z'}", image.Pt(100, 50))
	w.Update(render.NewTick(walltest.T0, w.size))
	if got := string(w.buf); got != "IST" {
		t.Errorf("got %q, want IST", got)
	}
}

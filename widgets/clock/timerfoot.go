package clock

import (
	"strings"

	"dashboard/control/timer"
	"dashboard/internal/locale"
	"dashboard/widgets/kit/format"
)

// footGap is the text between the duration and the end time.
const footGap = " · "

// appendFoot appends the duration and the end time: "4:00 · until 18:17".
func (w *timerWidget) appendFoot(dst []byte, st timer.Status) []byte {
	if st.Duration == 0 || st.State == timer.Ready {
		return dst
	}
	dst = appendClock(dst, st.Duration)
	if !st.EndsAt.IsZero() {
		before, after, _ := strings.Cut(w.b.Locale.Say(locale.Until), "{}")
		dst = append(append(dst, footGap...), before...)
		dst = w.b.Locale.Append(dst, st.EndsAt.In(w.b.Location), format.TimeWords["time"])
		dst = append(dst, after...)
	}
	return dst
}

// cuts() reports whether a text would be cut in the line with the end time.
func (w *timerWidget) cuts(text []byte) bool {
	w.b.Text.ShapeBytes(&w.b.Scratch, w.foot.Face.Font, w.foot.Face.Size, text)
	return w.b.Scratch.Width() > w.foot.Box.Dx()
}

package kit

import (
	"strings"

	"dashboard/internal/locale"
	"dashboard/render"
)

// Refresh implements Hideable.
func (w *Frame) Refresh(t render.Tick) bool {
	shown := w.When.Holds(t)
	return (w.hides == nil || w.hides.Refresh(t)) && shown
}

// follow shows the current state of the content's value.
func (w *Frame) follow(t render.Tick) {
	if w.rated == nil {
		return
	}
	if st := w.rated.State(); st != w.state {
		w.state = st
		if w.Head != nil {
			w.Head.State = st
			w.Head.Load(w.b)
		}
		t.DamageAll()
	}
	w.signal(t, w.rated)
}

// tell() shows that the source does not respond, that the first value is missing, or since when the values are outdated.
func (w *Frame) tell(t render.Tick) {
	b, v := w.b, &w.Values
	if !v.Failed.IsZero() {
		if w.Failing == nil {
			w.Failing = b.Failing(w.Body.Size())
		}
		source := v.source
		if w.Head != nil && strings.EqualFold(sourceName(source), w.Head.TitleIn.Text()) {
			source = "" // the title already names the source
		}
		w.Failing.Say(source, v.class, v.Failed, t.Now())
	}
	if v.waiting && w.waiting == nil {
		w.waiting = b.waitingDash(w.Body.Size())
		w.awaited = b.waitingWords(w.Body.Size())
	}
	if w.Head != nil {
		w.Head.Since, w.Head.Fault = "", ""
		if !v.Failed.IsZero() && w.Failing.tiny() {
			r, _ := reasonOf(v.class)
			w.Head.Fault = r.icon
		}
		if !v.stale.IsZero() {
			w.Head.Since = string(b.Locale.AppendPhrase(nil, locale.Since, b.Since(v.stale, t.Now())))
		}
		w.Head.Load(b)
	}
	t.DamageAll()
}

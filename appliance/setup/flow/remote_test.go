package flow

import (
	"testing"

	"dashboard/appliance/setup/words"
)

// A remote screen has no step for the choice of a wall, and its last screen shows no address. If the card cannot be written, the page stays
// at the step for the place.
func TestRemoteScreen(t *testing.T) {
	r := walked(Options{Remote: true})
	r.Try(home, true)
	r.At(Reached)
	r.w.full = true
	r.Settle("kitchen", "Europe/Berlin", "")
	want(t, "a full card", r.View("").Draft.Step, StepPlace)
	r.w.full = false
	r.Settle("kitchen", "Europe/Berlin", "")
	want(t, "state", r.State(), Finished)
	want(t, "name on the card", r.w.card.Name, "kitchen")
	g := r.Guide(words.In("en"), place)
	want(t, "codes and addresses", len(g.Codes)+len(g.Pairs)+len(g.Text), 0)
	want(t, "title", g.Title, "kitchen is ready.")
	want(t, "afterwards", r.after(DoneTime).title(), "wall")
}

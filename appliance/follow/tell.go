package follow

import (
	"errors"

	"dashboard/appliance/about"
	"dashboard/appliance/manifest"
	"dashboard/appliance/state"
)

// whys maps the reason of a failed release to the words that the wall shows.
var whys = map[state.Why]string{
	state.NoPicture:    "showed no picture in time",
	state.NotMounted:   "could not be read from the card",
	state.NeverPainted: "did not start",
}

// tell publishes the state of updates. `phase` and `percent` describe the running installation. If no installation is running, `phase` is
// "". The published percentage of an installation never decreases.
func (f *Follower) tell(phase string, percent int) {
	u := &f.told
	if phase != "" && u.Phase != "" {
		percent = max(percent, u.Percent)
	}
	u.Phase, u.Percent = phase, percent
	u.Version, u.Channel, u.Window, u.Source, u.Next = f.Version, f.Channel, f.Window.String(), f.Source != nil && f.Keys != nil, f.next
	u.Latest, u.Notes, u.Ready, u.Waits = "", nil, false, ""
	if m := f.release; m != nil && !errors.Is(f.verdict, manifest.ErrNothing) && !errors.Is(f.verdict, manifest.ErrChannel) {
		u.Latest, u.Notes, u.Ready = m.Version, m.Notes, f.verdict == nil
		if f.verdict != nil {
			u.Waits = f.verdict.Error()
		} else if !m.Urgent && !f.TimeSet() {
			u.Waits = "the time is not set, so it is not installed without being asked for"
		}
	}
	if f.Source != nil && f.Keys == nil {
		u.Warning = errNoKey.Error()
	}
	f.tellState(u)
	f.Machine.Tell(*u)
}

// tellState adds the values of the card's state to u.
func (f *Follower) tellState(u *about.Update) {
	r, err := f.Machine.State()
	if err != nil {
		u.Warning = err.Error()
		return
	}
	u.Failed, u.Why, u.Seen, u.Back = "", "", false, ""
	if tried := r.Release.Tried.String(); r.Release.GivenUp != 0 && tried != "" {
		u.Failed, u.Why, u.Seen, u.At = tried, whys[r.Release.Why], r.Release.Seen, f.started
	}
	if r.Release.Kept {
		u.Back = r.Release.Other.String()
	}
	if f.confirm {
		u.Painted = f.started
	}
}

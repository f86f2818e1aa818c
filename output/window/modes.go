package window

import (
	"log/slog"

	"dashboard/fb"
	"dashboard/internal/state"
)

// Modes stores the display mode of each connector in the state folder. If a screen is still waking up at the next start, the program uses
// the stored mode. The methods of Modes may be called from any goroutine.
type Modes struct {
	Store *state.Store // nil if nothing is stored
	Log   *slog.Logger
}

var _ fb.ModeKeeper = Modes{}

// modeKept is the kind of the files in the state folder that contain a mode.
const modeKept = "mode"

// LoadMode implements fb.ModeKeeper.
func (k Modes) LoadMode(connector string) ([]byte, bool) {
	return k.Store.Load(modeKept, connector)
}

// SaveMode implements fb.ModeKeeper.
func (k Modes) SaveMode(connector string, mode []byte) {
	if err := k.Store.Save(modeKept, connector, mode); err != nil {
		k.Log.Warn("the screen's mode is not kept for the next start", "connector", connector, "error", err)
	}
}

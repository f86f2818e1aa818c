package window

import (
	"log/slog"

	"dashboard/fb"
	"dashboard/internal/state"
)

// Modes stores the modes of screens for the next start. A screen that is still waking up then gets its last mode. Its methods may be called
// from any goroutine.
type Modes struct {
	Store *state.Store // nil to store nothing
	Log   *slog.Logger
}

var _ fb.ModeKeeper = Modes{}

// modeKept is the kind of a stored file with a mode.
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

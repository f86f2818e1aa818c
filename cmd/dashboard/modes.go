package main

import (
	"log/slog"

	"dashboard/internal/state"
)

// keptModes keeps the modes of screens for the next start.
type keptModes struct {
	store *state.Store
	log   *slog.Logger
}

// modeKept is the kind of file that holds one.
const modeKept = "mode"

// LoadMode implements fb.ModeKeeper.
func (k keptModes) LoadMode(connector string) ([]byte, bool) {
	return k.store.Load(modeKept, connector)
}

// SaveMode implements fb.ModeKeeper.
func (k keptModes) SaveMode(connector string, mode []byte) {
	if err := k.store.Save(modeKept, connector, mode); err != nil {
		k.log.Warn("the screen's mode is not kept for the next start", "connector", connector, "error", err)
	}
}

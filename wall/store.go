package wall

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"dashboard/internal/state"
)

// noState is the word for keeping nothing.
const noState = "none"

// Permissions is the folder with the permissions of OAuth 2 below the folder for kept values, "" without one. option is the
// folder of the command line.
func Permissions(option string) string {
	dir := stateFolder(option, os.Getenv)
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "oauth")
}

// stateFolder is the folder for kept values: the command line's, systemd's, or the user's cache, "" without one.
func stateFolder(option string, getenv func(string) string) string {
	switch {
	case option == noState:
		return ""
	case option != "":
		return option
	}
	if dir := getenv("STATE_DIRECTORY"); filepath.IsAbs(dir) { // set by StateDirectory= of the unit
		return dir
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "dashboard")
}

// keeper opens the folder for kept values. Without one, everything is requested again after a restart.
func (s *Service) keeper() *state.Store {
	dir := stateFolder(s.opts.StateDir, os.Getenv)
	if dir == "" {
		return nil
	}
	store, err := state.Open(dir)
	if err != nil {
		if !errors.Is(err, fs.ErrPermission) || s.opts.StateDir != "" {
			s.log.Warn("nothing is kept for the next start", "reason", err)
		}
		return nil
	}
	return store
}

package wall

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"dashboard/internal/state"
)

// noState is the value of the option for no state folder.
const noState = "none"

// Permissions returns the folder in the state folder that contains permissions of OAuth 2, or "". option is the state folder on the command
// line.
func Permissions(option string) string {
	dir := stateFolder(option, os.Getenv)
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "oauth")
}

// stateFolder returns the state folder. It comes from the command line, from systemd, or is in the user's cache. If there is none,
// stateFolder returns "".
func stateFolder(option string, getenv func(string) string) string {
	switch {
	case option == noState:
		return ""
	case option != "":
		return option
	}
	if dir := getenv("STATE_DIRECTORY"); filepath.IsAbs(dir) { // set by StateDirectory= in the unit
		return dir
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "dashboard")
}

// keeper opens the state folder. Without the folder, all values are requested again after a restart.
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

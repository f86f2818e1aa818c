package wall

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"dashboard/internal/state"
)

// noState is the value of --state-dir that turns the state folder off.
const noState = "none"

// Permissions returns the path of the folder that contains the OAuth 2 permissions. This folder is in the state folder. If there is no
// state folder, Permissions returns "". `option` is the value of --state-dir.
func Permissions(option string) string {
	dir := stateFolder(option, os.Getenv)
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "oauth")
}

// stateFolder returns the path of the state folder. It is the folder from the command line, the folder from systemd, or a folder in the
// user's cache. If there is none of these, stateFolder returns "".
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

// keeper opens the state folder. If there is no state folder, it returns nil, and all values are requested again after a restart.
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

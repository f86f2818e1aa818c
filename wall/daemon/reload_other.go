//go:build !unix

package daemon

import "os"

// notifyReload does nothing, because this system has no signal for a reload. The files are watched, and the program's `reload`
// command also requests one.
func notifyReload(chan<- os.Signal) {}

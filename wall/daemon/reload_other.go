//go:build !unix

package daemon

import "os"

// notifyReload does nothing, because this system has no signal for a reload. Saved files are reloaded automatically. The command `reload`
// also requests a reload.
func notifyReload(chan<- os.Signal) {}

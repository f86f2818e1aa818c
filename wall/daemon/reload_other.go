//go:build !unix

package daemon

import "os"

// notifyReload does nothing, because this system has no signal for a reload. Saved files are reloaded automatically, and the command
// `reload` requests a reload too.
func notifyReload(chan<- os.Signal) {}

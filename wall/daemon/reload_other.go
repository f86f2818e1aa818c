//go:build !unix

package daemon

import "os"

// notifyReload does nothing: no signal requests a reload here. The files are watched, and `reload` of the program asks too.
func notifyReload(chan<- os.Signal) {}

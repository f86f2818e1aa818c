//go:build unix

package daemon

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyReload sends the signals that request a reload to the channel c.
func notifyReload(c chan<- os.Signal) { signal.Notify(c, syscall.SIGUSR1) }

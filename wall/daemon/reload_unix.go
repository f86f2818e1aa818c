//go:build unix

package daemon

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyReload sends signals that request a reload to c.
func notifyReload(c chan<- os.Signal) { signal.Notify(c, syscall.SIGUSR1) }

//go:build unix

package daemon

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyReload makes the channel c receive SIGUSR1, which requests a reload.
func notifyReload(c chan<- os.Signal) { signal.Notify(c, syscall.SIGUSR1) }

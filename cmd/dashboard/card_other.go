//go:build !linux || !appliance

package main

import "dashboard/wall/daemon"

// program returns the program. Only on a card does the file contain others too.
func program() daemon.Run { return run }

//go:build !linux || !appliance

package main

import "dashboard/wall/daemon"

// program returns the main function of the dashboard. Only on a card does the file contain other programs too.
func program() daemon.Run { return run }

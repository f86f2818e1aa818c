//go:build !linux || !appliance

package main

import "dashboard/wall/daemon"

// program returns the main function of the dashboard. The executable contains other programs only on an appliance.
func program() daemon.Run { return run }

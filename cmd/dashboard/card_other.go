//go:build !linux || !appliance

package main

import "dashboard/wall/daemon"

// program returns the program. A card has others in the same file.
func program() daemon.Run { return run }

//go:build linux && !initramfs

package main

import "dashboard/appliance"

// commands returns all commands. It is for a system in which the program is a file of its own.
func commands() []appliance.Commands { return []appliance.Commands{appliance.Early, appliance.Late} }

//go:build linux && !initramfs

package main

import "dashboard/appliance"

// commands returns all commands. This version is for a system where the program is a separate file.
func commands() []appliance.Commands { return []appliance.Commands{appliance.Early, appliance.Late} }

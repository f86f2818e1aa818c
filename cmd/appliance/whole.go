//go:build linux && !initramfs

package main

import "dashboard/appliance"

// commands() returns all commands. This build is for a system on which the program is a separate file.
func commands() []appliance.Commands { return []appliance.Commands{appliance.Early, appliance.Late} }

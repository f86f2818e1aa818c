//go:build linux && !initramfs

package main

import "dashboard/appliance"

// commands() returns all commands, because this build is not for the initramfs.
func commands() []appliance.Commands { return []appliance.Commands{appliance.Early, appliance.Late} }

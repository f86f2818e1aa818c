// Package parts has tests for a machine of the rig: they play a television, a monitor, a touchscreen and a light sensor by the
// kernel's own test drivers, and look at what the dashboard makes of them. The rig builds them, and starts each of them in the machine.
package parts

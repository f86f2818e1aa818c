// Package parts has tests for a machine of the rig. They emulate a television, a monitor, a touchscreen and a light
// sensor by the kernel's own test drivers, and check how the dashboard uses them. The rig builds them, and starts each
// of them in the machine.
package parts

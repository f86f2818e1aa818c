// Package parts has tests that run in a machine of the rig. They emulate a television, a monitor, a touchscreen and a light sensor
// with the kernel's test drivers, and check how the dashboard uses them. The rig builds the tests and starts each in the machine.
package parts

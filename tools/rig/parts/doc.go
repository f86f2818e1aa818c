// Package parts contains tests that run inside a machine of the rig. They emulate a television, a monitor, a touchscreen and a light
// sensor with test drivers of the kernel, and check how the dashboard uses them. The rig builds these tests and starts each one in the
// machine.
package parts

// Package rig is the device test: it boots real kernels in QEMU, runs the dashboard that is shipped on
// their framebuffers, looks at their screens from outside, and compares what is there with what the
// dashboard paints without a screen.
//
//	go test -v ./tools/rig -device
package rig

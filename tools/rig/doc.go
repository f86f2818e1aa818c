// Package rig is the device test. It boots real kernels in QEMU, runs the released dashboard on their framebuffers, and takes
// pictures of the screens from outside. It compares them with the pictures that the dashboard paints without a screen.
//
//	go test -v ./tools/rig -device
package rig

// Package drm uses the kernel's mode setting (DRM/KMS) for a wall: the connectors and their screens, a mode, memory to
// paint into, and the screen's power.
//
// It speaks the legacy interface of include/uapi/drm/drm_mode.h with dumb buffers, because every driver with a screen supports it
// and it needs no library. One program at a time, the master, may set modes. The first program that opens a card is the master.
// The package trusts the kernel's answers. It makes no assumption about the numbers of cards, because they change from one start
// to the next.
//
// Structures and numbers are the same on amd64, arm64, arm and riscv64, and checked for each of them.
package drm

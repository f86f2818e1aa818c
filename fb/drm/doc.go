// Package drm asks the kernel's mode setting (DRM/KMS) for what a wall needs: which connectors there are and what
// hangs on them, a mode, memory to paint into, and the screen's power.
//
// It speaks the legacy interface of include/uapi/drm/drm_mode.h with dumb buffers: every driver with a screen has it,
// and it needs no library. One program at a time, the master, may set modes; the first that opens a card is. What the
// kernel says is believed; nothing is assumed about numbers of cards, which differ from one start to the next.
//
// Structures and numbers are the same on amd64, arm64, arm and riscv64, and checked for each of them.
package drm

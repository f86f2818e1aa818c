// Package drm uses the kernel's mode setting (DRM/KMS). It finds connectors and screens, sets modes, provides memory to paint into, and
// switches screens on and off.
//
// It uses the legacy interface of include/uapi/drm/drm_mode.h with dumb buffers, because every driver with a screen supports it, and no
// library is needed. Only one program at a time, the card's master, may set modes. The first program that opens a card becomes its master.
// The package trusts the kernel's answers. It does not rely on card numbers, because they can change from one start to the next.
//
// Structures and numbers are the same on amd64, arm64, arm and riscv64, and tests check each of them.
package drm

//go:build !amd64 && !arm64

package jpegtile

// fastestKernel gives the kernel this processor runs best.
func fastestKernel() kernel { return portable{} }

//go:build !amd64

package jpegtile

// fastestKernel gives the kernel this processor runs best.
func fastestKernel() kernel { return portable{} }

//go:build !amd64 && !arm64

package jpegtile

// fastestKernel returns the portable kernel, because no other kernel exists for this processor.
func fastestKernel() kernel { return portable{} }

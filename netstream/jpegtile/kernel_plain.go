//go:build !amd64 && !arm64

package jpegtile

// fastestKernel returns the portable kernel, because there is no other one for this processor.
func fastestKernel() kernel { return portable{} }

//go:build !amd64 && !arm64

package jpegtile

// fastestKernel returns the fastest kernel of this processor.
func fastestKernel() kernel { return portable{} }

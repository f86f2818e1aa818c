//go:build purego || !(amd64 || arm64)

package bilinear

// best is the portable set of kernels, because no other set exists for this machine.
var best = portable

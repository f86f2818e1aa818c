//go:build purego || !(amd64 || arm64)

package bilinear

// best is the portable set, because there is no other one for this machine.
var best = portable

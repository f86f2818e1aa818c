//go:build purego || !(amd64 || arm64)

package bilinear

// best is the only set there is.
var best = portable

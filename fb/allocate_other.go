//go:build unix && !linux

package fb

// allocate allocates the blocks of the bytes from `length`, the present length of a file, to `size`.
func allocate(fd int, length, size int64) error { return writeZeros(fd, length, size) }

//go:build !unix

package system

import "errors"

// statDisk returns an error, because this package works only on Unix.
func statDisk(string) (disk, error) { return disk{}, errors.ErrUnsupported }

//go:build !unix

package system

import "errors"

// statDisk returns an error. Like the rest of this package, it needs Unix.
func statDisk(string) (disk, error) { return disk{}, errors.ErrUnsupported }

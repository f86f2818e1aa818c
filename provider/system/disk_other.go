//go:build !unix

package system

import "errors"

// statDisk fails: like the rest of what this package tells, it is asked for as Unix does.
func statDisk(string) (disk, error) { return disk{}, errors.ErrUnsupported }

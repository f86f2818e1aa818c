//go:build !linux

package drm

import (
	"fmt"
	"runtime"
)

// Open returns an error, because only Linux has mode setting.
func Open(path string) (*Card, error) {
	return nil, fmt.Errorf("open %s: mode setting is only on Linux, this is %s", path, runtime.GOOS)
}

// Permitted returns the error of Open.
func Permitted(path string) error {
	_, err := Open(path)
	return err
}

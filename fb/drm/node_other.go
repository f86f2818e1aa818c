//go:build !linux

package drm

import (
	"context"
	"fmt"
	"runtime"
)

// Open fails: mode setting is an interface of Linux.
func Open(path string) (*Card, error) {
	return nil, fmt.Errorf("open %s: mode setting is only on Linux, this is %s", path, runtime.GOOS)
}

// Permitted fails, as Open does.
func Permitted(path string) error {
	_, err := Open(path)
	return err
}

// Watch waits until ctx is done: nothing ever changes.
func Watch(ctx context.Context, _ func(property bool)) error {
	<-ctx.Done()
	return nil
}

package main

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
)

// demo contains the built-in configuration. It needs no network and no access keys.
//
//go:embed demo
var demo embed.FS

// unpackDemo writes the built-in configuration to a new temporary folder and returns the folder's path. The files are on the disk, so
// that relative paths work as usual.
func unpackDemo() (string, error) {
	dir, err := os.MkdirTemp("", "dashboard-demo-")
	if err != nil {
		return "", fmt.Errorf("unpack the built-in configuration: %w", err)
	}
	if err := copyDemo(dir); err != nil {
		os.RemoveAll(dir)
		return "", fmt.Errorf("unpack the built-in configuration: %w", err)
	}
	return dir, nil
}

// copyDemo writes the files of the built-in configuration into `dir`.
func copyDemo(dir string) error {
	files, err := fs.Sub(demo, "demo")
	if err != nil {
		return err
	}
	return os.CopyFS(dir, files)
}

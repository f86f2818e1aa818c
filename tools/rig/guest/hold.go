//go:build linux

package main

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// setMaster is DRM_IOCTL_SET_MASTER in include/uapi/drm/drm.h.
const setMaster = 0x641e

// hold acts like another program that sets modes. It opens a card before other programs do, and keeps it open until it is killed.
func hold(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := unix.IoctlSetInt(int(f.Fd()), setMaster, 0); err != nil {
		return fmt.Errorf("SET_MASTER: %w", err)
	}
	fmt.Println("holding", path)
	for {
		time.Sleep(time.Hour)
	}
}

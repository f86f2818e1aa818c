package drm

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// maxHolders bounds the programs that Holders returns.
const maxHolders = 3

// Holders returns at most maxHolders other programs that have opened a device, such as "Xorg (812)". It finds only programs whose files
// are visible in /proc.
func Holders(proc, path string) []string {
	entries, err := os.ReadDir(proc)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() || len(names) == maxHolders || !holds(filepath.Join(proc, e.Name(), "fd"), path) {
			continue
		}
		comm, err := os.ReadFile(filepath.Join(proc, e.Name(), "comm"))
		if err != nil {
			continue // the program has ended
		}
		names = append(names, fmt.Sprintf("%s (%d)", strings.TrimSpace(string(comm)), pid))
	}
	return names
}

// holds() reports whether a link in the folder `dir` leads to `path`.
func holds(dir, path string) bool {
	links, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, l := range links {
		if to, err := os.Readlink(filepath.Join(dir, l.Name())); err == nil && to == path {
			return true
		}
	}
	return false
}

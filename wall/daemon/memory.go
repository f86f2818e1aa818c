package daemon

import (
	"bytes"
	"io/fs"
	"math"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
)

const (
	// shareOfLimit is the percentage of the control group's memory that Go may use. The control group also counts other memory: the
	// program's own pages, page tables, and the mapped screen.
	shareOfLimit = 75
	// leastMemory is the minimum limit for Go, in bytes. With less, Go would collect garbage continuously.
	leastMemory = 32 << 20
)

// LimitMemory sets Go's memory limit and returns it. The limit is a share of the control group's limit. If the group has no limit, Go's
// limit is the parameter usual, in bytes. The environment variable GOMEMLIMIT takes precedence.
func LimitMemory(usual int64) int64 {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit(os.DirFS("/"), usual))
	}
	return debug.SetMemoryLimit(-1)
}

// memoryLimit returns Go's memory limit. root is the root of the file system.
func memoryLimit(root fs.FS, usual int64) int64 {
	group := groupMemory(root)
	if group == math.MaxInt64 {
		return usual
	}
	return max(leastMemory, group/100*shareOfLimit)
}

// groupMemory returns the limit of the process's control group and its parents in bytes, or math.MaxInt64 if there is none.
func groupMemory(root fs.FS) int64 {
	text, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return math.MaxInt64
	}
	most := int64(math.MaxInt64)
	for line := range strings.Lines(string(text)) { // each line has the form hierarchy:controllers:path, cgroups(7)
		part := strings.SplitN(strings.TrimSpace(line), ":", 3)
		switch {
		case len(part) < 3:
		case part[0] == "0" && part[1] == "":
			most = min(most, along(root, "sys/fs/cgroup", part[2], "memory.max"), along(root, "sys/fs/cgroup", part[2], "memory.high"))
		case strings.Contains(","+part[1]+",", ",memory,"):
			most = min(most, along(root, "sys/fs/cgroup/memory", part[2], "memory.limit_in_bytes"))
		}
	}
	return most
}

// along returns the smallest number in the files with the given name. It reads the files in a control group's folder and in all folders
// above it.
func along(root fs.FS, mount, group, name string) int64 {
	most := int64(math.MaxInt64)
	for {
		most = min(most, number(root, path.Join(mount, group, name)))
		if group == "/" || group == "." || group == "" {
			return most
		}
		group = path.Dir(group)
	}
}

// unlimited is the limit that version 1 of control groups uses for "no limit". It is the largest multiple of a page.
const unlimited = math.MaxInt64 - 64<<10

// number reads a file with a number of bytes. It returns math.MaxInt64 for "max", or if the file cannot be read.
func number(root fs.FS, name string) int64 {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return math.MaxInt64
	}
	n, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64)
	if err != nil || n <= 0 || n >= unlimited {
		return math.MaxInt64
	}
	return n
}

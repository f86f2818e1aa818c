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
	// shareOfLimit is the percentage of the control group's memory that Go may use. The control group also counts memory that Go does not
	// manage: the pages of the executable, page tables, and the mapped screen.
	shareOfLimit = 75
	// leastMemory is the minimum memory limit for Go, in bytes. Below this limit, Go would collect garbage continuously.
	leastMemory = 32 << 20
)

// LimitMemory sets Go's memory limit and returns it in bytes. The limit is a share of the control group's limit. If the group has no
// limit, Go's limit is the parameter `usual`, in bytes. If the environment variable GOMEMLIMIT is set, it has priority.
func LimitMemory(usual int64) int64 {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit(os.DirFS("/"), usual))
	}
	return debug.SetMemoryLimit(-1)
}

// CollectEarly sets Go's garbage collection target (GOGC) to `percent`. Almost all memory of the programs consists of pictures, which the
// collector scans quickly, and steady frames leave no garbage. Therefore, a small percentage saves memory and needs little processor time.
// The environment variable GOGC takes precedence.
func CollectEarly(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}

// memoryLimit returns the memory limit for Go in bytes. `root` is the root of the file system.
func memoryLimit(root fs.FS, usual int64) int64 {
	group := groupMemory(root)
	if group == math.MaxInt64 {
		return usual
	}
	return max(leastMemory, group/100*shareOfLimit)
}

// groupMemory returns the smallest memory limit of the process's control group and its parent
// groups, in bytes. If there is no limit, it returns math.MaxInt64.
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

// along() reads the files with the given name in the folder of a control group and in all folders above this folder. It returns the
// smallest number in these files.
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

// `unlimited` is the smallest number that means "no limit" in version 1 of control groups. The kernel
// writes the largest multiple of the page size there, and a page has at most 64 KiB.
const unlimited = math.MaxInt64 - 64<<10

// number reads a file that contains a number of bytes. It returns math.MaxInt64 if the file contains "max" or a number of at least
// `unlimited`, or if it cannot be read.
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

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
	// shareOfLimit is the part of the control group's memory, in percent, that Go may take. The rest is for other
	// counted memory: the program's own pages, its page tables, the mapped screen.
	shareOfLimit = 75
	// leastMemory is what Go may take at least, in bytes: with less it would collect garbage all the time.
	leastMemory = 32 << 20
)

// LimitMemory makes Go collect garbage before the process exceeds its memory: most of the control group's limit, or
// usual, in bytes, without a limit. It returns Go's limit. GOMEMLIMIT in the environment has precedence.
func LimitMemory(usual int64) int64 {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit(os.DirFS("/"), usual))
	}
	return debug.SetMemoryLimit(-1)
}

// memoryLimit is the limit for the process in a root file system.
func memoryLimit(root fs.FS, usual int64) int64 {
	group := groupMemory(root)
	if group == math.MaxInt64 {
		return usual
	}
	return max(leastMemory, group/100*shareOfLimit)
}

// groupMemory is the limit of the process's control group and its parents, in bytes; math.MaxInt64 without a limit.
func groupMemory(root fs.FS) int64 {
	text, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return math.MaxInt64
	}
	most := int64(math.MaxInt64)
	for line := range strings.Lines(string(text)) { // hierarchy:controllers:path, cgroups(7)
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

// along is the least number in the files of that name in a control group's folder and in all above it.
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

// unlimited is the value without a limit in version 1 of control groups: the largest multiple of a page.
const unlimited = math.MaxInt64 - 64<<10

// number reads a file that holds a number of bytes. It returns math.MaxInt64 if there is none, or "max".
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

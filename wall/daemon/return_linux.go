package daemon

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// returnFiles unmaps all pages of files that the process only reads: pages of the program, and of fonts. The pages stay in the kernel's
// cache until other data needs the memory. If the process reads a page again, the kernel maps it again.
func returnFiles() {
	maps, _ := os.ReadFile("/proc/self/smaps") // without this file, all pages stay mapped
	eachUnchanged(string(maps), func(from, to uintptr) {
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_DONTNEED)
	})
}

// eachUnchanged calls `yield` with each mapping of a file that the process cannot write and has not changed. `maps` has the form of
// /proc/self/smaps. Changed pages, such as relocated addresses, would get the content of the file again, even if they are swapped out.
func eachUnchanged(maps string, yield func(from, to uintptr)) {
	var from, to uintptr
	var changed bool
	for line := range strings.Lines(maps) {
		var a, b uintptr
		var access string
		if n, _ := fmt.Sscanf(line, "%x-%x %s", &a, &b, &access); n == 3 {
			from, to, changed = a, b, access[1] != '-' || !strings.Contains(line, " /")
		}
		switch key, size, _ := strings.Cut(line, ":"); key {
		case "Anonymous", "Swap": // a kernel without swap prints no line Swap
			changed = changed || strings.TrimSpace(size) != "0 kB"
		case "VmFlags": // the last line of a mapping
			if !changed && from < to {
				yield(from, to)
			}
		}
	}
}

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
	var from, to uintptr
	for line := range strings.Lines(string(maps)) {
		var a, b uintptr
		var access string
		if n, _ := fmt.Sscanf(line, "%x-%x %s", &a, &b, &access); n == 3 {
			if from, to = a, b; access[1] != '-' || !strings.Contains(line, " /") {
				to = from
			}
		}
		// Changed pages, such as relocated addresses, would get the content of the file again.
		if key, size, _ := strings.Cut(line, ":"); key == "Anonymous" && strings.TrimSpace(size) == "0 kB" && from < to {
			_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_DONTNEED)
		}
	}
}

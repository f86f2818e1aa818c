package daemon

import (
	"runtime/debug"
	"testing"
	"testing/fstest"
)

func TestMemoryLimit(t *testing.T) {
	const usual = 200 << 20
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	for name, tt := range map[string]struct {
		root fstest.MapFS
		want int64
	}{
		"nothing is told": {fstest.MapFS{}, usual},
		"the unit": {fstest.MapFS{
			"proc/self/cgroup": file("0::/system.slice/dashboard.service\n"),
			"sys/fs/cgroup/system.slice/dashboard.service/memory.max": file("268435456\n"),
			"sys/fs/cgroup/system.slice/memory.max":                   file("max\n"),
		}, 268435456 / 100 * 75},
		"a slice above it": {fstest.MapFS{
			"proc/self/cgroup": file("0::/a/b\n"), "sys/fs/cgroup/a/b/memory.max": file("max\n"), "sys/fs/cgroup/a/memory.max": file("100000000\n"),
		}, 75000000},
		"pressure before the end": {fstest.MapFS{
			"proc/self/cgroup": file("0::/a\n"), "sys/fs/cgroup/a/memory.max": file("200000000\n"), "sys/fs/cgroup/a/memory.high": file("100000000\n"),
		}, 75000000},
		"a container sees its root": {fstest.MapFS{
			"proc/self/cgroup": file("0::/\n"), "sys/fs/cgroup/memory.max": file("100000000\n"),
		}, 75000000},
		"no limit": {fstest.MapFS{"proc/self/cgroup": file("0::/\n"), "sys/fs/cgroup/memory.max": file("max\n")}, usual},
		"version 1": {fstest.MapFS{
			"proc/self/cgroup": file("3:cpu,cpuacct:/\n2:memory:/x\n1:name=systemd:/x\n"),
			"sys/fs/cgroup/memory/x/memory.limit_in_bytes": file("100000000\n"),
			"sys/fs/cgroup/memory/memory.limit_in_bytes":   file("9223372036854771712\n"),
		}, 75000000},
		"version 1, no limit": {fstest.MapFS{
			"proc/self/cgroup": file("2:memory:/\n"), "sys/fs/cgroup/memory/memory.limit_in_bytes": file("9223372036854771712\n"),
		}, usual},
		"too little": {fstest.MapFS{"proc/self/cgroup": file("0::/\n"), "sys/fs/cgroup/memory.max": file("1000000\n")}, leastMemory},
		"nonsense":   {fstest.MapFS{"proc/self/cgroup": file("\n0:\nx"), "sys/fs/cgroup/memory.max": file("lots\n")}, usual},
	} {
		if got := memoryLimit(tt.root, usual); got != tt.want {
			t.Errorf("%s: got %d, want %d", name, got, tt.want)
		}
	}
}

// GOGC takes precedence over the programs' own garbage collection target.
func TestCollectEarly(t *testing.T) {
	usual := debug.SetGCPercent(100)
	defer debug.SetGCPercent(usual)
	for _, tt := range []struct {
		gogc string
		want int
	}{{"", 40}, {"250", 100}, {"off", 100}} {
		t.Setenv("GOGC", tt.gogc)
		debug.SetGCPercent(100)
		CollectEarly(40)
		if got := debug.SetGCPercent(100); got != tt.want {
			t.Errorf("GOGC=%q: got %d, want %d", tt.gogc, got, tt.want)
		}
	}
}

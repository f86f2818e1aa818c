package system

import (
	"bytes"
	"errors"
	"math"
	"math/big"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/procfs"

	"dashboard/internal/stable"
)

// times are the busy and idle seconds of all processors since the machine started.
type times struct{ busy, idle float64 }

// timesOf adds up the busy columns and the idle columns of /proc/stat. Waiting for a disk counts as idle. The time of guests is already
// included in the user time (Documentation/filesystems/proc.rst, section 1.7).
func timesOf(c procfs.CPUStat) times {
	return times{busy: c.User + c.Nice + c.System + c.IRQ + c.SoftIRQ + c.Steal, idle: c.Idle + c.Iowait}
}

// since() returns the percentage of time in which the processors were busy since an earlier sample. ok is false if there is no earlier
// sample or no time has passed. The idle columns of the kernel can decrease a little, so the result is limited to the range from 0 to
// 100.
func (t times) since(before times) (float64, bool) {
	busy, idle := t.busy-before.busy, t.idle-before.idle
	if before == (times{}) || busy+idle <= 0 {
		return 0, false
	}
	return share(busy, busy+idle), true
}

// memory returns the total and the available memory of the machine, in bytes. Kernels before 3.14 do not report the available memory. For
// them, the sum of free memory, buffers and cache is a good estimate.
func memory(m procfs.Meminfo) (total, free uint64, ok bool) {
	if m.MemTotalBytes == nil {
		return 0, 0, false
	}
	if m.MemAvailableBytes != nil {
		free = *m.MemAvailableBytes
	} else {
		for _, p := range []*uint64{m.MemFreeBytes, m.BuffersBytes, m.CachedBytes} {
			if p != nil {
				free += *p
			}
		}
	}
	return *m.MemTotalBytes, min(free, *m.MemTotalBytes), true
}

func firstLine(b []byte) string {
	line, _, _ := bytes.Cut(b, []byte{'\n'})
	return strings.TrimSpace(string(line))
}

// maxUptime is a hundred years in seconds, so that an invalid file cannot overflow a Duration.
const maxUptime = 100 * 365 * 86400

// parseUptime parses /proc/uptime. Its first number is the time since the machine started, in seconds.
func parseUptime(line string) (time.Duration, bool) {
	first, _, _ := strings.Cut(line, " ")
	s, err := strconv.ParseFloat(first, 64)
	if err != nil || !(s >= 0 && s <= maxUptime) {
		return 0, false
	}
	return time.Duration(s * float64(time.Second)), true
}

// parseTemperature parses the file `temp` of a thermal zone. The file has a number in thousandths of a degree Celsius. A zone that is
// switched off returns an error or an impossible value.
func parseTemperature(line string) (float64, bool) {
	milli, err := strconv.Atoi(line)
	if err != nil || milli <= -100_000 || milli >= 300_000 {
		return 0, false
	}
	return math.Round(float64(milli)/100) / 10, true
}

// processorZones are parts of the names that thermal zones of processors have: "cpu-thermal" on a Raspberry Pi, "soc_thermal" on other
// boards, "x86_pkg_temp" on PCs.
var processorZones = []string{"cpu", "soc", "x86_pkg"}

// Temperature returns the temperature of the processor in degrees Celsius. ok is false if the temperature is unknown.
func Temperature() (t float64, ok bool) { return temperature("/sys/class/thermal") }

// temperature reads the thermal zone of the processor below `dir`. If the processor has no zone, it reads the first readable zone.
func temperature(dir string) (float64, bool) {
	zones, err := filepath.Glob(filepath.Join(dir, "thermal_zone*"))
	if err != nil {
		return 0, false
	}
	stable.Sort(zones, func(a, b string) int { return zoneRank(a) - zoneRank(b) })
	for _, z := range zones {
		if line, ok := readLine(filepath.Join(z, "temp")); ok {
			if t, ok := parseTemperature(line); ok {
				return t, true
			}
		}
	}
	return 0, false
}

// zoneRank returns a number for sorting thermal zones. Zones of processors come first.
func zoneRank(dir string) int {
	kind, _ := readLine(filepath.Join(dir, "type"))
	for i, part := range processorZones {
		if strings.Contains(strings.ToLower(kind), part) {
			return i
		}
	}
	return len(processorZones)
}

// A disk has the sizes of a file system in bytes. `free` is the part that users without special rights can use.
type disk struct{ total, used, free uint64 }

var errReadOnly = errors.New("a file system that nobody can write to")

// bytesOf returns a number in the type that decoding JSON would give: an int, or a *big.Int if an int has 32 bits and is too small.
func bytesOf(n uint64) any {
	if n <= math.MaxInt {
		return int(n)
	}
	return new(big.Int).SetUint64(n)
}

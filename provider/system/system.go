// Package system is a provider of the state of this machine. Its value is a mapping of load, processor, memory, disk, temperature and
// uptime. The values come from /proc, /sys and the configured file system.
//
//	load1 load5 load15                        runnable tasks, averaged over minutes (float)
//	cpu_percent                               busy part of all processors since the last sample, missing in the first value
//	cpus                                      number of processors
//	memory_total memory_used memory_percent   bytes; used is the part that is not available
//	disk_total disk_used disk_free disk_percent  bytes of the configured file system, percent as df counts, missing
//	                                             for a read-only file system, such as the card image's
//	temperature                               of the processor, degrees Celsius
//	uptime uptime_text                        seconds, and "3d 04:05"
//	hostname
//	cpu_history memory_history                the latest percents, oldest first, 0 for unknown values, for a bar chart
//
// If a machine does not have a value, the mapping does not contain it. For example, a virtual machine has no temperature.
package system

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/prometheus/procfs"

	"dashboard/provider"
)

// Params are the keys of a system provider.
type Params struct {
	// Pause between samples.
	UpdateInterval int `yaml:"update_interval" default:"5" min:"1" unit:"seconds"`
	// Number of values in each history.
	History int `yaml:"history" default:"60" min:"1" max:"1000"`
	// A path on the file system to report.
	Disk string `yaml:"disk" default:"/"`

	// Root is the folder that contains proc and sys. "" means "/". Root is only for tests.
	Root string `yaml:"-"`
}

// A Provider publishes a new mapping after each interval.
type Provider struct {
	interval  time.Duration
	disk      string
	root      string
	busy, mem []any // histories; the oldest value is first. They are replaced and never changed, because published samples share them
	before    times // busy and idle times at the last sample
}

var _ provider.Provider = (*Provider)(nil)

// errNothing is returned on a machine that has no values.
var errNothing = errors.New("neither /proc nor the file system can be read")

// New returns a provider. A parameter that is zero gets its default.
func New(p Params) *Provider {
	s := &Provider{interval: time.Duration(p.UpdateInterval) * time.Second, disk: p.Disk, root: p.Root}
	if s.interval <= 0 {
		s.interval = 5 * time.Second
	}
	size := p.History
	if size <= 0 {
		size = 60
	}
	s.busy, s.mem = noHistory(size), noHistory(size)
	if s.disk == "" {
		s.disk = "/"
	}
	if s.root == "" {
		s.root = "/"
	}
	return s
}

// Kind is "system".
func (p *Provider) Kind() string { return "system" }

// Keys returns the possible keys of the value.
func (p *Provider) Keys() []string {
	return []string{
		"cpu_percent", "cpu_history", "cpus", "load1", "load5", "load15",
		"memory_total", "memory_used", "memory_percent", "memory_history", "disk_total", "disk_used", "disk_free", "disk_percent",
		"temperature", "uptime", "uptime_text", "hostname",
	}
}

// Run publishes a value at once and after each interval. cpu_percent is available from the second value on.
func (p *Provider) Run(ctx context.Context, cell *provider.Cell) error {
	poll := provider.Poll{Interval: p.interval, Promise: true}
	return poll.Run(ctx, cell, p.once)
}

// once() takes one sample. If the machine has no values, there is no early retry, because the machine will not change.
func (p *Provider) once(context.Context, bool) provider.Result {
	v := p.read()
	if len(v) == 0 {
		return provider.Fail(errNothing, true)
	}
	return provider.Result{Value: v}
}

// read returns all values that are available now.
func (p *Provider) read() map[string]any {
	v := map[string]any{}
	if fs, err := procfs.NewFS(filepath.Join(p.root, "proc")); err == nil {
		p.readProc(fs, v)
	}
	p.readFiles(v)
	p.readDisk(v)
	return v
}

func (p *Provider) readProc(fs procfs.FS, v map[string]any) {
	if l, err := fs.LoadAvg(); err == nil {
		v["load1"], v["load5"], v["load15"] = l.Load1, l.Load5, l.Load15
	}
	if st, err := fs.Stat(); err == nil {
		v["cpus"] = len(st.CPU)
		now := timesOf(st.CPUTotal)
		if percent, ok := now.since(p.before); ok {
			v["cpu_percent"] = percent
			p.busy = remember(p.busy, percent)
		}
		p.before = now
		v["cpu_history"] = p.busy
	}
	if m, err := fs.Meminfo(); err == nil {
		p.readMemory(m, v)
	}
}

func (p *Provider) readMemory(m procfs.Meminfo, v map[string]any) {
	total, free, ok := memory(m)
	if !ok {
		return
	}
	percent := share(float64(total-free), float64(total))
	p.mem = remember(p.mem, percent)
	v["memory_total"], v["memory_used"], v["memory_percent"], v["memory_history"] = bytesOf(total), bytesOf(total-free), percent, p.mem
}

func (p *Provider) readFiles(v map[string]any) {
	if s, ok := readLine(filepath.Join(p.root, "proc/uptime")); ok {
		if up, ok := parseUptime(s); ok {
			v["uptime"], v["uptime_text"] = int(up.Seconds()), uptimeText(up)
		}
	}
	if s, ok := readLine(filepath.Join(p.root, "proc/sys/kernel/hostname")); ok && s != "" {
		v["hostname"] = s
	}
	if t, ok := temperature(filepath.Join(p.root, "sys/class/thermal")); ok {
		v["temperature"] = t
	}
}

func (p *Provider) readDisk(v map[string]any) {
	d, err := statDisk(filepath.Join(p.root, p.disk))
	if err != nil {
		return
	}
	v["disk_total"], v["disk_used"], v["disk_free"] = bytesOf(d.total), bytesOf(d.used), bytesOf(d.free)
	v["disk_percent"] = share(float64(d.used), float64(d.used+d.free))
}

// noHistory returns a history without known values. The history contains zeros, so that the bars of a chart have the same width from the
// start.
func noHistory(size int) []any {
	list := make([]any, size)
	for i := range list {
		list[i] = 0.0
	}
	return list
}

// remember returns a copy of a history without its oldest value and with v at the end.
func remember(list []any, v float64) []any {
	return append(append(make([]any, 0, len(list)), list[1:]...), v)
}

// share() returns `part` as a percentage of `whole`, in the range from 0 to 100.
func share(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return max(0, min(100, 100*part/whole))
}

// uptimeText formats a duration as days, hours and minutes.
func uptimeText(d time.Duration) string {
	m := int(d.Minutes())
	text := fmt.Sprintf("%02d:%02d", m/60%24, m%60)
	if days := m / (60 * 24); days > 0 {
		text = fmt.Sprintf("%dd %s", days, text)
	}
	return text
}

// maxLine is the maximum number of bytes that are read from a file. All files that are read here are shorter.
const maxLine = 4096

// readLine returns the first line of a small file without surrounding blanks.
func readLine(path string) (string, bool) {
	f, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	var buf [maxLine]byte
	n, _ := f.Read(buf[:]) // after an error, n is 0 and the line is empty, which all parsers reject
	return firstLine(buf[:n]), true
}

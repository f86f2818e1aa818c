package system

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"dashboard/provider"
)

// board has the files of a Raspberry Pi, shortened. Tests change some of them.
var board = map[string]string{
	"proc/loadavg":             "0.52 0.58 0.59 1/467 12345\n",
	"proc/uptime":              "273906.42 1054321.00\n",
	"proc/sys/kernel/hostname": "wall\n",
	"proc/stat": "cpu  1000 100 400 8000 500 0 0 0 0 0\ncpu0 500 50 200 4000 250 0 0 0 0 0\n" +
		"cpu1 500 50 200 4000 250 0 0 0 0 0\nintr 1 0\nctxt 5\nbtime 1795235313\nprocesses 9\nprocs_running 1\nprocs_blocked 0\nsoftirq 0 0 0 0 0 0 0 0 0 0 0\n",
	"proc/meminfo":                         "MemTotal:         948304 kB\nMemFree:          114148 kB\nMemAvailable:     474152 kB\nBuffers:  10000 kB\nCached: 20000 kB\n",
	"sys/class/thermal/thermal_zone0/type": "acpitz\n",
	"sys/class/thermal/thermal_zone0/temp": "27800\n",
	"sys/class/thermal/thermal_zone1/type": "cpu-thermal\n",
	"sys/class/thermal/thermal_zone1/temp": "51540\n",
}

func write(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// busier is proc/stat of the board some time later: 150 more busy ticks and 450 more idle ticks.
const busier = "cpu  1100 100 450 8400 550 0 0 0 0 0\ncpu0 1 0 0 0 0 0 0 0 0 0\ncpu1 1 0 0 0 0 0 0 0 0 0\n"

func TestRead(t *testing.T) {
	root := t.TempDir()
	write(t, root, board)
	p := New(Params{Root: root, History: 3})
	first := p.read()
	if _, ok := first["cpu_percent"]; ok {
		t.Error("the first sample knows the processor's share")
	}
	write(t, root, map[string]string{"proc/stat": busier})
	got := p.read()
	for _, k := range []string{"disk_total", "disk_used", "disk_free"} {
		if n := got[k]; n == nil || n == 0 {
			t.Errorf("%s: got %v", k, got[k])
		}
	}
	if d := got["disk_percent"].(float64); d <= 0 || d > 100 {
		t.Errorf("disk_percent: got %v", d)
	}
	maps.DeleteFunc(got, func(k string, _ any) bool { return k[:4] == "disk" })
	want := map[string]any{
		"load1": 0.52, "load5": 0.58, "load15": 0.59, "cpus": 2, "cpu_percent": 25.0, "cpu_history": []any{0.0, 0.0, 25.0},
		"memory_total": 948304 << 10, "memory_used": 474152 << 10, "memory_percent": 50.0, "memory_history": []any{0.0, 50.0, 50.0},
		"temperature": 51.5, "uptime": 273906, "uptime_text": "3d 04:05", "hostname": "wall",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}

func TestMissingFilesAreMissingValues(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		gone  []string
		left  []string
	}{
		{"no temperature", map[string]string{"sys/class/thermal/thermal_zone0/temp": "", "sys/class/thermal/thermal_zone1/temp": "-274000"}, []string{"temperature"}, []string{"load1", "uptime"}},
		{"broken load", map[string]string{"proc/loadavg": "x y z\n"}, []string{"load1", "load5"}, []string{"uptime", "cpus"}},
		{"broken uptime", map[string]string{"proc/uptime": "1e99 0\n"}, []string{"uptime", "uptime_text"}, []string{"load1"}},
		{"empty memory", map[string]string{"proc/meminfo": "\n"}, []string{"memory_total", "memory_percent"}, []string{"load1"}},
		{"broken stat", map[string]string{"proc/stat": "cpu a b c d\n"}, []string{"cpus", "cpu_history"}, []string{"load1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			write(t, root, board)
			write(t, root, tt.files)
			got := New(Params{Root: root}).read()
			for _, k := range tt.gone {
				if v, ok := got[k]; ok {
					t.Errorf("%s is there: %v", k, v)
				}
			}
			for _, k := range tt.left {
				if _, ok := got[k]; !ok {
					t.Errorf("%s is missing", k)
				}
			}
		})
	}
}

func TestOldKernelsMemory(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"proc/meminfo": "MemTotal: 1000 kB\nMemFree: 100 kB\nBuffers: 50 kB\nCached: 100 kB\n"})
	if got := New(Params{Root: root}).read()["memory_percent"]; got != 75.0 {
		t.Errorf("got %v, want 75", got)
	}
}

func TestShareOfTime(t *testing.T) {
	tests := []struct {
		name        string
		before, now times
		want        float64
		ok          bool
	}{
		{"first", times{}, times{1, 1}, 0, false},
		{"no time between", times{1, 1}, times{1, 1}, 0, false},
		{"a quarter", times{1, 1}, times{2, 4}, 25, true},
		{"idle ran backwards", times{1, 2}, times{3, 1.5}, 100, true},
		{"busy ran backwards", times{2, 1}, times{1.5, 3}, 0, true},
	}
	for _, tt := range tests {
		if got, ok := tt.now.since(tt.before); got != tt.want || ok != tt.ok {
			t.Errorf("%s: got %v, %v, want %v, %v", tt.name, got, ok, tt.want, tt.ok)
		}
	}
}

// A published history belongs to its sample. Later samples must not change it.
func TestRemember(t *testing.T) {
	var lists [][]any
	list := noHistory(4)
	for i := range 3 {
		list = remember(list, float64(i+1))
		lists = append(lists, list)
	}
	want := [][]any{{0.0, 0.0, 0.0, 1.0}, {0.0, 0.0, 1.0, 2.0}, {0.0, 1.0, 2.0, 3.0}}
	if diff := cmp.Diff(want, lists); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}

func TestRun(t *testing.T) {
	root := t.TempDir()
	write(t, root, board)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 21*time.Second)
		defer cancel()
		var cell provider.Cell
		if err := New(Params{Root: root}).Run(ctx, &cell); err != nil {
			t.Fatal(err)
		}
		s := cell.Load()
		if s.Seq != 5 || s.Interval != 5*time.Second || len(s.Value.(map[string]any)["memory_history"].([]any)) != 60 {
			t.Errorf("got %+v, want five samples in 21 s", s)
		}
	})
}

func TestNothingToRead(t *testing.T) {
	var cell provider.Cell
	r := New(Params{Root: filepath.Join(t.TempDir(), "none")}).once(t.Context(), true)
	r.Put(&cell, time.Now())
	if s := cell.Load(); s.Err != errNothing || s.Has() {
		t.Errorf("got %+v, want errNothing", s)
	}
}

// The machine that runs the test has at least the values of every Linux system.
func TestThisMachine(t *testing.T) {
	got := New(Params{}).read()
	keys := slices.Collect(maps.Keys(got))
	for _, k := range []string{"load1", "cpus", "memory_percent", "uptime", "disk_percent"} {
		if !slices.Contains(keys, k) {
			t.Errorf("%s is missing from %v", k, keys)
		}
	}
	for _, k := range keys {
		if !slices.Contains(New(Params{}).Keys(), k) {
			t.Errorf("%s is not among the keys that are known", k)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"273906.42 1054321.00", "NaN", "-1", "1e400", "51540", "-274000", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if d, ok := parseUptime(s); ok && d < 0 {
			t.Errorf("up-time %q: got %v", s, d)
		}
		if c, ok := parseTemperature(s); ok && (c < -100 || c > 300) {
			t.Errorf("temperature %q: got %v", s, c)
		}
	})
}

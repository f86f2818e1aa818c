package draft

import (
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"dashboard/config"
)

// family returns the files of a sample wall with a clock, weather, a calendar, photos and cards.
func family(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{"conf.yaml": "locale: en-GB\ntimezone: UTC\nlocation: {latitude: 51.48, longitude: 0}\ngraphics: {resolution: [1920, 1080]}\noutputs: [{type: stream}]\n"}
	for _, name := range []string{"widgets.yaml", "providers.yaml", "secrets.yaml"} {
		data, err := os.ReadFile("../../samples/family/" + name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(data)
	}
	return files
}

// Two drafts of 1920x1080 px need at most 40 MB. After ten idle minutes, their memory is free.
func TestMemoryOfDrafts(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures the memory of the process")
	}
	b := newBench(t, family(t))
	id, _ := b.open() // loads fonts and tables, which are not part of the measurement
	d, err := b.Find(id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Picture(Shot{}); err != nil {
		t.Fatal(err)
	}
	b.Close(id)
	before := heap()
	for range MaxDrafts {
		one, err := b.Open(config.MainView)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := one.State(); err != nil {
			t.Fatal(err)
		}
		if _, err := one.Picture(Shot{}); err != nil {
			t.Fatal(err)
		}
	}
	with := heap()
	b.pass(IdleTime)
	b.List()
	for end := time.Now().Add(5 * time.Minute); heap()-before > 4<<20 && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond) // a closed draft frees its memory in the background
	}
	after := heap()
	t.Logf("two drafts take %.1f MB, %.1f MB are left after ten minutes", mb(with-before), mb(after-before))
	if with-before > 40<<20 || after-before > 4<<20 {
		t.Errorf("two drafts take %.1f MB, %.1f MB stay", mb(with-before), mb(after-before))
	}
}

func mb(n int64) float64 { return float64(n) / 1e6 }

// heap returns the size of the used heap in bytes.
func heap() int64 {
	runtime.GC()
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

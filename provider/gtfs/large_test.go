package gtfs

import (
	"archive/zip"
	"bufio"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

var (
	feedMB   = flag.Int("feed", 0, "size of the feed of TestLargeFeed, MB; 300 is the feed of a country")
	feedFile = flag.String("feed-file", "", "`file` of the feed, which is written if it is missing")
)

// writeLarge writes a feed of about `size` bytes. The feed has 50,000 stops, ten of which are chosen. The numbers in the feed vary, so
// that the feed compresses to about an eighth of its size, as real feeds do.
func writeLarge(t testing.TB, path string, size int64) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z := zip.NewWriter(file)
	table := func(name string, write func(w *bufio.Writer)) {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		b := bufio.NewWriter(w)
		write(b)
		if err := b.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	const stops, perTrip, services = 50_000, 25, 400
	state := uint64(1)
	random := func(n int) int {
		state = state*6364136223846793005 + 1442695040888963407
		return int(state>>33) % n
	}
	table("agency.txt", func(w *bufio.Writer) { w.WriteString(usual["agency.txt"]) })
	table("stops.txt", func(w *bufio.Writer) {
		w.WriteString("stop_id,stop_name,stop_lat,stop_lon\n")
		for i := range stops {
			fmt.Fprintf(w, "s%d,Stop number %d,%f,%f\n", i, i, float64(random(9000))/100, float64(random(9000))/100)
		}
	})
	trips := 0
	table("stop_times.txt", func(w *bufio.Writer) {
		w.WriteString("trip_id,arrival_time,departure_time,stop_id,stop_sequence,shape_dist_traveled\n")
		for ; ; trips++ {
			if info, _ := file.Stat(); trips%1000 == 0 && info.Size() > size {
				break
			}
			at := random(86400)
			for k := range perTrip {
				at += 60 + random(240)
				stop := random(stops)
				if random(2000) == 0 { // a busy station
					stop = random(10) * 4999
				}
				fmt.Fprintf(w, "%d.T0.1-%x,%02d:%02d:%02d,%02d:%02d:%02d,s%d,%d,%d\n", trips, trips*7919, at/3600, at/60%60, at%60, at/3600, at/60%60, at%60, stop, k+1, random(99999))
			}
		}
	})
	table("trips.txt", func(w *bufio.Writer) {
		w.WriteString("route_id,service_id,trip_id,trip_headsign\n")
		for i := range trips {
			fmt.Fprintf(w, "r%d,v%d,%d.T0.1-%x,Destination %d\n", random(2000), random(services), i, i*7919, random(3000))
		}
	})
	table("routes.txt", func(w *bufio.Writer) {
		w.WriteString("route_id,route_short_name,route_type\n")
		for i := range 2000 {
			fmt.Fprintf(w, "r%d,%d,3\n", i, i)
		}
	})
	table("calendar.txt", func(w *bufio.Writer) {
		w.WriteString("service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n")
		for i := range services {
			fmt.Fprintf(w, "v%d,1,1,1,1,1,0,0,20260101,20261231\n", i)
		}
	})
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}

// largeFeed returns the file of a large feed and ten of its stops. If no flag sets the size of the file, the size is usualMB.
func largeFeed(t testing.TB, usualMB int) (path string, stops []string) {
	t.Helper()
	path = cmp.Or(*feedFile, filepath.Join(t.TempDir(), "feed.zip"))
	if _, err := os.Stat(path); err != nil {
		writeLarge(t, path, int64(cmp.Or(*feedMB, usualMB))<<20)
	}
	for i := range 10 {
		stops = append(stops, fmt.Sprintf("s%d", i*4999))
	}
	return path, stops
}

// BenchmarkLargeFeed measures one refresh after the feed has changed. docs/benchmarks.md has the number of processor instructions of this
// benchmark on ARMv6.
func BenchmarkLargeFeed(b *testing.B) {
	path, stops := largeFeed(b, 1)
	for b.Loop() {
		if _, err := providerOf(b, Params{URL: "file://" + path, Stops: stops}).fetch(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// TestLargeFeed: the memory for reading a feed depends on the chosen stops and not on the size of the feed.
func TestLargeFeed(t *testing.T) {
	usualMB := 4
	if testing.Short() {
		usualMB = 1
	}
	path, chosen := largeFeed(t, usualMB)
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	p := providerOf(t, Params{URL: "file://" + path, Stops: chosen})
	end, peak := make(chan struct{}), make(chan uint64)
	go func() { // measures the peak of the used memory every few milliseconds
		most := uint64(0)
		for {
			select {
			case <-end:
				peak <- most
				return
			case <-time.After(5 * time.Millisecond):
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapAlloc)
			}
		}
	}()
	begin := time.Now()
	x, err := p.fetch(t.Context())
	took := time.Since(begin)
	close(end)
	most := <-peak
	if err != nil {
		t.Fatal(err)
	}
	form, _ := json.Marshal(x)
	t.Logf("%d departures of ten stops in %v, heap of %d kB at most, index of %d kB", len(x.Visits), took.Round(time.Millisecond), most>>10, len(form)>>10)
	if len(form) > 2<<20 {
		t.Errorf("the index has %d bytes", len(form))
	}
	if used := int64(most) - int64(before.HeapAlloc); used > 24<<20 {
		t.Errorf("%d MiB of heap, want at most 24", used>>20)
	}
}

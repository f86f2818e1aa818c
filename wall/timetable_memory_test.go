package wall

import (
	"archive/zip"
	"bytes"
	"cmp"
	"compress/flate"
	"fmt"
	"image/jpeg"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dashboard/internal/testing/testpic"
)

const (
	// timetableMemory is the maximum resident memory, in bytes, of a wall that decodes photos of 24 megapixels while it reads a
	// timetable. If a whole photo or a whole table of the timetable were in memory, the memory would exceed this limit.
	timetableMemory = 120_000_000
	// timetableTrips is the number of trips in the timetable, each with 25 stops. The zip file of the timetable has 31 MB.
	timetableTrips = 70_000
	// timetablePhotos is the number of photos that the wall shows, one after another, while it reads the timetable.
	timetablePhotos = 8
)

// TestTimetableAndPhotosMemory starts a wall at 1920x1080 with large photos and departures from a large timetable. The server of the
// timetable waits for the next photo before it sends the next part, so the wall decodes photos while it reads the timetable.
func TestTimetableAndPhotosMemory(t *testing.T) {
	t.Parallel()
	if !*inFull {
		t.Skip("it packs a large timetable")
	}
	feed, next := timetable(t), make(chan struct{}, timetablePhotos)
	port := freePort(t)
	b := prepare(t, port, timetableWall(t, port, servedInTurns(t, feed, next)))
	b.Process.Cmd.Env = append(os.Environ(), "GOMEMLIMIT=192MiB") // limit in the systemd unit
	b.Run()
	eventually(t, "the wall answers", func() bool { status, _ := b.get("/text"); return status == http.StatusOK })
	stream, err := http.Get(b.url("/stream.mjpg"))
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	go io.Copy(io.Discard, stream.Body) // ends when the body is closed
	name, shown := regexp.MustCompile(`lake \d`), ""
	for range timetablePhotos {
		eventually(t, "the next photo is shown", func() bool {
			before := shown
			shown = cmp.Or(name.FindString(b.text("/text")), before)
			return shown != before
		})
		if strings.Contains(b.text("/text"), "Destination") {
			t.Errorf("the timetable was read before %s", shown)
		}
		next <- struct{}{}
	}
	close(next)
	eventually(t, "the wall shows departures", func() bool { return strings.Contains(b.text("/text"), "Destination") })
	peak := b.Memory("VmHWM")
	t.Logf("timetable of %d bytes: at most %.1f MB", len(feed), float64(peak)/1e6)
	if peak > timetableMemory {
		t.Errorf("the wall took %d MB, at most %d", peak/1_000_000, timetableMemory/1_000_000)
	}
}

// servedInTurns serves a feed in parts, as the wall requests them. Some requests wait until the channel `next` has a value or is closed.
func servedInTurns(t *testing.T, feed []byte, next <-chan struct{}) (address string) {
	t.Helper()
	every := len(feed) >> 20 / timetablePhotos // the wall requests parts of 1 MiB
	var requests atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1)%int64(every) == 0 {
			select {
			case <-next:
			case <-r.Context().Done():
			}
		}
		http.ServeContent(w, r, "feed.zip", time.Time{}, bytes.NewReader(feed))
	}))
	t.Cleanup(server.Close)
	return server.URL + "/feed.zip"
}

// timetableWall returns the files of a wall with photos of 24 megapixels and the departures of the timetable's stop s0.
func timetableWall(t *testing.T, port int, feed string) files {
	t.Helper()
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, testpic.Photo(6000, 4000), nil); err != nil {
		t.Fatal(err)
	}
	wall := files{
		"conf.yaml": fmt.Sprintf("server: {port: %d}\nlocale: en-GB\ntimezone: UTC\noutputs: [{type: stream}]\n", port) +
			"graphics: {resolution: [1920, 1080]}\n",
		"providers.yaml": "providers:\n  stop: {type: gtfs, url: '" + feed + "', stops: [s0], within: 24h, timeout: 600}\n",
		"widgets.yaml": "theme: calm\nwidgets:\n  - widget: row\n    children:\n      - {widget: departures, items: !data .stop.departures}\n" +
			"      - {widget: photos, path: photos, order: name, caption: name, dwell: 1s, size: 3}\n",
	}
	for i := range timetablePhotos {
		wall[fmt.Sprintf("photos/lake %d.jpg", i)] = photo.String()
	}
	return wall
}

// timetable returns the zip file of a timetable with 50,000 stops. Its trips run on every day of last year, this year and next year.
func timetable(t *testing.T) []byte {
	t.Helper()
	const stops, services, routes = 50_000, 400, 2000
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	random, year := rand.New(rand.NewPCG(1, 2)), time.Now().UTC().Year()
	table := func(name, keys string, n int, line func(w io.Writer, i int)) {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, keys+"\n")
		for i := range n {
			line(w, i)
		}
	}
	table("agency.txt", "agency_id,agency_name,agency_url,agency_timezone\na,A,http://a,UTC", 0, nil)
	table("stops.txt", "stop_id,stop_name,stop_lat,stop_lon", stops, func(w io.Writer, i int) {
		fmt.Fprintf(w, "s%d,Stop number %d,%f,%f\n", i, i, 90*random.Float64(), 90*random.Float64())
	})
	table("stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence,distance", timetableTrips, func(w io.Writer, trip int) {
		at := random.IntN(86400)
		for k := range 25 {
			at += 60 + random.IntN(240)
			stop := random.IntN(stops)
			if random.IntN(2000) == 0 { // the stop of the wall
				stop = 0
			}
			clock := fmt.Sprintf("%02d:%02d:%02d", at/3600, at/60%60, at%60)
			fmt.Fprintf(w, "%d.T0.1-%x,%s,%s,s%d,%d,%d\n", trip, trip*7919, clock, clock, stop, k+1, random.IntN(99999))
		}
	})
	table("trips.txt", "route_id,service_id,trip_id,trip_headsign", timetableTrips, func(w io.Writer, i int) {
		fmt.Fprintf(w, "r%d,v%d,%d.T0.1-%x,Destination %d\n", random.IntN(routes), random.IntN(services), i, i*7919, random.IntN(3000))
	})
	table("routes.txt", "route_id,route_short_name,route_type", routes, func(w io.Writer, i int) { fmt.Fprintf(w, "r%d,%d,3\n", i, i) })
	const days = "monday,tuesday,wednesday,thursday,friday,saturday,sunday"
	table("calendar.txt", "service_id,"+days+",start_date,end_date", services, func(w io.Writer, i int) {
		fmt.Fprintf(w, "v%d,1,1,1,1,1,1,1,%d0101,%d1231\n", i, year-1, year+1)
	})
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

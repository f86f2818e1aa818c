package gtfs

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/internal/folder"
	"dashboard/provider"
	"dashboard/provider/ask"
)

// usual has the tables of a small feed in Berlin. Tests replace some of them.
var usual = map[string]string{
	"agency.txt": "agency_id,agency_name,agency_url,agency_timezone\n1,City,http://c/,Europe/Berlin\n",
	"stops.txt": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code\n" +
		"p1,Alexanderplatz,0,0,0,alex,1\np2,Alexanderplatz,0,0,0,alex,2\nalex,Alexanderplatz,0,0,1,,\nzoo,\"Zoo, \"\"main\"\" station\",0,0,,,\nend,Far end,0,0,,,\n",
	"routes.txt":         "route_id,route_short_name,route_long_name,route_type,route_color,route_text_color\nr,U4,,1,FFCC00,000000\nb,,Night bus,700,,\n",
	"trips.txt":          "route_id,service_id,trip_id,trip_headsign\nr,week,t1,Zoo\nr,week,t2,\nb,extra,t3,Depot\n",
	"calendar.txt":       "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nweek,1,1,1,1,1,0,0,20260101,20261231\n",
	"calendar_dates.txt": "service_id,date,exception_type\nweek,20261224,2\nextra,20261126,1\n",
	"stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type\n" +
		"t1,10:00:00,10:00:00,p1,1,\nt1,10:10:00,10:10:00,zoo,2,\n" +
		"t2,10:05:00,10:05:00,zoo,1,\nt2,,,p2,2,\nt2,10:15:00,10:15:00,end,3,\n" +
		"t3,25:10:00,25:10:00,p1,5,\nt3,25:20:00,25:20:00,end,9,\n",
}

// feedOf returns a zip file with the usual tables, some of them replaced. An empty table is omitted.
func feedOf(t testing.TB, replaced map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	names := []string{}
	for name := range usual {
		names = append(names, name)
	}
	for name := range replaced {
		if _, ok := usual[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		text, ok := replaced[name]
		if !ok {
			text = usual[name]
		}
		if text == "" {
			continue
		}
		w, err := z.Create(name)
		if err == nil {
			_, err = io.WriteString(w, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// indexOf returns the index of a feed.
func indexOf(t testing.TB, replaced map[string]string, stops ...string) (*Index, error) {
	t.Helper()
	data := feedOf(t, replaced)
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return distill(t.Context(), z, stops, true)
}

// board lists departures in the form "10:00 U4 Zoo 1".
func board(t testing.TB, x *Index, from string, within time.Duration, l *Live) []string {
	t.Helper()
	zone, _ := time.LoadLocation(x.Zone)
	now, err := time.ParseInLocation("2006-01-02 15:04", from, zone)
	if err != nil {
		t.Fatal(err)
	}
	list := []string{}
	for _, d := range x.departures(now, within, 50, l) {
		p := x.plain(&d)
		text := fmt.Sprintf("%s %s %s %v", d.planned.In(zone).Format("15:04"), p["line"], p["destination"], p["platform"])
		if p["delay"] != 0 {
			text += fmt.Sprintf(" %+d", p["delay"])
		}
		if d.canceled {
			text += " cancelled"
		}
		list = append(list, text)
	}
	return list
}

// TestTimeTable compares departures with expected departures. A person derived the expected departures from the GTFS reference, as a
// passenger would read the timetable.
func TestTimeTable(t *testing.T) {
	times := func(rows string) map[string]string {
		return map[string]string{"stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,stop_headsign\n" + rows}
	}
	for name, tt := range map[string]struct {
		feed  map[string]string
		stops string
		from  string // 2026-11-26 is a Thursday
		want  []string
	}{
		"a station has its platforms, and a time between time points is interpolated": {nil, "alex", "2026-11-26 09:00", []string{"10:00 U4 Zoo 1", "10:10 U4 Far end 2"}},
		"by name, in any case":            {nil, "ALEXANDERPLATZ", "2026-11-26 09:00", []string{"10:00 U4 Zoo 1", "10:10 U4 Far end 2"}},
		"one platform":                    {nil, "p2", "2026-11-26 09:00", []string{"10:10 U4 Far end 2"}},
		"a quoted name":                   {nil, `zoo, "main" station`, "2026-11-26 09:00", []string{"10:05 U4 Far end <nil>"}},
		"no service on Saturday":          {nil, "alex", "2026-11-28 09:00", []string{}},
		"a removed day":                   {nil, "alex", "2026-12-24 09:00", []string{}},
		"an added day, after midnight":    {nil, "alex", "2026-11-27 00:30", []string{"01:10 Night bus Depot 1"}},
		"a minute ago":                    {nil, "p1", "2026-11-26 10:01", []string{"10:00 U4 Zoo 1"}},
		"no longer":                       {nil, "p1", "2026-11-26 10:02", []string{}},
		"the last stop is no departure":   {nil, "end", "2026-11-26 09:00", []string{}},
		"no pick-up":                      {times("t1,10:00:00,10:00:00,p1,1,1,\nt1,10:10:00,10:10:00,zoo,2,0,\n"), "p1", "2026-11-26 09:00", []string{}},
		"a head sign of the stop":         {times("t1,10:00:00,10:00:00,p1,1,,Zoo via Park\nt1,10:10:00,10:10:00,zoo,2,,\n"), "p1", "2026-11-26 09:00", []string{"10:00 U4 Zoo via Park 1"}},
		"rows in another order":           {times("t1,10:00:00,10:00:00,p1,1,,\nt2,10:05:00,10:05:00,p2,1,,\nt1,10:10:00,10:10:00,p2,2,,\nt2,10:15:00,10:15:00,end,2,,\nt1,10:20:00,10:20:00,zoo,3,,\n"), "alex", "2026-11-26 09:00", []string{"10:00 U4 Zoo 1", "10:05 U4 Far end 2", "10:10 U4 Zoo 2"}},
		"a byte order mark and CR LF":     {map[string]string{"stops.txt": "\xef\xbb\xbf" + strings.ReplaceAll(usual["stops.txt"], "\n", "\r\n")}, "alex", "2026-11-26 09:00", []string{"10:00 U4 Zoo 1", "10:10 U4 Far end 2"}},
		"only added days":                 {map[string]string{"calendar.txt": ""}, "alex", "2026-11-27 00:00", []string{"01:10 Night bus Depot 1"}},
		"a summer day has 23 hours":       {map[string]string{"calendar.txt": strings.Replace(usual["calendar.txt"], "1,1,1,1,1,0,0", "1,1,1,1,1,1,1", 1), "stop_times.txt": "trip_id,departure_time,stop_id,stop_sequence\nt1,4:00:00,p1,1\nt1,5:00:00,zoo,2\n"}, "p1", "2026-03-29 03:30", []string{"04:00 U4 Zoo 1"}},
		"a winter day has 25 hours":       {map[string]string{"calendar.txt": strings.Replace(usual["calendar.txt"], "1,1,1,1,1,0,0", "1,1,1,1,1,1,1", 1), "stop_times.txt": "trip_id,departure_time,stop_id,stop_sequence\nt1,4:00:00,p1,1\nt1,5:00:00,zoo,2\n"}, "p1", "2026-10-25 03:30", []string{"04:00 U4 Zoo 1"}},
		"a trip that repeats":             {map[string]string{"frequencies.txt": "trip_id,start_time,end_time,headway_secs\nt1,09:00:00,09:30:00,600\nt1,23:55:00,24:10:00,600\n"}, "p1", "2026-11-26 09:05", []string{"09:10 U4 Zoo 1", "09:20 U4 Zoo 1"}},
		"a trip that repeats at midnight": {map[string]string{"frequencies.txt": "trip_id,start_time,end_time,headway_secs\nt1,09:00:00,09:30:00,600\nt1,23:55:00,24:10:00,600\n"}, "p1", "2026-11-26 23:50", []string{"23:55 U4 Zoo 1", "00:05 U4 Zoo 1", "01:10 Night bus Depot 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			x, err := indexOf(t, tt.feed, tt.stops)
			if err != nil {
				t.Fatal(err)
			}
			if got := board(t, x, tt.from, 2*time.Hour, nil); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if err := x.check(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestFeedMistakes: an error names the place of the mistake, such as the file and the record, or a way to fix the mistake.
func TestFeedMistakes(t *testing.T) {
	long := `trip_id,departure_time,stop_id,stop_sequence` + "\n\"" + strings.Repeat("x\n", maxRecord) + "\n"
	for name, tt := range map[string]struct {
		feed  map[string]string
		stops string
		want  string
	}{
		"an unknown stop":     {nil, "Alexanderplaz", `did you mean "Alexanderplatz"?`},
		"nothing like it":     {nil, "Qqqqqqq", "write a stop_id or a stop_name"},
		"no zone":             {map[string]string{"agency.txt": "agency_id\n1\n"}, "alex", "time zone"},
		"a table is missing":  {map[string]string{"stop_times.txt": ""}, "alex", "no stop_times.txt"},
		"a date":              {map[string]string{"calendar.txt": strings.Replace(usual["calendar.txt"], "20260101", "1.1.2026", 1)}, "alex", "calendar.txt: record 2: a date is not YYYYMMDD"},
		"an endless record":   {map[string]string{"stop_times.txt": long}, "alex", "a record is too long"},
		"an endless line":     {map[string]string{"stop_times.txt": strings.Repeat("x", 3*maxRecord)}, "alex", "a record is too long"},
		"too many columns":    {map[string]string{"stop_times.txt": strings.Repeat("x,", 2*maxColumns) + "\n"}, "alex", "a record is too long"},
		"too many departures": {map[string]string{"stop_times.txt": "trip_id,departure_time,stop_id\n" + strings.Repeat("t1,10:00:00,p1\n", maxVisits+1)}, "alex", "choose fewer stops"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := indexOf(t, tt.feed, tt.stops); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// serve returns a server that sends a feed. If `ranges` is true, it supports range requests and adds the number of sent bytes to `sent`.
func serve(t *testing.T, data []byte, ranges bool, sent *int) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !ranges {
			w.Header().Set("ETag", `"whole"`)
			w.Write(data)
			return
		}
		w.Header().Set("ETag", `"one"`)
		counter := &counting{ResponseWriter: w, n: sent}
		http.ServeContent(counter, r, "feed.zip", time.Time{}, bytes.NewReader(data))
	}))
	t.Cleanup(s.Close)
	return s
}

type counting struct {
	http.ResponseWriter
	n *int
}

func (c *counting) Write(b []byte) (int, error) {
	*c.n += len(b)
	return c.ResponseWriter.Write(b)
}

func providerOf(t testing.TB, p Params) *Provider {
	t.Helper()
	if p.Limit == 0 {
		p.Limit, p.Within, p.UpdateInterval = 30, value.Duration(2*time.Hour), value.Duration(time.Hour)
	}
	_, v, err := New(&p, ask.Deps{Client: fetch.New(&fetch.Options{}), Files: folder.Dir(t.TempDir())})
	if err != nil {
		t.Fatal(err)
	}
	zone, _ := time.LoadLocation("Europe/Berlin")
	at := time.Date(2026, 11, 26, 9, 0, 0, 0, zone)
	v.now = func() time.Time { return at }
	return v
}

// lines() returns the line, such as U4, of each departure in a cell's value.
func lines(t *testing.T, cell *provider.Cell) (all []string) {
	t.Helper()
	m, _ := cell.Load().Value.(map[string]any)
	list, _ := m["departures"].([]any)
	for _, d := range list {
		all = append(all, d.(map[string]any)["line"].(string))
	}
	return all
}

// TestFetchFeed reads only the parts of a feed that are needed, and reads no part twice. It also reads feeds from files, and from servers
// that cannot send parts.
func TestFetchFeed(t *testing.T) {
	noise := make([]byte, 3*blockBytes)
	for i := range noise {
		noise[i] = byte(i * i >> 7)
	}
	data := feedOf(t, map[string]string{"shapes.txt": string(noise)})
	dir := t.TempDir()
	path := filepath.Join(dir, "feed.zip")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	sent := 0
	for name, url := range map[string]string{"parts": serve(t, data, true, &sent).URL, "whole": serve(t, data, false, &sent).URL, "file": "file://" + path} {
		t.Run(name, func(t *testing.T) {
			p := providerOf(t, Params{URL: url, Stops: []string{"alex"}})
			var cell provider.Cell
			if r := p.try(t.Context(), &cell); r.Err != nil || len(lines(t, &cell)) != 2 {
				t.Fatalf("got %v, %v", r.Err, lines(t, &cell))
			}
			first, index := sent, p.index
			p.looked = time.Time{}
			p.try(t.Context(), &cell)
			if p.index != index || name == "parts" && sent > first+1 {
				t.Errorf("the same feed was read again: %d bytes", sent-first)
			}
		})
	}
}

// TestFeedChanges: if a feed changes while it is read, the feed is read again later, and the departures of the old feed stay.
func TestFeedChanges(t *testing.T) {
	feeds := [][]byte{feedOf(t, nil), feedOf(t, map[string]string{"routes.txt": strings.Replace(usual["routes.txt"], "U4", "U5", 1)})}
	version, broken := 0, false
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", fmt.Sprintf(`"%d"`, version))
		if broken && r.Header.Get("If-Range") != "" {
			version++ // the version changes between two parts
			w.Header().Set("ETag", fmt.Sprintf(`"%d"`, version))
		}
		http.ServeContent(w, r, "feed.zip", time.Time{}, bytes.NewReader(feeds[version%2]))
	}))
	defer s.Close()
	p := providerOf(t, Params{URL: s.URL, Stops: []string{"p1"}})
	var cell provider.Cell
	p.try(t.Context(), &cell)
	version, broken = 1, true
	p.looked = time.Time{}
	p.try(t.Context(), &cell)
	if got := lines(t, &cell); cell.Load().Err == nil || !slices.Equal(got, []string{"U4"}) {
		t.Errorf("got %v, %v, want an error and the old line", got, cell.Load().Err)
	}
	broken, version = false, 3
	p.looked = time.Time{}
	p.try(t.Context(), &cell)
	if got := lines(t, &cell); cell.Load().Err != nil || !slices.Equal(got, []string{"U5"}) {
		t.Errorf("got %v, %v, want U5", got, cell.Load().Err)
	}
}

// TestFeedTimes: the provider checks for a new feed after the interval or at times of day, and sooner after a failure.
func TestFeedTimes(t *testing.T) {
	night, err := value.ParseClock("03:00")
	if err != nil {
		t.Fatal(err)
	}
	sent := 0
	url := serve(t, feedOf(t, nil), true, &sent).URL
	for name, tt := range map[string]struct {
		p    Params
		want time.Duration
	}{
		"interval":     {Params{URL: url}, time.Hour},
		"time of day":  {Params{URL: url, Keys: ask.Keys{At: []value.Clock{night}}}, 18 * time.Hour},
		"after a fail": {Params{URL: "http://127.0.0.1:1/"}, feedRetry},
	} {
		t.Run(name, func(t *testing.T) {
			tt.p.Stops = []string{"alex"}
			p := providerOf(t, tt.p)
			p.plan.Location = p.now().Location()
			p.look(t.Context())
			if got := p.looked.Sub(p.now()); got != tt.want {
				t.Errorf("the next look is after %v, want %v", got, tt.want)
			}
		})
	}
}

// TestKeptIndex: after a start without a network, the departures of the stored index are shown. If
// other stops are configured, the stored index is not used.
func TestKeptIndex(t *testing.T) {
	sent := 0
	s := serve(t, feedOf(t, nil), true, &sent)
	p := providerOf(t, Params{URL: s.URL, Stops: []string{"alex"}})
	var cell provider.Cell
	p.try(t.Context(), &cell)
	data, err := p.Kept(cell.Load().Value)
	if err != nil {
		t.Fatal(err)
	}
	again := providerOf(t, Params{URL: "http://127.0.0.1:1/", Stops: []string{"alex"}})
	v, err := again.Restore(data, time.Now())
	if err != nil || len(v.(map[string]any)["departures"].([]any)) != 2 {
		t.Fatalf("got %v, %v", v, err)
	}
	again.try(t.Context(), &cell)
	if got := lines(t, &cell); len(got) != 2 || cell.Load().Err == nil {
		t.Errorf("got %v, %v, want the departures and an error", got, cell.Load().Err)
	}
	other := providerOf(t, Params{URL: s.URL, Stops: []string{"zoo"}})
	if _, err := other.Restore(data, time.Now()); err == nil {
		t.Error("the index of other stops was used")
	}
	var k map[string]any
	json.Unmarshal(data, &k)
	k["Index"].(map[string]any)["Visits"] = []any{[]any{99, 0, 0, 0}}
	damaged, _ := json.Marshal(k)
	if _, err := again.Restore(damaged, time.Now()); err == nil {
		t.Error("a damaged index was used")
	}
}

// TestHostileArchives: bytes that are not a feed cause an error.
func TestHostileArchives(t *testing.T) {
	good := feedOf(t, nil)
	var many bytes.Buffer
	z := zip.NewWriter(&many)
	for i := range 20_000 {
		z.Create(fmt.Sprintf("%050d.txt", i))
	}
	z.Close()
	for name, tt := range map[string]struct {
		data []byte
		want string
	}{
		"a page":     {[]byte("<html>"), "not a GTFS feed"},
		"cut":        {good[:len(good)/2], "not a GTFS feed"},
		"no tables":  {func() []byte { var b bytes.Buffer; zip.NewWriter(&b).Close(); return b.Bytes() }(), "it has no agency.txt"},
		"many files": {many.Bytes(), "its list of files"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "feed.zip")
			os.WriteFile(path, tt.data, 0o600)
			p := providerOf(t, Params{URL: "file://" + path, Stops: []string{"alex"}})
			var cell provider.Cell
			if r := p.try(t.Context(), &cell); r.Err == nil || !strings.Contains(r.Err.Error(), tt.want) {
				t.Errorf("got %v, want %q", r.Err, tt.want)
			}
		})
	}
}

func FuzzTable(f *testing.F) {
	f.Add("a,b\n1,\"2\"\n")
	f.Add("\xef\xbb\xbfa\r\n\"x\"\"y\"")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := openTable(strings.NewReader(text), "a", "b")
		for err == nil {
			_, _ = r.field(0), r.text(1)
			err = r.next()
		}
	})
}

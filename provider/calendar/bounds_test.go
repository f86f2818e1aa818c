package calendar

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"dashboard/internal/fetch"
)

// TestManyFiles: if a folder has too many files, only the first files are read.
func TestManyFiles(t *testing.T) {
	files := fstest.MapFS{}
	for i := range maxFiles + 50 {
		files[fmt.Sprintf("cal/%05d.ics", i)] = &fstest.MapFile{Data: []byte(fmt.Sprint(i))}
	}
	all, err := readFiles(files, "cal")
	if err != nil || len(all) != maxFiles || string(all[maxFiles-1]) != fmt.Sprint(maxFiles-1) {
		t.Errorf("got %d files, %v; want %d", len(all), err, maxFiles)
	}
}

// The type busy is a slow server. It counts all requests, and the requests that run at the same time.
type busy struct{ now, most, asked atomic.Int32 }

func (b *busy) RoundTrip(r *http.Request) (*http.Response, error) {
	b.asked.Add(1)
	n := b.now.Add(1)
	defer b.now.Add(-1)
	for most := b.most.Load(); n > most && !b.most.CompareAndSwap(most, n); most = b.most.Load() {
	}
	time.Sleep(50 * time.Millisecond)
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(feed(lunch))), Request: r}, nil
}

// TestAtOnce: at most atOnce calendars are requested at the same time.
func TestAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var entries []Entry
		for i := range 3*atOnce + 1 {
			entries = append(entries, Entry{URL: fmt.Sprintf("http://h/%d.ics", i)})
		}
		p, server := in(t, time.UTC, noon, "", entries...), &busy{}
		p.client = fetch.NewWith(server)
		if _, err := p.once(t); err != nil {
			t.Error(err)
		}
		if most, asked := server.most.Load(), server.asked.Load(); most != atOnce || int(asked) != len(entries) {
			t.Errorf("asked %d times, %d at a time; want %d, %d", asked, most, len(entries), atOnce)
		}
	})
}

// TestTrimLetsGo: entries above the limit are counted and reported once, and their memory is freed.
func TestTrimLetsGo(t *testing.T) {
	events, tasks := []*Event{{Title: "a"}, {Title: "b"}, {Title: "c"}}, []*Task{{Title: "d"}, {Title: "e"}}
	a := &Agenda{Events: events, Tasks: tasks}
	a.trim(1)
	if len(a.Events) != 1 || len(a.Tasks) != 1 || a.Left != 3 || len(a.Why) != 1 {
		t.Errorf("got %+v", a)
	}
	if events[0] == nil || tasks[0] == nil || events[1] != nil || events[2] != nil || tasks[1] != nil {
		t.Errorf("held: %v, %v", events, tasks)
	}
	if a.trim(1); a.Left != 3 {
		t.Errorf("%d are left out after another look, want 3", a.Left)
	}
}

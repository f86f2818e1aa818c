package wall

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"

	"dashboard/config"
	"dashboard/internal/testing/thorough"
)

// TestManyReadersAtOnce sends requests of the maximum number of e-readers and of as many unknown devices. All requests come at the same
// time, repeatedly. Each e-reader gets its picture each time, and each unknown device gets a 404. The memory does not grow with the
// rounds.
func TestManyReadersAtOnce(t *testing.T) {
	thorough.Only(t)
	rounds, early := 3, 1
	if *inFull {
		rounds, early = 6, 2
	}
	port := freePort(t)
	var list strings.Builder
	for i := range config.MaxReaders {
		fmt.Fprintf(&list, "      AA:BB:CC:00:00:%02X: {view: reader, token: load-token-%02d}\n", i, i)
	}
	p := start(t, port, readersWall(port, letters("Hello"), list.String()))
	p.serves("/frame", http.StatusOK)
	held := func() int64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	var before int64
	for round := range rounds {
		var wg sync.WaitGroup
		for i := range 2 * config.MaxReaders {
			wg.Go(func() {
				if err := p.readerAsks(i); err != nil {
					t.Errorf("round %d, device %d: %v", round, i, err)
				}
			})
		}
		wg.Wait()
		if round == early {
			before = held()
		}
	}
	falls(t, fmt.Sprintf("more bytes that are held after %d rounds", rounds), 8<<20, func() int { return int(held() - before) })
}

// readerAsks sends the request of device i and fetches its picture. Device i is unknown if i is at least config.MaxReaders.
func (p site) readerAsks(i int) error {
	get := func(address, token string) (status int, body []byte, err error) {
		r, err := http.NewRequest(http.MethodGet, address, nil)
		if err != nil {
			return 0, nil, err
		}
		r.Header.Set("ID", fmt.Sprintf("AA:BB:CC:00:00:%02X", i))
		r.Header.Set("Access-Token", token)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			return 0, nil, err
		}
		defer resp.Body.Close()
		body, err = io.ReadAll(resp.Body)
		return resp.StatusCode, body, err
	}
	status, body, err := get(p.url("/api/display"), fmt.Sprintf("load-token-%02d", i))
	switch {
	case err != nil:
		return err
	case i >= config.MaxReaders && status != http.StatusNotFound:
		return fmt.Errorf("a stranger: got %d %s", status, body)
	case i >= config.MaxReaders:
		return nil
	case status != http.StatusOK:
		return fmt.Errorf("got %d %s", status, body)
	}
	var told toldReader
	if err := json.Unmarshal(body, &told); err != nil {
		return err
	}
	if status, body, err = get(told.URL, ""); err != nil || status != http.StatusOK {
		return errors.Join(err, fmt.Errorf("its picture: got %d", status))
	}
	pic, err := png.DecodeConfig(bytes.NewReader(body))
	if err == nil && (pic.Width != 800 || pic.Height != 480 || len(body) > 90_000) {
		err = fmt.Errorf("its picture: got %dx%d in %d bytes", pic.Width, pic.Height, len(body))
	}
	return err
}

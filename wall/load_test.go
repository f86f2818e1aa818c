package wall

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"dashboard/internal/testing/thorough"
)

// loadTimeEnv is the name of the environment variable that makes the load test longer. The test
// then measures values for docs/notifications.md.
const loadTimeEnv = "DASHBOARD_LOAD_TIME"

// The load consists of callers that post notifications, and of clients that request frames as screens do. Each client requests at most one
// frame every lookEvery. The test compares this load with a few callers and no clients. These callers keep a notification on the wall all
// the time, so that the painted content is the same.
const (
	fewCallers               = 8
	loadCallers, loadClients = 50, 100
	postEvery, lookEvery     = 100 * time.Millisecond, 200 * time.Millisecond
)

// loadWall changes all the time, so that there is always a frame to paint. Its widgets show notifications.
const loadWall = `widgets:
  - widget: notifiabletext
    name: t
    children:
      - widget: notifiabletext
        name: n
        text_size: 40
        children:
          - widget: flip
            interval: 2
            transition: 2
            children:
              - {widget: text, text: 'one', background_color: red}
              - {widget: text, text: 'two', background_color: blue}
`

// A tally is the result of watching a wall for some seconds.
type tally struct {
	fps, mean float64       // frames per second, and mean time of a frame in seconds
	worst     time.Duration // longest time of a painted frame among the observed frames
	cores     float64       // number of processor cores that the program has used
}

// watchPainting observes the painting for the time d.
func (p site) watchPainting(d time.Duration) (y tally) {
	p.t.Helper()
	const frames, spent, last = "dashboard_frames_total", "dashboard_paint_seconds_total", "dashboard_last_paint_seconds"
	const cpu = "process_cpu_seconds_total"
	f, s, c, began := p.metric(frames), p.metric(spent), p.metric(cpu), time.Now()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for time.Since(began) < d {
		<-tick.C
		y.worst = max(y.worst, time.Duration(p.metric(last)*float64(time.Second)))
	}
	n, took := p.metric(frames)-f, time.Since(began).Seconds()
	y.fps, y.mean, y.cores = n/took, (p.metric(spent)-s)/n, (p.metric(cpu)-c)/took
	return y
}

func (y tally) String() string {
	return fmt.Sprintf("%.1f frames/s, %.2f ms a frame, slowest seen %.1f ms, %.2f cores", y.fps, 1000*y.mean, y.worst.Seconds()*1000, y.cores)
}

// guests are the callers and clients of a wall.
type guests struct {
	site
	wg             sync.WaitGroup
	posted, looked atomic.Int64
	mu             sync.Mutex // guards the field wrong
	wrong          []string
}

func (c *guests) fault(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wrong = append(c.wrong, fmt.Sprintf(format, args...))
}

func (c *guests) failed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.wrong) > 0
}

// from() returns an HTTP client with a separate local address for each i. The client keeps its connection open.
func from(i int) *http.Client {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(i+1))}}
	return &http.Client{Transport: &http.Transport{DialContext: d.DialContext}}
}

// call posts notifications until ctx ends. The server may refuse a notification only if its widget does not exist or has a full queue, or
// if the caller posts too often.
func (c *guests) call(ctx context.Context, i int) {
	client, tick := from(i), time.NewTicker(postEvery)
	defer client.CloseIdleConnections()
	defer tick.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		body := fmt.Sprintf(`{"widget":"%s","text":"%d says %d","duration":0.05}`, []string{"t", "n", "nobody"}[n%3], i, n)
		resp, err := client.Post(c.url("/notify"), "application/json", strings.NewReader(body))
		if err != nil {
			c.fault("post: %v", err)
			return
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		c.posted.Add(1)
		if !slices.Contains([]int{200, 400, 429}, resp.StatusCode) {
			c.fault("post: status %d", resp.StatusCode)
		}
	}
}

// look requests frames after events, as a screen does, until ctx ends. It requests at most one frame every lookEvery.
func (c *guests) look(ctx context.Context, i int) {
	client := from(loadCallers + i)
	defer client.CloseIdleConnections()
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, c.url("/events"), nil) // cannot fail, because the arguments are valid
	req.Header.Set("A-IM", "tiles")                                                  // this header requests an event for every frame
	resp, err := client.Do(req)
	if err != nil || resp.StatusCode != 200 {
		if ctx.Err() == nil { // a client that is still connecting at the end of the test has no answer
			c.fault("events: %v, %v", resp, err)
		}
		return
	}
	defer resp.Body.Close()
	var next time.Time
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		if !strings.HasPrefix(lines.Text(), "data:") || time.Now().Before(next) {
			continue
		}
		next = time.Now().Add(lookEvery)
		f, err := client.Get(c.url("/frame?width=400&height=240"))
		if err != nil {
			c.fault("frame: %v", err)
			return
		}
		if n, err := io.Copy(io.Discard, f.Body); err != nil || n == 0 || f.StatusCode != 200 {
			c.fault("frame: %d bytes, status %d, %v", n, f.StatusCode, err)
		}
		f.Body.Close()
		c.looked.Add(1)
	}
	if ctx.Err() == nil {
		c.fault("a stream ended")
	}
}

// Fifty callers and a hundred clients receive their answers, and the wall is painted all the time.
// docs/notifications.md contains the measured time of a frame.
func TestLoad(t *testing.T) {
	thorough.Only(t)
	d := 500 * time.Millisecond
	if *inFull {
		d *= 3
	}
	if v := os.Getenv(loadTimeEnv); v != "" {
		var err error
		if d, err = time.ParseDuration(v); err != nil {
			t.Fatal(err)
		}
	}
	port := freePort(t)
	conf := strings.Replace(wallConf(port, ""), "[160, 96]", "[800, 480]", 1)
	b := launch(t, port, files{"conf.yaml": strings.Replace(conf, "image_format: png", "image_format: jpeg", 1), "widgets.yaml": loadWall})
	b.serves("/frame", http.StatusOK)
	c := &guests{site: b.site}
	ctx, cancel := context.WithCancel(t.Context())
	for i := range fewCallers {
		c.wg.Go(func() { c.call(ctx, i) })
	}
	few := b.watchPainting(d)
	t.Log("few:     ", few)
	for i := fewCallers; i < loadCallers; i++ {
		c.wg.Go(func() { c.call(ctx, i) })
	}
	for i := range loadClients {
		c.wg.Go(func() { c.look(ctx, i) })
	}
	before, painted := c.posted.Load(), b.metric("dashboard_frames_total")
	crowded := b.watchPainting(d)
	eventually(t, "a frame is painted for the guests", func() bool { return b.metric("dashboard_frames_total") > painted })
	eventually(t, "some notifications and frames for each", func() bool {
		return c.posted.Load() >= before+loadCallers && c.looked.Load() >= loadClients || c.failed()
	})
	posted, looked := c.posted.Load()-before, c.looked.Load()
	cancel()
	c.wg.Wait()
	t.Log("crowded: ", crowded)
	t.Logf("%d notifications and %d frames in %v; memory at most %d MB", posted, looked, d, b.Memory("VmHWM")>>20)
	if len(c.wrong) > 0 {
		t.Errorf("%d went wrong, such as %q", len(c.wrong), c.wrong[0])
	}
	b.serves("/healthz", http.StatusOK)
	if n := b.metric("dashboard_paint_crashes_total"); n != 0 {
		t.Errorf("painting failed %v times", n)
	}
}

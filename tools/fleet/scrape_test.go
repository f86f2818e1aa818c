package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"dashboard/internal/testing/programtest"
	"dashboard/internal/testing/thorough"
	"dashboard/wall"
	"dashboard/wall/scene"
)

// memory returns the resident memory in MB of the child process with the given name.
func memory(t *testing.T, name string) float64 {
	t.Helper()
	all, _ := filepath.Glob("/proc/[0-9]*/status") // the pattern is correct
	for _, file := range all {
		data, err := os.ReadFile(file)
		if err != nil || !bytes.HasPrefix(data, []byte("Name:\t"+name+"\n")) || !bytes.Contains(data, fmt.Appendf(nil, "PPid:\t%d\n", os.Getpid())) {
			continue
		}
		_, rest, _ := strings.Cut(string(data), "VmRSS:")
		kb, _ := strconv.Atoi(strings.Fields(rest)[0])
		return float64(kb) / 1000
	}
	t.Errorf("there is no process %s", name)
	return 0
}

// realWall runs a wall on the loopback interface and returns the address of its metrics.
func realWall(t *testing.T) string {
	t.Helper()
	home, port := t.TempDir(), programtest.FreePort(t)
	programtest.Write(t, home, map[string]string{
		"conf.yaml":    "graphics: {resolution: [320, 240]}\noutputs: [{type: stream}]\nnotifications: {kind: card}\n",
		"widgets.yaml": "widgets:\n  - {widget: clock}\n",
	})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	o := wall.Options{
		Folder: scene.Folder{Home: home, Widgets: "widgets.yaml", Screenless: true}, Version: programtest.Version, StateDir: t.TempDir(),
		Listen: fmt.Sprintf("127.0.0.1:%d", port),
	}
	go func() { _ = wall.Serve(ctx, o, io.Discard, nil); close(ended) }()
	t.Cleanup(func() { cancel(); <-ended })
	at := fmt.Sprintf("http://127.0.0.1:%d/metrics", port)
	programtest.Eventually(t, "the wall has metrics", func() bool { return strings.Contains(read(at), "dashboard_frames_total") })
	return at
}

// read returns the body of an address, or "" if there is no answer.
func read(at string) string {
	answer, err := http.Get(at)
	if err != nil {
		return ""
	}
	defer answer.Body.Close()
	body, _ := io.ReadAll(answer.Body)
	return string(body)
}

// interval returns the time between two scrapes. For many walls, it is the time in docs/fleet.md. For the few walls of a short test, it
// is shorter.
func interval() string {
	if *walls > 100 {
		return "30s"
	}
	return "5s"
}

// prometheus() runs Debian's prometheus with targets and returns its address.
func prometheus(t *testing.T, targets string) string {
	t.Helper()
	path, err := exec.LookPath("prometheus")
	if err != nil {
		if os.Getenv("DASHBOARD_CI") != "" {
			t.Fatal(err)
		}
		t.Skip("prometheus is not installed")
	}
	dir, port := t.TempDir(), programtest.FreePort(t)
	programtest.Write(t, dir, map[string]string{"prometheus.yml": "global: {scrape_interval: " + interval() + ", scrape_timeout: 5s}\nscrape_configs:\n- job_name: wall\n  static_configs:\n" + targets})
	at := fmt.Sprintf("127.0.0.1:%d", port)
	cmd := exec.Command(path, "--config.file="+filepath.Join(dir, "prometheus.yml"), "--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+at)
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Log(said.String())
		}
	})
	return "http://" + at
}

// query returns the only value of an expression. ok is false if there is no value.
func query(t *testing.T, at, expression string) (float64, bool) {
	t.Helper()
	var answer struct {
		Data struct{ Result []struct{ Value [2]any } }
	}
	if json.Unmarshal([]byte(read(at+"/api/v1/query?query="+url.QueryEscape(expression))), &answer) != nil || len(answer.Data.Result) != 1 {
		return 0, false
	}
	v, err := strconv.ParseFloat(fmt.Sprint(answer.Data.Result[0].Value[1]), 64)
	return v, err == nil
}

// TestPrometheus checks that Debian's prometheus reads a real wall, and simulated walls that serve a copy of its metrics. The flag -walls
// sets the number of all these walls. All scrapes must succeed, and the queries of docs/fleet.md must have answers.
func TestPrometheus(t *testing.T) {
	thorough.Only(t)
	real := realWall(t)
	programtest.Promtool(t, []byte(read(real)))
	text := read(real)
	others := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		_, _ = io.WriteString(w, text)
	}))
	defer others.Close()
	var targets strings.Builder
	fmt.Fprintf(&targets, "  - {targets: [%q], labels: {wall: real}}\n", strings.TrimSuffix(strings.TrimPrefix(real, "http://"), "/metrics"))
	for i := 1; i < *walls; i++ {
		fmt.Fprintf(&targets, "  - {targets: [%q], labels: {wall: w%d}}\n", strings.TrimPrefix(others.URL, "http://"), i)
	}
	at := prometheus(t, targets.String())
	began := time.Now()
	for {
		if n, ok := query(t, at, `count(up{job="wall"} == 1)`); ok && int(n) == *walls {
			break
		}
		if time.Since(began) > patience {
			t.Fatal("not all walls are up")
		}
		time.Sleep(50 * time.Millisecond)
	}
	for _, one := range []struct {
		expression string
		want       float64
	}{
		{`count(up{job="wall"} == 0) or vector(0)`, 0}, {`count(dashboard_config_ok == 0) or vector(0)`, 0},
		{`count(dashboard_passes_total)`, float64(*walls)}, {`sum(count by (version) (dashboard_info))`, float64(*walls)},
	} {
		programtest.Eventually(t, fmt.Sprintf("%s is %v", one.expression, one.want), func() bool { // repeated, because a scrape may be lost
			got, ok := query(t, at, one.expression)
			return ok && got == one.want
		})
	}
	samples, _ := query(t, at, `sum(scrape_samples_scraped{job="wall"})`)
	slowest, _ := query(t, at, `max(scrape_duration_seconds{job="wall"})`)
	usual, _ := query(t, at, `avg(scrape_duration_seconds{job="wall"})`)
	t.Logf("%d walls: %.0f samples in each round, a scrape takes %.4f s, the slowest %.3f s, memory of prometheus %.0f MB", *walls, samples, usual, slowest, memory(t, "prometheus"))
}

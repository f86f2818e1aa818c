package wall

import (
	"bytes"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"dashboard/internal/loglimit"
	"dashboard/internal/testing/thorough"
)

// TestReadersUnderAttack sends requests with the IDs of many unknown devices and with invalid IDs. It sets up one device repeatedly, and
// sends large, different logs from this device. It also sends the largest possible values to a push provider. The memory does not grow
// after the first round, the log is limited, and the wall is painted and shown on devices.
func TestReadersUnderAttack(t *testing.T) {
	thorough.Only(t)
	port := freePort(t)
	conf := strings.Replace(wallConf(port, "  - type: trmnl\n    auto_register: true\n    devices:\n      \""+ogDevice+"\": {}\n"), "server:\n",
		"server:\n  auth: {control_token: t}\n  rate_limit: {per_second: 10000, burst: 10000}\n", 1)
	p := start(t, port, files{"conf.yaml": conf, "widgets.yaml": plainWall("red"), "providers.yaml": "providers:\n  k: {type: push}\n"})
	p.shows(1, 1, red)
	p.serves("/frame", http.StatusOK)
	send := func(request string, header []string, body string, want int) {
		t.Helper()
		if a := p.ask(request, header, body); a.status != want {
			t.Fatalf("%s %v: got %d %.300s, want %d", request, header, a.status, a.body, want)
		}
	}
	setup := p.tells("GET /api/setup HTTP/1.1", "Host: HOST", "ID: "+ogDevice)
	mine := []string{"ID", ogDevice, "Access-Token", setup.Key, "Content-Type", "application/json"}
	report := func(n int) string {
		one := fmt.Sprintf(`{"id":%d,"message":"%s"}`, n, strings.Repeat("x", 1000))
		return `{"logs":[` + strings.Repeat(one+",", 60) + one + `]}`
	}
	round := func(n int) {
		for i := range 50 {
			n := 50*n + i
			unknown := fmt.Sprintf("02:%02X:%02X:%02X:00:00", n>>16&255, n>>8&255, n&255)
			send("GET /api/setup", []string{"ID", unknown}, "", http.StatusOK) // an unknown device may wait to be accepted
			send("GET /api/display", []string{"ID", unknown, "Access-Token", fmt.Sprint("guess-", n)}, "", http.StatusNotFound)
			send("GET /api/setup", []string{"ID", strings.Repeat("AA:", 1+n%200)}, "", http.StatusBadRequest)
			send("POST /api/log", []string{"ID", unknown}, `{"logs":["x"]}`, http.StatusNotFound)
		}
		for i := range 10 {
			n := 10*n + i
			send("GET /api/setup", []string{"ID", ogDevice, "Model", fmt.Sprint("model ", n)}, "", http.StatusOK)
			send("POST /api/log", mine, report(n), http.StatusNoContent)
			send("POST /api/log", mine, strings.Repeat("[", 60<<10), http.StatusBadRequest)
			send("PUT /values/k", []string{"Authorization", "Bearer t"}, fmt.Sprintf(`{"n":%d,"all":[%s0]}`, n, strings.Repeat("1234567,", 7000)), http.StatusOK)
			// The body is not JSON, so it becomes a text.
			send("PUT /values/k", []string{"Authorization", "Bearer t"}, strings.Repeat(`{"a":`, 12000), http.StatusOK)
			send("PUT /values/"+fmt.Sprint("none", n), []string{"Authorization", "Bearer t"}, "1", http.StatusNotFound)
		}
	}
	live := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	// The server and the e-readers each have a limit for log lines. The rest of the program logs fewer than ten lines.
	limit := func(began time.Time) int {
		return 10 + 2*(loglimit.AtOnce+loglimit.PerSecond*int(time.Since(began)/time.Second+1))
	}
	lines := func() int { return bytes.Count([]byte(p.log.String()), []byte("\n")) }
	began := time.Now()
	round(0)
	before := live()
	rounds := 2
	if *inFull {
		rounds = 3
	}
	for n := range rounds {
		round(1 + n)
	}
	const most = 4 << 20 // 100 stored reports or values of 60 KB each would be 6 MB
	falls(t, "more bytes that are held after the attack", most, func() int { return int(live() - before) })
	if got, most := lines(), limit(began); got > most {
		t.Errorf("the log has %d lines, want at most %d", got, most)
	}
	if shown := p.tells("GET /api/display HTTP/1.1", "Host: HOST", "ID: "+ogDevice, "Access-Token: "+setup.Key); shown.URL == "" {
		t.Errorf("the device is not shown its wall: %+v", shown)
	}
	p.change(files{"widgets.yaml": plainWall("blue")})
	p.shows(1, 1, blue)
}

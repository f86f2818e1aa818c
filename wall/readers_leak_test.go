package wall

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"dashboard/internal/testing/thorough"
)

// TestReadersLeaveNothing changes the lists of e-readers and the views with each reload. The
// devices send wrong tokens and partial requests, and do not read pictures completely. At the end,
// the program must not have more open files and goroutines than after the first rounds.
func TestReadersLeaveNothing(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	all, early := 8, 2
	if *inFull {
		all, early = 12, 4
	}
	port := freePort(t)
	devices := func(n int) files {
		var list strings.Builder
		for i := range 8 {
			fmt.Fprintf(&list, "      AA:BB:CC:00:%02X:%02X: {view: v%d, token: token-%d-%d}\n", n, i, n, n, i)
		}
		f := readersWall(port, letters(fmt.Sprint("round ", n)), list.String())
		return f.with("conf.yaml", strings.Replace(f["conf.yaml"], "  reader:", fmt.Sprintf("  v%d:", n), 1))
	}
	b := launch(t, port, devices(0))
	b.serves("/frame", 200)
	round := func(n int) {
		for i := range 8 {
			ask := func(token string) answer {
				return b.say("GET /api/display HTTP/1.1", "Host: HOST", fmt.Sprintf("ID: AA:BB:CC:00:%02X:%02X", n, i), "Access-Token: "+token, "Width: 800", "Height: 480")
			}
			if a := ask("wrong"); a.status != http.StatusNotFound {
				t.Fatalf("a wrong token: got %d %s", a.status, a.body)
			}
			a := ask(fmt.Sprintf("token-%d-%d", n, i))
			if a.status != http.StatusOK {
				t.Fatalf("round %d: got %d %s", n, a.status, a.body)
			}
			_, path, _ := strings.Cut(a.body, fmt.Sprintf("http://127.0.0.1:%d", port))
			path, _, _ = strings.Cut(path, `"`)
			for _, part := range []string{"GET " + path + " HTTP/1.1\r\nHost: wall.local\r\n\r\n", "GET /api/display HTTP/1.1\r\nID: AA:"} {
				b.leaves(part)
			}
		}
	}
	files, routines := 0, 0.0
	for n := range all {
		if n > 0 {
			b.change(devices(n))
		}
		round(n)
		if n == early {
			files, routines = least(b.openFiles), least(b.routines)
		}
	}
	falls(t, fmt.Sprintf("open files after %d rounds", all), files+1, b.openFiles)
	falls(t, fmt.Sprintf("goroutines after %d rounds", all), routines+3, b.routines)
}

// leaves() sends the parameter `part`. It disconnects after the first byte of the answer, or at once if `part` is not a complete request.
func (b *binary) leaves(part string) {
	b.t.Helper()
	c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", b.port))
	if err != nil {
		b.t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(patience))
	_, _ = c.Write([]byte(part)) // an error does not matter, because the connection is closed anyway
	if strings.HasSuffix(part, "\r\n\r\n") {
		_, _ = c.Read(make([]byte, 1))
	}
}

// routines() returns the number of goroutines of the program.
func (b *binary) routines() float64 { return b.metric("go_goroutines") }

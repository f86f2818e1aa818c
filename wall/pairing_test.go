package wall

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"dashboard/internal/loglimit"
	"dashboard/internal/testing/thorough"
)

// Callers with the control token guess the six digits a thousand times over HTTP. The wall checks ten guesses at first, and then one
// guess every half minute. It refuses all other guesses, even the right one. The wall checks no guess of callers without the token. The
// guesses do not affect the wall's log and picture.
func TestPairingIsGuessed(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	port := freePort(t)
	conf := strings.Replace(wallConf(port, ""), "server:\n", "server:\n  auth: {stream_token: looking-1, control_token: deciding-1}\n", 1)
	p := start(t, port, files{"conf.yaml": conf, "widgets.yaml": plainWall("red")})
	p.shows(1, 1, red)
	isJSON, mine := []string{"Content-Type", "application/json"}, []string{"Content-Type", "application/json", "Authorization", "Bearer deciding-1"}
	var screen struct{ Code, Secret string }
	eventually(t, "a screen asks", func() bool {
		a := p.ask("POST /pair", isJSON, `{"name": "hall"}`)
		return a.status == http.StatusOK && json.Unmarshal([]byte(a.body), &screen) == nil && len(screen.Code) == 6
	})
	began, looked := time.Now(), 0
	for i := range 1000 {
		code := fmt.Sprintf("%06d", i)
		if i >= 500 || code == screen.Code {
			code = screen.Code // the second half of the guesses is right
		}
		if i < 500 && code == screen.Code {
			continue
		}
		a := p.ask("POST /devices", mine, `{"code": "`+code+`"}`)
		switch {
		case a.status == http.StatusNotFound:
			looked++
		case a.status != http.StatusTooManyRequests || a.header.Get("Retry-After") == "":
			if time.Since(began) < 30*time.Second { // after half a minute, the wall may check a right guess
				t.Fatalf("guess %d: got %d %v %s", i, a.status, a.header, a.body)
			}
		}
	}
	if most := 10 + int(time.Since(began)/(30*time.Second)); looked < 10 || looked > most {
		t.Errorf("%d guesses were looked at, want 10 to %d", looked, most)
	}
	for i := range 1000 {
		for _, header := range [][]string{isJSON, append([]string{"Authorization", "Bearer looking-1"}, isJSON...)} {
			if a := p.ask("POST /devices", header, `{"code": "`+screen.Code+`"}`); a.status != http.StatusUnauthorized && a.status != http.StatusTooManyRequests {
				t.Fatalf("guess %d without the token: got %d %s", i, a.status, a.body)
			}
		}
		if a := p.ask("GET /pair", []string{"Authorization", fmt.Sprint("Bearer guess-", i)}, ""); a.status != http.StatusNotFound && a.status != http.StatusTooManyRequests {
			t.Fatalf("secret %d: got %d %s", i, a.status, a.body)
		}
	}
	most := 60 + 2*loglimit.PerSecond*int(time.Since(began).Seconds()) // the server and the commands each have a limit for lines in the log
	if n := strings.Count(p.log.String(), "\n"); n > most {
		t.Errorf("the log has %d lines, want at most %d:\n%s", n, most, p.log)
	}
	if log := p.log.String(); strings.Contains(log, screen.Secret) || strings.Contains(log, screen.Code) {
		t.Errorf("the log tells a secret:\n%s", log)
	}
	p.shows(1, 1, red)
}

// A thousand screens at one address request pairing. The wall accepts four requests at once and then one request every half minute. The
// newest accepted request replaces the request that is waiting. The answer to every other request asks the screen to try again later. The
// log has a line only for accepted requests.
func TestManyAskToPair(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	port := freePort(t)
	conf := strings.Replace(wallConf(port, ""), "server:\n", "server:\n  auth: {stream_token: looking-1}\n  rate_limit: {per_second: 10000, burst: 10000}\n", 1)
	p := start(t, port, files{"conf.yaml": conf, "widgets.yaml": plainWall("red")})
	p.shows(1, 1, red)
	eventually(t, "an answer", func() bool { return p.ask("GET /pair", nil, "").status == http.StatusUnauthorized })
	began, taken := time.Now(), 0
	for i := range 1000 {
		a := p.ask("POST /pair", []string{"Content-Type", "application/json"}, fmt.Sprintf(`{"name": "screen %d"}`, i))
		switch {
		case a.status == http.StatusOK:
			taken++
		case a.status != http.StatusTooManyRequests || a.header.Get("Retry-After") == "":
			t.Fatalf("screen %d: got %d %v %s", i, a.status, a.header, a.body)
		}
	}
	const burst, every = 4, 30 * time.Second // limits for one address
	if most := burst + 1 + int(time.Since(began)/every); taken < burst || taken > most {
		t.Errorf("%d were taken, want %d to %d", taken, burst, most)
	}
	var list struct{ Waiting []struct{ Name string } }
	a := p.ask("GET /devices", []string{"Authorization", "Bearer looking-1"}, "")
	if err := json.Unmarshal([]byte(a.body), &list); err != nil || len(list.Waiting) != 1 { // each address has at most one waiting request
		t.Errorf("got %v, %s", err, a.body)
	}
	if n := p.log.Count("asks to be paired"); n != taken {
		t.Errorf("%d lines of the log tell of %d", n, taken)
	}
}

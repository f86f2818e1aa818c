package wall

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
)

// Until a sensor reports something, a person counts as present. If it reports absence, the screen
// is switched off after a while. If it then reports presence, the screen is switched on.
func TestPresenceOfSensor(t *testing.T) {
	t.Parallel()
	var says atomic.Pointer[string]
	var asked atomic.Int32
	source := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		if s := says.Load(); s != nil {
			_, _ = fmt.Fprintf(w, `{"hall": "%s"}`, *s)
			return
		}
		http.Error(w, "no sensor", http.StatusInternalServerError)
	}))
	t.Cleanup(source.Close)
	port := freePort(t)
	p := start(t, port, files{
		"conf.yaml":      wallConf(port, "display: {presence: {value: !data .sensor.hall, is: 'on'}, off_after: 1}\n"),
		"providers.yaml": "providers:\n  sensor: {type: rest, url: '" + source.URL + "', update_interval: 1}\n",
		"widgets.yaml":   plainWall("red"),
	})
	p.serves("/power", http.StatusOK)
	eventually(t, "the sensor is asked", func() bool { return asked.Load() > 1 })
	if s := p.power(); !s.On || s.Why != "when" {
		t.Errorf("a sensor that says nothing: %+v", s)
	}
	off, on := "off", "on"
	says.Store(&off)
	eventually(t, "nobody is there", func() bool { s := p.power(); return !s.On && s.Why == "presence" && p.dark() })
	says.Store(&on)
	eventually(t, "somebody is there", func() bool { s := p.power(); return s.On && s.Why == "when" && !p.dark() })
}

// A program that reports presence over HTTP works like any other sensor.
func TestPresenceByHTTP(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	p := start(t, port, files{
		"conf.yaml":      wallConf(port, "display: {presence: !data .hall, off_after: 1}\n"),
		"providers.yaml": "providers:\n  hall: {type: push}\n",
		"widgets.yaml":   plainWall("red"),
	})
	tell := func(body string) {
		t.Helper()
		if a := p.ask("PUT /values/hall", []string{"Content-Type", "application/json"}, body); a.status/100 != 2 {
			t.Fatalf("%s: got %d %s", body, a.status, a.body)
		}
	}
	p.serves("/power", http.StatusOK)
	if s := p.power(); !s.On {
		t.Errorf("before anything was told: %+v", s)
	}
	tell("false")
	eventually(t, "nobody is there", func() bool { s := p.power(); return !s.On && s.Why == "presence" && p.dark() })
	tell("true")
	eventually(t, "somebody is there", func() bool { s := p.power(); return s.On && s.Why == "when" && !p.dark() })
}

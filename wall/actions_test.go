package wall

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"dashboard/internal/testing/brokertest"
	"dashboard/internal/testing/homeassistanttest"

	broker "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"
)

// TestNotificationActions checks a message from the broker. Its actions call Home Assistant, the broker and a server, and turn the page.
// After a chosen action the notification ends, unless the action contains clear: false.
func TestNotificationActions(t *testing.T) {
	t.Parallel()
	home := &homeassistanttest.Server{}
	srv := httptest.NewServer(home)
	defer srv.Close()
	var mu sync.Mutex // guards the variables said and posted
	said, posted := map[string]string{}, ""
	nas := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		posted = r.Method + " " + r.URL.Path + " " + string(body)
		mu.Unlock()
		if r.URL.Path == "/broken" {
			w.WriteHeader(http.StatusInternalServerError)
		}
	}))
	defer nas.Close()
	b := brokertest.Begin(t, brokertest.AnyPort, nil)
	_ = b.Subscribe("#", 1, func(_ *broker.Client, _ packets.Subscription, p packets.Packet) {
		mu.Lock()
		defer mu.Unlock()
		said[p.TopicName] = string(p.Payload)
	})
	_ = b.Publish("house/notes/old", []byte("of last year"), true, 1)
	port := freePort(t)
	conf := wallConf(port, "homeassistant: {url: \""+srv.URL+"\", token: !secret hass}\nmqtt: {url: \"mqtt://"+b.Address+"\", id: test}\nnotifications: {kind: card, mqtt: house/notes/#}\n")
	p := start(t, port, files{
		"conf.yaml":    conf,
		"secrets.yaml": "hass: " + homeassistanttest.Token + "\n",
		"widgets.yaml": pagesWall, "providers.yaml": "providers:\n  bell: {type: push}\n",
	})
	message := `{"id": "bell", "title": "Front door", "hold": true, "sound": "doorbell", "actions": [{"label": "Open", "action": "lock.open", "entity": "lock.door", "data": {"code": 7}, "clear": false},` +
		`{"label": "Light", "mqtt": "hall/light/set", "payload": "ON", "clear": false}, {"label": "Solar", "page": "solar"}]}`
	p.serves("/frame", 200)
	ear, _ := p.open("GET /events?sounds=1")
	eventually(t, "the message is shown", func() bool {
		_ = b.Publish("house/notes/door", []byte(message), false, 1)
		return strings.Contains(p.text("/notify"), `"actions":["Open","Light","Solar"]`)
	})
	// The broker delivers messages in order. When this later message has arrived, the repeated messages before it have arrived too.
	eventually(t, "a later message has come", func() bool {
		_ = b.Publish("house/notes/door", []byte(`{"id": "later", "title": "Later", "duration": 600}`), false, 1)
		return strings.Contains(p.text("/notify"), `"later"`)
	})
	if text := p.text("/notify"); strings.Contains(text, "last year") {
		t.Errorf("what the broker kept is shown: %s", text)
	}
	choose := func(body string, status int, want string) {
		t.Helper()
		if got, text := p.post("/notify/bell", body); got != status || !strings.Contains(text, want) {
			t.Errorf("%s: got %d %s, want %d %s", body, got, text, status, want)
		}
	}
	lines, heard := bufio.NewScanner(ear.Body), false
	for !heard && lines.Scan() {
		heard = lines.Text() == `data: {"name":"doorbell"}`
	}
	if !heard {
		t.Errorf("a caller of /events was not told of the sound: %v", lines.Err())
	}
	eventually(t, "the broker is told of the sound", func() bool { mu.Lock(); defer mu.Unlock(); return said["dashboard/test/sound"] == "doorbell" })
	choose(`{"action": 1}`, 200, "true")
	if got := home.Asked("call_service"); len(got) != 1 || got[0]["domain"] != "lock" || got[0]["service"] != "open" {
		t.Errorf("Home Assistant was asked %v", got)
	}
	choose(`{"action": 2}`, 200, "true")
	eventually(t, "the broker has the message", func() bool { mu.Lock(); defer mu.Unlock(); return said["hall/light/set"] == "ON" })
	choose(`{"action": 4}`, 404, "no such action")
	choose(`{"action": 0}`, 404, "no such action")
	choose(`{}`, 400, "'action' is required")
	choose(`{"action": "1"}`, 400, "JSON object")
	choose(`{"action": 3, "view": "attic"}`, 404, "no view of this name")
	choose(`{"action": 3}`, 200, "true")
	if text := p.text("/pages"); !strings.Contains(text, `"page":"solar"`) {
		t.Errorf("the page: %s", text)
	}
	choose(`{"action": 3}`, 404, "no notification has this id") // the notification has ended

	ask := func(path string, status int, want string) {
		t.Helper()
		if got, text := p.post("/notify", `{"id": "nas", "title": "Backup", "actions": [{"label": "Later", "url": "`+nas.URL+path+`", "body": "5"}]}`); got != 200 {
			t.Fatalf("got %d %s", got, text)
		}
		if got, text := p.post("/notify/nas", `{"action": 1}`); got != status || !strings.Contains(text, want) {
			t.Errorf("%s: got %d %s, want %d %s", path, got, text, status, want)
		}
	}
	ask("/later", 502, "did not do this") // server.notify.allow does not contain the address 127.0.0.1
	mu.Lock()
	if posted != "" {
		t.Errorf("this machine was asked: %s", posted)
	}
	mu.Unlock()
	f := files{"conf.yaml": strings.Replace(conf, "server:", "server:\n  notify: {allow: [127.0.0.0/8]}", 1)}
	f.write(t, p.dir)
	if a := p.ask("POST /reload", nil, ""); a.status != 200 {
		t.Fatalf("the reload: %d %s", a.status, a.body)
	}
	ask("/later", 200, "true")
	mu.Lock()
	if posted != "POST /later 5" {
		t.Errorf("the server was asked: %s", posted)
	}
	mu.Unlock()
	ask("/broken", 502, "did not do this")
	if text := p.text("/notify"); !strings.Contains(text, `"nas"`) {
		t.Errorf("what was not done is gone: %s", text)
	}
}

package wall

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"dashboard/internal/testing/programtest"
)

// everySecretConf is a configuration with each kind of secret. Each word after !secret is a key of secrets.yaml. The server at SERVER
// refuses every secret, and no server listens at the other addresses.
const everySecretConf = `homeassistant: {url: "SERVER", token: !secret hass}
mqtt: {url: "mqtt://127.0.0.1:1", username: wall, password: !secret broker, id: test}
notifications: {kind: card, ntfy: {url: "SERVER", topics: [door], token: !secret ntfy}, gotify: {url: "SERVER", token: !secret gotify}}
logging: {level: debug}
`

const everySecretOutputs = `  - {type: trmnl, auto_register: true, devices: {kitchen: {token: !secret reader}, "AA:BB:CC:00:00:01": {}}}
  - {type: post, url: "SERVER/up?key=open", min_interval: 1, auth: {bearer: !secret bearer}, after_post: {url: !secret hook}}
  - {type: post, url: "SERVER/up2", min_interval: 1, auth: {basic: {username: wall, password: !secret basic}}}
`

const everySecretProviders = `providers:
  a: {type: rest, url: "SERVER/a", auth: {bearer: !secret rest}, update_interval: 1}
  b: {type: rest, url: "SERVER/b", auth: {basic: {username: me, password: !secret restbasic}}, update_interval: 1}
  c: {type: rest, url: !secret address, update_interval: 1}
  d: {type: rest, url: "SERVER/d", headers: {X-Key: !secret header}, update_interval: 1}
  e: {type: calendar, calendars: [{name: x, url: "SERVER/e.ics", auth: {bearer: !secret ics}}, {name: y, caldav: "SERVER/dav/", auth: {basic: {username: me, password: !secret dav}}}, {name: z, entity: calendar.z}]}
  f: {type: weather, source: openweather, key: !secret weather, location: {latitude: 51.5, longitude: 0}}
  g: {type: mqtt, topic: a/b, broker: {url: "mqtt://127.0.0.1:1", password: !secret second}}
  h: {type: prometheus, url: "SERVER/", query: up, auth: {bearer: !secret prometheus}}
  i: {type: immich, url: "SERVER", key: !secret immich}
  j: {type: stream, url: "SERVER/j", auth: {bearer: !secret stream}}
  k: {type: push}
`

const everySecretWidgets = `widgets:
  - widget: column
    children:
      - {widget: qr, wifi: {ssid: home, password: !secret wifi}}
      - {widget: text, text: !data .a}
      - {widget: card, entity: light.hall}
      - {widget: agenda, provider: e}
      - {widget: text, text: !data .k}
`

// TestEverySecret uses each kind of secret that a configuration can contain. Every receiver refuses the secret. The test then searches
// for the secret in the log and in all reports of the wall. It requests the reports with valid tokens and without tokens.
func TestEverySecret(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, "no: %s %s %s", r.URL, r.Header.Get("Authorization"), r.Header.Get("X-Key")) // an error must not contain this text
	}))
	defer srv.Close()
	here := strings.NewReplacer("SERVER", srv.URL).Replace
	all := here(everySecretConf + everySecretOutputs + everySecretProviders + everySecretWidgets)
	names, secrets := []string{"control", "frames"}, ""
	for _, part := range strings.Split(all, "!secret ")[1:] {
		names = append(names, strings.FieldsFunc(part, func(r rune) bool { return r < 'a' || r > 'z' })[0])
	}
	for _, n := range names {
		value := "planted" + n + "secret"
		switch n {
		case "address", "hook":
			value = srv.URL + "/planted" + n + "secret/x?y=planted" + n + "secret"
		}
		secrets += n + ": " + value + "\n"
	}
	port := freePort(t)
	conf := strings.Replace(wallConf(port, here(everySecretOutputs)+here(everySecretConf)), "server:", "server:\n  auth: {stream_token: !secret frames, control_token: !secret control}", 1)
	p := start(t, port, files{
		"conf.yaml": conf, "providers.yaml": here(everySecretProviders), "widgets.yaml": everySecretWidgets, "secrets.yaml": secrets,
	})
	bearer := []string{"Authorization", "Bearer plantedcontrolsecret", "Content-Type", "application/json"}
	eventually(t, "the server answers", func() bool { return p.ask("GET /pages", bearer, "").status != 0 })
	given := p.handedOut(t, bearer)
	eventually(t, "sources have failed", func() bool {
		return asked.Load() > 20 && strings.Count(p.text("/healthz"), "401") > 8
	})
	found := func(where, text string) {
		t.Helper()
		for what, value := range given {
			if strings.Contains(text, value) {
				t.Errorf("%s shows %s, which was handed out", where, what)
			}
		}
		for _, n := range names {
			if at := strings.Index(text, "planted"+n); at >= 0 {
				t.Errorf("%s shows the secret %s: …%s…", where, n, text[max(0, at-120):min(len(text), at+80)])
			}
		}
	}
	programtest.Promtool(t, []byte(p.text("/metrics")))
	for _, get := range []string{"/", "/healthz", "/metrics", "/widgets", "/text", "/values", "/values/a", "/values/c", "/values/homeassistant", "/notify", "/pages", "/power", "/timer", "/theme", "/frame", "/events?width=x", "/nothing", "/devices", "/readers"} {
		a := p.ask("GET "+get, bearer, "")
		found("GET "+get, fmt.Sprint(a.header, a.body))
		a = p.ask("GET "+get, nil, "")
		found("GET "+get+" without a token", fmt.Sprint(a.header, a.body))
	}
	for post, body := range map[string]string{
		"/reload": "", "/notify": `{"title": "x", "nonsense": 1}`, "/page": `{"page": "x"}`, "/theme": `{"mode": "x"}`, "/identify": `{"for": -1}`, "/notify/x": `{"action": 1}`,
	} {
		a := p.ask("POST "+post, bearer, body)
		found("POST "+post, a.body)
		a = p.ask("POST "+post, []string{"Authorization", "Bearer wrong"}, body)
		found("POST "+post+" with a wrong token", a.body)
	}
	// The message about an error next to a secret does not contain the secret.
	broken := files{"providers.yaml": strings.Replace(here(everySecretProviders), "type: push", "type: psh, token: !secret rest", 1)}
	broken.write(t, p.dir)
	a := p.ask("POST /reload", bearer, "")
	if a.status != http.StatusUnprocessableEntity {
		t.Errorf("the mistake: got %d %s", a.status, a.body)
	}
	found("the reload's answer", a.body)
	found("/healthz with a mistake", p.text("/healthz"))
	p.end()
	log := p.log.String()
	if !strings.Contains(log, "401") {
		t.Error("the log tells of no refusal")
	}
	found("the log", log)
	err := filepath.WalkDir(os.Getenv("XDG_CACHE_HOME"), func(path string, d os.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || err == nil && d.IsDir() {
			return nil // ignore missing files, because other walls of this process replace and remove their files at the same time
		}
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		found("what is kept in "+filepath.Base(path), string(data))
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// handedOut pairs a screen and sets up e-readers. It returns the secrets of these devices by kind. The e-readers send their secrets in
// their logs.
func (p *program) handedOut(t *testing.T, bearer []string) map[string]string {
	t.Helper()
	field := func(a answer, key string) string {
		t.Helper()
		var m map[string]any
		if err := json.Unmarshal([]byte(a.body), &m); err != nil {
			t.Fatalf("%s: %v", a.body, err)
		}
		s, _ := m[key].(string)
		if s == "" {
			t.Fatalf("there is no %s in %s", key, a.body)
		}
		return s
	}
	asked := p.ask("POST /pair", bearer[2:], `{"name":"Hall"}`)
	secret := field(asked, "secret")
	p.ask("POST /devices", bearer, `{"code":"`+field(asked, "code")+`"}`)
	given := map[string]string{
		"the secret of a pairing": secret,
		"a screen's token":        field(p.ask("GET /pair", []string{"Authorization", "Bearer " + secret}, ""), "token"),
	}
	for _, id := range []string{"AA:BB:CC:00:00:01", "AA:BB:CC:00:00:02"} {
		key := field(p.ask("GET /api/setup", []string{"ID", id}, ""), "api_key")
		given["the key of "+id] = key
		p.ask("GET /api/display", []string{"ID", id, "Access-Token", key}, "")
		p.ask("POST /api/log", []string{"ID", id, "Access-Token", key}, `{"logs":["my key is `+key+`"]}`)
	}
	p.ask("POST /api/log", []string{"Access-Token", "plantedreadersecret"}, `{"logs":["my key is plantedreadersecret"]}`)
	p.ask("GET /api/display", []string{"Access-Token", "plantedreadersecretx"}, "")
	return given
}

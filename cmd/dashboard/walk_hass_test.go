package main

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"dashboard/internal/homeassistanttest"
	"dashboard/internal/programtest"
	"dashboard/provider"
	"dashboard/provider/mqtt"
)

// A walked page is a page of the documents, as somebody follows it who has a house of their own: its YAML blocks by section and
// file, with the addresses and secrets of that house.
type walkedPage struct {
	text  string
	house *strings.Replacer
}

// brokerPassword is that of the house's broker.
const brokerPassword = "sesame-secret"

// walkHassPage is docs/home-assistant.md.
func walkHassPage(t *testing.T, home, broker string, port int) *walkedPage {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(sourceDir, "../../docs/home-assistant.md"))
	if err != nil {
		t.Fatal(err)
	}
	return &walkedPage{string(text), strings.NewReplacer(
		"http://homeassistant.local:8123", home, "mqtt://homeassistant.local", "mqtt://"+broker, "mqtt://broker.lan", "mqtt://"+broker,
		"eyJhbGciOiJIUzI1NiIs-and-so-on", homeassistanttest.Token+"\nmqtt: "+brokerPassword,
		"{type: window}", "{type: window, driver: virtual, device: screen.raw, vsync: false}",
		"graphics: {resolution: [800, 480]}", fmt.Sprintf("graphics: {resolution: [800, 480], motion: reduced}\nserver: {port: %d}", port),
	)}
}

var (
	walkedBlock  = regexp.MustCompile("(?ms)^ *```yaml\n *# (\\w+\\.yaml)\n(.*?)^ *```$")
	walkedWidget = regexp.MustCompile("`(\\{widget: .*?\\})`(?: shows|\\.|;|,| )")
	walkedRow    = regexp.MustCompile(`(?m)^\| ([A-Z][^|]*) \| [^|]+ \|$`)
)

// section is the part of the page under a heading.
func (p *walkedPage) section(t *testing.T, heading string) string {
	t.Helper()
	_, after, ok := strings.Cut(p.text, "\n## "+heading+"\n")
	if !ok {
		t.Fatalf("the page has no section %q", heading)
	}
	before, _, _ := strings.Cut(after, "\n## ")
	return before
}

// files are those that a section writes.
func (p *walkedPage) files(t *testing.T, heading string) files {
	t.Helper()
	f := files{}
	for _, m := range walkedBlock.FindAllStringSubmatch(p.section(t, heading), -1) {
		text := m[2]
		if strings.HasPrefix(m[0], " ") { // it stands in a list
			text = regexp.MustCompile(`(?m)^   `).ReplaceAllString(text, "")
		}
		if name := m[1]; f[name] == "" {
			f[name] = p.house.Replace(text)
		} else { // a second providers.yaml of a section is a second entry
			f[name] += p.house.Replace(strings.Replace(text, "providers:\n", "", 1))
		}
	}
	return f
}

// widgets are those that a section names in its sentences.
func (p *walkedPage) widgets(t *testing.T, heading string) (list []string) {
	t.Helper()
	for _, m := range walkedWidget.FindAllStringSubmatch(p.section(t, heading), -1) {
		list = append(list, m[1])
	}
	return list
}

// sideBySide is a wall of these side by side.
func sideBySide(widgets ...string) string {
	return "widgets:\n  - widget: row\n    children:\n      - " + strings.Join(widgets, "\n      - ") + "\n"
}

// walkedHouse is a Home Assistant with what the page names.
func walkedHouse() *homeassistanttest.Server {
	day := func(hour int) string {
		return time.Now().UTC().Truncate(24 * time.Hour).Add(time.Duration(hour) * time.Hour).Format(time.RFC3339)
	}
	s := &homeassistanttest.Server{
		Calendars: map[string][]any{
			"calendar.family": {map[string]any{"summary": "Dentist", "start": map[string]any{"dateTime": day(30)}, "end": map[string]any{"dateTime": day(31)}}}, "calendar.bins": {},
		},
		Forecast: map[string][]any{
			"hourly": {map[string]any{"datetime": day(12), "temperature": 11.5, "condition": "cloudy"}, map[string]any{"datetime": day(40), "temperature": 9.5, "condition": "rainy"}}, "daily": {},
		},
		History: map[string][]any{"sensor.pv_power": {map[string]any{"s": "100", "lu": float64(time.Now().Unix() - 7200)}}},
		Render:  func(string) (any, error) { return 3, nil },
	}
	s.Put("sensor.pv_power", "1234", map[string]any{"friendly_name": "PV power", "unit_of_measurement": "W", "device_class": "power", "icon": "mdi:solar-power"})
	s.Put("light.hall", "on", map[string]any{"friendly_name": "Hall"})
	s.Put("weather.home", "cloudy", map[string]any{"temperature": 11.5, "temperature_unit": "°C", "humidity": 80})
	return s
}

// TestWalkHomeAssistant follows docs/home-assistant.md: its files, against a Home Assistant that the official client takes for one,
// are right and shown; docs/dev/home-assistant-walk.md tells of it.
func TestWalkHomeAssistant(t *testing.T) {
	home := walkedHouse()
	srv := httptest.NewServer(home)
	defer srv.Close()
	port := freePort(t)
	page := walkHassPage(t, srv.URL, "127.0.0.1:1", port)
	wall := page.files(t, "Entities on the wall")
	if len(wall) != 4 || strings.Count(wall["providers.yaml"], "type:") != 2 {
		t.Fatalf("the page's files: %q", wall)
	}
	check := func(f files, status int, want string) (dir string) {
		t.Helper()
		dir = t.TempDir()
		f.write(t, dir)
		answers(t, status, want, "check", dir, "--fetch")
		return dir
	}
	first := files{}
	maps.Copy(first, wall)
	delete(first, "providers.yaml") // which come later on the page
	dir := check(first, 0, "The configuration is right.")
	if said := answers(t, 0, `"state": 1234`, "values", dir, "homeassistant"); !strings.Contains(said, `"sensor.pv_power"`) {
		t.Errorf("values: got %s", said)
	}
	check(first.with("secrets.yaml", "hass: wrong\n"), 1, "conf.yaml:1:1: error: homeassistant: Home Assistant refuses the token")
	check(first.with("widgets.yaml", sideBySide("{widget: card, entity: sensor.none}")), 1, "widgets.yaml:4:32: error: entity: Home Assistant has no sensor.none")

	everything := append(page.widgets(t, "Entities on the wall"),
		"{widget: gauge, entity: sensor.pv_power, max: 3000}", "{widget: progress, entity: sensor.pv_power, max: 3000}", "{widget: chart, series: [{entity: sensor.pv_power}]}",
		"{widget: list, items: [{entity: light.hall}]}", "{widget: text, text: on, when: {entity: light.hall, is: \"on\"}}",
		`{widget: text, text: !data '.homeassistant["sensor.pv_power"].attributes.device_class'}`)
	if len(everything) != 8 || !strings.Contains(page.text, everything[7][len("{widget: text, text: "):len(everything[7])-1]) {
		t.Fatalf("the page's widgets: %q", everything)
	}
	check(wall.with("widgets.yaml", sideBySide(everything...)), 0, "The configuration is right.")
	more := wall.with("providers.yaml", page.files(t, "Its calendars")["providers.yaml"])
	dir = check(more.with("widgets.yaml", sideBySide("{widget: agenda}", "{widget: month}", "{widget: week}", "{widget: nextevent}")), 0, "The configuration is right.")
	answers(t, 0, `"Dentist"`, "values", dir, "family")

	p := start(t, port, first)
	shown := func(what string) func() bool {
		_, before := p.get("/frame")
		return func() bool { t.Helper(); _, now := p.get("/frame"); return now != before && now != "" && what != "" }
	}
	p.serves("/frame", 200)
	eventually(t, "the past was asked for", func() bool { return len(home.Asked("history/history_during_period")) > 0 })
	eventually(t, "/healthz tells of it", func() bool { return strings.Contains(p.text("/healthz"), `"name":"homeassistant"`) })
	changed := shown("the card follows")
	home.Put("sensor.pv_power", "777", map[string]any{"friendly_name": "PV power", "unit_of_measurement": "W"})
	eventually(t, "the card follows", changed)
	home.Starting(true)
	home.Drop() // a restart
	eventually(t, "it is told in /healthz", func() bool {
		return strings.Contains(p.text("/healthz"), "Home Assistant is starting") || home.Clients() > 0
	})
	home.Starting(false)
	home.Put("sensor.pv_power", "888", map[string]any{"friendly_name": "PV power", "unit_of_measurement": "W"})
	eventually(t, "it catches up by itself", func() bool {
		_, said := p.get("/values/homeassistant")
		return strings.Contains(said, "888")
	})
}

// A brokerEar is Home Assistant's side of a broker: what it was told, by topic, and what the broker has kept.
type brokerEar struct {
	t    *testing.T
	conn *mqtt.Connection
	mu   sync.Mutex
	last map[string]string
	kept map[string]string
	all  map[string]bool
}

// earOn follows everything on a broker until the test ends.
func earOn(t *testing.T, at string) *brokerEar {
	t.Helper()
	m := provider.NewManager(func() {}, slog.New(slog.DiscardHandler))
	conn, release, err := mqtt.Connect(t.Context(), m.Sessions(), mqtt.Broker{URL: "mqtt://" + at, ClientID: fmt.Sprint("home", time.Now().UnixNano()), Username: "wall", Password: brokerPassword})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { release(); m.Close() })
	l := &brokerEar{t: t, conn: conn, last: map[string]string{}, kept: map[string]string{}, all: map[string]bool{}}
	ready, once := make(chan struct{}), sync.Once{}
	t.Cleanup(conn.Subscribe("#", l.hear, func(err error) {
		if err == nil {
			once.Do(func() { close(ready) })
		}
	}))
	select {
	case <-ready:
	case <-time.After(patience):
		t.Fatal("the broker does not answer")
	}
	return l
}

func (l *brokerEar) hear(m mqtt.Message) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last[m.Topic], l.all[m.Topic] = string(m.Payload), true
	if m.Retained {
		l.kept[m.Topic] = string(m.Payload)
	}
}

// says waits until the latest message of a topic has a part.
func (l *brokerEar) says(topic, part string) string {
	l.t.Helper()
	got := ""
	defer func() {
		if l.t.Failed() {
			l.t.Logf("%s: %.300q", topic, got)
		}
	}()
	eventually(l.t, topic+" says "+part, func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		got = l.last[topic]
		return l.all[topic] && strings.Contains(got, part)
	})
	return got
}

// send publishes what Home Assistant or anybody else does.
func (l *brokerEar) send(topic, payload string, retain bool) {
	l.t.Helper()
	if err := l.conn.Publish(l.t.Context(), topic, []byte(payload), retain); err != nil {
		l.t.Fatal(err)
	}
}

// An announcement is what Home Assistant's MQTT integration reads of a device.
type announcement struct {
	Device struct {
		Name string
	} `json:"dev"`
	Availability []struct{ Topic string } `json:"avty"`
	Components   map[string]struct {
		Platform   string `json:"p"`
		Name       string
		Command    string   `json:"command_topic"`
		State      string   `json:"state_topic"`
		Brightness string   `json:"brightness_command_topic"`
		Picture    string   `json:"image_topic"`
		Press      string   `json:"payload_press"`
		Options    []string `json:"options"`
	} `json:"cmps"`
}

// TestWalkDevice follows the page's part about the wall in Home Assistant, with the built program and Debian's broker: the entities
// of its table appear, each is used by the topics that were announced, and all are unavailable when the program is killed.
func TestWalkDevice(t *testing.T) {
	at, serve := programtest.Mosquitto(t, brokerPassword)
	defer serve()()
	srv := httptest.NewServer(walkedHouse())
	defer srv.Close()
	port := freePort(t)
	page := walkHassPage(t, srv.URL, at, port)
	f := page.files(t, "The wall in Home Assistant").with("secrets.yaml", page.files(t, "Entities on the wall")["secrets.yaml"])
	f["conf.yaml"] = strings.Replace(f["conf.yaml"], "mqtt: {", "location: {latitude: 51.48, longitude: 0}\nmqtt: {id: a1b2, ", 1)
	f["widgets.yaml"] = "theme: calm\n" + strings.Replace(pagesWall, ", trigger: {when: {value: !data .bell}, hold: 1s}", "", 1)
	l := earOn(t, at)
	l.send("dashboard/a1b2/page/set", "solar", true) // of last year, and kept
	b := launch(t, port, f)
	var told announcement
	if err := json.Unmarshal([]byte(l.says("homeassistant/device/a1b2/config", `"Kitchen wall"`)), &told); err != nil {
		t.Fatal(err)
	}
	l.checkTable(page, told)
	l.says(told.Availability[0].Topic, "online")
	l.says(told.Components["page"].State, "home") // not what was kept
	l.use(told)
	l.speak(b.site)
	late := earOn(t, at)
	for _, topic := range []string{"status", "state", "display", "brightness", "theme", "page", "update"} {
		eventually(t, topic+" is kept by the broker", func() bool { late.mu.Lock(); defer late.mu.Unlock(); return late.kept["dashboard/a1b2/"+topic] != "" })
	}
	late.mu.Lock()
	if late.kept["dashboard/a1b2/picture"] != "" {
		t.Error("the broker keeps the picture")
	}
	late.mu.Unlock()
	b.End(syscall.SIGKILL)
	l.says("dashboard/a1b2/status", "offline")
	again := prepare(t, port, f.with("conf.yaml", strings.Replace(f["conf.yaml"], "mqtt: {", "mqtt: {discovery: false, ", 1)))
	again.Run()
	l.says("dashboard/a1b2/status", "online")
	eventually(t, "discovery: false takes the device back", func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.last["homeassistant/device/a1b2/config"] == ""
	})
}

// checkTable compares the entities that are announced with the page's table.
func (l *brokerEar) checkTable(page *walkedPage, told announcement) {
	l.t.Helper()
	var want, got []string
	for _, m := range walkedRow.FindAllStringSubmatch(page.section(l.t, "The wall in Home Assistant"), -1) {
		want = append(want, strings.Split(m[1], ", ")...)
	}
	for _, c := range told.Components {
		if c.Name != "" {
			got = append(got, c.Name)
		}
	}
	if !slices.Contains(got, "Temperature") { // not every machine tells it
		want = slices.DeleteFunc(want, func(s string) bool { return s == "Temperature" })
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		l.t.Errorf("entities: got %q, want %q", got, want)
	}
}

// use does with each entity what a person does in Home Assistant.
func (l *brokerEar) use(told announcement) {
	l.t.Helper()
	c := told.Components
	for _, do := range []struct{ entity, payload, state string }{
		{"display", "OFF", "OFF"}, {"display", "ON", "ON"}, {"theme", "day", "day"}, {"theme", "auto", "auto"}, {"page", "door", "door"}, {"page", "previous", "solar"},
	} {
		if o := c[do.entity].Options; len(o) > 0 && !slices.Contains(o, do.payload) {
			l.t.Errorf("%s offers %q, not %s", do.entity, o, do.payload)
		}
		l.send(c[do.entity].Command, do.payload, false)
		l.says(c[do.entity].State, do.state)
	}
	l.send(c["display"].Brightness, "40", false)
	l.says("dashboard/a1b2/brightness", "40")
	l.send(c["next"].Command, "PRESS", false)
	l.says(c["page"].State, "door")
	l.send(c["auto"].Command, c["auto"].Press, false)
	l.says(c["display"].State, "ON")
	l.says(c["painted"].State, `"painted":"2`)
	l.says(c["stale"].State, `"stale":`)
	l.says(c["update"].State, programtest.Version)
	if picture := l.says(c["picture"].Picture, "\xff\xd8\xff"); len(picture) > 256<<10 {
		l.t.Errorf("the picture has %d bytes", len(picture))
	}
}

// speak sends notifications in each way that the page names, and presses the buttons that are left.
func (l *brokerEar) speak(p site) {
	l.t.Helper()
	for topic, text := range map[string]string{"notify": "Tea is ready", "text/set": `{"id": "door", "title": "Front door", "hold": true}`} {
		l.send("dashboard/a1b2/"+topic, text, false)
	}
	eventually(l.t, "both are shown", func() bool {
		said := p.text("/notify")
		return strings.Contains(said, "Tea is ready") && strings.Contains(said, "Front door")
	})
	l.send("dashboard/a1b2/dismiss", "anything", false)
	eventually(l.t, "they are gone", func() bool { return !strings.Contains(p.text("/notify"), "Front door") })
	l.send("dashboard/a1b2/display/set", "TOGGLE", false)
	l.says("dashboard/a1b2/display", "OFF")
	l.send("dashboard/a1b2/display/set", "AUTO", false)
	l.says("dashboard/a1b2/display", "ON")
	_, before := p.get("/frame")
	l.send("dashboard/a1b2/identify", "anything", false)
	eventually(l.t, "the wall says its name", func() bool { _, now := p.get("/frame"); return now != before })
	l.send("dashboard/a1b2/reload", "anything", false)
}

// TestWalkBroker follows the page's part about values of a broker.
func TestWalkBroker(t *testing.T) {
	at, serve := programtest.Mosquitto(t, brokerPassword)
	defer serve()()
	port := freePort(t)
	page := walkHassPage(t, "", at, port)
	f := page.files(t, "Values of a broker").with("secrets.yaml", page.files(t, "Entities on the wall")["secrets.yaml"])
	widgets := page.widgets(t, "Values of a broker")
	if len(widgets) != 1 {
		t.Fatalf("the page's widgets: %q", widgets)
	}
	f["widgets.yaml"] = sideBySide(widgets...)
	l := earOn(t, at)
	l.send("zigbee2mqtt/kitchen", `{"temperature": 21.5}`, true)
	dir := t.TempDir()
	f.write(t, dir)
	answers(t, 0, "The configuration is right.", "check", dir, "--fetch")
	answers(t, 0, `"temperature": 21.5`, "values", dir, "rooms")
	f.with("secrets.yaml", "mqtt: wrong\n").write(t, dir)
	if said := answers(t, 1, "the broker refuses", "check", dir, "--fetch"); strings.Contains(said, brokerPassword) {
		t.Errorf("a wrong password: got %s", said)
	}
}

// answers runs a command until it ends with a status and says a text: it waits for values for five seconds alone, which is little on a
// machine that has much else to do.
func answers(t *testing.T, status int, want string, args ...string) (said string) {
	t.Helper()
	for range 6 {
		got, out, errs := command(t, args...)
		if said = out + errs; got == status && strings.Contains(said, want) {
			return said
		}
	}
	t.Errorf("%q: got %s, want %d and %s", args, said, status, want)
	return said
}

package wall

import (
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"dashboard/internal/testing/homeassistanttest"
)

// A walkedPage is a page of the documents for users of Home Assistant. Its methods return the
// page's YAML files, with the addresses and secrets of the test's servers.
type walkedPage struct {
	text  string
	house *strings.Replacer
}

// brokerPassword is the password of the test's broker.
const brokerPassword = "sesame-secret"

// walkHassPage reads docs/home-assistant.md.
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

// section returns the text of the page below a heading.
func (p *walkedPage) section(t *testing.T, heading string) string {
	t.Helper()
	_, after, ok := strings.Cut(p.text, "\n## "+heading+"\n")
	if !ok {
		t.Fatalf("the page has no section %q", heading)
	}
	before, _, _ := strings.Cut(after, "\n## ")
	return before
}

// files() returns the files that a section of the page contains.
func (p *walkedPage) files(t *testing.T, heading string) files {
	t.Helper()
	f := files{}
	for _, m := range walkedBlock.FindAllStringSubmatch(p.section(t, heading), -1) {
		text := m[2]
		if strings.HasPrefix(m[0], " ") { // the block is inside of a list
			text = regexp.MustCompile(`(?m)^   `).ReplaceAllString(text, "")
		}
		if name := m[1]; f[name] == "" {
			f[name] = p.house.Replace(text)
		} else { // another block of the same file adds a provider
			f[name] += p.house.Replace(strings.Replace(text, "providers:\n", "", 1))
		}
	}
	return f
}

// widgets() returns the widgets that a section mentions in its sentences.
func (p *walkedPage) widgets(t *testing.T, heading string) (list []string) {
	t.Helper()
	for _, m := range walkedWidget.FindAllStringSubmatch(p.section(t, heading), -1) {
		list = append(list, m[1])
	}
	return list
}

// sideBySide returns a wall with the given widgets side by side.
func sideBySide(widgets ...string) string {
	return "widgets:\n  - widget: row\n    children:\n      - " + strings.Join(widgets, "\n      - ") + "\n"
}

// walkedHouse returns a Home Assistant with the entities that the page uses.
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

// TestWalkHomeAssistant follows docs/home-assistant.md with a simulated Home Assistant that the official client accepts. The files on the
// page have no errors, and their wall is shown. docs/dev/home-assistant-walk.md describes the test.
func TestWalkHomeAssistant(t *testing.T) {
	t.Parallel()
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
	delete(first, "providers.yaml") // the reader makes this file later
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
	more := wall.with("providers.yaml", page.files(t, "Calendars")["providers.yaml"])
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
	home.Drop() // as when Home Assistant restarts
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

// answers() repeats a command until the command ends with the given status and prints a text that contains the parameter `want`. A
// command waits only five seconds for an answer or for values, which may be too short on a busy machine.
func answers(t *testing.T, status int, want string, args ...string) (said string) {
	t.Helper()
	for range 20 {
		got, out, errs := command(t, args...)
		if said = out + errs; got == status && strings.Contains(said, want) {
			return said
		}
	}
	t.Errorf("%q: got %s, want %d and %s", args, said, status, want)
	return said
}

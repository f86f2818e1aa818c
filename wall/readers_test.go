package wall

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"net"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"dashboard/config"
	"dashboard/output/trmnl"

	"golang.org/x/image/bmp"
)

// TestConfigurationKnowsTheReaders checks that the configuration accepts exactly the models of e-readers that package trmnl has.
func TestConfigurationKnowsTheReaders(t *testing.T) {
	f, _ := reflect.TypeFor[config.Reader]().FieldByName("Model")
	var names []string
	for _, m := range trmnl.Models() {
		names = append(names, m.Name)
	}
	if got := strings.Split(f.Tag.Get("enum"), ","); !slices.Equal(got, names) {
		t.Errorf("models: got %v, want %v", got, names)
	}
	if config.MaxReaders != trmnl.MaxDevices {
		t.Errorf("%d devices may be written, and %d are shown", config.MaxReaders, trmnl.MaxDevices)
	}
}

// readersWall returns a wall for e-readers. A screen shows the view main. Only e-readers show the view reader.
func readersWall(port int, reader, devices string) files {
	return files{
		"conf.yaml": wallConf(port, "  - type: trmnl\n    devices:\n"+devices+
			"views:\n  reader: {widgets: reader.yaml, resolution: [800, 480], motion: reduced}\n"),
		"widgets.yaml": plainWall("red"), "reader.yaml": reader,
	}
}

// letters() returns a wall with black text on white.
func letters(text string) string {
	return "widgets:\n  - {widget: text, text: '" + text + "', color: black, background_color: white}\n"
}

// say sends the lines of a request unchanged, except that it replaces HOST by the wall's address. It reads the answer.
func (p site) say(lines ...string) answer {
	p.t.Helper()
	c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", p.port))
	if err != nil {
		p.t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(patience))
	raw := strings.Join(lines, "\r\n") + "\r\n\r\n"
	if _, err := c.Write([]byte(strings.ReplaceAll(raw, "HOST", fmt.Sprintf("127.0.0.1:%d", p.port)))); err != nil {
		p.t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(resp.Body); err != nil {
		p.t.Fatal(err)
	}
	return answer{resp.StatusCode, resp.Header, b.String()}
}

// toldReader is the answer to a device that requests its picture.
type toldReader struct {
	Status   int    `json:"status"`
	Key      string `json:"api_key"`
	Friendly string `json:"friendly_id"`
	URL      string `json:"image_url"`
	Name     string `json:"filename"`
	Refresh  int    `json:"refresh_rate"`
	Profile  string `json:"temperature_profile"`
	Full     bool   `json:"maximum_compatibility"`
}

// tells() sends the request of a device and returns the answer, which must have the status 200.
func (p site) tells(lines ...string) (d toldReader) {
	p.t.Helper()
	a := p.say(lines...)
	if a.status != http.StatusOK || a.header.Get("Content-Type") != "application/json" || a.header.Get("Content-Length") == "" {
		p.t.Fatalf("got %d %v %s", a.status, a.header, a.body)
	}
	if err := json.Unmarshal([]byte(a.body), &d); err != nil {
		p.t.Fatal(err)
	}
	return d
}

// fetched() fetches a picture without a token, as a device does, and returns it.
func (p site) fetched(url, kind string) []byte {
	p.t.Helper()
	path, ok := strings.CutPrefix(url, fmt.Sprintf("http://127.0.0.1:%d", p.port))
	if !ok {
		p.t.Fatalf("the picture is at %s", url)
	}
	a := p.say("GET "+path+" HTTP/1.1", "Host: HOST")
	if a.status != http.StatusOK || a.header.Get("Content-Type") != kind || a.header.Get("Content-Length") != fmt.Sprint(len(a.body)) {
		p.t.Fatalf("%s: got %d %v", path, a.status, a.header)
	}
	return []byte(a.body)
}

// grayed() checks that a file is a PNG of the given size and number of grays, without a palette.
func grayed(t *testing.T, file []byte, size image.Point, grays int) {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	depth, colorType := file[24], file[25] // fields of IHDR
	if colorType != 0 || 1<<depth != grays || m.Bounds().Size() != size {
		t.Errorf("got color type %d, %d bits, %v; want %d grays of %v", colorType, depth, m.Bounds(), grays, size)
	}
}

const ogDevice, kindleDevice = "AA:BB:CC:00:00:01", "AA:BB:CC:00:00:02"

// TestReaders sends requests in the protocols of five programs for e-readers. Each program receives the view that conf.yaml gives its
// device.
func TestReaders(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	devices := "      \"aa-bb-cc-00-00-01\": {view: reader}\n      AA:BB:CC:00:00:0A: {view: reader}\n" +
		"      koreader: {view: reader, token: bookworm-1234}\n      kindle: {view: reader, model: amazon_kindle_7, token: kindle-12345, temperature_profile: b, maximum_compatibility: true}\n" +
		"      pi: {view: reader, token: raspberry-123, refresh: 1m}\n"
	f := readersWall(port, letters("Hello"), devices)
	f["conf.yaml"] = strings.Replace(f["conf.yaml"], "server:\n", "server:\n  auth: {control_token: tending-1}\n", 1)
	p := start(t, port, f)
	p.shows(1, 1, red)
	p.serves("/frame", http.StatusOK)

	esp := []string{"Host: HOST", "User-Agent: ESP32HTTPClient", "Connection: keep-alive", "Accept-Encoding: identity;q=1,chunked;q=0.1,*;q=0"}
	og := func(method, path, token string, more ...string) []string {
		return slices.Concat([]string{method + " " + path + " HTTP/1.1"}, esp, []string{
			"ID: " + ogDevice, "Content-Type: application/json", "Access-Token: " + token, "Update-Source: timer", "Refresh-Rate: 900",
			"Battery-Voltage: 4.07", "Battery-Charging: 0", "USB-Connected: false", "FW-Version: 1.7.4", "FW-Commit: 74f7b18", "Model: og",
			"Image-Cached: true", "Wake-Time: 1200", "RSSI: -61", "WiFi-Band: 2.4", "Temperature-Profile: default", "Width: 800", "Height: 480"}, more)
	}
	setup := p.tells(slices.Concat([]string{"GET /api/setup HTTP/1.1"}, esp, []string{"ID: " + ogDevice, "FW-Version: 1.7.4", "Model: og"})...)
	if setup.Status != 200 || len(setup.Key) < 32 || len(setup.Friendly) != 6 || setup.URL == "" {
		t.Fatalf("setup: got %+v", setup)
	}
	first := p.tells(og("GET", "/api/display", setup.Key)...)
	if first.Status != 0 || first.Refresh != 900 || len(first.Name) != 24 || !strings.HasPrefix(first.Name, "screen-") || !strings.Contains(first.URL, first.Name+".png") {
		t.Errorf("display: got %+v", first)
	}
	file := p.fetched(first.URL, "image/png")
	grayed(t, file, image.Pt(800, 480), 2)
	if len(file) > 90_000 || file[24] != 1 {
		t.Errorf("the file has %d bytes of %d bits", len(file), file[24])
	}
	if again := p.tells(og("GET", "/api/display", setup.Key, "special_function: none")...); again.Name != first.Name || again.URL != first.URL {
		t.Errorf("nothing changed, and the name is %s after %s", again.Name, first.Name)
	}
	if same := p.tells(og("GET", "/api/current_screen", setup.Key)...); same.Name != first.Name || same.URL != first.URL {
		t.Errorf("the current screen: got %+v, want the picture of %+v", same, first)
	}
	report := `{"logs":[{"message":"wifi lost, key ` + setup.Key + `","id":1,"wifi_rssi":-61}]}`
	if a := p.say(append(og("POST", "/api/log", setup.Key, fmt.Sprint("Content-Length: ", len(report))), "", report)...); a.status != http.StatusNoContent {
		t.Errorf("log: got %d %s", a.status, a.body)
	}
	if !strings.Contains(p.log.String(), "wifi lost, key …") {
		t.Error("what the device tells is not in the log")
	}

	old := p.tells(slices.Concat([]string{"GET /api/display HTTP/1.1"}, esp, []string{"ID: " + ogDevice, "Access-Token: " + setup.Key, "FW-Version: 1.4.9"})...)
	m, err := bmp.Decode(bytes.NewReader(p.fetched(old.URL, "image/bmp")))
	if err != nil || m.Bounds().Size() != image.Pt(800, 480) || old.Name != first.Name {
		t.Errorf("old firmware: got %v of %v, %s", err, m.Bounds(), old.Name)
	}

	x := "AA:BB:CC:00:00:0A"
	key := p.tells(slices.Concat([]string{"GET /api/setup/ HTTP/1.1"}, esp, []string{"ID: " + x, "FW-Version: 2.0.1", "Model: x"})...).Key
	shown := p.tells(slices.Concat([]string{"GET /api/display HTTP/1.1"}, esp, []string{"ID: " + x, "Access-Token: " + key, "Model: x", "Width: 1872", "Height: 1404",
		"FW-Version: 2.0.1", "Percent-Charged: 81.5", "Battery-Health: 98", "Battery-Current: -120", "Battery-Temp: 25", "Battery-Count: 2", "SENSORS: 1", "RSSI: -50"})...)
	grayed(t, p.fetched(shown.URL, "image/png"), image.Pt(1872, 1404), 16)

	shown = p.tells("GET /api/display HTTP/1.1", "Host: HOST", "access-token: bookworm-1234", "percent-charged: 64", "png-width: 758", "png-height: 1024", "rssi: -70",
		"User-Agent: KOReader/2026.03 (trmnl)")
	grayed(t, p.fetched(shown.URL, "image/png"), image.Pt(758, 1024), 16)

	shown = p.tells("GET /api/display HTTP/1.1", "Host: HOST", "User-Agent: curl/7.64.1", "Accept: */*", "ID: "+kindleDevice, "access-token: kindle-12345",
		"battery-voltage: 87", "png-width: 600", "png-height: 800", "rssi: 0")
	if shown.Profile != "b" || !shown.Full || first.Profile != "default" || first.Full {
		t.Errorf("profiles: got %+v and %+v", shown, first)
	}
	if file, _, query := strings.Cut(shown.URL, "?"); query || !strings.HasSuffix(file, ".png") {
		t.Errorf("the Kindle takes its file's name from %s", shown.URL)
	}
	grayed(t, p.fetched(shown.URL, "image/png"), image.Pt(600, 800), 256)

	shown = p.tells("GET /api/display HTTP/1.1", "Host: HOST", "User-Agent: trmnl-display/0.1.1", "ID: DC:A6:32:00:00:01", "access-token: raspberry-123",
		"battery-voltage: 100.00", "rssi: 0", "Accept-Encoding: gzip")
	grayed(t, p.fetched(shown.URL, "image/png"), image.Pt(800, 480), 2)
	if shown.Refresh != 60 {
		t.Errorf("the Pi is told to come in %d s, want 60", shown.Refresh)
	}

	var told struct {
		Readers struct {
			Devices []struct{ Name, Metric, Said string }
		}
		Count map[string]int `json:"reader_count"`
	}
	tended := p.ask("GET /healthz", []string{"Authorization", "Bearer tending-1"}, "").body
	if err := json.Unmarshal([]byte(tended), &told); err != nil || len(told.Readers.Devices) != 5 || told.Count["devices"] != 5 || told.Count["seen"] != 5 {
		t.Fatalf("health for whoever has the token: got %v, %s", err, tended)
	}
	public := ""
	for _, d := range told.Readers.Devices {
		if d.Name == ogDevice {
			public = d.Metric
		}
	}
	if len(public) != 6 || public == setup.Friendly {
		t.Errorf("the device's name for everybody: got %q", public)
	}
	for _, path := range []string{"/healthz", "/metrics"} {
		if _, body := p.get(path); strings.Contains(body, ogDevice) || strings.Contains(body, setup.Friendly) || strings.Contains(body, `"name":"kindle"`) {
			t.Errorf("%s tells everybody of e-readers: %s", path, body)
		}
	}
	for _, wrong := range []string{"Bearer wrong", "Bearer ", ""} {
		if a := p.ask("GET /healthz", []string{"Authorization", wrong}, ""); a.status != http.StatusOK || strings.Contains(a.body, ogDevice) || !strings.Contains(a.body, `"reader_count":{"devices":5,`) {
			t.Errorf("%q: got %d %s", wrong, a.status, a.body)
		}
	}
	for metric, want := range map[string]float64{"battery_volts": 0, "signal_dbm": 0, "refresh_seconds": 900} {
		if got := p.measure(`dashboard_reader_` + metric + `{device="` + public + `"}`); got != want {
			t.Errorf("%s: got %v, want %v", metric, got, want) // the device's last request had no battery and no signal
		}
	}
	for device, want := range map[string]float64{"koreader": 64, "kindle": 87} {
		if got := p.measure(`dashboard_reader_battery_percent{device="` + device + `"}`); got != want {
			t.Errorf("battery of %s: got %v, want %v", device, got, want)
		}
	}
	if body := tended; !strings.Contains(body, `"name":"kindle"`) || strings.Contains(body, "kindle-12345") || strings.Contains(body, setup.Key) {
		t.Errorf("health: %s", body)
	}

	p.change(readersWall(port, letters("Hallo"), devices))
	var next toldReader
	eventually(t, "another name for another picture", func() bool {
		next = p.tells(og("GET", "/api/display", setup.Key)...)
		return next.Name != first.Name
	})
	if bytes.Equal(p.fetched(next.URL, "image/png"), file) {
		t.Error("another name for the same picture")
	}
	for _, secret := range []string{setup.Key, key, "bookworm-1234", "kindle-12345", "raspberry-123"} {
		if strings.Contains(p.log.String(), secret) {
			t.Errorf("the log has the token %s", secret)
		}
	}
}

// TestReadersKeep checks that a device is still known after a restart, and that an unchanged picture still has the same name.
func TestReadersKeep(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	f := readersWall(port, letters("Hello"), "      AA:BB:CC:00:00:01: {view: reader}\n")
	at := site{t, t.TempDir(), port}
	kept := t.TempDir()
	p := startAt(at, f, "--state-dir", kept)
	p.serves("/frame", http.StatusOK)
	ask := func(token string) []string {
		return []string{"GET /api/display HTTP/1.1", "Host: HOST", "ID: " + ogDevice, "Access-Token: " + token, "Width: 800", "Height: 480"}
	}
	key := p.tells("GET /api/setup HTTP/1.1", "Host: HOST", "ID: "+ogDevice).Key
	before := p.tells(ask(key)...)
	p.end()
	p = startAt(at, f, "--state-dir", kept)
	p.serves("/frame", http.StatusOK)
	after := p.tells(ask(key)...)
	if before.Name != after.Name || before.URL == after.URL {
		t.Errorf("got %+v, want the name of %+v at another address", after, before)
	}
}

// TestReadersRefused checks that an invalid request gets an answer with the reason.
func TestReadersRefused(t *testing.T) {
	port := freePort(t)
	p := start(t, port, readersWall(port, letters("Hello"), "      AA:BB:CC:00:00:01: {view: reader}\n      AA:BB:CC:00:00:02: {token: kindle-12345}\n"))
	p.serves("/frame", http.StatusOK)
	for name, c := range map[string]struct {
		request string
		header  []string
		body    string
		status  int
		text    string
	}{
		"no id":           {"GET /api/setup", nil, "", 400, "MAC address"},
		"an unknown one":  {"GET /api/setup", []string{"ID", "00:00:00:00:00:09"}, "", 404, `"status":404`},
		"a written token": {"GET /api/setup", []string{"ID", kindleDevice}, "", 403, "enter it on the device"},
		"no token":        {"GET /api/display", []string{"ID", ogDevice}, "", 404, `"status":404`},
		"a wrong token":   {"GET /api/display", []string{"ID", ogDevice, "Access-Token", "x"}, "", 404, `"status":404`},
		"another's":       {"GET /api/display", []string{"ID", ogDevice, "Access-Token", "kindle-1234"}, "", 404, `"status":404`},
		"no such picture": {"GET /trmnl/x/screen-a9a4d9-1785312389.png", nil, "", 404, "has expired"},
		"a log of nobody": {"POST /api/log", nil, `{"logs":[]}`, 404, `"status":404`},
		"no object":       {"POST /api/log", []string{"Access-Token", "kindle-12345"}, `[`, 400, "JSON object"},
		"too long":        {"POST /api/log", []string{"Access-Token", "kindle-12345"}, strings.Repeat("x", 70_000), 413, "65536"},
		"a method":        {"POST /api/display", nil, "", 405, "Allow"},
	} {
		a := p.ask(c.request, c.header, c.body)
		if a.status != c.status || !strings.Contains(a.body, c.text) || !json.Valid([]byte(a.body)) {
			t.Errorf("%s: got %d %s, want %d and %s", name, a.status, a.body, c.status, c.text)
		}
	}
	if _, body := p.get("/healthz"); !strings.Contains(body, `"unknown":1}`) || strings.Contains(body, "00:00:00:00:00:09") || p.log.Count("address=00:00:00:00:00:09") != 1 {
		t.Errorf("the log, and health by a number, do not tell of a device that is not known: %s", body)
	}
}

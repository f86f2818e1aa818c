package device

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	broker "github.com/mochi-mqtt/server/v2"

	"dashboard/internal/testing/programtest"
	"dashboard/internal/testing/thorough"
)

func TestMain(m *testing.M) {
	if at := os.Getenv(childEnv); at != "" {
		beKilled(at)
	}
	programtest.MainWithoutLeaks(m)
}

func TestDevice(t *testing.T) {
	t.Parallel()
	h := begin(t, true, func(b *broker.Server) { // publishes retained commands from last year, which the wall must ignore
		_ = b.Publish("dashboard/a1b2/reload", []byte("PRESS"), true, 1)
		_ = b.Publish("dashboard/a1b2/theme/set", []byte("night"), true, 1)
	})
	const left = `"auto":{"p":"button"},`
	const want = `{"avty":[{"topic":"dashboard/a1b2/status"}],"cmps":{` +
		`"dismiss":{"command_topic":"dashboard/a1b2/dismiss","icon":"mdi:notification-clear-all","name":"Dismiss","p":"button","unique_id":"a1b2_dismiss"},` +
		`"identify":{"command_topic":"dashboard/a1b2/identify","device_class":"identify","entity_category":"diagnostic","name":"Identify","p":"button","unique_id":"a1b2_identify"},` +
		`"notify":{"command_topic":"dashboard/a1b2/notify","name":"Notify","p":"notify","unique_id":"a1b2_notify"},` +
		`"painted":{"device_class":"timestamp","entity_category":"diagnostic","name":"Last painted","p":"sensor","state_topic":"dashboard/a1b2/state","unique_id":"a1b2_painted","value_template":"{{ value_json.painted }}"},` +
		`"picture":{"content_type":"image/jpeg","image_topic":"dashboard/a1b2/picture","name":"Picture","p":"image","unique_id":"a1b2_picture"},` +
		`"reload":{"command_topic":"dashboard/a1b2/reload","entity_category":"config","icon":"mdi:reload","name":"Reload","p":"button","unique_id":"a1b2_reload"},` +
		`"stale":{"device_class":"problem","entity_category":"diagnostic","name":"Stale sources","p":"binary_sensor","payload_off":false,"payload_on":true,"state_topic":"dashboard/a1b2/state","unique_id":"a1b2_stale","value_template":"{{ value_json.stale }}"},` +
		`"text":{"command_topic":"dashboard/a1b2/text/set","icon":"mdi:message-text","max":255,"name":"Message","p":"text","state_topic":"dashboard/a1b2/text","unique_id":"a1b2_text"},` +
		`"theme":{"command_topic":"dashboard/a1b2/theme/set","icon":"mdi:theme-light-dark","name":"Theme","options":["auto","day","night"],"p":"select","state_topic":"dashboard/a1b2/theme","unique_id":"a1b2_theme"},` +
		`"update":{"entity_category":"diagnostic","name":"Version","p":"update","state_topic":"dashboard/a1b2/update","unique_id":"a1b2_update"}},` +
		`"dev":{"cu":"http://wall.lan:5000/","ids":["dashboard_a1b2"],"mdl":"Raspberry Pi 4","mf":"dashboard","name":"Kitchen wall","sn":"a1b2","sw":"1.4.0"},"o":{"name":"dashboard","sw":"1.4.0"}}`
	if got := h.await("homeassistant/device/a1b2/config", 1); !strings.Contains(got, left) {
		t.Errorf("what an earlier run may have had is not taken back: %s", got)
	}
	if got := h.await("homeassistant/device/a1b2/config", 2); !contains(t, got, want) {
		t.Errorf("the device: got\n%s\nwant\n%s", got, want)
	}
	if got := h.await("dashboard/a1b2/update", 1); got != `{"installed_version":"1.4.0","latest_version":"1.4.0","title":"dashboard"}` {
		t.Errorf("update: got %s", got)
	}
	if got := h.await("dashboard/a1b2/picture", 1); got != strings.Repeat("m", 100) {
		t.Errorf("the picture: got %s", got)
	}
	if got := h.await("dashboard/a1b2/status", 1); got != "online" {
		t.Errorf("status: got %s", got)
	}
	if got := h.await("dashboard/a1b2/state", 1); got != `{"painted":"2026-05-01T12:00:00Z","stale":true}` {
		t.Errorf("state: got %s", got)
	}
	h.await("dashboard/a1b2/theme", 1)
	h.asks("theme/set", "day", 1)
	if got := h.await("dashboard/a1b2/theme", 2); got != "day" {
		t.Errorf("theme afterwards: got %s", got)
	}
	h.asks("notify", "Dinner", 2)
	h.asks("text/set", `{"text": "Bath", "priority": 4}`, 3)
	h.asks("dismiss", "PRESS", 4)
	h.asks("theme/set", "pink", 4)
	asked := h.asks("reload", "PRESS", 5)
	if got := strings.Join(asked, "|"); got != `theme day|tell {"text":"Dinner"}|tell {"text": "Bath", "priority": 4}|dismiss|reload` {
		t.Errorf("asked %s: what the broker had kept is not to be done", got)
	}
	if !strings.Contains(h.log.String(), "'mode' must be one of") {
		t.Errorf("the log: %s", h.log.String())
	}
	if err := h.broker.Publish("homeassistant/status", []byte("online"), false, 1); err != nil {
		t.Fatal(err)
	}
	h.await("homeassistant/device/a1b2/config", 3) // the wall announces itself again after the start of Home Assistant
	h.await("dashboard/a1b2/picture", 2)
	h.end()
	if got := h.await("dashboard/a1b2/status", 2); got != "offline" {
		t.Errorf("at the end: got %s", got)
	}
}

// TestCutOff: while a wall is disconnected, its status on the broker is offline. After reconnecting, the status is online. No command is
// executed twice.
func TestCutOff(t *testing.T) {
	t.Parallel()
	w, broker := newWire(t), ""
	h := beginBehind(t, true, nil, func(address string) string { broker = address; w.leads(address); return w.at.Addr().String() })
	h.await("dashboard/a1b2/status", 1)
	h.await("dashboard/a1b2/theme", 1)
	w.leads("") // the wall must not connect again before the broker has noticed the loss
	if got := h.await("dashboard/a1b2/status", 2); got != "offline" {
		t.Errorf("cut off: got %s", got)
	}
	w.leads(broker)
	if got := h.await("dashboard/a1b2/status", 3); got != "online" {
		t.Errorf("back: got %s", got)
	}
	h.await("homeassistant/device/a1b2/config", 3)
	if asked := h.asks("dismiss", "PRESS", 1); len(asked) != 1 {
		t.Errorf("asked %q", asked)
	}
}

// TestNoDiscovery: without discovery, a wall removes the retained configurations of itself and of its e-readers.
func TestNoDiscovery(t *testing.T) {
	h := begin(t, false, nil)
	h.set(func(w *fake) { w.readers = []Reader{{ID: "917F0B", Name: "E-reader hall"}} })
	h.asks("dismiss", "PRESS", 1)
	for _, topic := range []string{"homeassistant/device/a1b2/config", "homeassistant/device/a1b2_reader_917F0B/config"} {
		if got := h.await(topic, 1); got != "" {
			t.Errorf("%s: got %s", topic, got)
		}
	}
}

// A wall with pages has an entity that selects a page. After a reload, the options of this entity are the new pages.
func TestPageSelect(t *testing.T) {
	h := begin(t, true, nil)
	if got := h.await("homeassistant/device/a1b2/config", 2); strings.Contains(got, "page/set") {
		t.Errorf("without pages: got %s", got)
	}
	h.wall.mu.Lock()
	h.wall.page, h.wall.pages = "home", []string{"home", "solar", "auto", "home"}
	h.wall.mu.Unlock()
	h.asks("dismiss", "PRESS", 1)
	const want = `"page":{"command_topic":"dashboard/a1b2/page/set","icon":"mdi:book-open-page-variant","name":"Page","options":["auto","next","previous","home","solar"],"p":"select","state_topic":"dashboard/a1b2/page","unique_id":"a1b2_page"}`
	if got := h.await("homeassistant/device/a1b2/config", 3); !strings.Contains(got, want) {
		t.Errorf("with pages: got %s, want %s", got, want)
	}
	if got := h.await("dashboard/a1b2/page", 1); got != "home" {
		t.Errorf("the page: got %s", got)
	}
	if asked := h.asks("page/set", "solar", 2); asked[1] != "page solar0s" {
		t.Errorf("asked %q", asked)
	}
	if got := h.await("dashboard/a1b2/page", 2); got != "solar" {
		t.Errorf("the page afterwards: got %s", got)
	}
}

// TestDisplay: the screen of a wall is a light in Home Assistant and follows commands. Components that no longer exist are removed.
func TestDisplay(t *testing.T) {
	h := begin(t, true, nil)
	h.await("homeassistant/device/a1b2/config", 2)
	h.set(func(w *fake) { w.screen, w.heat = true, 48.6 })
	h.asks("dismiss", "PRESS", 1)
	const want = `"display":{"brightness_command_topic":"dashboard/a1b2/brightness/set","brightness_scale":100,"brightness_state_topic":"dashboard/a1b2/brightness",` +
		`"command_topic":"dashboard/a1b2/display/set","icon":"mdi:monitor-shimmer","name":"Display","p":"light","state_topic":"dashboard/a1b2/display","unique_id":"a1b2_display"}`
	if got := h.await("homeassistant/device/a1b2/config", 3); !strings.Contains(got, want) || !strings.Contains(got, `"device_class":"temperature"`) {
		t.Errorf("got %s, want %s and a temperature", got, want)
	}
	if got := h.await("dashboard/a1b2/state", 2); got != `{"painted":"2026-05-01T12:00:00Z","stale":true,"temperature":49}` {
		t.Errorf("state: got %s", got)
	}
	on, bright := h.await("dashboard/a1b2/display", 1), h.await("dashboard/a1b2/brightness", 1)
	if on != "ON" || bright != "100" {
		t.Errorf("at first: got %s, %s", on, bright)
	}
	h.asks("display/set", "OFF", 2)
	h.asks("brightness/set", "40", 3)
	h.asks("display/set", "ON", 4)
	h.asks("display/set", "AUTO", 5)
	asked := h.asks("identify", "PRESS", 6)
	if got := strings.Join(asked, "|"); got != "dismiss|power off0s|brightness 0.4|power on0s|power auto0s|identify " {
		t.Errorf("asked %s", got)
	}
	if got := h.await("dashboard/a1b2/display", 2); got != "OFF" {
		t.Errorf("got %s", got)
	}
	if got := h.await("dashboard/a1b2/brightness", 2); got != "40" {
		t.Errorf("got %s", got)
	}
	for _, bad := range []string{"101", "-1", "NaN", "", "bright"} {
		_ = h.broker.Publish("dashboard/a1b2/brightness/set", []byte(bad), false, 1)
	}
	h.set(func(w *fake) { w.screen = false })
	if asked := h.asks("page/next", "PRESS", 7); asked[6] != "page next0s" {
		t.Errorf("asked %q: a brightness that is none is not to be done", asked)
	}
	if got := h.await("homeassistant/device/a1b2/config", 4); !strings.Contains(got, `"display":{"p":"light"}`) {
		t.Errorf("taken back: got %s", got)
	}
	if got := h.await("homeassistant/device/a1b2/config", 5); strings.Contains(got, `"display"`) {
		t.Errorf("afterwards: got %s", got)
	}
}

// TestFurtherViews: each further view is a device that is connected through the device of the main view. A reload can add or remove a
// further view. The device of this view then appears or disappears too.
func TestFurtherViews(t *testing.T) {
	h := begin(t, true, nil)
	h.await("homeassistant/device/a1b2/config", 2)
	h.set(func(w *fake) { w.hall = true })
	h.asks("dismiss", "PRESS", 1)
	got := h.await("homeassistant/device/a1b2_hall/config", 2)
	for _, want := range []string{
		`"via_device":"dashboard_a1b2"`, `"ids":["dashboard_a1b2_hall"]`, `"name":"Kitchen wall hall"`, `"avty":[{"topic":"dashboard/a1b2/status"}]`,
		`"unique_id":"a1b2_hall_theme"`, `"options":["day","night"]`, `"command_topic":"dashboard/a1b2_hall/notify"`, `"image_topic":"dashboard/a1b2_hall/picture"`, `"cu":"http://wall.lan:5000/?view=hall"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if strings.Contains(got, "stale") || strings.Contains(got, "reload") {
		t.Errorf("the hall has what the service has once: %s", got)
	}
	if got := h.await("dashboard/a1b2_hall/state", 1); got != `{"painted":null}` {
		t.Errorf("state: got %s", got)
	}
	h.heard("dashboard/a1b2_hall/page/set")
	if err := h.broker.Publish("dashboard/a1b2_hall/page/set", []byte("solar"), false, 1); err != nil {
		t.Fatal(err)
	}
	if asked := h.asks("page/set", "home", 3); !slices.Contains(asked, "page hallsolar0s") || !slices.Contains(asked, "page home0s") {
		t.Errorf("asked %q", asked)
	}
	h.set(func(w *fake) { w.hall = false })
	h.asks("dismiss", "PRESS", 4)
	if got := h.await("homeassistant/device/a1b2_hall/config", 3); got != "" {
		t.Errorf("gone: got %s", got)
	}
	if got := h.await("dashboard/a1b2_hall/theme", 2); got != "" {
		t.Errorf("its theme, gone: got %s", got)
	}
}

// TestReaders: the wall announces an e-reader as a device that is connected through the wall's device, and publishes its state. If the
// e-reader no longer exists, the wall removes the topics of the e-reader.
func TestReaders(t *testing.T) {
	t.Parallel()
	h := begin(t, true, nil)
	h.await("homeassistant/device/a1b2/config", 2)
	h.set(func(w *fake) {
		w.readers = []Reader{{ID: "917F0B", Name: "E-reader hall", Volts: 4.07, Percent: math.NaN(), Charging: true, Signal: -61, Seen: paintedAt}}
	})
	h.asks("dismiss", "PRESS", 1)
	const config = "homeassistant/device/a1b2_reader_917F0B/config"
	got := h.await(config, 1)
	for _, want := range []string{
		`"via_device":"dashboard_a1b2"`, `"ids":["dashboard_a1b2_reader_917F0B"]`, `"name":"E-reader hall"`, `"avty":[{"topic":"dashboard/a1b2/status"}]`,
		`"battery":{"device_class":"battery","entity_category":"diagnostic","name":"Battery","p":"sensor","state_class":"measurement","state_topic":"dashboard/a1b2/readers/917F0B","unique_id":"a1b2_reader_917F0B_battery","unit_of_measurement":"%","value_template":"{{ value_json.battery }}"}`,
		`"unit_of_measurement":"dBm"`, `"device_class":"voltage"`, `"device_class":"timestamp"`, `"p":"binary_sensor"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got := h.await("dashboard/a1b2/readers/917F0B", 1); got != `{"battery":null,"charging":true,"seen":"2026-05-01T12:00:00Z","signal":-61,"volts":4.07}` {
		t.Errorf("state: got %s", got)
	}
	if err := h.broker.Publish("homeassistant/status", []byte("online"), false, 1); err != nil {
		t.Fatal(err)
	}
	if again := h.await(config, 2); again != got {
		t.Errorf("announced again: got %s", again)
	}
	h.set(func(w *fake) { w.readers = nil })
	h.asks("dismiss", "PRESS", 2)
	if got := h.await(config, 3) + h.await("dashboard/a1b2/readers/917F0B", 2); got != "" {
		t.Errorf("gone: got %s", got)
	}
}

// TestSound: the broker gets the sound of a notification.
func TestSound(t *testing.T) {
	h := begin(t, true, nil)
	h.await("dashboard/a1b2/status", 1)
	h.wall.sounds <- Sound{"attic", "none"} // this view no longer exists
	h.wall.sounds <- Sound{"main", "doorbell"}
	if got := h.await("dashboard/a1b2/sound", 1); got != "doorbell" {
		t.Errorf("got %s", got)
	}
}

// TestPictureBound: a picture that is larger than MaxPicture is not published.
func TestPictureBound(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	h := begin(t, true, nil)
	h.await("dashboard/a1b2/picture", 1)
	h.set(func(w *fake) { w.size = MaxPicture + 1 })
	if err := h.broker.Publish("homeassistant/status", []byte("online"), false, 1); err != nil {
		t.Fatal(err)
	}
	h.await("homeassistant/device/a1b2/config", 3)
	h.asks("dismiss", "PRESS", 1)
	h.mu.Lock()
	defer h.mu.Unlock()
	if n := len(h.seen["dashboard/a1b2/picture"]); n != 1 {
		t.Errorf("%d pictures", n)
	}
}

// contains() reports whether two discovery payloads are equal. `got` may also have components that `want` does not have, such as buttons.
func contains(t *testing.T, got, want string) bool {
	t.Helper()
	var a, b struct {
		Cmps    map[string]any
		Avty, O any
		Dev     any
	}
	if err := errors.Join(json.Unmarshal([]byte(got), &a), json.Unmarshal([]byte(want), &b)); err != nil {
		t.Error(err)
		return false
	}
	for name, one := range a.Cmps {
		if _, known := b.Cmps[name]; !known && one.(map[string]any)["p"] != nil && platforms()[name] != "" {
			delete(a.Cmps, name)
		}
	}
	return reflect.DeepEqual(a, b)
}

package wall

import (
	"image/jpeg"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"dashboard/internal/testing/brokertest"
	"dashboard/internal/testing/homeassistanttest"

	broker "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"
)

// A wall shows entities of Home Assistant and values of a broker. The wall is also a device on the
// broker. No secret appears in its pages, messages or log.
func TestHouse(t *testing.T) {
	t.Parallel()
	home := &homeassistanttest.Server{}
	home.Put("light.hall", "on", map[string]any{"friendly_name": "Hall"})
	srv := httptest.NewServer(home)
	defer srv.Close()
	b := brokertest.Begin(t, brokertest.AnyPort, map[string]string{"wall": "sesame-secret"})
	var mu sync.Mutex
	said := map[string]string{}
	_ = b.Subscribe("#", 1, func(_ *broker.Client, _ packets.Subscription, p packets.Packet) {
		mu.Lock()
		defer mu.Unlock()
		said[p.TopicName] = string(p.Payload)
	})
	saw := func(topic, part string) func() bool {
		return func() bool { mu.Lock(); defer mu.Unlock(); return strings.Contains(said[topic], part) }
	}
	_ = b.Publish("house/bell", []byte("ring"), true, 1)

	port := freePort(t)
	p := start(t, port, files{
		"conf.yaml": wallConf(port, "logging: {level: debug}\nhomeassistant: {url: \""+srv.URL+"\", token: !secret hass}\n"+
			"mqtt: {url: \"mqtt://"+b.Address+"\", username: wall, password: !secret mqtt, id: test, name: Test wall}\nviews: {hall: {widgets: widgets.yaml}}\n"),
		"providers.yaml": "providers:\n  bell: {type: mqtt, topic: house/bell}\n",
		"secrets.yaml":   "hass: " + homeassistanttest.Token + "\nmqtt: sesame-secret\n",
		"widgets.yaml": "theme: calm\nwidgets:\n  - widget: row\n    children:\n      - {widget: card, entity: light.hall}\n" +
			"      - {widget: card, value: !data .bell}\n      - {widget: empty, color: red, when: {entity: light.hall, is: \"off\"}}\n",
	})
	eventually(t, "both have values", func() bool {
		text := p.text("/healthz")
		return strings.Contains(text, `"homeassistant"`) && strings.Count(text, `"error":null`)+strings.Count(text, `"error": null`) >= 2 && home.Clients() == 1
	})
	eventually(t, "the wall is a device", saw("homeassistant/device/test/config", `"Test wall"`))
	eventually(t, "the wall is online", saw("dashboard/test/status", "online"))
	eventually(t, "entities are asked for", func() bool { return len(home.Asked("subscribe_entities")) > 0 })
	if n := len(home.Asked("subscribe_entities")); n != 1 {
		t.Errorf("asked %d times for entities", n)
	}
	before := len(home.Asked("get_config"))
	if err := b.Publish("dashboard/test/theme/set", []byte("day"), false, 1); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the theme is another", saw("dashboard/test/theme", "day"))
	if err := b.Publish("dashboard/test/reload", []byte("PRESS"), false, 1); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the files are read again", func() bool { return strings.Contains(p.log.String(), "verb=reload via=mqtt") })
	if after := len(home.Asked("get_config")); after != before || home.Clients() != 1 {
		t.Errorf("the reload made another connection: %d questions, %d connections", after-before, home.Clients())
	}
	eventually(t, "the broker has a picture", func() bool {
		mu.Lock()
		defer mu.Unlock()
		m, err := jpeg.DecodeConfig(strings.NewReader(said["dashboard/test/picture"]))
		return err == nil && m.Width == testW && m.Height == testH
	})
	eventually(t, "the hall is a device behind it", saw("homeassistant/device/test_hall/config", `"via_device":"dashboard_test"`))
	eventually(t, "the screen is a light", saw("dashboard/test/display", "ON"))
	if err := b.Publish("dashboard/test/display/set", []byte("OFF"), false, 1); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the screen is off", saw("dashboard/test/display", "OFF"))
	if text := p.text("/power"); !strings.Contains(text, `"on":false`) {
		t.Errorf("the screen is off on the broker alone: %s", text)
	}
	for _, at := range []string{"/healthz", "/widgets", "/metrics", "/"} {
		noSecret(t, at, p.text(at))
	}
	noSecret(t, "the log", p.log.String())
	p.cancel()
	eventually(t, "the wall is offline", saw("dashboard/test/status", "offline"))
}

func noSecret(t *testing.T, where, text string) {
	t.Helper()
	for _, part := range []string{homeassistanttest.Token, "sesame-secret"} {
		if strings.Contains(text, part) {
			t.Errorf("%s shows %s: %s", where, part, text)
		}
	}
}

package wall

import (
	"encoding/json"
	"net/http/httptest"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"dashboard/internal/testing/programtest"
)

// An announcement is the part of a device's announcement that Home Assistant's MQTT integration reads.
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

// TestWalkDevice does what the section of docs/home-assistant.md about the wall in Home Assistant describes, with Debian's broker. The
// entities in the section's table appear, and each works with its announced topics. When the program is killed, all entities become
// unavailable.
func TestWalkDevice(t *testing.T) {
	t.Parallel()
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
	l.send("dashboard/a1b2/page/set", "solar", true) // an old retained message, which must have no effect
	b := launch(t, port, f)
	var told announcement
	if err := json.Unmarshal([]byte(l.says("homeassistant/device/a1b2/config", `"Kitchen wall"`)), &told); err != nil {
		t.Fatal(err)
	}
	l.checkTable(page, told)
	l.says(told.Availability[0].Topic, "online")
	l.says(told.Components["page"].State, "home") // the retained message has no effect
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

// checkTable compares the announced entities with the table in docs/home-assistant.md.
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
	want = slices.DeleteFunc(want, func(s string) bool { // config_url is not set here, and the machine may have no sensor
		return s == "Take over files" || s == "Files" || s == "Temperature" && !slices.Contains(got, s)
	})
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		l.t.Errorf("entities: got %q, want %q", got, want)
	}
}

// use() operates each entity as a person in Home Assistant would.
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

// repeats() returns a function that tests call repeatedly. It sends a message again after some seconds, because a busy machine can miss the
// effect of a message.
func (l *brokerEar) repeats(topic, payload string) func() {
	var sent time.Time
	return func() {
		if time.Since(sent) > 4*time.Second {
			sent = time.Now()
			l.send(topic, payload, false)
		}
	}
}

// speak sends notifications in each way that docs/home-assistant.md describes. Then it presses the remaining buttons.
func (l *brokerEar) speak(p site) {
	l.t.Helper()
	l.send("dashboard/a1b2/text/set", `{"id": "door", "title": "Front door", "hold": true}`, false)
	eventually(l.t, "the door is shown", func() bool { return strings.Contains(p.text("/notify"), "Front door") })
	tea := l.repeats("dashboard/a1b2/notify", "Tea is ready") // repeated, because a text is shown only for five seconds
	eventually(l.t, "the tea is shown", func() bool { tea(); return strings.Contains(p.text("/notify"), "Tea is ready") })
	l.send("dashboard/a1b2/dismiss", "anything", false)
	eventually(l.t, "they are gone", func() bool { return !strings.Contains(p.text("/notify"), "Front door") })
	l.send("dashboard/a1b2/display/set", "TOGGLE", false)
	l.says("dashboard/a1b2/display", "OFF")
	l.send("dashboard/a1b2/display/set", "AUTO", false)
	l.says("dashboard/a1b2/display", "ON")
	_, before := p.get("/frame")
	identify := l.repeats("dashboard/a1b2/identify", "anything")
	eventually(l.t, "the wall says its name", func() bool { identify(); _, now := p.get("/frame"); return now != before })
	l.send("dashboard/a1b2/reload", "anything", false)
}

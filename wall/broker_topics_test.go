package wall

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"dashboard/internal/testing/programtest"
	"dashboard/internal/testing/thorough"
)

// Debian's Mosquitto retains thousands of topics (ten thousand with -long), and a provider with a
// wildcard subscribes to them. The provider keeps a thousand topics, and /healthz reports that
// there are more. The memory stays below a limit, and the wall paints new values.
func TestTenThousandTopics(t *testing.T) {
	thorough.Only(t)
	topics := 2500
	if *inFull {
		topics = 10_000
	}
	at, serve := programtest.Mosquitto(t, brokerPassword)
	defer serve()()
	l := earOn(t, at)
	for i := range topics {
		l.send(fmt.Sprint("many/", i), `{"text": "`+strings.Repeat("x", 100)+`"}`, true)
	}
	live := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	port := freePort(t)
	before := live()
	p := start(t, port, files{"conf.yaml": wallConf(port, "mqtt: {url: \"mqtt://"+at+"\", username: wall, password: "+brokerPassword+", discovery: false}\n"),
		"providers.yaml": "providers:\n  all: {type: mqtt, topic: \"many/#\"}\n", "widgets.yaml": "widgets:\n  - {widget: text, text: !data '.all | length'}\n"})
	eventually(t, "/healthz says that there are more", func() bool { return strings.Contains(p.text("/healthz"), "more than 1000 topics") })
	passes := p.measure("dashboard_passes_total")
	for i := range 2000 {
		l.send(fmt.Sprint("many/", i), "1", true)
	}
	eventually(t, "passes of the loop", func() bool { return p.measure("dashboard_passes_total") > passes })
	p.serves("/frame", 200)
	// The limit is for the whole wall. It includes up to 4 MiB of kept messages, and the messages that are being received.
	falls(t, "bytes that are held", 24<<20, func() int { return int(live() - before) })
}

// A message from a topic cannot offer an action of a system that conf.yaml does not name. The log has the reason, and the next message is
// shown.
func TestTopicOffersWhatIsConfigured(t *testing.T) {
	at, serve := programtest.Mosquitto(t, brokerPassword)
	defer serve()()
	l, port := earOn(t, at), freePort(t)
	broker := "notifications: {mqtt: hall/say}\nmqtt: {url: \"mqtt://" + at + "\", username: wall, password: " + brokerPassword + "}\n"
	p := start(t, port, files{"conf.yaml": wallConf(port, broker), "widgets.yaml": plainWall("red")})
	shown := func(id string) bool { return strings.Contains(p.text("/notify"), `"`+id+`"`) }
	say := func(id string) func() bool {
		return func() bool { l.send("hall/say", `{"text": "x", "id": "`+id+`"}`, false); return shown(id) }
	}
	eventually(t, "the wall reads the topic", say("first"))
	l.send("hall/say", `{"text": "x", "id": "door", "actions": [{"label": "Open", "action": "lock.open", "entity": "lock.door"}]}`, false)
	eventually(t, "the log has the reason", func() bool {
		return shown("door") || strings.Contains(p.log.String(), "but conf.yaml has no 'homeassistant' or 'mqtt' for this")
	})
	eventually(t, "the next message is shown", say("last"))
	if shown("door") {
		t.Error("the message with the action is shown")
	}
}

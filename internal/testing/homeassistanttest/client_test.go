package homeassistanttest

import (
	"context"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// clientModule is the environment variable with the folder of Home Assistant's own client. Install it there with npm install
// home-assistant-js-websocket@9.7.0 ws@8.18.3.
const clientModule = "DASHBOARD_HASS_CLIENT"

// `script` is a program that uses the client. The client connects, subscribes to entities, receives one change and one removal, and sends
// some requests.
const script = `
import { createConnection, createLongLivedTokenAuth, subscribeEntities, getConfig, callService, ERR_INVALID_AUTH } from "MODULE/home-assistant-js-websocket/dist/index.js";
globalThis.WebSocket ??= (await import("MODULE/ws/wrapper.mjs")).default; // node has its own WebSocket since version 22
const url = process.argv[2];
const fail = (why) => { console.error(why); process.exit(1); };
setTimeout(() => fail("timed out"), 180000);
try {
  await createConnection({ auth: createLongLivedTokenAuth(url, "wrong") });
  fail("a wrong token was let in");
} catch (e) { if (e !== ERR_INVALID_AUTH) fail("wrong token: " + e); }
const c = await createConnection({ auth: createLongLivedTokenAuth(url, "let-me-in") });
const config = await getConfig(c);
if (config.state !== "RUNNING") fail("config: " + JSON.stringify(config));
await c.ping();
let seen = 0;
const done = new Promise((resolve) => subscribeEntities(c, (all) => {
  const lamp = all["light.hall"];
  if (seen === 0) {
    if (lamp?.state !== "off" || lamp.attributes.friendly_name !== "Hall" || !lamp.last_changed) fail("first: " + JSON.stringify(all));
    console.log("first"); seen = 1;
  } else if (seen === 1 && lamp?.state === "on") {
    if (lamp.attributes.brightness !== 120 || "effect" in lamp.attributes) fail("changed: " + JSON.stringify(lamp));
    console.log("changed"); seen = 2;
  } else if (seen === 2 && !all["sensor.gone"]) { resolve(); }
}));
await done;
await callService(c, "light", "toggle", {}, { entity_id: "light.hall" });
const past = await c.sendMessagePromise({ type: "history/history_during_period", entity_ids: ["light.hall"] });
if (past["light.hall"][0].s !== "off") fail("history: " + JSON.stringify(past));
const words = await new Promise((resolve) => c.subscribeMessage((e) => resolve(e.result), { type: "render_template", template: "words" }));
if (words !== "words") fail("template: " + words);
console.log("all");
process.exit(0);
`

// TestOfficialClient checks that Home Assistant's own client can use the server like the real one.
func TestOfficialClient(t *testing.T) {
	module := os.Getenv(clientModule)
	if module == "" {
		t.Skipf("needs node, and in the folder that %s names: npm install home-assistant-js-websocket@9.7.0 ws@8.18.3", clientModule)
	}
	s := &Server{History: map[string][]any{"light.hall": {map[string]any{"s": "off", "a": map[string]any{}, "lu": 1.5e9}}}}
	s.Put("light.hall", "off", map[string]any{"friendly_name": "Hall", "effect": "none"})
	s.Put("sensor.gone", "1", nil)
	srv := httptest.NewServer(s)
	defer srv.Close()
	file := filepath.Join(t.TempDir(), "client.mjs")
	text := strings.ReplaceAll(script, "MODULE", filepath.Join(module, "node_modules"))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", file, srv.URL)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var wrong strings.Builder
	cmd.Stderr = &wrong
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		word string
		next func()
	}{
		{"first", func() { s.Put("light.hall", "on", map[string]any{"friendly_name": "Hall", "brightness": 120}) }},
		{"changed", func() { s.Take("sensor.gone") }},
		{"all", func() {}},
	} {
		buf := make([]byte, len(step.word)+1)
		if n, err := out.Read(buf); err != nil || strings.TrimSpace(string(buf[:n])) != step.word {
			t.Fatalf("got %q, %v, want %q; the client says %s", buf[:n], err, step.word, wrong.String())
		}
		step.next()
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, wrong.String())
	}
}

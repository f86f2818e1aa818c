package verb

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestDeclarations: each declaration is complete, and each name in it refers to something that exists.
func TestDeclarations(t *testing.T) {
	names, topics, entities, routes := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	once := func(of map[string]bool, name string) {
		t.Helper()
		if name == "" || of[name] {
			t.Errorf("control/verb/list.go: %q is empty or declared twice", name)
		}
		of[name] = true
	}
	for _, v := range All() {
		once(names, v.Name)
		if !strings.HasSuffix(v.Help, ".") {
			t.Errorf("control/verb/list.go: the help of %s is no sentence: %q", v.Name, v.Help)
		}
		for _, p := range v.Params {
			if p.Help == "" || v.Param(p.Name).Name != p.Name {
				t.Errorf("control/verb/list.go: the parameter %s of %s has no help", p.Name, v.Name)
			}
		}
		for _, r := range v.Addresses() {
			once(routes, r.Method+" "+r.Path)
			for _, name := range r.InPath() {
				if v.Param(name) == nil {
					t.Errorf("control/verb/list.go: %s has no parameter %s, which is in its path", v.Name, name)
				}
			}
			if v.Allow == Inside {
				t.Errorf("control/verb/list.go: %s is only for actions inside, and has an address", v.Name)
			}
		}
		for _, topic := range v.Topics {
			once(topics, topic.Name)
			for _, e := range topic.Entities {
				once(entities, e.Name)
			}
		}
		if v.Short != nil {
			for _, name := range append([]string{v.Short.Main}, v.Short.With...) {
				if v.Param(name) == nil {
					t.Errorf("control/verb/list.go: %s has no parameter %s, which its short form names", v.Name, name)
				}
			}
		}
	}
}

// TestDecode: a body is decoded as the verb declares, and each mistake is rejected with its reason.
func TestDecode(t *testing.T) {
	for _, tt := range []struct{ verb, body, want string }{
		{"page", `{"page":"solar","hold":90.5}`, ""},
		{"page", `{"page":"solar","hold":null}`, ""},
		{"page", `{}`, "'page' is required: the name of a page"},
		{"page", `{"page":7}`, "the body must be a JSON object: 'page' must be a text"},
		{"page", `{"page":"x","view":7}`, "'view' must be a text"},
		{"page", `{"page":"x","hold":1e300}`, "'hold' must be between"},
		{"page", `{"page":"` + strings.Repeat("x", MaxText+1) + `"}`, "at most 255 bytes"},
		{"page", `{"page":"x","speed":1}`, `unknown field "speed"; known: page, hold`},
		{"page", "{\"page\": \"x\",\n \"hold\" 3}", "line 2, column 9: invalid character '3' after object key"},
		{"page", `{"page":"Küche",}`, "line 1, column 17: invalid character '}'"},
		{"page", `{"page":"x`, "it ends too soon"},
		{"page", `{"page":"x"}]`, "more than one JSON object"},
		{"power", `{"state":"dim"}`, "'state' must be one of"},
		{"power", `{"state":"on","for":0}`, "'for' must be seconds above 0"},
		{"brightness", `{"brightness":"40%"}`, ""},
		{"brightness", `{"brightness":"auto"}`, ""},
		{"brightness", `{"brightness":"NaN%"}`, "must be a share"},
		{"brightness", `{"brightness":-1}`, "must be a share"},
		{"timer", `{"name":"tea","action":"start","duration":1e-12}`, "'duration' must be"},
		{"choose", `{"id":"a","action":1.5}`, "'action' must be a whole number"},
	} {
		v := Find(tt.verb)
		a, _, err := v.Decode([]byte(tt.body), false)
		if err == nil {
			err = v.Check(a)
		}
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s %.60s: got %v, want %q", tt.verb, tt.body, err, tt.want)
		}
	}
	a, view, err := Find("page").Decode([]byte(`{"page":"solar","hold":90.5,"view":"hall"}`), false)
	if err != nil || view != "hall" || a.Text("page") != "solar" || a.Time("hold") != 90500*time.Millisecond {
		t.Errorf("got %v, %q, %v", a, view, err)
	}
}

// TestLoose: if `loose` is set, Decode accepts an invalid body, as Grydgets does. Check then returns ErrMode, because the theme's mode is
// missing or invalid.
func TestLoose(t *testing.T) {
	v := Find("theme")
	for _, body := range []string{"", "[]", `"day"`, `{"mode":7}`, `{"mode":null}`, `{"x":1}`} {
		a, _, err := v.Decode([]byte(body), true)
		if err != nil || !errors.Is(v.Check(a), ErrMode) {
			t.Errorf("%s: got %v, %v", body, a, err)
		}
	}
	if a, _, err := v.Decode([]byte(`{"mode":"day","x":[]}`), true); err != nil || a.Text("mode") != "day" || v.Check(a) != nil {
		t.Errorf("got %v, %v", a, err)
	}
}

// FuzzDecode: for every body, Decode returns valid arguments or a short error.
func FuzzDecode(f *testing.F) {
	for i := range All() {
		f.Add(i, []byte(`{"page":"x","hold":1,"state":"on","brightness":0.5,"name":"t","action":"start","id":"a"}`))
		f.Add(i, []byte(`{"brightness":1e400}`))
	}
	f.Fuzz(func(t *testing.T, i int, body []byte) {
		all := All()
		v := &all[(i%len(all)+len(all))%len(all)]
		a, _, err := v.Decode(body, i%2 == 0)
		if err != nil {
			if len(err.Error()) > len(body)+400 {
				t.Errorf("a long refusal: %s", err)
			}
			return
		}
		for name, value := range a {
			if p := v.Param(name); p == nil {
				t.Errorf("%s: unknown argument %s", v.Name, name)
			} else if d, ok := value.(time.Duration); ok && p.check(d) == nil && (d < 0 || p.Max > 0 && d.Seconds() > p.Max) {
				t.Errorf("%s: %v is above the limit", name, d)
			}
		}
	})
}

// TestBrief: Brief reads short forms, and Payload reads payloads of the broker.
func TestBrief(t *testing.T) {
	a, err := Find("timer").Brief(map[string]json.RawMessage{"timer": json.RawMessage(`"tea"`)})
	if err != nil || a.Text("name") != "tea" || a.Text("action") != "toggle" {
		t.Errorf("got %v, %v", a, err)
	}
	v := Find("theme")
	for range 20 { // the order of a map's keys is random
		if a, err = v.Brief(map[string]json.RawMessage{"theme": json.RawMessage(`"day"`), "mode": json.RawMessage(`"night"`)}); err == nil {
			t.Fatalf("two values of one argument: got %v", a)
		}
	}
	if a, err = v.Payload(v.Topics[0], []byte("DAY")); err != nil || a.Text("mode") != "day" || a.Text("hold") != "forever" {
		t.Errorf("got %v, %v", a, err)
	}
	if a, err = v.Payload(v.Topics[0], []byte(`{"mode": "day"}`)); err != nil || a.Text("hold") != "forever" {
		t.Errorf("an object: got %v, %v", a, err)
	}
	v = Find("todo")
	for _, topic := range v.Topics {
		_, want, _ := strings.Cut(topic.Name, "/")
		for _, payload := range []string{"Milk", `{"item": "Milk"}`, `{"item": "Milk", "list": "shop"}`} {
			if a, err = v.Payload(topic, []byte(payload)); err != nil || a.Text("item") != "Milk" || a.Text("action") != want {
				t.Errorf("%s with %s: got %v, %v", topic.Name, payload, a, err)
			}
		}
	}
	v = Find("brightness")
	for payload, want := range map[string]float64{"40": 0.4, "0": 0} {
		if a, err = v.Payload(v.Topics[0], []byte(payload)); err != nil || a.Float("brightness") != want {
			t.Errorf("%s: got %v, %v", payload, a, err)
		}
	}
	for _, payload := range []string{"", "140", "NaN", `{"brightness":1}`} {
		if a, err = v.Payload(v.Topics[0], []byte(payload)); err == nil {
			t.Errorf("%s: got %v", payload, a)
		}
	}
	if !slices.Equal(Shorts(false), slices.DeleteFunc(Shorts(true), func(s string) bool { return s == "mqtt" || s == "url" })) {
		t.Errorf("got %v in files, %v on buttons", Shorts(false), Shorts(true))
	}
}

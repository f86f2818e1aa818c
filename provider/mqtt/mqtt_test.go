package mqtt

import (
	"fmt"
	"github.com/eclipse/paho.golang/paho"
	"log/slog"
	"net"
	"reflect"
	"strings"
	"testing"
	"time"

	"dashboard/config/value"
	"dashboard/internal/budget"
	"dashboard/internal/testing/brokertest"
	"dashboard/internal/testing/programtest"
	"dashboard/internal/testing/thorough"
	"dashboard/provider"
)

func TestMain(m *testing.M) { programtest.MainWithoutLeaks(m) }

// broker starts a broker that accepts the wall.
func broker(t *testing.T, address string) *brokertest.Broker {
	t.Helper()
	return brokertest.Begin(t, address, map[string]string{"wall": "right"})
}

// run runs a provider until the test ends.
func run(t *testing.T, p *Params, b *Broker) *provider.Cell {
	t.Helper()
	m := provider.NewManager(budget.New(), func() {}, slog.New(slog.DiscardHandler))
	t.Cleanup(m.Close)
	own := *b // a broker disconnects a client if another client connects with the same ID
	own.ClientID += p.Topic
	own.Username = "wall"
	if own.Password == "" {
		own.Password = "right"
	}
	b = &own
	key, v, err := New(p, b, m.Sessions())
	if err != nil {
		t.Fatal(err)
	}
	set := m.Begin()
	cell := set.Add(key, v)
	m.Commit(set)
	return cell
}

// await waits until `ok` returns true for a sample of the cell.
func await(t *testing.T, cell *provider.Cell, what string, ok func(s *provider.Sample) bool) {
	t.Helper()
	changed := make(chan struct{}, 1)
	defer cell.Watch(changed)()
	late := time.After(programtest.Patience)
	for !ok(cell.Load()) {
		select {
		case <-changed:
		case <-late:
			t.Fatalf("%s: got %+v", what, *cell.Load())
		}
	}
}

func is(v any) func(*provider.Sample) bool {
	return func(s *provider.Sample) bool { return s.Has() && reflect.DeepEqual(s.Value, v) && s.Err == nil }
}

func TestTopics(t *testing.T) {
	t.Parallel()
	s := broker(t, brokertest.AnyPort)
	b := &Broker{URL: "mqtt://" + s.Address, ClientID: "wall"}
	if err := s.Publish("home/a", []byte(`{"x": 1}`), true, 1); err != nil {
		t.Fatal(err)
	}
	one := run(t, &Params{Topic: "home/a"}, b)
	await(t, one, "a retained value", is(map[string]any{"x": 1}))
	_ = s.Publish("home/a", []byte("plain text"), false, 1)
	await(t, one, "a text", is("plain text"))
	_ = s.Publish("home/a", []byte(strings.Repeat("x", MaxPayload+1)), false, 1)
	await(t, one, "too large", func(s *provider.Sample) bool { return s.Err == errLarge && s.Value == "plain text" })

	many := run(t, &Params{Topic: "home/+"}, b)
	await(t, many, "a mapping", is(map[string]any{"home/a": map[string]any{"x": 1}}))
	_ = s.Publish("home/b", []byte("2"), false, 1)
	_ = s.Publish("home/b/c", []byte("3"), false, 1)
	await(t, many, "two topics", is(map[string]any{"home/a": map[string]any{"x": 1}, "home/b": 2}))

	short := run(t, &Params{Topic: "bell", Expire: value.Duration(300 * time.Millisecond)}, b)
	var rung any
	programtest.Eventually(t, "a bell", func() bool { // the first messages may come before the subscription
		_ = s.Publish("bell", []byte("ring"), false, 1)
		rung = short.Load().Value // reads the value here, because the value may have expired at the next read
		return rung != nil
	})
	if rung != "ring" {
		t.Errorf("got %v, want ring", rung)
	}
	await(t, short, "after its time", func(s *provider.Sample) bool { return s.Value == nil && s.Err == nil })
}

// All users of one definition of a broker share one connection.
func TestOneConnection(t *testing.T) {
	s := broker(t, brokertest.AnyPort)
	b := &Broker{URL: "mqtt://" + s.Address, ClientID: "wall", Username: "wall", Password: "right"}
	m := provider.NewManager(budget.New(), func() {}, slog.New(slog.DiscardHandler))
	defer m.Close()
	set := m.Begin()
	var cells []*provider.Cell
	for i := range 5 {
		_ = s.Publish(fmt.Sprint("n/", i), []byte("1"), true, 1)
		key, v, err := New(&Params{Topic: fmt.Sprint("n/", i)}, b, m.Sessions())
		if err != nil {
			t.Fatal(err)
		}
		cells = append(cells, set.Add(key, v))
	}
	m.Commit(set)
	for _, c := range cells {
		await(t, c, "a value", is(1))
	}
	if n := m.Sessions().Len(); n != 1 {
		t.Errorf("%d connections, want 1", n)
	}
}

// While the broker is away, the value stays, and the sample has an error. When the broker is back, the wall subscribes again.
func TestBrokerAway(t *testing.T) {
	s := broker(t, fmt.Sprintf("127.0.0.1:%d", programtest.FreePort(t)))
	cell := run(t, &Params{Topic: "a"}, &Broker{URL: "mqtt://" + s.Address, ClientID: "wall"})
	_ = s.Publish("a", []byte("1"), true, 1)
	await(t, cell, "before", is(1))
	_ = s.Close()
	await(t, cell, "away", func(s *provider.Sample) bool { return s.Err != nil && s.Value == 1 })
	s = broker(t, s.Address)
	_ = s.Publish("a", []byte("2"), true, 1)
	await(t, cell, "back", is(2))
}

func TestWrongPassword(t *testing.T) {
	s := broker(t, brokertest.AnyPort)
	cell := run(t, &Params{Topic: "a"}, &Broker{URL: "mqtt://" + s.Address, Username: "wall", Password: "wrong-secret", ClientID: "w"})
	await(t, cell, "refused", func(s *provider.Sample) bool { // the first attempt may time out
		if s.Err != nil && strings.Contains(s.Err.Error(), "wrong-secret") {
			t.Errorf("got %v", s.Err)
		}
		return s.Err != nil && strings.Contains(s.Err.Error(), "refuses")
	})
}

// A server that is not a broker causes an error and no other problem.
func TestHostileBrokers(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	connack := []byte{0x20, 0x03, 0x00, 0x00, 0x00}
	for name, c := range map[string]struct {
		say  []byte
		want string
	}{
		"http":          {[]byte("HTTP/1.1 400 Bad Request\r\n\r\n"), ""},
		"bomb":          {append(connack, 0x30, 0xff, 0xff, 0xff, 0x7f), ""},
		"malformed":     {append(connack, 0x30, 0xff, 0xff, 0xff, 0xff, 0xff), ""},
		"half":          {[]byte{0x20, 0x03, 0x00}, ""},
		"nothing":       {[]byte{}, ""},
		"zeros":         {make([]byte, 1000), ""},
		"an old one":    {[]byte{0x20, 0x02, 0x00, 0x01}, "speaks neither MQTT 5 nor 3.1.1"},
		"wrong version": {[]byte{0x20, 0x03, 0x00, 0x84, 0x00}, "speaks neither MQTT 5 nor 3.1.1"},
	} {
		t.Run(name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			done := make(chan struct{})
			go func() {
				defer close(done)
				for {
					conn, err := l.Accept()
					if err != nil {
						return
					}
					buf := make([]byte, 256)
					_, _ = conn.Read(buf)
					_, _ = conn.Write(c.say)
					_ = conn.Close()
				}
			}()
			cell := run(t, &Params{Topic: "a"}, &Broker{URL: "mqtt://" + l.Addr().String(), ClientID: "w"})
			await(t, cell, "an error with "+c.want, func(s *provider.Sample) bool { return s.Err != nil && strings.Contains(s.Err.Error(), c.want) })
			l.Close()
			<-done
		})
	}
}

// The header of a packet that is too large ends the connection before memory for the packet is allocated.
func TestBounded(t *testing.T) {
	for name, c := range map[string]struct {
		bytes []byte
		bad   bool
	}{
		"small ones":  {append([]byte{0xd0, 0x00, 0x30, 0x02, 1, 2, 0xd0, 0x00}, 0x30, 0x80, 0x01), false},
		"the largest": {[]byte{0x30, 0x80, 0x80, 0x40}, false},
		"one more":    {[]byte{0x30, 0x81, 0x80, 0x40}, true},
		"the most":    {[]byte{0xd0, 0x00, 0x30, 0xff, 0xff, 0xff, 0x7f}, true},
		"endless":     {[]byte{0x30, 0x80, 0x80, 0x80, 0x80}, true},
	} {
		whole, pieces := &bounded{}, &bounded{}
		err := whole.follow(c.bytes)
		var inPieces error
		for _, x := range c.bytes {
			if e := pieces.follow([]byte{x}); e != nil && inPieces == nil {
				inPieces = e
			}
		}
		if (err != nil) != c.bad || (inPieces != nil) != c.bad {
			t.Errorf("%s: got %v, %v", name, err, inPieces)
		}
	}
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		filter, topic string
		want          bool
	}{
		{"a/b", "a/b", true}, {"a/b", "a/b/c", false}, {"a/b/c", "a/b", false}, {"a/+", "a/b", true}, {"a/+", "a", false}, {"a/+", "a/", true},
		{"a/+/c", "a/b/c", true}, {"a/#", "a/b/c", true}, {"a/#", "a", true}, {"#", "a/b", true}, {"#", "$SYS/x", false}, {"+/x", "$SYS/x", false},
		{"$SYS/#", "$SYS/x", true}, {"+", "a", true}, {"+", "/a", false}, {"+/+", "/a", true}, {"/+", "/a", true}, {"a", "b", false},
	} {
		if got := Match(c.filter, c.topic); got != c.want {
			t.Errorf("%s, %s: got %v", c.filter, c.topic, got)
		}
	}
	for filter, good := range map[string]bool{"a": true, "#": true, "a/#": true, "+/a": true, "": false, "a#": false, "#/a": false, "a+/b": false, "a/b+": false, strings.Repeat("x", maxTopic+1): false} {
		if err := CheckFilter(filter); (err == nil) != good {
			t.Errorf("%.20q: got %v", filter, err)
		}
	}
}

func TestBounds(t *testing.T) {
	h := &held{wild: true, at: map[string]*arrived{}, more: make(chan struct{}, 1)}
	for i := range MaxTopics + 10 {
		h.take(t.Context(), Message{Topic: fmt.Sprint("t/", i), Payload: []byte("1")})
	}
	cell := provider.NewCell(nil)
	h.tell(cell, time.Now())
	if all, _ := cell.Load().Value.(map[string]any); len(all) != MaxTopics || cell.Load().Err != errFull {
		t.Errorf("%d topics, %v", len(all), cell.Load().Err)
	}
	for i := range 40 {
		h.take(t.Context(), Message{Topic: fmt.Sprint("t/", i), Payload: []byte(`"` + strings.Repeat("x", MaxPayload-2) + `"`)})
	}
	if h.bytes > maxHeld {
		t.Errorf("%d bytes are held", h.bytes)
	}
	h.take(t.Context(), Message{Topic: "t/0"})
	if h.at["t/0"] != nil {
		t.Error("a message that was taken away is still there")
	}
}

func TestMistakes(t *testing.T) {
	usual := &Broker{URL: "mqtt://b"}
	for want, c := range map[string]struct {
		p Params
		b *Broker
	}{
		"topic: must be":                {Params{}, usual},
		"topic: has a #":                {Params{Topic: "a#"}, usual},
		"broker: is missing":            {Params{Topic: "a"}, nil},
		`broker: url: begins with "htt`: {Params{Topic: "a", Broker: &BrokerParams{URL: "http://b"}}, usual},
		"broker: url: has a user":       {Params{Topic: "a", Broker: &BrokerParams{URL: "mqtt://u:p@b"}}, usual},
		"broker: url: has the port 99999: a port is at most 65535": {Params{Topic: "a", Broker: &BrokerParams{URL: "mqtt://b.lan:99999"}}, usual},
		"broker: url: must be": {Params{Topic: "a", Broker: &BrokerParams{URL: "b.lan"}}, usual},
	} {
		if _, _, err := New(&c.p, c.b, nil); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// FuzzPayload reads any payload on any topic. No limit is exceeded. A filter without wildcards matches only its topic. The result is the
// same whether packets arrive in one piece or byte by byte.
func FuzzPayload(f *testing.F) {
	f.Add("a/+/c", "a/b/c", []byte(`{"x": [1, 2.5, null]}`))
	f.Add("#", "$SYS/x", []byte("21.5"))
	f.Add("a/#", "a", []byte{0xff, 0xfe})
	f.Fuzz(func(t *testing.T, filter, topic string, payload []byte) {
		if CheckFilter(filter) == nil && !Wild(filter) && Match(filter, topic) != (filter == topic) && !strings.HasPrefix(topic, "$") {
			t.Errorf("%q passes %q", filter, topic)
		}
		Match(filter, topic)
		whole, pieces := &bounded{}, &bounded{}
		err := whole.follow(payload)
		var inPieces error
		for i := range payload {
			if inPieces = pieces.follow(payload[i : i+1]); inPieces != nil {
				break
			}
		}
		if (err == nil) != (inPieces == nil) {
			t.Errorf("in one: %v, in pieces: %v", err, inPieces)
		}
		h := &held{wild: true, at: map[string]*arrived{}, more: make(chan struct{}, 1)}
		for range 2 {
			h.take(t.Context(), Message{Topic: topic, Payload: payload})
		}
		if h.bytes < 0 || h.bytes > maxHeld || len(h.at) > 1 {
			t.Errorf("%d bytes of %d topics are held", h.bytes, len(h.at))
		}
	})
}

// When a wall connects, the wall sends two limits to the broker: the maximum number of messages that the wall has not read yet, and the
// maximum size of a packet.
func TestUnread(t *testing.T) {
	p, err := packet(&paho.Connect{}, nil)
	if err != nil || *p.Properties.ReceiveMaximum != maxUnread || *p.Properties.MaximumPacketSize != MaxPacket {
		t.Errorf("got %+v, %v", p.Properties, err)
	}
}

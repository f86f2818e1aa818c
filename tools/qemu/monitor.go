package qemu

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"time"
)

// A Monitor is a connection to QEMU's control socket (docs/interop/qmp-spec). It sends JSON commands, reads results, and ignores events.
type Monitor struct {
	conn net.Conn
	in   *json.Decoder
	out  *json.Encoder
}

const (
	dialPause  = 10 * time.Millisecond // pause between two attempts to connect to a socket that QEMU has not created yet
	answerTime = 5 * time.Minute       // bound of the wait for an answer. screendump takes 0.1 s, but much longer on a busy machine
)

// Dial waits until a socket exists, and connects to it. It returns an error when the channel `dead` is closed, because the socket will
// never exist then.
func Dial(ctx context.Context, path string, dead <-chan struct{}) (net.Conn, error) {
	for {
		conn, err := net.Dial("unix", path)
		if err == nil {
			return conn, nil
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%w: %w", ctx.Err(), err)
		case <-dead:
			return nil, errors.New("qemu ended")
		case <-time.After(dialPause):
		}
	}
}

// NewMonitor reads QEMU's greeting and sends the required answer.
func NewMonitor(conn net.Conn) (Monitor, error) {
	m := Monitor{conn: conn, in: json.NewDecoder(conn), out: json.NewEncoder(conn)}
	var greeting map[string]any
	if err := m.in.Decode(&greeting); err != nil {
		return m, fmt.Errorf("qmp: %w", err)
	}
	return m, m.Do("qmp_capabilities", nil)
}

// Do runs a command and waits until it has ended. `arguments` may be nil.
func (m *Monitor) Do(name string, arguments map[string]any) error {
	_, err := m.ask(name, arguments)
	return err
}

// status() runs a command whose result contains a status. It returns the status, which is one word.
func (m *Monitor) status(name string) (string, error) {
	answer, err := m.ask(name, nil)
	if err != nil {
		return "", err
	}
	var a struct{ Status string }
	return a.Status, json.Unmarshal(answer, &a)
}

// ask runs a command and returns its result.
func (m *Monitor) ask(name string, arguments map[string]any) (json.RawMessage, error) {
	if err := m.conn.SetDeadline(time.Now().Add(answerTime)); err != nil {
		return nil, err
	}
	command := map[string]any{"execute": name}
	if arguments != nil {
		command["arguments"] = arguments
	}
	if err := m.out.Encode(command); err != nil {
		return nil, fmt.Errorf("qmp: %s: %w", name, err)
	}
	for {
		var a struct {
			Return json.RawMessage
			Error  *struct{ Desc string }
		}
		err := m.in.Decode(&a)
		switch {
		case err != nil:
			return nil, fmt.Errorf("qmp: %s: %w", name, err)
		case a.Error != nil:
			return nil, fmt.Errorf("qmp: %s: %s", name, a.Error.Desc)
		case a.Return != nil:
			return a.Return, nil
		}
	}
}

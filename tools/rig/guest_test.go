package rig

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"
	"time"

	"dashboard/tools/rig/wire"
)

// A guest is the machine's first process. The rig sends requests to it over a serial line.
type guest struct {
	conn    net.Conn
	in      *bufio.Scanner
	out     *json.Encoder
	last    int // ID of the last request
	release string
}

var errCut = errors.New("the line was cut")

const (
	bootTime   = 5 * time.Minute // time limit from QEMU's start to the guest's first response, on a busy machine
	answerTime = 3 * time.Minute // time limit for a response, in addition to the time that the request itself waits
)

// newGuest waits for the first response of the guest.
func newGuest(conn net.Conn) (*guest, error) {
	g := &guest{conn: conn, in: bufio.NewScanner(conn), out: json.NewEncoder(conn)}
	g.in.Buffer(nil, wire.MaxLine)
	a, err := g.answer(0, bootTime)
	g.release = a.Text
	return g, err
}

// answer reads the response with an ID.
func (g *guest) answer(id int, limit time.Duration) (wire.Response, error) {
	var a wire.Response
	if err := g.conn.SetReadDeadline(time.Now().Add(limit)); err != nil {
		return a, err
	}
	for g.in.Scan() {
		a = wire.Response{}
		err := json.Unmarshal(g.in.Bytes(), &a)
		if err != nil && id == 0 {
			continue // the kernel has sent these bytes to the serial port to identify the port
		}
		if err != nil {
			return a, fmt.Errorf("guest: %w in %q", err, g.in.Text())
		}
		if a.ID != id {
			continue
		}
		if a.Error != "" {
			return a, errors.New("guest: " + a.Error)
		}
		return a, nil
	}
	return a, fmt.Errorf("guest: %w", cmp.Or(g.in.Err(), errCut))
}

// ask sends a request to the guest and returns the answer.
func (g *guest) ask(q wire.Request) (wire.Response, error) {
	g.last++
	q.ID = g.last
	if err := g.out.Encode(q); err != nil {
		return wire.Response{}, fmt.Errorf("guest: %w", err)
	}
	a, err := g.answer(q.ID, answerTime+time.Duration(q.Millis)*time.Millisecond)
	if err != nil {
		err = fmt.Errorf("%s: %w", q.Op, err)
	}
	return a, err
}

func (g *guest) write(path, text string) error {
	_, err := g.ask(wire.Request{Op: wire.Write, Path: path, Data: []byte(text)})
	return err
}

func (g *guest) read(path string) (string, error) {
	a, err := g.ask(wire.Request{Op: wire.Read, Path: path})
	return a.Text, err
}

func (g *guest) load(modules []string) error {
	_, err := g.ask(wire.Request{Op: wire.Load, Args: modules})
	return err
}

// startAs starts a program for a user and returns its process ID. If `tty` is not empty, the program runs on this terminal.
func (g *guest) startAs(user int, tty string, args ...string) (int, error) {
	a, err := g.ask(wire.Request{Op: wire.Start, Args: args, User: user, TTY: tty})
	return a.Num, err
}

// list returns the names in a folder.
func (g *guest) list(path string) ([]string, error) {
	a, err := g.ask(wire.Request{Op: wire.List, Path: path})
	return strings.Fields(a.Text), err
}

// permit gives a device to group video.
func (g *guest) permit(path string) error {
	_, err := g.ask(wire.Request{Op: wire.Permit, Path: path})
	return err
}

// remove removes a path and its contents.
func (g *guest) remove(path string) error {
	_, err := g.ask(wire.Request{Op: wire.Remove, Path: path})
	return err
}

// fetch requests the address `url` in the guest and returns the answer.
func (g *guest) fetch(url string) (string, error) {
	a, err := g.ask(wire.Request{Op: wire.Fetch, Path: url})
	return a.Text, err
}

// start starts a program and returns its process ID.
func (g *guest) start(env []string, args ...string) (int, error) {
	a, err := g.ask(wire.Request{Op: wire.Start, Args: args, Env: env})
	return a.Num, err
}

func (g *guest) signal(pid int, s syscall.Signal) error {
	_, err := g.ask(wire.Request{Op: wire.Signal, PID: pid, Num: int(s)})
	return err
}

// wait waits until a process has ended. Response.Ended reports whether it ended before the limit.
func (g *guest) wait(pid int, limit time.Duration) (wire.Response, error) {
	return g.ask(wire.Request{Op: wire.Wait, PID: pid, Millis: int(limit.Milliseconds())})
}

// log returns the end of a process's output, or the error of the attempt to read it.
func (g *guest) log(pid int) string {
	a, err := g.ask(wire.Request{Op: wire.Log, PID: pid})
	if err != nil {
		return err.Error()
	}
	return a.Text
}

func (g *guest) terminal(path string) (wire.Response, error) {
	return g.ask(wire.Request{Op: wire.Terminal, Path: path})
}

// activate requests another virtual terminal. It does not wait for the switch.
func (g *guest) activate(n int) error {
	_, err := g.ask(wire.Request{Op: wire.Activate, Num: n})
	return err
}

// network gives the machine's first network interface an address.
func (g *guest) network(address string) error {
	_, err := g.ask(wire.Request{Op: wire.Network, Path: "eth0", Args: []string{address}})
	return err
}

// fill overwrites the whole framebuffer.
func (g *guest) fill(b byte) error {
	_, err := g.ask(wire.Request{Op: wire.Fill, Path: "/dev/fb0", Num: int(b)})
	return err
}

package rig

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math/rand/v2"
	"net"
	"net/http"
	"os/exec"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"dashboard/internal/testing/programtest"
)

// A service is the dashboard on the host. It shows the wall in a folder and sends it to a remote screen.
type service struct {
	program, folder string
	port            int
	cmd             *exec.Cmd // nil if it is not running
	log             programtest.Log
}

// serviceToken is the token that the remote screen must send.
const serviceToken = "the-right-one"

// newService writes a service's configuration: a wall with the given size and a widget that shows the value of `source`.
func newService(program, folder string, size image.Point, source string) (*service, error) {
	s := &service{program: program, folder: folder}
	var err error
	if s.port, err = freePort(); err != nil {
		return nil, err
	}
	conf, err := fillIn("service", map[string]any{"Port": s.port, "Token": serviceToken, "Width": size.X, "Height": size.Y})
	if err != nil {
		return nil, err
	}
	widgets, err := fillIn("remote", map[string]any{"Source": source})
	if err != nil {
		return nil, err
	}
	gradient, err := rainbowFile()
	if err != nil {
		return nil, err
	}
	return s, writeFiles(folder, map[string][]byte{"conf.yaml": conf, "widgets.yaml": widgets, gradientFile: gradient})
}

// freePort returns a port without a listener. The kernel gives outgoing connections higher ports, so none of them takes the port while
// the service restarts.
func freePort() (port int, err error) {
	const first, last = 20000, 32000
	for range 100 {
		port = first + rand.IntN(last-first)
		var l net.Listener
		if l, err = net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))); err == nil {
			return port, l.Close()
		}
	}
	return 0, err
}

// start starts the service if it is not running, and waits until it accepts connections.
func (s *service) start() error {
	if s.cmd != nil {
		return nil
	}
	s.cmd = exec.Command(s.program, "--config-dir", s.folder)
	s.cmd.Stdout, s.cmd.Stderr = &s.log, &s.log
	if err := s.cmd.Start(); err != nil {
		s.cmd = nil
		return err
	}
	for end := time.Now().Add(showTime); ; time.Sleep(lookPause) {
		conn, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)))
		if err == nil {
			return conn.Close()
		}
		if time.Now().After(end) {
			return fmt.Errorf("the service: %w: %s", err, s.log.String())
		}
	}
}

// end ends the service with a signal if it is running.
func (s *service) end(signal syscall.Signal) error {
	if s.cmd == nil {
		return nil
	}
	err := s.cmd.Process.Signal(signal)
	var status *exec.ExitError
	if end := s.cmd.Wait(); !errors.As(end, &status) { // the exit status does not matter here
		err = errors.Join(err, end)
	}
	s.cmd = nil
	return err
}

// A source is an emulated thermometer on the network. The rig sets its value.
type source struct {
	value atomic.Int64
	http  http.Server
	url   string
}

func newSource(ctx context.Context) (*source, error) {
	s := &source{}
	var listen net.ListenConfig
	l, err := listen.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s.url = "http://" + l.Addr().String() + "/"
	s.http.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"value": %d}`, s.value.Load())
	})
	go func() { _ = s.http.Serve(l) }() // ends when close() is called
	return s, nil
}

func (s *source) close() { _ = s.http.Close() }

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"syscall"
	"time"

	"dashboard/config"
	"dashboard/control/verb"
	"dashboard/wall"
	"dashboard/wall/address"
	"dashboard/wall/daemon"
)

const (
	// askTime is the timeout of a request to a running dashboard. On a small board, it takes seconds to reload a large wall.
	askTime = 30 * time.Second
	// healthTime is the time within which a healthy wall must answer.
	healthTime = 5 * time.Second
	// maxReply is the maximum number of bytes that are read from an answer.
	maxReply = 1 << 20
)

// A remote is a running dashboard to which the program sends requests.
type remote struct {
	base  *url.URL
	token *string // control token, or nil if conf.yaml has none
}

// running() returns the dashboard that runs at the address in conf.yaml. If --url is set, it returns the dashboard at that URL.
func (o *options) running() (*remote, error) {
	r := &config.Report{}
	conf, ok := config.LoadConf(o.wall.Open(), config.ConfName, r, daemon.Secrets(o.wall.Open()))
	if !ok && o.URL == "" {
		return nil, fmt.Errorf("%w; --url says where the dashboard is", r.Err())
	}
	at := &remote{}
	if ok {
		at.base = &url.URL{Scheme: "http", Host: net.JoinHostPort(address.Reachable(conf.Server.Host), strconv.Itoa(conf.Server.Port)), Path: "/"}
		at.token = conf.Server.Auth.ControlToken
	}
	if o.URL == "" {
		return at, nil
	}
	u, err := url.Parse(o.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("--url %s: want an address such as http://127.0.0.1:5000/", o.URL)
	}
	at.base = u
	return at, nil
}

// ask sends a request. It returns the status and at most maxReply bytes of the body.
func (r *remote) ask(ctx context.Context, method, path string) (int, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, r.base.JoinPath(path).String(), nil)
	if err != nil {
		return 0, nil, err
	}
	if r.token != nil {
		req.Header.Set("Authorization", "Bearer "+*r.token)
	}
	resp, err := (&http.Client{Transport: &http.Transport{Proxy: nil, DisableKeepAlives: true}}).Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxReply))
	return resp.StatusCode, body, err
}

// unanswered() returns the error for a request that got no answer. If no program listens at the address, the error explains how to start
// the wall.
func (o *options) unanswered(at *remote, err error) error {
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return fmt.Errorf("no dashboard answers: %w", err)
	}
	if o.URL != "" {
		return fmt.Errorf("no wall runs at %s: connection refused", at.base)
	}
	return fmt.Errorf("no wall runs at %s: connection refused; '%s' starts it, --url URL asks another address", at.base, o.suggest(""))
}

// A reply is the answer of a dashboard.
type reply struct {
	Error       string
	Diagnostics []struct {
		File, Severity, Message, Near string
		Line, Column                  int
	}
}

// askReload makes the running dashboard read its files again, and prints the result.
func (o *options) askReload(ctx context.Context, stdout io.Writer) error {
	at, err := o.running()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	if _, _, err := o.healthOf(ctx, at); err != nil {
		return err
	}
	route := verb.Find("reload").Addresses()[0]
	status, body, err := at.ask(ctx, route.Method, route.Path)
	if err != nil {
		return o.unanswered(at, err)
	}
	var says reply
	if err := json.Unmarshal(body, &says); err != nil {
		return fmt.Errorf("%s answered with status %d, but not like a dashboard", at.base, status)
	}
	for _, d := range says.Diagnostics {
		fmt.Fprintln(stdout, config.Diagnostic{File: d.File, Line: d.Line, Column: d.Column, Message: d.Severity + ": " + d.Message, Near: d.Near})
	}
	if status != http.StatusOK {
		return fmt.Errorf("not reloaded: %s", says.Error)
	}
	fmt.Fprintln(stdout, "Reloaded.")
	return nil
}

// askHealth requests the health of the running dashboard. If the dashboard is not healthy, it returns an error.
func (o *options) askHealth(ctx context.Context, stdout io.Writer) error {
	at, err := o.running()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	status, body, err := o.healthOf(ctx, at)
	switch {
	case err != nil:
		return err
	case status != http.StatusOK:
		return fmt.Errorf("not well: %s answers %d: %s", at.base, status, bytes.TrimSpace(body[:min(len(body), 400)]))
	}
	fmt.Fprintln(stdout, "well")
	return nil
}

// healthOf requests the health of the wall at an address. If the wall shows another folder than the command line names, it returns an error,
// because any wall may use the port in conf.yaml. With --url, any wall is right.
func (o *options) healthOf(ctx context.Context, at *remote) (status int, body []byte, err error) {
	open := remote{base: at.base} // /healthz needs no token
	if status, body, err = open.ask(ctx, http.MethodGet, "healthz"); err != nil {
		return 0, nil, o.unanswered(at, err)
	}
	var says struct{ Config struct{ Folder string } }
	_ = json.Unmarshal(body, &says) // another program's answer names no folder
	if id := says.Config.Folder; o.URL == "" && id != "" && !wall.SameFolder(id, wall.FolderID(o.wall.Home)) {
		return 0, nil, fmt.Errorf("the wall at %s does not show %s; change server.port of one of them, or use --url", at.base, o.wall.Home)
	}
	return status, body, nil
}

package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"dashboard/internal/oauth"
	"dashboard/wall"
	"dashboard/wall/scene"
)

// connect asks the user to give the permission for a provider, and stores the permission for the wall.
func connect(ctx context.Context, o *options, stdin io.Reader, stdout io.Writer) error {
	dir := wall.Permissions(o.StateDir)
	if dir == "" {
		return errors.New("the permission cannot be kept: there is no state folder")
	}
	b := scene.NewBuilder(scene.Parts{Version: version, Permits: dir, Wake: func() {}, Log: discardLog()})
	defer b.Providers.Close()
	b.Load(o.wall, scene.Alone(func() {})) // ignore errors in the configuration, because only the provider is needed
	g := b.Grants.Of(o.Name)
	if g == nil {
		names := b.Grants.Providers()
		slices.Sort(names)
		return fmt.Errorf("no provider '%s' has auth: {oauth: …}; there are: %s", o.Name, cmp.Or(strings.Join(names, ", "), "none"))
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	ask := byBrowser
	if o.Device {
		ask = byDevice
	}
	if err := ask(ctx, g, stdin, stdout); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s is connected.\n", o.Name)
	return nil
}

// byDevice asks the user to enter a code in a browser, which may be on another device.
func byDevice(ctx context.Context, g *oauth.Grant, _ io.Reader, stdout io.Writer) error {
	d, err := g.BeginDevice(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "Open %s and enter the code %s\n", d.URL, d.Code)
	return g.FinishDevice(ctx, d)
}

// byBrowser asks the user to allow the access in a browser. The service then redirects the browser to a server in this program. If the
// browser runs on another machine and cannot reach this server, the user pastes the address that the browser shows.
func byBrowser(ctx context.Context, g *oauth.Grant, stdin io.Reader, stdout io.Writer) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	p, err := g.Begin("http://" + l.Addr().String() + "/")
	if err != nil {
		l.Close()
		return err
	}
	back := make(chan url.Values, 1)
	server := &http.Server{Handler: comesBack(back), ReadHeaderTimeout: readTime}
	go server.Serve(l) // ends when the server is closed
	defer server.Close()
	go pasted(stdin, back)
	fmt.Fprintf(stdout, "Open this address in a browser:\n\n%s\n\nIf the browser then cannot show a page, paste its address here:\n", p.URL)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case values := <-back:
		return g.Finish(ctx, p, values)
	}
}

// readTime is the time limit for the header of a request from the browser. Tests set a longer time, because a busy machine needs more
// time.
var readTime = 5 * time.Second

// comesBack returns the handler for a browser that the service has redirected. It sends the parameters of the request to the channel
// `back`. A request without the parameter state is ignored.
func comesBack(back chan<- url.Values) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		if !q.Has("state") {
			http.NotFound(w, r)
			return
		}
		select {
		case back <- q:
		default: // ignore all requests after the first
		}
		fmt.Fprintln(w, "You can close this page. The terminal shows the result.")
	})
}

// pasted() reads addresses that the user pastes into the terminal. It sends the parameters of the first valid address to the channel
// `back`.
func pasted(stdin io.Reader, back chan<- url.Values) {
	lines := bufio.NewScanner(stdin)
	for lines.Scan() {
		u, err := url.Parse(strings.TrimSpace(lines.Text()))
		if err != nil || !u.Query().Has("state") {
			continue
		}
		select {
		case back <- u.Query():
		default:
		}
		return
	}
}

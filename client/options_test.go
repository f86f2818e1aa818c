package client

import (
	"fmt"
	"image"
	"strings"
	"testing"
	"time"
)

func TestResource(t *testing.T) {
	for url, want := range map[string]string{
		"http://wall":                    "http://wall/frame?width=800&height=480",
		"http://wall:5000/":              "http://wall:5000/frame?width=800&height=480",
		"https://wall/a/b":               "https://wall/a/b/frame?width=800&height=480",
		"https://wall/a/b/?x=y#z":        "https://wall/a/b/frame?width=800&height=480",
		"http://user:word@[fd00::1]:80/": "http://user:word@[fd00::1]:80/frame?width=800&height=480",
		"http://wall/a%2Fb":              "http://wall/a%2Fb/frame?width=800&height=480",
	} {
		o := Options{URL: url, Size: image.Pt(800, 480)}
		if got, err := o.resource("frame"); got != want || err != nil {
			t.Errorf("%s: got %s, %v, want %s", url, got, err, want)
		}
	}
	o := Options{URL: "http://wall", Size: image.Pt(800, 480), View: "the hall"}
	if got, err := o.resource("events"); got != "http://wall/events?width=800&height=480&view=the+hall" || err != nil {
		t.Errorf("of a view: got %s, %v", got, err)
	}
}

func TestNewErrors(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Options)
		want   string
	}{
		"no display":     {func(o *Options) { o.Display = nil }, "no display"},
		"no size":        {func(o *Options) { o.Size = image.Point{} }, "0x0"},
		"too large":      {func(o *Options) { o.Size.X = 7681 }, "7681x120"},
		"no scheme":      {func(o *Options) { o.URL = "wall:5000" }, "http://"},
		"another scheme": {func(o *Options) { o.URL = "ftp://wall" }, "http://"},
		"no host":        {func(o *Options) { o.URL = "http:///x" }, "no host"},
		"broken":         {func(o *Options) { o.URL = "http://wall:x" }, "port"},
		"token":          {func(o *Options) { o.Token = "a\nb" }, "token"},
	} {
		o := testOptions(smallScreen)
		c.change(&o)
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "client: ") {
			t.Errorf("%s: got %v, want an error with %q", name, err, c.want)
		}
	}
}

func TestCorners(t *testing.T) {
	for _, want := range []Corner{BottomRight, BottomLeft, TopRight, TopLeft} {
		if got, err := ParseCorner(cornerNames[want]); got != want || err != nil {
			t.Errorf("got %v, %v, want %v", got, err, want)
		}
	}
	if _, err := ParseCorner("middle"); err == nil {
		t.Error("got no error")
	}
}

// A client with a screen of 800x480 follows a service. Half a minute after the connection was lost, the client shows the triangle.
func ExampleNew() {
	c, err := New(Options{
		URL: "http://wall.local:5000", Size: image.Pt(800, 480),
		ReconnectDelay: 2 * time.Second, StaleAfter: 30 * time.Second,
		Display: &display{},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Stats().State)
	// Output: down
}

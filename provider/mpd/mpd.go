// Package mpd is a provider of the song that a Music Player Daemon plays. The provider can also control the player.
package mpd

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path"
	"strconv"
	"strings"
	"time"

	"dashboard/provider"
)

// maxText is the maximum length of each text of a song, in bytes.
const maxText = 1000

// Params are the keys of an mpd provider.
type Params struct {
	// Host name or address of the server, or the path of its socket, such as /run/mpd/socket.
	Host string `yaml:"host" default:"localhost"`
	// Port of the server.
	Port int `yaml:"port" default:"6600" min:"1" max:"65535"`
	// Password of the server, if it has one.
	Password string `yaml:"password"`
}

// A Provider publishes {state, title, artist, album, position, length, at, volume, cover}. `state` is playing, paused or stopped.
// `position` and `length` are in seconds. `at` is the time at which the position was read. `cover` is the argument `file` for the method
// Cover.
type Provider struct {
	network  string // tcp or unix
	address  string
	password string
}

// New returns a provider and the key that identifies its definition. An error begins with the name of the configuration key that causes
// it.
func New(p *Params) (key string, v *Provider, err error) {
	v = &Provider{network: "tcp", address: net.JoinHostPort(strings.Trim(p.Host, "[]"), strconv.Itoa(p.Port)), password: p.Password}
	switch {
	case strings.HasPrefix(p.Host, "/"):
		v.network, v.address = "unix", p.Host
	case p.Host == "" || strings.ContainsAny(p.Host, "/ "):
		return "", nil, errors.New("host: must be a name or an address, such as music.local")
	}
	return fmt.Sprintf("mpd %s %q", v.address, p.Password), v, nil
}

// Kind is "mpd".
func (p *Provider) Kind() string { return "mpd" }

// Run publishes the song after each change of the song or the player's state. If the connection is lost, Run opens another connection.
// The pauses between its attempts grow.
func (p *Provider) Run(ctx context.Context, cell *provider.Cell) error {
	poll := provider.Poll{Interval: provider.RetryMost, RetryFirst: provider.RetryFirst, RetryMost: provider.RetryMost}
	return poll.Run(ctx, cell, func(ctx context.Context, _ bool) provider.Result {
		shown, err := p.follow(ctx, cell)
		if err = p.named(err); !shown {
			return provider.Fail(err, false)
		}
		cell.Fail(err, time.Now())
		return provider.Result{Outcome: provider.Unchanged, Handled: true, Next: provider.RetryFirst}
	})
}

// follow publishes the song until the connection is lost. `shown` is true if follow has published anything.
func (p *Provider) follow(ctx context.Context, cell *provider.Cell) (shown bool, err error) {
	c, err := p.dial(ctx)
	if err != nil {
		return false, err
	}
	defer c.close()
	for {
		v, err := c.song()
		if err != nil {
			return shown, err
		}
		cell.Publish(v, time.Now())
		shown = true
		if err := c.wait("idle", "player", "mixer", "playlist"); err != nil {
			return shown, err
		}
	}
}

// named() returns an error with the address of the server.
func (p *Provider) named(err error) error { return fmt.Errorf("mpd %s: %w", p.address, err) }

// states maps the states of MPD to the published states.
var states = map[string]string{"play": "playing", "pause": "paused"}

// song requests the current song and the state of the player.
func (c *conn) song() (map[string]any, error) {
	status, err := c.ask("status")
	if err != nil {
		return nil, err
	}
	song, err := c.ask("currentsong")
	if err != nil {
		return nil, err
	}
	artist := either(song, "Artist", "AlbumArtist", "Composer")
	v := map[string]any{"state": "stopped", "title": titleOf(song), "artist": artist, "album": either(song, "Album", "Name")}
	if s := states[status["state"]]; s != "" {
		v["state"] = s
	}
	at := time.Now()
	for key, text := range map[string]string{"position": status["elapsed"], "length": either(status, "duration"), "volume": status["volume"]} {
		if n, err := strconv.ParseFloat(text, 64); err == nil && n >= 0 {
			v[key] = n
		}
	}
	v["at"] = float64(at.UnixMilli()) / 1000
	if file := song["file"]; file != "" && len(file) <= maxText {
		v["cover"] = file
	}
	return v, nil
}

// titleOf returns the title of a song. If the song has no title, the result is the name of the stream, or the name of the file.
func titleOf(song map[string]string) string {
	if t := either(song, "Title", "Name"); t != "" || song["file"] == "" {
		return t
	}
	base := path.Base(song["file"])
	return cut(strings.TrimSuffix(base, path.Ext(base)))
}

// either() returns the value of the first name whose value in m is not empty. If there is no such name, it returns "". It cuts the value
// to maxText bytes.
func either(m map[string]string, names ...string) string {
	for _, n := range names {
		if m[n] != "" {
			return cut(m[n])
		}
	}
	return ""
}

func cut(s string) string { return strings.ToValidUTF8(s[:min(len(s), maxText)], "") }

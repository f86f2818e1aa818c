package mpd

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dashboard/internal/testing/programtest"
	"dashboard/provider"
)

// The time limit askTime is longer in tests, because the server is slow on a busy machine.
func init() { askTime = 2 * time.Minute }

// song returns an MP3 file with the given number of seconds of silence: ID3v2.3 tags with a picture, then frames of 128 kbit/s.
func song(seconds int, title, artist, album string, picture []byte) []byte {
	var tags bytes.Buffer
	frame := func(id string, body []byte) {
		tags.WriteString(id)
		_ = binary.Write(&tags, binary.BigEndian, uint32(len(body)))
		tags.Write([]byte{0, 0})
		tags.Write(body)
	}
	frame("TIT2", []byte("\x00"+title))
	frame("TPE1", []byte("\x00"+artist))
	frame("TALB", []byte("\x00"+album))
	if picture != nil {
		frame("APIC", append([]byte("\x00image/png\x00\x03\x00"), picture...))
	}
	n := tags.Len()
	all := append([]byte("ID3\x03\x00\x00"), byte(n>>21&0x7f), byte(n>>14&0x7f), byte(n>>7&0x7f), byte(n&0x7f))
	all = append(all, tags.Bytes()...)
	silence := append([]byte{0xff, 0xfb, 0x90, 0x64}, make([]byte, 413)...) // MPEG 1 layer 3, 44.1 kHz, without padding
	return append(all, bytes.Repeat(silence, seconds*44100/1152)...)
}

// cover returns a PNG that the server sends in several answers.
func cover(t *testing.T) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 256, 256))
	for i := range 256 * 256 { // random colors, because they do not compress
		m.SetRGBA(i%256, i/256, color.RGBA{uint8(i * i >> 3), uint8(i * 7 >> 2), uint8(i * i * i >> 5), 255})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// real() starts Debian's MPD with the given files and a password. It returns the path of the server's socket.
func real(t *testing.T, files map[string][]byte) string {
	t.Helper()
	program, err := exec.LookPath("mpd")
	if err != nil {
		if os.Getenv("DASHBOARD_CI") != "" {
			t.Fatal("mpd is missing")
		}
		t.Skip("needs mpd: apt install mpd")
	}
	dir := t.TempDir()
	music, socket := filepath.Join(dir, "music"), filepath.Join(dir, "socket")
	for name, data := range files {
		path := filepath.Join(music, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	conf := filepath.Join(dir, "mpd.conf")
	text := fmt.Sprintf("music_directory %q\ndb_file %q\nlog_file %q\nbind_to_address %q\npassword \"hush@read,add,control,admin\"\ndefault_permissions \"\"\naudio_output {\n type \"null\"\n name \"nothing\"\n}\n",
		music, filepath.Join(dir, "db"), filepath.Join(dir, "log"), socket)
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	cmd := exec.Command(program, "--no-daemon", "--stderr", conf)
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("mpd: %s", said.String())
		}
	})
	programtest.Eventually(t, "mpd listens", func() bool {
		c, err := net.Dial("unix", socket)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
	return socket
}

// at() returns a provider for a server.
func at(t *testing.T, host, password string) *Provider {
	t.Helper()
	_, p, err := New(&Params{Host: host, Port: 6600, Password: password})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// do sends commands to the server.
func do(t *testing.T, p *Provider, commands ...[]string) {
	t.Helper()
	c, err := p.dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	for _, command := range commands {
		if _, err := c.ask(command[0], command[1:]...); err != nil {
			t.Fatalf("%v: %v", command, err)
		}
	}
}

// run runs a provider until the test ends.
func run(t *testing.T, p *Provider) *provider.Cell {
	t.Helper()
	cell, done := provider.NewCell(nil), make(chan struct{})
	go func() { defer close(done); _ = p.Run(t.Context(), cell) }()
	t.Cleanup(func() { <-done })
	return cell
}

// shows() waits until the value of a cell has the given entries.
func shows(t *testing.T, cell *provider.Cell, want map[string]any) {
	t.Helper()
	programtest.Eventually(t, fmt.Sprint(want), func() bool {
		v, _ := cell.Load().Value.(map[string]any)
		for k, w := range want {
			if v[k] != w {
				return false
			}
		}
		return true
	})
}

// TestRealMPD: a wall follows Debian's MPD, makes it play, pause and continue with the next song, and reads its covers.
func TestRealMPD(t *testing.T) {
	t.Parallel()
	picture := cover(t)
	socket := real(t, map[string][]byte{
		"a/one \"1\".mp3": song(200, "First", "The Pond", "Reeds", picture),
		"b/two.mp3":       song(100, "Second", "The Pond", "Reeds", nil),
		"b/cover.png":     picture[:len(picture)/2],
		"c/three.mp3":     song(100, "Third", "Nobody", "", nil),
	})
	p := at(t, socket, "hush")
	do(t, p, []string{"update"})
	programtest.Eventually(t, "the files are known", func() bool {
		c, err := p.dial(t.Context())
		if err != nil {
			return false
		}
		defer c.close()
		got, err := c.ask("stats")
		return err == nil && got["songs"] == "3"
	})
	cell := run(t, p)
	shows(t, cell, map[string]any{"state": "stopped", "title": ""})
	do(t, p, []string{"add", "a/one \"1\".mp3"}, []string{"add", "b/two.mp3"}, []string{"add", "c/three.mp3"})
	call := func(action string) {
		t.Helper()
		if err := p.Call(t.Context(), action, "", nil); err != nil {
			t.Errorf("%s: %v", action, err)
		}
	}
	call(Toggle)
	shows(t, cell, map[string]any{"state": "playing", "title": "First", "artist": "The Pond", "album": "Reeds", "cover": "a/one \"1\".mp3"})
	if v := cell.Load().Value.(map[string]any); v["length"].(float64) < 190 || v["length"].(float64) > 210 || v["at"] == nil {
		t.Errorf("length %v, at %v", v["length"], v["at"])
	}
	call(Toggle)
	shows(t, cell, map[string]any{"state": "paused", "title": "First"})
	call(Toggle)
	shows(t, cell, map[string]any{"state": "playing"})
	call(Next)
	shows(t, cell, map[string]any{"state": "playing", "title": "Second"})
	call(Previous)
	shows(t, cell, map[string]any{"title": "First"})
	for file, want := range map[string][]byte{"a/one \"1\".mp3": picture, "b/two.mp3": picture[:len(picture)/2], "c/three.mp3": nil} {
		got, err := p.Cover(t.Context(), file, 10<<20)
		if !bytes.Equal(got, want) || err != nil {
			t.Errorf("%s: got %d bytes and %v, want %d", file, len(got), err, len(want))
		}
	}
	if got, err := p.Cover(t.Context(), "a/one \"1\".mp3", 1000); err == nil {
		t.Errorf("a cover over the bound: got %d bytes", len(got))
	}
	for password, want := range map[string]string{"wrong": "refuses the password", "": "wants a password"} {
		cell := run(t, at(t, socket, password))
		programtest.Eventually(t, fmt.Sprintf("password %q: %s", password, want), func() bool {
			err := cell.Load().Err
			return err != nil && strings.Contains(err.Error(), want)
		})
	}
	if err := p.Call(t.Context(), "mpd.explode", "", nil); err == nil {
		t.Error("an unknown action succeeds")
	}
}

//go:build linux

package appliance

import (
	"context"
	"encoding/binary"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/appliance/about"
	"dashboard/appliance/card"
	"dashboard/appliance/follow"
	"dashboard/appliance/settings"
)

// errCodes is the answer to a request for the codes of the access point.
var errCodes = errors.New("codes")

// asksOf returns the socket of a listener. The function `answer` handles the follower's requests, and `save` handles requests to write
// files.
func asksOf(t *testing.T, answer func(about.Ask) error, save func([]about.CardFile) error) string {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "ask")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	asks := make(chan follow.Ask)
	go serveAsks(t.Context(), l, asks, writes{save, func() error { return errCodes }})
	go func() {
		for {
			select {
			case <-t.Context().Done():
				return
			case a := <-asks:
				a.Answer <- answer(a.Ask)
			}
		}
	}()
	return socket
}

// The keeper receives a request of the wall and sends an answer.
func TestAsk(t *testing.T) {
	refused := errors.New("updates are off")
	socket := asksOf(t, func(a about.Ask) error {
		if a == (about.Ask{Do: about.DoChannel, Value: "beta"}) {
			return nil
		}
		return refused
	}, nil)
	if err := about.Send(socket, about.Ask{Do: about.DoChannel, Value: "beta"}); err != nil {
		t.Errorf("got %v", err)
	}
	if err := about.Send(socket, about.Ask{Do: about.DoNow}); err == nil || err.Error() != refused.Error() {
		t.Errorf("got %v, want %v", err, refused)
	}
	if err := about.Send(socket, about.Ask{Do: about.DoCodes}); err == nil || err.Error() != errCodes.Error() {
		t.Errorf("got %v, want %v", err, errCodes)
	}
	if err := about.Send(socket, about.Ask{Do: strings.Repeat("x", 2*about.MaxAsk)}); err == nil {
		t.Error("a long request passed")
	}
	if err := about.Send(socket+"2", about.Ask{}); err == nil {
		t.Error("without a keeper: got an answer")
	}
}

// A setting that a person changes on the wall's page is written to settings.txt. If the power fails, the next start reads the old file or
// the new file.
func TestSetSetting(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, card.SettingsFile)
	if err := os.WriteFile(path, []byte("hostname = kitchen\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := setIn(dir, "update", "off"); err != nil {
		t.Fatal(err)
	}
	read := func() settings.Settings { s, _ := readSettings(dir); return s }
	if s := read(); s.Update != "off" || s.Hostname != "kitchen" {
		t.Errorf("got %+v", s)
	}
	if err := os.Rename(path, filepath.Join(dir, card.NewSettingsFile)); err != nil {
		t.Fatal(err)
	}
	if s := read(); s.Update != "off" || s.Hostname != "kitchen" {
		t.Errorf("cut: got %+v", s)
	}
}

// The keeper receives the settings of updates. Only the unit that fetches releases receives the address.
func TestUpdateFiles(t *testing.T) {
	s := settings.Default()
	s.UpdateURL, s.Update, s.Proxy = "https://releases.example/x", "beta", "http://proxy.lan:3128"
	root := t.TempDir()
	files, links := map[string]string{}, map[string]string{}
	if updateFiles(root, s, files, links); len(links) > 0 || !strings.Contains(files[updateFile], `"source":false`) {
		t.Errorf("an older root file system: got %v, %v", files, links)
	}
	unit := filepath.Join(root, "etc/systemd/system", fetchUnit)
	if err := put(unit, func(path string) error { return os.WriteFile(path, nil, 0o600) }); err != nil {
		t.Fatal(err)
	}
	updateFiles(root, s, files, links)
	if files[updateFile] != `{"channel":"beta","window":"03:00-04:00","source":true}` || files[updateAddressFile] != s.UpdateURL+"\n" || len(links) != 1 {
		t.Errorf("got %v, %v", files, links)
	}
	if modeOf(updateAddressFile) != 0o600 || !strings.Contains(files["/etc/systemd/system/appliance-fetch@.service.d/settings.conf"], s.Proxy) {
		t.Error("the address can be read, or the proxy is missing")
	}
}

// imageKeys returns the keys in the root file system. An image without a key accepts no releases.
func TestImageKeys(t *testing.T) {
	current, _ := keyPair(t)
	next, _ := keyPair(t)
	missing := filepath.Join(t.TempDir(), "none")
	if k, err := imageKeys(missing, next); k != nil || err != nil {
		t.Errorf("no key: got %v, %v", k, err)
	}
	if k, err := imageKeys(current, missing); err != nil || k.Next != nil {
		t.Errorf("one key: got %v, %v", k, err)
	}
	if k, err := imageKeys(current, next); err != nil || k.Next == nil || k.Next.ID() == k.Current.ID() {
		t.Errorf("two keys: got %v, %v", k, err)
	}
	if err := os.WriteFile(missing, []byte("rubbish"), 0o600); err != nil {
		t.Fatal(err)
	}
	if k, err := imageKeys(missing, next); err == nil {
		t.Errorf("rubbish: got %v", k)
	}
}

// The size of a root file system is read from its first block. A size out of bounds is refused.
func TestSquashfsSize(t *testing.T) {
	for name, tt := range map[string]struct {
		magic string
		size  uint64
		want  int64
	}{
		"whole pages": {"hsqs", 8192, 8192}, "padded": {"hsqs", 8193, 12288}, "no file system": {"xxxx", 8192, 0}, "nothing": {"hsqs", 0, 0},
		"larger than a slot": {"hsqs", 1 << 40, 0}, "negative": {"hsqs", 1 << 63, 0},
	} {
		head := make([]byte, 64)
		copy(head, tt.magic)
		binary.LittleEndian.PutUint64(head[40:], tt.size)
		if got, err := squashfsSize(strings.NewReader(string(head))); got != tt.want || (err == nil) != (tt.want > 0) {
			t.Errorf("%s: got %d, %v, want %d", name, got, err, tt.want)
		}
	}
	if _, err := squashfsSize(strings.NewReader("hsqs")); err == nil {
		t.Error("four bytes: got a size")
	}
}

// While the follower writes a release, it does not take other requests. The keeper refuses other requests after a time limit.
func TestAskWhileWriting(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := pass(ctx, about.Ask{}, make(chan follow.Ask)); !errors.Is(err, errWrites) {
		t.Errorf("got %v", err)
	}
}

//go:build linux

package appliance

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aead.dev/minisign"

	"dashboard/appliance/about"
	"dashboard/appliance/card"
	"dashboard/appliance/delta"
	"dashboard/appliance/follow"
	"dashboard/appliance/install"
	"dashboard/appliance/manifest"
	"dashboard/appliance/relay"
	"dashboard/appliance/relay/fetcher"
	"dashboard/appliance/state"
	"dashboard/internal/fetch"
	"dashboard/internal/pause"
	"dashboard/internal/testing/relaytest"
)

// A filedMachine is the keeper's machine with files as partitions. It does not restart the computer.
type filedMachine struct {
	*machine
	restarts int
	told     about.Update
}

func (m *filedMachine) Restart(state.Record) error { m.restarts++; return nil }
func (m *filedMachine) Set(string, string) error   { return nil }
func (m *filedMachine) Tell(u about.Update)        { m.told = u }
func (m *filedMachine) Load() install.Mark         { return install.Mark{} }
func (m *filedMachine) Save(install.Mark)          {}
func (m *filedMachine) mounted(s state.Slot) []byte {
	b, _ := os.ReadFile(m.k.card.partition(slotPartition(s)))
	return b
}

// relayTo returns a relay.Source that receives files from a web server.
func relayTo(t *testing.T, base string) relay.Source {
	t.Helper()
	client := fetch.New(nil)
	return relaytest.Serve(t, func(c net.Conn) { _ = fetcher.Serve(context.Background(), c, c, client, base) })
}

// aRoot returns a root file system. Its header contains a size of two pages.
func aRoot() []byte {
	root := make([]byte, 2*4096)
	_, _ = rand.Read(root) // rand.Read never fails
	copy(root, "hsqs")
	binary.LittleEndian.PutUint64(root[40:], uint64(len(root)-10))
	return root
}

// TestOnline installs a release from a web server, through the relay, on a card whose partitions are files. The delta file refers to the
// running slot. The test checks the other slot and the state.
func TestOnline(t *testing.T) {
	k, _, _ := keeperOn(t, state.Fresh)
	k.version = "1.5.2"
	old, fresh := aRoot(), aRoot()
	slot := openStore(t, k.card.partition(card.SlotA))
	if _, err := slot.WriteAt(old, 0); err != nil {
		t.Fatal(err)
	}
	public, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := delta.Make(&file, bytes.NewReader(old), bytes.NewReader(fresh), int64(len(old)), int64(len(fresh))); err != nil {
		t.Fatal(err)
	}
	data, err := manifest.Sign(manifest.Manifest{
		Sequence: 2, Version: "1.6.0", Board: "arm64", Channel: manifest.Stable, Made: time.Now(), Percent: 100, Urgent: true,
		Slot:  manifest.Slot{Size: int64(len(fresh)), Sum: sha256.Sum256(fresh)},
		Files: []manifest.File{{Name: "small.delta", Size: int64(file.Len()), Sum: sha256.Sum256(file.Bytes()), From: sha256.Sum256(old)}},
	}, private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, content := range map[string][]byte{"stable-arm64.manifest": data, "small.delta": file.Bytes()} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := httptest.NewServer(http.FileServerFS(os.DirFS(dir)))
	defer s.Close()
	inner, err := newMachine(k)
	if err != nil {
		t.Fatal(err)
	}
	defer inner.close()
	m := &filedMachine{machine: inner}
	ctx, cancel := context.WithCancel(t.Context())
	asks, done := make(chan follow.Ask), make(chan struct{})
	go func() {
		follow.New(follow.Board{
			Machine: m, Source: relayTo(t, s.URL), Marks: m, Slot: state.A, Arch: "arm64", Version: "1.5.2", Sequence: 1,
			Keys: &manifest.Keys{Current: public}, Channel: manifest.Stable, First: time.Hour, Now: time.Now,
			TimeSet: func() bool { return true }, Pause: pause.For,
		}, false).Run(ctx, asks)
		close(done)
	}()
	for _, do := range []string{about.DoNow, about.DoSeen} { // the follower answers the second request after the work of the first one
		answer := make(chan error, 1)
		asks <- follow.Ask{Ask: about.Ask{Do: do}, Answer: answer}
		if err := <-answer; err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	<-done
	r := stateIn(t, k)
	if !bytes.HasPrefix(m.mounted(state.B), fresh) || r.Trial != state.B || r.Release.Tried.String() != "1.6.0" || m.restarts != 1 {
		t.Errorf("got %+v, %d restarts, problem %q, warning %q", r, m.restarts, m.told.Problem, m.told.Warning)
	}
	if lock, err := lockFile(k.card.partition(card.SlotB)); err != nil {
		t.Errorf("the slot is still locked: %v", err)
	} else {
		lock.Close()
	}
	if !strings.HasPrefix(string(m.mounted(state.A)), "hsqs") || !bytes.HasPrefix(m.mounted(state.A), old) {
		t.Error("the running slot was changed")
	}
}

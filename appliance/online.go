//go:build linux

package appliance

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"dashboard/appliance/about"
	"dashboard/appliance/card"
	"dashboard/appliance/follow"
	"dashboard/appliance/install"
	"dashboard/appliance/manifest"
	"dashboard/appliance/relay"
	"dashboard/appliance/settings"
	"dashboard/appliance/state"
	"dashboard/internal/pause"
	kept "dashboard/internal/state"
	"dashboard/internal/timeset"
)

// Files and units of updates. An unprivileged unit fetches the files of releases. The unit starts when the keeper connects to
// fetchSocket.
const (
	fetchSocket       = "/run/appliance-fetch"
	fetchUnit         = "appliance-fetch.socket"
	updateAddressFile = "/etc/dashboard-update-address" // address of the releases, which may contain a secret
	updateFile        = "/etc/dashboard-update.json"    // settings of updates, for the keeper
	firstCheck        = 3 * time.Minute                 // time from the first picture to the first check
)

// markFile contains the progress of an installation, so that it can continue after a power cut.
var markFile = filepath.Join(dataFolder, "update-mark.json")

// The type followed has the settings of updates.
type followed struct {
	Channel string `json:"channel"`
	Window  string `json:"window"`
	Source  bool   `json:"source"` // true if there is an address
}

// updateFiles adds the files for updates from a network. An older root file system does not have the unit that fetches updates.
func updateFiles(root string, s settings.Settings, files, links map[string]string) {
	const folder = "/etc/systemd/system/"
	_, err := os.Stat(root + folder + fetchUnit)
	f := followed{Channel: s.Update, Window: s.UpdateWindow, Source: s.UpdateURL != "" && err == nil}
	text, err := json.Marshal(f)
	if err != nil {
		panic("appliance: " + err.Error()) // the value can always be encoded
	}
	files[updateFile] = string(text)
	if !f.Source {
		return
	}
	files[updateAddressFile] = s.UpdateURL + "\n"
	links[folder+"sockets.target.wants/"+fetchUnit] = folder + fetchUnit
	if proxy := s.Environment(); proxy != nil {
		files[folder+"appliance-fetch@.service.d/settings.conf"] = string(proxy)
	}
}

// startFollowing requests and installs the releases of the server until ctx ends. `confirmed` is true if this start has ended the trial of
// a release.
func (k *keeper) startFollowing(ctx context.Context, confirmed bool) {
	m, err := newMachine(k)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	b, err := k.board(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	asks := make(chan follow.Ask)
	k.background.Go(func() {
		defer m.close()
		follow.New(b, confirmed).Run(ctx, asks)
	})
	k.background.Go(func() { k.listen(ctx, asks) })
}

// board returns the board for a follower. If the settings of updates cannot be read, the channel is
// off, so the follower requests nothing.
func (k *keeper) board(m *machine) (follow.Board, error) {
	s := followed{Channel: manifest.Off, Window: follow.DefaultWindow}
	text, err := os.ReadFile(updateFile)
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	window, wrong := follow.ParseWindow(s.Window)
	keys, failed := imageKeys(k.keyFile, card.NextKeyFile)
	id, _ := os.ReadFile("/etc/machine-id")            // if the file is missing, the ID is empty
	number, _ := strconv.ParseUint(built, 10, 64)      // the linker always sets a number
	first := parameter("appliance.update", firstCheck) // a test sets a shorter time on the kernel's command line
	b := follow.Board{
		Machine: m, Marks: marks{}, Slot: k.slot, Arch: runtime.GOARCH, ID: strings.TrimSpace(string(id)), Version: k.version, Sequence: number,
		Keys: keys, Channel: s.Channel, Window: window, First: first, Jitter: first == firstCheck, Now: time.Now,
		TimeSet: func() bool { return timeset.Known(os.DirFS("/"), time.Now()) }, Pause: pause.For,
	}
	if s.Source {
		b.Source = relay.Source{Socket: fetchSocket}
	}
	return b, errors.Join(err, wrong, failed)
}

// imageKeys returns the keys in the root file system, or nil for an image without a key.
func imageKeys(current, next string) (*manifest.Keys, error) {
	text, err := os.ReadFile(current)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var k manifest.Keys
	if k.Current, err = manifest.ParseKey(string(text)); err != nil {
		return nil, err
	}
	if text, err = os.ReadFile(next); err != nil {
		return &k, nil // the image has only one key
	}
	key, err := manifest.ParseKey(string(text))
	if err == nil {
		k.Next = &key
	}
	return &k, err
}

// The type marks stores the mark on the data partition, if there is one.
type marks struct{}

// Load implements [install.Marks].
func (marks) Load() (m install.Mark) {
	text, err := os.ReadFile(markFile)
	if err != nil || json.Unmarshal(text, &m) != nil {
		return install.Mark{}
	}
	return m
}

// Save implements [install.Marks].
func (marks) Save(m install.Mark) {
	text, err := json.Marshal(m)
	if err == nil && isMount(dataFolder) {
		err = kept.Replace(markFile, text)
	}
	if err != nil {
		say("update: %v", err) // if the mark is lost, an interrupted installation starts again
	}
}

// A machine implements [follow.Machine] for the card. It has its own open file of the state. With the keeper's open file, the lock in
// change() would not exclude the keeper, because a lock belongs to an open file.
type machine struct {
	k       *keeper
	store   *os.File
	running *os.File
	sum     manifest.Sum // sum of the running root file system, computed at its first use
}

func newMachine(k *keeper) (*machine, error) {
	store, err := os.OpenFile(k.card.partition(card.State), os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	running, err := os.Open(k.card.partition(slotPartition(k.slot)))
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return &machine{k: k, store: store, running: running}, nil
}

func (m *machine) close() { _ = errors.Join(m.store.Close(), m.running.Close()) } // errors do not matter, because all data was flushed

// State implements [follow.Machine].
func (m *machine) State() (state.Record, error) { return state.Load(m.store) }

// Change implements [follow.Machine].
func (m *machine) Change(f func(state.Record) state.Record) error { return change(m.store, f) }

// Running implements [follow.Machine].
func (m *machine) Running() (io.ReaderAt, manifest.Sum, error) {
	if !m.sum.IsZero() {
		return m.running, m.sum, nil
	}
	size, err := squashfsSize(m.running)
	if err != nil {
		return nil, m.sum, err
	}
	h := sha256.New()
	if _, err := io.CopyBuffer(h, io.NewSectionReader(m.running, 0, size), make([]byte, copySize)); err != nil {
		return nil, m.sum, err
	}
	h.Sum(m.sum[:0])
	return m.running, m.sum, nil
}

// squashfsSize returns the size of a root file system. The size is a multiple of a page, because mksquashfs pads the file system (struct
// squashfs_super_block, fs/squashfs/squashfs_fs.h).
func squashfsSize(f io.ReaderAt) (int64, error) {
	const magicSize, sizeAt, page = 4, 40, 4096
	head := make([]byte, sizeAt+8)
	if _, err := f.ReadAt(head, 0); err != nil {
		return 0, err
	}
	size := int64(binary.LittleEndian.Uint64(head[sizeAt:]))
	if string(head[:magicSize]) != "hsqs" || size <= 0 || size > card.Layout()[card.SlotA].Size {
		return 0, errors.New("the running root file system has no size")
	}
	return (size + page - 1) / page * page, nil
}

// A target is the slot that is not running.
type target struct {
	*os.File
	lock *os.File
	path string
}

// Target implements [follow.Machine].
func (m *machine) Target() (follow.Target, error) {
	path := m.k.card.partition(slotPartition(m.k.slot.Other()))
	lock, err := lockFile(path)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_EXCL, 0) // with O_EXCL a mounted partition cannot be opened
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return &target{f, lock, path}, nil
}

// ReadBack implements [follow.Target].
func (t *target) ReadBack(size int64) (sum manifest.Sum, err error) {
	got, err := readBack(t.path, size)
	copy(sum[:], got)
	return sum, err
}

// Close implements [follow.Target].
func (t *target) Close() error { return errors.Join(t.File.Close(), t.lock.Close()) }

// Set implements [follow.Machine]. After a power cut, the card has the old settings or the new settings, possibly under NewSettingsFile.
func (m *machine) Set(name, value string) error {
	return m.k.writable(func() error { return setIn(bootFolder, name, value) })
}

// setIn writes a setting into settings.txt in a folder.
func setIn(folder, name, value string) error {
	text, err := settingsFile(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return replaceSettings(folder, settings.Set(text, name, value))
}

// Restart implements [follow.Machine].
func (m *machine) Restart(r state.Record) error { return restart(r) }

// Tell writes the state of updates to about.UpdateFile. It implements [follow.Machine].
func (m *machine) Tell(u about.Update) {
	path := "/" + about.UpdateFile
	err := os.WriteFile(path+".new", u.Encode(), 0o644)
	if err = errors.Join(err, os.Chmod(path+".new", 0o644)); err == nil {
		err = os.Rename(path+".new", path)
	}
	if err != nil {
		say("update: %v", err) // the page on the wall continues to show the old state
	}
}

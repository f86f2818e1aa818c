// Command release writes the files that cards fetch from a server. They are the signed manifest of an update, a file with the complete
// root file system, and delta files for the root file systems of older updates.
//
//	release -key minisign.key -version 1.6.0 -date 1795235340 dist/dashboard.update older.update
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dashboard/appliance/delta"
	"dashboard/appliance/manifest"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// A release contains the options of the command line.
type release struct {
	out      string // folder for the results
	key      string // file with minisign's private key
	version  string
	date     int64  // time of the commit in Unix seconds. It is also the number of the release and of the image
	arch     string // architecture of the cards, arm64 or amd64
	channel  string
	percent  int    // percentage of the cards that install the release
	least    uint64 // lowest release number from which a card can update to the release
	urgent   bool   // true if cards install the release outside of their update windows too
	notes    string // file with the changes, one per line, or "" for none
	next     string // file with the public key that can also sign later releases, or "" for none
	progress io.Writer
}

var errUsage = errors.New("usage: release -key FILE -version V -date SECONDS [options] UPDATE [OLDER...]")

func run(args []string, progress io.Writer) error {
	r := release{progress: progress}
	f := flag.NewFlagSet("release", flag.ContinueOnError)
	f.StringVar(&r.out, "o", "dist", "`folder` of the results")
	f.StringVar(&r.key, "key", "", "`file` with minisign's private key")
	f.StringVar(&r.version, "version", "", "version of the update")
	f.Int64Var(&r.date, "date", 0, "`seconds` since 1970 of its commit")
	f.StringVar(&r.arch, "arch", "arm64", "`processor`: arm64 or amd64")
	f.StringVar(&r.channel, "channel", manifest.Stable, "`channel`: stable or beta")
	f.IntVar(&r.percent, "percent", 100, "`share` of the cards that take it")
	f.Uint64Var(&r.least, "least", 0, "lowest `number` that can be updated to it")
	f.BoolVar(&r.urgent, "urgent", false, "do not wait for the cards' windows")
	f.StringVar(&r.notes, "notes", "", "`file` with the changes, a line each")
	f.StringVar(&r.next, "next-key", "", "`file` with minisign's public key that signs later releases as well")
	if err := f.Parse(args); err != nil || f.NArg() == 0 || r.key == "" || r.version == "" || r.date <= 0 {
		return errUsage
	}
	return r.publish(f.Args())
}

// publish writes the signed manifest of an update, the update's complete file, and delta files for older updates.
func (r *release) publish(updates []string) error {
	key, err := manifest.ReadPrivate(r.key) // first, because the files take a minute
	if err != nil {
		return err
	}
	m := manifest.Manifest{
		Sequence: uint64(r.date), Version: r.version, Board: r.arch, Channel: r.channel, Least: r.least,
		Made: time.Now().UTC().Truncate(time.Second), Urgent: r.urgent, Percent: r.percent,
	}
	if err := r.describe(&m); err != nil {
		return err
	}
	root, err := rootOf(updates[0])
	if err != nil {
		return err
	}
	m.Slot = manifest.Slot{Size: int64(len(root)), Sum: sha256.Sum256(root)}
	for i, old := range append([]string{""}, updates[1:]...) {
		f, err := r.file(root, old, i)
		if err != nil {
			return err
		}
		fmt.Fprintf(r.progress, "%-60s %6.1f MB\n", f.Name, float64(f.Size)/1e6)
		m.Files = append(m.Files, f)
	}
	return r.sign(m, key)
}

// describe adds the notes about the release and the next public key to the manifest.
func (r *release) describe(m *manifest.Manifest) error {
	if r.notes != "" {
		text, err := os.ReadFile(r.notes)
		if err != nil {
			return err
		}
		m.Notes = strings.Split(strings.TrimSpace(string(text)), "\n")
	}
	if r.next == "" {
		return nil
	}
	key, err := manifest.ReadPublic(r.next)
	m.NextKey = key.String()
	return err
}

// file writes the delta file for an older update. If `old` is "", the file contains the complete root file system.
func (r *release) file(root []byte, old string, n int) (f manifest.File, err error) {
	f.Name = fmt.Sprintf("dashboard-%s-%s.delta", r.version, r.arch)
	var before []byte
	if old != "" {
		if before, err = rootOf(old); err != nil {
			return f, err
		}
		f.From, f.Name = sha256.Sum256(before), fmt.Sprintf("dashboard-%s-%s-%d.delta", r.version, r.arch, n)
	}
	var out bytes.Buffer
	if err := delta.Make(&out, bytes.NewReader(before), bytes.NewReader(root), int64(len(before)), int64(len(root))); err != nil {
		return f, err
	}
	f.Size, f.Sum = int64(out.Len()), sha256.Sum256(out.Bytes())
	return f, os.WriteFile(filepath.Join(r.out, f.Name), out.Bytes(), 0o644)
}

// sign writes the signed manifest.
func (r *release) sign(m manifest.Manifest, key manifest.PrivateKey) error {
	data, err := manifest.Sign(m, key)
	if err != nil {
		return err
	}
	name := manifest.Name(m.Channel, m.Board)
	fmt.Fprintf(r.progress, "%-60s number %d, %d %% of the cards\n", name, m.Sequence, m.Percent)
	return os.WriteFile(filepath.Join(r.out, name), data, 0o644)
}

// rootOf returns the root file system at the beginning of an update. The size of a root file system is a multiple of the page size, because
// mksquashfs pads it (struct squashfs_super_block, fs/squashfs/squashfs_fs.h).
func rootOf(update string) ([]byte, error) {
	const sizeAt, page = 40, 4096
	data, err := os.ReadFile(update)
	if err != nil {
		return nil, err
	}
	if len(data) < sizeAt+8 || !bytes.HasPrefix(data, []byte("hsqs")) {
		return nil, fmt.Errorf("%s is no update", update)
	}
	size := binary.LittleEndian.Uint64(data[sizeAt:])
	if size <= uint64(len(data)) {
		size = (size + page - 1) / page * page
	}
	if size > uint64(len(data)) {
		return nil, fmt.Errorf("%s is cut off", update)
	}
	return data[:size], nil
}

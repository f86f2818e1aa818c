package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"dashboard/appliance/about"
	"dashboard/appliance/card"
	"dashboard/tools/command"
)

// emptyFolders lists empty folders: mount points, and folders in /var that scripts of Debian's packages would create.
var emptyFolders = []string{
	"boot", "proc", "sys", "dev", "run", "tmp", "etc/dashboard", "etc/wpa_supplicant", "usr/lib/modules", "var/log",
}

// root returns the path of the root file system that is built.
func (b *builder) root() string { return filepath.Join(b.work, "root.squashfs") }

// makeRoot makes the root file system. It consists of our own files and of Debian's files, except the files that an appliance does not
// need.
func (b *builder) makeRoot(ctx context.Context) error {
	dir := filepath.Join(b.work, "root")
	// The files are hard links to the cache. A file must therefore never be changed in place. It may only be replaced.
	if _, err := command.Run(ctx, nil, "cp", "-al", b.base, dir); err != nil {
		return err
	}
	steps := []func(string) error{
		b.trim, b.keepPrograms, authorities, b.ownFiles, makeLinks, makeFolders,
	}
	for _, step := range steps {
		if err := step(dir); err != nil {
			return err
		}
	}
	// The root file system is not compressed. So a start takes a sixth less time than with zstd. A compressed image of the whole card is
	// also smaller this way.
	made := strconv.FormatInt(b.made.Unix(), 10)
	_, err := command.Run(ctx, nil, "mksquashfs", dir, b.root(), "-noappend", "-no-progress", "-quiet",
		"-comp", "zstd", "-noI", "-noD", "-noF", "-noX", "-no-xattrs",
		"-mkfs-time", made, "-all-time", made, "-processors", "2")
	return err
}

// trim removes the files that are in a list.
func (b *builder) trim(dir string) error {
	patterns, err := archWords(trimFile, b.arch)
	if err != nil {
		return err
	}
	for _, p := range patterns {
		found, err := filepath.Glob(filepath.Join(dir, p))
		if err != nil {
			return fmt.Errorf("%s: %s: %w", trimFile, p, err)
		}
		for _, f := range found {
			if err := os.RemoveAll(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// authorities() makes the file with all certificate authorities, as the script of the package ca-certificates does.
func authorities(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "usr/share/ca-certificates/mozilla/*.crt"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("%d certificates: %w", len(files), err)
	}
	slices.Sort(files)
	var all []byte
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		all = append(all, text...)
	}
	return errors.Join(putFile(filepath.Join(dir, "etc/ssl/certs/ca-certificates.crt"), all, 0o644), os.RemoveAll(filepath.Join(dir, "usr/share/ca-certificates")))
}

// ownFiles adds our programs, their units, and the configuration of Debian's programs.
func (b *builder) ownFiles(dir string) error {
	files := map[string]string{ // maps the path of each copy to the path of its original
		"usr/bin/dashboard": b.program(),
	}
	units, err := filepath.Glob("systemd/*.[st]*")
	if err != nil {
		return err
	}
	for _, u := range units {
		if strings.HasSuffix(u, ".service") || strings.HasSuffix(u, ".timer") {
			files["usr/lib/systemd/system/"+filepath.Base(u)] = u
		}
	}
	files["usr/lib/udev/rules.d/60-dashboard-backlight.rules"] = "systemd/60-dashboard-backlight.rules"
	for to, from := range files {
		if err := copyFile(from, filepath.Join(dir, to)); err != nil {
			return err
		}
	}
	if err := errors.Join(copyTree("systemd/rights", filepath.Join(dir, card.RightsFolder)), copyTree("image/root", dir)); err != nil {
		return err
	}
	if err := defaultConfig(filepath.Join(dir, "etc/dashboard")); err != nil {
		return err
	}
	if err := hangGallery(filepath.Join(dir, about.GalleryFolder)); err != nil {
		return err
	}
	if err := errors.Join(publicKey(dir, b.key), nextKey(dir, b.next)); err != nil {
		return err
	}
	return putFile(filepath.Join(dir, "etc/dashboard-image"), []byte(b.version+"\n"), 0o644)
}

// demo is the folder with the widgets file of the example wall. A card shows this wall until you change it.
const demo = "cmd/dashboard/demo"

// Changes of the example wall for the card: its text mentions the drive instead of a command, because the board has no keyboard. The
// changed wall does not show how full the disk is, because the card's file systems do not get full.
const (
	demoHint = "dashboard init my-wall starts your own"
	cardHint = "Your own wall: the folder dashboard on the drive " + card.Label
	diskRow  = "{text: Disk,"
)

// defaultConfig writes the configuration of a new card.
func defaultConfig(dir string) error {
	if err := copyTree(demo, dir); err != nil {
		return err
	}
	path := filepath.Join(dir, "widgets.yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !bytes.Contains(text, []byte(demoHint)) {
		return fmt.Errorf("%s: there is no text %q", path, demoHint)
	}
	var kept []byte
	for line := range bytes.Lines(bytes.Replace(text, []byte(demoHint), []byte(cardHint), 1)) {
		if !bytes.Contains(line, []byte(diskRow)) {
			kept = append(kept, line...)
		}
	}
	if err := putFile(path, kept, 0o644); err != nil {
		return err
	}
	return copyTree("image/boot/dashboard", dir)
}

func makeLinks(dir string) error {
	links, err := readLinks()
	if err != nil {
		return err
	}
	for _, l := range links {
		at := filepath.Join(dir, l.path)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return err
		}
		if err := os.Remove(at); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if l.target != "/dev/null" && path.Dir(path.Dir(l.target)) == "/usr/lib/systemd" {
			if _, err := os.Stat(filepath.Join(dir, l.target)); err != nil {
				return fmt.Errorf("%s: %w", linksFile, err)
			}
		}
		if err := os.Symlink(l.target, at); err != nil {
			return err
		}
	}
	return nil
}

func makeFolders(dir string) error {
	for _, f := range emptyFolders {
		if err := os.MkdirAll(filepath.Join(dir, f), 0o755); err != nil {
			return err
		}
	}
	return os.Chmod(filepath.Join(dir, "tmp"), 0o777|fs.ModeSticky)
}

// putFile writes a file. It replaces an existing file, because the existing file may be a hard link to a file in the cache.
func putFile(path string, content []byte, mode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.WriteFile(path, content, mode); err != nil {
		return err
	}
	return os.Chmod(path, mode) // the umask may have removed permissions
}

// copyFile copies a file. The copy is executable if the original is executable.
func copyFile(from, to string) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if info.Mode()&0o100 != 0 {
		mode = 0o755
	}
	return putFile(to, content, mode)
}

// copyTree copies all files of a folder. They replace existing files.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		return copyFile(path, filepath.Join(to, name))
	})
}

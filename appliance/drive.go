//go:build linux

package appliance

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dashboard/appliance/about"
	"dashboard/appliance/card"
	"dashboard/appliance/imager"
	"dashboard/appliance/settings"
	dirs "dashboard/internal/folder"
)

// settingsFile returns the content of settings.txt. If a power cut has left only settings.new, it returns the content of this file.
func settingsFile(folder string) ([]byte, error) {
	file, err := driveFile(folder, card.SettingsFile, settings.MaxFile)
	if errors.Is(err, fs.ErrNotExist) {
		if fresh, e := driveFile(folder, card.NewSettingsFile, settings.MaxFile); e == nil {
			return fresh, nil
		}
	}
	return file, err
}

// driveFile reads a file of the first partition, which is mounted at `drive`, if the file has at most `most` bytes. A file can be as
// large as the partition, and therefore larger than the memory of a small board.
func driveFile(drive, name string, most int64) ([]byte, error) {
	return dirs.Read(os.DirFS(drive), name, most)
}

// mistakeIn returns the first mistake in settings.txt, or nil. `missing` lists the settings whose values do not exist on this board. `used`
// contains the problems of lines that are used.
func mistakeIn(folder string, missing []string) (first *about.Mistake, used []string) {
	file, err := settingsFile(folder)
	if err != nil {
		return nil, nil
	}
	s, all := settings.Read(fromImager(folder), file)
	for _, m := range all {
		if m.Reason == "" || m.Reason == "mistake.gateway" && s.Address.IsValid() { // a gateway outside of the network is used
			used = append(used, m.String())
		}
	}
	for _, name := range missing {
		all = append(all, settings.Wrong(file, name))
	}
	all = slices.DeleteFunc(all, func(m settings.Mistake) bool { return m.Line == 0 || m.Reason == "" })
	if len(all) == 0 {
		return nil, used
	}
	m := slices.MinFunc(all, func(a, b settings.Mistake) int { return a.Line - b.Line })
	return &about.Mistake{
		File: card.SettingsFile, Line: m.Line, Reason: m.Reason, Right: m.Right, Rows: m.Rows(file), More: len(all) - 1,
	}, used
}

// readSettings reads settings.txt on the first partition. The problems name the partition as a laptop shows it: DASHBOARD.
func readSettings(folder string) (settings.Settings, []string) {
	file, err := settingsFile(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return settings.Default(), []string{fmt.Sprintf("the drive %s has no file %s: the defaults are used%s", card.Label, card.SettingsFile, similar(folder, card.SettingsFile))}
	case errors.As(err, new(*dirs.TooLong)):
		return settings.Default(), []string{settings.TooLong}
	case err != nil:
		return settings.Default(), []string{fmt.Sprintf("%s on the drive %s cannot be read: the defaults are used", card.SettingsFile, card.Label)}
	}
	return settings.ParseOver(fromImager(folder), file)
}

// fromImager converts the files that Raspberry Pi Imager has written to the card into settings. The settings in settings.txt have
// priority.
func fromImager(drive string) []byte {
	user, _ := driveFile(drive, imager.UserFile, settings.MaxFile) // the two files are missing on most cards
	network, _ := driveFile(drive, imager.NetworkFile, settings.MaxFile)
	return []byte(imager.Lines(user, network))
}

// folderProblems returns problems of the folder with the owner's wall. Either the folder is missing, or the name of an entry in the
// folder only resembles the right name.
func folderProblems(drive, role string) []string {
	folder := filepath.Join(drive, card.ConfigFolder)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return []string{fmt.Sprintf("the drive %s has no folder %q: the example is shown%s", card.Label, card.ConfigFolder, similar(drive, card.ConfigFolder))}
	}
	names := []string{"conf.yaml", "widgets.yaml", "providers.yaml", "secrets.yaml", "recipes"}
	if role == settings.Client {
		names = []string{"client.yaml", "secrets.yaml"}
	}
	var problems []string
	for _, name := range names {
		_, err := os.Stat(filepath.Join(folder, name))
		if hint := similar(folder, name); err != nil && hint != "" {
			problems = append(problems, fmt.Sprintf("the folder %q has no %s%s", card.ConfigFolder, name, hint))
		}
	}
	return problems
}

// similar() looks for an entry of a folder whose name resembles a missing name. It returns a hint with the entry's name, or "".
func similar(folder, name string) string {
	entries, _ := os.ReadDir(folder) // a folder that cannot be read counts as empty
	for _, e := range entries {
		if looksLike(e.Name(), name) {
			return fmt.Sprintf("; rename %q to %q", e.Name(), name)
		}
	}
	return ""
}

// looksLike reports whether `found` is a variant of `name` that a laptop has created. Some laptops append an ending, as in "conf.yaml.txt"
// and "settings.txt.txt". Some laptops replace the ending, as in "conf.yml". For a copy, laptops add a number, as in "dashboard (1)" and
// "conf (2).yaml".
func looksLike(found, name string) bool {
	found = strings.ToLower(found)
	if found == name {
		return false
	}
	stem, ending := strings.TrimSuffix(name, filepath.Ext(name)), filepath.Ext(name)
	rest, ok := strings.CutPrefix(found, stem)
	if !ok {
		return false
	}
	if ending == "" { // a folder's name has no ending to replace
		return isCopyMark(rest)
	}
	for _, other := range []string{"", ending, ".yml", ".txt", ".yaml"} {
		middle, ok := strings.CutSuffix(rest, other)
		if ok && isCopyMark(strings.TrimSuffix(middle, ending)) {
			return true
		}
	}
	return false
}

// isCopyMark reports whether s is empty or an addition that a laptop makes to the name of a copy, such as " (1)", " 2", "-1" or " - copy".
func isCopyMark(s string) bool {
	s = strings.Trim(s, " -_()0123456789")
	return s == "" || s == "copy" || s == "kopie"
}

//go:build linux

package setup

import (
	"cmp"
	"errors"
	"io/fs"
	"log/slog"
	"slices"
	"strings"

	"dashboard/appliance/about"
	"dashboard/appliance/settings"
	"dashboard/config"
	"dashboard/internal/folder"
	"dashboard/internal/stable"
)

const (
	wallFolder = "/etc/dashboard" // the wall's folder on the card, or the built-in wall
	maxConf    = 256 << 10        // maximum size of a file that is checked, in bytes
)

// A wallFile watches the general settings of the wall: conf.yaml or client.yaml.
type wallFile struct {
	root    *folder.Root
	log     *slog.Logger
	seen    string         // contents at the last check, or the last error
	mistake *about.Mistake // first mistake, or nil
}

// look returns the first mistake in the settings of a role. It checks the file again only if the file or secrets.yaml has changed.
func (w *wallFile) look(f about.Facts) *about.Mistake {
	if f.Foreign {
		return nil
	}
	name := about.WallConf
	if f.Role == settings.Client {
		name = about.ClientConf
	}
	data, err := folder.Read(w.root, name, maxConf)
	secrets, unread := folder.Read(w.root, config.SecretsName, maxConf)
	if unread != nil && err == nil && !errors.Is(unread, fs.ErrNotExist) { // most walls have no such file
		err = unread
	}
	if err != nil {
		if now := err.Error(); now != w.seen {
			w.seen, w.mistake = now, nil
			if !errors.Is(err, fs.ErrNotExist) {
				w.log.Warn("the settings of the wall are not checked for mistakes", "error", err)
			}
		}
		return nil
	}
	if now := name + "\n" + string(data) + "\x00" + string(secrets); now != w.seen {
		w.seen = now
		w.mistake = mistakeOf(w.root, name, data)
	}
	return w.mistake
}

// mistakeOf returns the first mistake in a file of the wall, or nil. A mistake without a line cannot be corrected on a phone.
func mistakeOf(root *folder.Root, name string, data []byte) *about.Mistake {
	all, _ := errorsIn(root, name)
	if len(all) == 0 {
		return nil
	}
	d := all[0]
	m := &about.Mistake{
		File: about.WallPrefix + name, Line: d.Line, Reason: settings.WallReason(data, d.Line, d.Words()),
		Rows: settings.WallRows(data, d.Line, d.Column), More: len(all) - 1,
	}
	if r := m.Wrong(); r.Word != "" && d.Near != "" && strings.HasPrefix(strings.TrimLeft(r.After, `"'`), ":") {
		m.Reason, m.Right = "mistake.mean", d.Near // the name of a setting is wrong
	}
	if m.Rows == nil {
		return nil
	}
	return m
}

// errorsIn returns the errors in a file of the wall that have a line, from the first line to the last. `parsed` is false if the file is
// not YAML.
func errorsIn(root *folder.Root, name string) (all []config.Diagnostic, parsed bool) {
	r := &config.Report{}
	secrets := config.SecretsFile(root, config.SecretsName)
	if name == about.ClientConf {
		c, _ := config.LoadClient(root, name, r, secrets)
		parsed = c != nil
	} else {
		c, _ := config.LoadConf(root, name, r, secrets)
		parsed = c != nil
	}
	all = slices.DeleteFunc(r.Errors(), func(d config.Diagnostic) bool { return d.File != name || d.Line < 1 })
	stable.Sort(all, func(a, b config.Diagnostic) int { return cmp.Compare(a.Line, b.Line) })
	return all, parsed
}

// checkFix returns an error if a correction would leave a mistake in the corrected line or before it, or if the file would no longer be
// YAML. Later mistakes are corrected one after the other. A correction that makes the file YAML again is always right, because the errors
// in other lines could not be found before.
func checkFix(root *folder.Root, w about.Wish) error {
	data, err := folder.Read(root, w.File, maxConf)
	if err != nil {
		return err
	}
	fixed, err := settings.FixWall(data, w.Line, w.Was, w.Text)
	if err != nil {
		return err
	}
	_, before := errorsIn(root, w.File)
	all, parsed := errorsIn(root.Over(map[string][]byte{w.File: fixed}), w.File)
	if again := parsed && !before; len(all) > 0 && !again && (all[0].Line <= w.Line || before && !parsed) {
		return errors.New(all[0].Place() + ": " + settings.WallReason(fixed, all[0].Line, all[0].Words()))
	}
	return nil
}

//go:build linux

package appliance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"dashboard/appliance/about"
	"dashboard/appliance/card"
	"dashboard/appliance/settings"
	"dashboard/internal/folder"
)

const (
	maxWish    = 8 << 10 // maximum size of a wish, in bytes. A wish has a dozen short values
	maxGallery = 2 << 20 // maximum size of a file in the gallery, in bytes
	applyUnit  = "appliance-apply.service"
	// restartAfter is the time between the grant of a wish and the restart. In this time, the phone loads the page that waits for the board.
	restartAfter = 4 * time.Second
	// smallCluster is the space in bytes that a file needs in addition to its size. The clusters of the image are not larger.
	smallCluster = 4 << 10
)

// coordinates matches a place as the set-up writes it, such as "48.52, 9.06".
var coordinates = regexp.MustCompile(`^(-?[0-9]{1,2}(?:\.[0-9]{1,6})?), (-?[0-9]{1,3}(?:\.[0-9]{1,6})?)$`)

// takeWish grants a new wish of the set-up. It writes the changes to the card and applies them.
func (k *keeper) takeWish(ctx context.Context) {
	data, err := folder.Read(os.DirFS("/"), about.WishFile, maxWish)
	var w about.Wish
	if err != nil || json.Unmarshal(data, &w) != nil || w.ID == k.wish {
		return
	}
	k.wish = w.ID
	err = k.writable(func() error { return grant(bootFolder, os.DirFS("/"+about.GalleryFolder), w) })
	reason := ""
	if err != nil {
		say("set-up: %v", err)
		reason = cardReason(err)
	}
	if e := tell(about.GrantFile, w.ID+"\n"+reason); e != nil {
		say("%v", e)
	}
	if err == nil {
		say("set-up: the settings are on the card")
		carryOut(ctx, w, func(command ...string) { say("%s", output(ctx, command)) })
	}
}

// carryOut applies a wish that is on the card. If the wish needs a restart, carryOut waits for restartAfter first.
func carryOut(ctx context.Context, w about.Wish, run func(command ...string)) {
	if !w.Restarts() {
		run("systemctl", "start", "--no-block", applyUnit)
		return
	}
	select {
	case <-time.After(restartAfter):
		run("systemctl", "reboot", "--no-block")
	case <-ctx.Done(): // the board stops already
	}
}

// cardReason returns the reason of an error as the page shows it.
func cardReason(err error) string {
	switch {
	case errors.Is(err, unix.ENOSPC):
		return fmt.Sprintf("the card is full: delete files on the drive %s", card.Label)
	case errors.Is(err, unix.EROFS), errors.Is(err, unix.EACCES), errors.Is(err, unix.EIO):
		return "the card cannot be written: it is write-protected or worn out"
	}
	return err.Error()
}

// grant writes a wish into the folder of the first partition. The settings are written last. If the power fails before the settings are
// written, the set-up continues at the next start.
func grant(drive string, gallery fs.FS, w about.Wish) error {
	if w.File != "" {
		return grantWall(filepath.Join(drive, card.ConfigFolder), w)
	}
	text, err := settingsFile(drive)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if w.Line > 0 {
		fixed, err := settings.Fix(text, w.Line, w.Was, w.Text)
		if err != nil {
			return err
		}
		return keepOld(filepath.Join(drive, card.SettingsFile), fixed)
	}
	fresh, err := wished(text, w)
	if err != nil {
		return err
	}
	if err := hang(filepath.Join(drive, card.ConfigFolder), gallery, w); err != nil {
		return err
	}
	path := filepath.Join(drive, card.SettingsFile)
	if w.Password == settings.Inside {
		_ = os.Remove(path + ".old") // the old file may contain the password. Usually this file is missing
	}
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, fresh) {
		return nil // a full card has no room for another copy
	}
	return replaceSettings(drive, fresh)
}

// grantWall corrects a line of conf.yaml or client.yaml in the folder of the wall. The set-up program has checked the corrected file.
func grantWall(folder string, w about.Wish) error {
	if w.File != about.WallConf && w.File != about.ClientConf {
		return fmt.Errorf("%q is no file with settings", w.File)
	}
	at := filepath.Join(folder, w.File)
	text, err := driveFile(folder, w.File, maxSavedBytes)
	if err != nil {
		return err
	}
	fixed, err := settings.FixWall(text, w.Line, w.Was, w.Text)
	if err != nil {
		return err
	}
	return keepOld(at, fixed)
}

// wished() returns the text of the settings with the values of a wish. It returns an error if settings.txt does not allow a value.
func wished(text []byte, w about.Wish) ([]byte, error) {
	_, before := settings.Parse(text)
	for _, s := range [][2]string{{"locale", w.Locale}, {"wifi_country", w.Country}, {"hostname", w.Name}, {"timezone", w.Zone}} {
		if strings.ContainsAny(s[1], "\r\n\x00") {
			return nil, fmt.Errorf("the %s of the set-up has a line break", s[0])
		}
		if s[1] != "" {
			text = settings.Set(text, s[0], s[1])
		}
	}
	if strings.ContainsAny(w.Network+w.Password, "\r\n\x00") {
		return nil, errors.New("the network of the set-up has a line break")
	}
	if w.Network != "" {
		text = settings.SetNetwork(text, w.Network, w.Password)
	}
	if _, after := settings.Parse(text); len(after) > len(before) {
		return nil, fmt.Errorf("the set-up has a value that settings.txt cannot have: %s", after[len(after)-1])
	}
	return text, nil
}

// hang() writes a wall of the gallery into the wall's folder. If the wish names no wall, hang() changes only the place in the present
// wall. The old version of a replaced file gets the ending ".old".
func hang(to string, gallery fs.FS, w about.Wish) error {
	if w.Wall == "" {
		return placeOnly(to, w.Place)
	}
	if !fs.ValidPath(w.Wall) || strings.Contains(w.Wall, "/") {
		return fmt.Errorf("there is no wall %q", w.Wall)
	}
	wall, err := fs.Sub(gallery, w.Wall)
	if err != nil {
		return err
	}
	if err := roomFor(to, wall, w.Place); err != nil {
		return err
	}
	return eachFile(to, wall, w.Place, func(at string, data []byte) error {
		return errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), keepOld(at, data))
	})
}

// eachFile calls the function `do` for each file of a wall in the gallery, with the file's path in the folder `to` and its contents for
// this board.
func eachFile(to string, wall fs.FS, place string, do func(at string, data []byte) error) error {
	return fs.WalkDir(wall, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == about.GalleryPicture {
			return err
		}
		data, err := folder.Read(wall, name, maxGallery)
		if err != nil {
			return err
		}
		if path.Base(name) == "conf.yaml" {
			data = conf(data, place)
		}
		return do(filepath.Join(to, filepath.FromSlash(name)), data)
	})
}

// roomFor returns ENOSPC if the files of a wall do not fit into the file system of a folder. A file that changes also needs room for its
// old version, which keepOld writes again. Without this check, a full card would get a part of the wall.
func roomFor(to string, wall fs.FS, place string) error {
	left, err := freeOn(filepath.Dir(to))
	if err != nil {
		return err
	}
	err = eachFile(to, wall, place, func(at string, data []byte) error {
		old, err := os.ReadFile(at)
		if err == nil && bytes.Equal(old, data) {
			return nil
		}
		left -= int64(len(data)+len(old)) + 2*smallCluster
		return nil
	})
	if err == nil && left < 0 {
		return unix.ENOSPC
	}
	return err
}

// placeOnly writes the place into the present configuration.
func placeOnly(to, place string) error {
	at := filepath.Join(to, "conf.yaml")
	data, err := os.ReadFile(at)
	if place == "" || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return keepOld(at, located(data, place))
}

// keepOld replaces a file and keeps the old file under another name.
func keepOld(at string, data []byte) error {
	if old, err := os.ReadFile(at); err == nil {
		if bytes.Equal(old, data) {
			return nil
		}
		if err := replace(at+".old", at+".new", old); err != nil {
			return err
		}
	}
	if filepath.Base(at) == card.SettingsFile {
		return replaceSettings(filepath.Dir(at), data)
	}
	return replace(at, at+".new", data)
}

// replace replaces a file with new data. It first writes the data under the name `fresh` and then renames that file. After a power cut the
// card has the old file or the new file, possibly under the name `fresh`.
func replace(path, fresh string, data []byte) error {
	f, err := os.Create(fresh)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(fresh)) // remove the incomplete file, because otherwise a full card would stay full
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer root.Close()
	return takeName(root, filepath.Base(fresh), filepath.Base(path))
}

// replaceSettings replaces the settings in a folder. If an earlier power cut left only NewSettingsFile, this file gets its name first, because
// it would otherwise be lost at the next power cut.
func replaceSettings(folder string, data []byte) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	_, missing := root.Lstat(card.SettingsFile)
	if info, err := root.Lstat(card.NewSettingsFile); errors.Is(missing, fs.ErrNotExist) && err == nil && info.Mode().IsRegular() {
		if err := takeName(root, card.NewSettingsFile, card.SettingsFile); err != nil {
			return err
		}
	}
	return replace(filepath.Join(folder, card.SettingsFile), filepath.Join(folder, card.NewSettingsFile), data)
}

// conf adapts the conf.yaml of a wall in the gallery to this board. It removes the language, because settings.txt sets it, and sets the
// person's place. If the file has no section server, conf adds a section that allows access to the wall from the network.
func conf(data []byte, place string) []byte {
	var out []byte
	server := false
	for line := range bytes.Lines(data) {
		if bytes.HasPrefix(line, []byte("locale:")) {
			continue
		}
		server = server || bytes.HasPrefix(line, []byte("server:"))
		out = append(out, line...)
	}
	if !server {
		out = append(out, "\nserver:\n  host: 0.0.0.0               # the network may see the wall\n  port: 5000\n"...)
	}
	return located(out, place)
}

// located() sets the place in a conf.yaml. `place` is a latitude and a longitude.
func located(data []byte, place string) []byte {
	at := coordinates.FindStringSubmatch(place)
	if at == nil {
		return data
	}
	line := fmt.Appendf(nil, "location: {latitude: %s, longitude: %s}\n", at[1], at[2])
	var out []byte
	found := false
	for l := range bytes.Lines(data) {
		if bytes.HasPrefix(l, []byte("location:")) {
			l, found = line, true
		}
		out = append(out, l...)
	}
	if !found {
		out = append(append(out, '\n'), line...)
	}
	return out
}

// apply runs "appliance apply". It writes the settings of the card into /etc again, as the first process does at a start. Then it
// restarts the role's unit, which stops the unit of the other role (Conflicts= in systemd.unit(5)). If the networks have changed, the
// set-up program makes wpa_supplicant read them.
func apply(ctx context.Context) error {
	s, problems := readSettings(bootFolder)
	id, err := os.ReadFile("/etc/machine-id")
	if err != nil {
		return err
	}
	files := []string{networksFile}
	for _, r := range readers {
		files = append(files, r.file)
	}
	before := textsOf(files...)
	if _, err := writeSettings("", s, problems, strings.TrimSpace(string(id))); err != nil {
		return err
	}
	after := textsOf(files...)
	if before[0] != after[0] {
		if err := tell(about.NetworksFile, strconv.FormatInt(time.Now().UnixNano(), 36)); err != nil {
			return err
		}
	}
	for _, unit := range changedReaders(before[1:], after[1:]) {
		say("%s", output(ctx, []string{"systemctl", "restart", "--no-block", unit}))
	}
	if err := unix.Sethostname([]byte(s.Hostname)); err != nil {
		return err
	}
	for _, command := range [][]string{{"systemctl", "daemon-reload"}, {"systemctl", "restart", "--no-block", units[s.Role]}} {
		say("%s", output(ctx, command))
	}
	return nil
}

// readers lists the services that read a file of the settings only when they start.
var readers = []struct{ file, unit string }{
	{addressFile, "systemd-networkd.service"}, {resolverFile, "systemd-resolved.service"}, {timeFile, "systemd-timesyncd.service"},
}

// changedReaders returns the units of `readers` whose files have changed. `before` and `after` are the contents of these files.
func changedReaders(before, after []string) (units []string) {
	for i, r := range readers {
		if before[i] != after[i] {
			units = append(units, r.unit)
		}
	}
	return units
}

// textsOf returns the contents of files. The content of a missing file is empty.
func textsOf(files ...string) (all []string) {
	for _, f := range files {
		data, _ := os.ReadFile(f) // the settings may not need the file
		all = append(all, string(data))
	}
	return all
}

// awaitData runs "appliance await". It returns when the data partition is mounted, or after wallWait.
func awaitData() error {
	for !isMount(dataFolder) && sinceStart() < wallWait {
		time.Sleep(cardPause)
	}
	return nil
}

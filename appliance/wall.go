//go:build linux

package appliance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dashboard/appliance/about"
	"dashboard/appliance/settings"
	"dashboard/internal/pull/archive"
	"dashboard/internal/pull/wallcopy"
	kept "dashboard/internal/state"
)

// An unprivileged unit fetches the wall of config_url and stores it on the data partition. Another unit unpacks this copy before the
// dashboard or the client starts. The dashboard or the client then shows this wall instead of the card's own wall.
const (
	wallAddressFile = "/etc/dashboard-wall-address"
	wallTimer       = "appliance-wall.timer"
	wallUnit        = "appliance-wall.service"
	wallLayUnit     = "appliance-wall-lay.service"
	wallRoleFile    = "/etc/systemd/system/" + wallUnit + ".d/role.conf" // exists for the role client only
	// wallLaid is a link to the wall that the role's unit (dashboard or client) shows. It leads to wallOwn, or to a folder whose name is
	// wallLaid with a suffix.
	wallLaid    = "/run/dashboard-wall"
	wallOwn     = "/etc/dashboard"          // folder with the card's own wall
	wallLaidSum = "/run/dashboard-wall.sum" // sum of the unpacked copy, or empty
	wallWait    = 15 * time.Second          // time limit for the data partition, since the start of the kernel
)

var wallFolder = filepath.Join(dataFolder, "dashboard-wall") // StateDirectory of wallUnit

// rolePart returns the drop-in that makes a role's unit show the folder wallLaid. The folder is a link to the unpacked wall or to the
// card's wall. A new wall therefore needs a reload and not a restart, and the old picture stays until the new picture is drawn.
//
// A separate unit unpacks the wall, because a unit with a dynamic user cannot read another unit's state (systemd.exec(5), DynamicUser=).
func rolePart(role string) string {
	return "[Unit]\nWants=" + wallLayUnit + "\nAfter=" + wallLayUnit + "\n[Service]\nExecStart=\n" +
		"ExecStart=/usr/bin/" + strings.TrimSuffix(units[role], ".service") + " --config-dir " + wallLaid + " --keep-going\n"
}

// wallFiles adds the files for a wall of config_url.
func wallFiles(s settings.Settings, files, links map[string]string) {
	if s.ConfigURL == "" {
		return
	}
	const folder = "/etc/systemd/system/"
	files[wallAddressFile] = s.ConfigURL + "\n"
	files[folder+units[s.Role]+".d/wall.conf"] = rolePart(s.Role)
	if s.Role == settings.Client {
		files[wallRoleFile] = "[Service]\nEnvironment=WALL_KIND=--client\n"
	}
	if proxy := s.Environment(); proxy != nil {
		files[folder+wallUnit+".d/settings.conf"] = string(proxy)
	}
	links[folder+"timers.target.wants/"+wallTimer] = folder + wallTimer
}

// layWall runs "appliance wall". It unpacks the stored copy for the role's unit, and makes `link` point to the unpacked copy. If there is
// no copy, or no data partition after wallWait, `link` points to the card's own wall.
//
// If `link` is missing, layWall first makes it point to the card's own wall. The role's unit can therefore start even if systemd stops
// layWall at a time limit. When systemd stops layWall, ctx ends. If sumFile is missing at this time, layWall creates it as an empty file,
// so that the keeper unpacks the copy again.
func layWall(ctx context.Context, link, sumFile string, now func() time.Duration, sleep func(time.Duration)) error {
	if _, err := os.Readlink(link); err != nil {
		if err := leadTo(link, wallOwn); err != nil {
			return err
		}
	}
	done := make(chan error, 1)
	go func() { done <- layNow(link, sumFile, now, sleep) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	err := errors.New("the unpacking of the wall was stopped")
	if _, failed := os.Stat(sumFile); failed != nil {
		err = errors.Join(err, kept.Replace(sumFile, nil))
	}
	return err
}

func layNow(link, sumFile string, now func() time.Duration, sleep func(time.Duration)) error {
	for !isMount(dataFolder) && now() < wallWait {
		sleep(cardPause)
	}
	address, err := os.ReadFile(wallAddressFile)
	if err != nil {
		return err
	}
	sum, err := lay(wallFolder, strings.TrimSpace(string(address)), link)
	return errors.Join(err, kept.Replace(sumFile, []byte(sum)))
}

// lay unpacks the wall that is stored in the folder `dir`. It makes `link` point to the unpacked wall and returns the wall's checksum. If
// no wall is stored, or unpacking fails, it makes `link` point to the card's own wall and returns "". Only root and the group video can
// read the files.
func lay(dir, address, link string) (sum string, err error) {
	r := wallcopy.Load(dir, address)
	file, ok := wallcopy.Kept(dir, r)
	if !ok {
		return "", leadTo(link, wallOwn)
	}
	to := link + "-" + r.Sum
	if err := unpackOnce(file, to); err != nil {
		return "", errors.Join(err, leadTo(link, wallOwn))
	}
	return r.Sum, leadTo(link, to)
}

// unpackOnce unpacks a file into a new folder, completely or not at all. It does not change an existing folder.
func unpackOnce(file, to string) error {
	if _, err := os.Stat(to); err == nil {
		return nil
	}
	fresh := to + ".new"
	if err := errors.Join(os.RemoveAll(fresh), os.Mkdir(fresh, 0o750)); err != nil {
		return err
	}
	if _, err := archive.Unpack(file, fresh, ""); err != nil {
		return errors.Join(err, os.RemoveAll(fresh))
	}
	return errors.Join(os.Chown(fresh, 0, videoGroup), os.Rename(fresh, to))
}

// leadTo makes a link point to a folder and removes the folders of other walls. Readers see either the old link or the new link.
func leadTo(link, to string) error {
	fresh := link + ".link"
	err := errors.Join(os.RemoveAll(fresh), os.Symlink(to, fresh), os.Rename(fresh, link))
	others, _ := filepath.Glob(link + "-*") // the pattern is valid
	for _, o := range others {
		if o != to {
			err = errors.Join(err, os.RemoveAll(o))
		}
	}
	return err
}

// A wallWatch detects a new wall of config_url.
type wallWatch struct {
	address string // address of the wall, or "" for the card's own wall
	asked   string // sum of the stored copy for which look() has most recently requested unpacking
	looked  bool   // true after the first look at an unpacked wall
	shown   string // sum of the unpacked wall that the role shows
	asks    int    // number of remaining checks for nextStart
	problem string
	taken   time.Time
}

func newWallWatch() (w wallWatch) {
	address, _ := os.ReadFile(wallAddressFile) // if the file is missing, there is nothing to watch
	w.address = strings.TrimSpace(string(address))
	return w
}

// look compares the stored copy, the unpacked wall and the wall that the role shows. `unpack` is true if the copy must be unpacked.
// `reload` is true if the role must read its files again, because another wall was unpacked. `changed` is true if the problems have
// changed.
func (w *wallWatch) look(dir, laidSum string) (unpack, reload, changed bool) {
	sum, err := os.ReadFile(laidSum)
	if w.address == "" || err != nil {
		return false, false, false // at the start this error is normal, because no wall has been unpacked yet
	}
	r, laid := wallcopy.Load(dir, w.address), string(sum)
	if r.Sum != "" && r.Sum != laid && r.Sum != w.asked {
		w.asked, unpack = r.Sum, true
	}
	if w.looked && laid != w.shown {
		w.asks, reload = wallAsks, true
	}
	w.looked, w.shown = true, laid
	problem := wallcopy.Told(dir)
	changed = problem != w.problem
	w.problem, w.taken = problem, r.Taken
	return unpack, reload, changed
}

func (w *wallWatch) report(b *bytes.Buffer) {
	switch {
	case w.address == "":
		return
	case w.taken.IsZero():
		fmt.Fprintf(b, "Wall: the card's own, config_url gave none yet\n")
	default:
		fmt.Fprintf(b, "Wall: from config_url, taken %s\n", w.taken.Format(time.RFC1123))
	}
	if w.problem != "" {
		fmt.Fprintf(b, "WALL NOT TAKEN: %s\n", w.problem)
	}
}

const (
	// nextStart is the dashboard's status after a reload if the new files change the listening address, which requires a restart.
	nextStart = "server.host and server.port wait for a restart"
	// wallAsks is the number of checks for nextStart after a reload. A slow board needs seconds to read its files.
	wallAsks = 6
)

// followWall makes the role's unit show a new wall, and reports problems with it.
func (k *keeper) followWall(ctx context.Context) {
	roles := []string{units[settings.Dashboard], units[settings.Client]}
	unpack, reload, changed := k.wall.look(wallFolder, wallLaidSum)
	if unpack {
		say("a new wall: it is unpacked")
		say("%s", output(ctx, []string{"systemctl", "restart", "--no-block", wallLayUnit}))
	}
	switch {
	case reload:
		say("a new wall: the files are reloaded")
		say("%s", output(ctx, append([]string{"systemctl", "try-reload-or-restart"}, roles...)))
	case k.wall.asks > 0:
		if k.wall.asks--; status(ctx) == nextStart {
			k.wall.asks = 0
			say("the new wall has another address: the wall restarts")
			say("%s", output(ctx, append([]string{"systemctl", "try-restart"}, roles...)))
		}
	}
	if changed {
		if err := k.tellWrong(); err != nil {
			say("%v", err)
		}
		k.nextReport = 0
	}
}

// tellWrong writes the appliance's problems to WrongFile, which the wall reads.
func (k *keeper) tellWrong() error {
	var b strings.Builder
	if k.refused != "" {
		fmt.Fprintf(&b, "The update was not taken: %s\n", k.refused)
	}
	if k.wall.problem != "" {
		fmt.Fprintf(&b, "%s\n", k.wall.problem)
	}
	if k.names.problem != "" {
		fmt.Fprintf(&b, "%s\n", k.names.problem)
	}
	return tell(about.WrongFile, b.String())
}

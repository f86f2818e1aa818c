//go:build linux

package main

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
)

// An unprivileged unit fetches the wall of config_url and keeps it on the data partition. Another unit lays it out
// before the role's unit starts, which shows it instead of the card's wall.
const (
	wallAddressFile = "/etc/dashboard-wall-address"
	wallTimer       = "appliance-wall.timer"
	wallUnit        = "appliance-wall.service"
	wallLayUnit     = "appliance-wall-lay.service"
	wallLaid        = "/run/dashboard-wall"     // what the role's unit reads: a link to a folder of that name and more, or to wallOwn
	wallOwn         = "/etc/dashboard"          // the card's own
	wallLaidSum     = "/run/dashboard-wall.sum" // of the copy that is there (empty for none)
	wallWait        = 15 * time.Second          // since the kernel's start, for the data partition
)

var wallFolder = filepath.Join(dataFolder, "dashboard-wall") // the StateDirectory of wallUnit

// rolePart returns the drop-in by which a role's unit shows the laid out wall, or else the card's. A separate unit lays
// it out, because no command of a unit with a dynamic user sees another unit's state (systemd.exec(5), DynamicUser=).
// The folder is a link, so another wall needs a reload and no restart, and the picture stays until the new one is
// drawn.
func rolePart(role string) string {
	return "[Unit]\nWants=" + wallLayUnit + "\nAfter=" + wallLayUnit + "\n[Service]\nExecStart=\n" +
		"ExecStart=/usr/bin/" + strings.TrimSuffix(units[role], ".service") + " --config-dir " + wallLaid + " --keep-going\n"
}

// wallFiles adds what a wall of config_url needs.
func wallFiles(s settings.Settings, files, links map[string]string) {
	if s.ConfigURL == "" {
		return
	}
	const folder = "/etc/systemd/system/"
	files[wallAddressFile] = s.ConfigURL + "\n"
	files[folder+units[s.Role]+".d/wall.conf"] = rolePart(s.Role)
	if s.Role == settings.Client {
		files[folder+wallUnit+".d/role.conf"] = "[Service]\nEnvironment=WALL_KIND=--client\n"
	}
	if proxy := s.Environment(); proxy != nil {
		files[folder+wallUnit+".d/settings.conf"] = string(proxy)
	}
	links[folder+"timers.target.wants/"+wallTimer] = folder + wallTimer
}

// layWall is "appliance wall". It lays the kept copy out where the role's unit finds it. Without a copy, or without a
// data partition after wallWait, it uses the card's own wall.
func layWall(now func() time.Duration, sleep func(time.Duration)) error {
	for !isMount(dataFolder) && now() < wallWait {
		sleep(cardPause)
	}
	address, err := os.ReadFile(wallAddressFile)
	if err != nil {
		return err
	}
	sum, err := lay(wallFolder, strings.TrimSpace(string(address)), wallLaid)
	return errors.Join(err, os.WriteFile(wallLaidSum, []byte(sum), 0o644))
}

// lay unpacks the copy that is kept in a folder, points the link at it, and returns its sum. Without a copy it returns
// "" and points the link at the card's own wall. Only root and the group video can read the files.
func lay(kept, address, link string) (sum string, err error) {
	r := wallcopy.Load(kept, address)
	file, ok := wallcopy.Kept(kept, r)
	if !ok {
		return "", leadTo(link, wallOwn)
	}
	to := link + "-" + r.Sum
	if err := unpackOnce(file, to); err != nil {
		return "", errors.Join(err, leadTo(link, wallOwn))
	}
	return r.Sum, leadTo(link, to)
}

// unpackOnce unpacks a file into a new folder, completely or not at all. It keeps an existing folder.
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

// leadTo points a link at a folder, atomically for readers, and removes the folders of other walls.
func leadTo(link, to string) error {
	fresh := link + ".link"
	err := errors.Join(os.RemoveAll(fresh), os.Symlink(to, fresh), os.Rename(fresh, link))
	others, _ := filepath.Glob(link + "-*") // the pattern is correct
	for _, o := range others {
		if o != to {
			err = errors.Join(err, os.RemoveAll(o))
		}
	}
	return err
}

// A wallWatch looks for another wall than the shown one.
type wallWatch struct {
	address string // "" if the wall is the card's own
	shown   string // the sum for which the role was last reloaded
	asks    int    // how often the watch still checks whether the role needs a restart
	problem string
	taken   time.Time
}

func newWallWatch() (w wallWatch) {
	address, _ := os.ReadFile(wallAddressFile) // without the file there is nothing to watch
	w.address = strings.TrimSpace(string(address))
	return w
}

// look returns whether the role must read its files again, and whether something else is wrong than before.
func (w *wallWatch) look(kept, laidSum string) (reload, changed bool) {
	laid, err := os.ReadFile(laidSum)
	if w.address == "" || err != nil {
		return false, false // or nothing was laid out yet: the role waits for it
	}
	r := wallcopy.Load(kept, w.address)
	if r.Sum != "" && r.Sum != string(laid) && r.Sum != w.shown {
		w.shown, w.asks, reload = r.Sum, wallAsks, true
	}
	problem := wallcopy.Told(kept)
	changed = problem != w.problem
	w.problem, w.taken = problem, r.Taken
	return reload, changed
}

func (w *wallWatch) report(b *bytes.Buffer) {
	switch {
	case w.address == "":
		return
	case w.taken.IsZero():
		fmt.Fprintf(b, "Wall: the card's own, config_url gave none yet\n")
	default:
		fmt.Fprintf(b, "Wall: that of config_url, taken %s\n", w.taken.Format(time.RFC1123))
	}
	if w.problem != "" {
		fmt.Fprintf(b, "WALL NOT TAKEN: %s\n", w.problem)
	}
}

const (
	// nextStart is the dashboard's status when the files that it has read have another listening address than its own.
	nextStart = "server.host and server.port wait for a restart"
	// wallAsks is the time between two checks, one in rareLooks: a slow board reads files for seconds.
	wallAsks = 6
)

// followWall has the role show a new wall, and reports problems with it.
func (k *keeper) followWall(ctx context.Context) {
	roles := []string{units[settings.Dashboard], units[settings.Client]}
	reload, changed := k.wall.look(wallFolder, wallLaidSum)
	switch {
	case reload:
		say("a new wall: the files are reloaded")
		say("%s", output(ctx, []string{"systemctl", "restart", wallLayUnit}))
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

// tellWrong writes the appliance's problems to the file that the wall reads.
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

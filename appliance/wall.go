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
	"dashboard/appliance/wallcopy"
	"dashboard/appliance/wallzip"
)

// A wall of config_url is fetched by a unit of its own, as a user that may do nothing else, and kept on the data partition. The
// unit of the role has it laid out before it starts, and sees it in place of the card's.
const (
	wallAddressFile = "/etc/dashboard-wall-address"
	wallTimer       = "appliance-wall.timer"
	wallUnit        = "appliance-wall.service"
	wallLayUnit     = "appliance-wall-lay.service"
	wallLaid        = "/run/dashboard-wall"     // what the role's unit sees as /etc/dashboard
	wallLaidSum     = "/run/dashboard-wall.sum" // of the copy that is there; empty for none
	wallWait        = 15 * time.Second          // since the kernel's start, for the data partition
)

var wallFolder = filepath.Join(dataFolder, "dashboard-wall") // the StateDirectory of wallUnit

// rolePart has a role's unit show the wall that is laid out, if there is one. It is laid out by a unit of its own: no command of a unit with a
// user of its own sees what others keep (systemd.exec(5), DynamicUser=).
const rolePart = "[Unit]\nWants=" + wallLayUnit + "\nAfter=" + wallLayUnit + "\n[Service]\nBindReadOnlyPaths=-" + wallLaid + ":/etc/dashboard\n"

// wallFiles adds what a wall of config_url needs.
func wallFiles(s settings.Settings, files, links map[string]string) {
	if s.ConfigURL == "" {
		return
	}
	const folder = "/etc/systemd/system/"
	files[wallAddressFile] = s.ConfigURL + "\n"
	files[folder+units[s.Role]+".d/wall.conf"] = rolePart
	if s.Role == settings.Client {
		files[folder+wallUnit+".d/role.conf"] = "[Service]\nEnvironment=WALL_KIND=--client\n"
	}
	if proxy := s.Environment(); proxy != nil {
		files[folder+wallUnit+".d/settings.conf"] = string(proxy)
	}
	links[folder+"timers.target.wants/"+wallTimer] = folder + wallTimer
}

// layWall is "appliance wall": it lays the kept copy out where the role's unit finds it. Without one, or without a data
// partition after wallWait, there is none.
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

// lay unpacks the copy that is kept in a folder, and returns its sum; "" if there is none. Only root and the group video can
// read it, as the card's.
func lay(kept, address, to string) (sum string, err error) {
	r := wallcopy.Load(kept, address)
	file, ok := wallcopy.Kept(kept, r)
	if !ok {
		return "", os.RemoveAll(to)
	}
	fresh := to + ".new"
	if err := os.RemoveAll(fresh); err != nil {
		return "", err
	}
	if err := os.Mkdir(fresh, 0o750); err != nil {
		return "", err
	}
	if err := wallzip.Unpack(file, fresh); err != nil {
		return "", errors.Join(err, os.RemoveAll(fresh))
	}
	return r.Sum, errors.Join(os.Chown(fresh, 0, videoGroup), os.RemoveAll(to), os.Rename(fresh, to))
}

// A wallWatch looks whether there is another wall than the one that is shown.
type wallWatch struct {
	address string // "" if the wall is the card's own
	shown   string // the sum that the role was last started for by the watch
	problem string
	taken   time.Time
}

func newWallWatch() (w wallWatch) {
	address, _ := os.ReadFile(wallAddressFile) // without it there is nothing to watch
	w.address = strings.TrimSpace(string(address))
	return w
}

// look returns whether the role must be started anew, and whether something else is wrong than before.
func (w *wallWatch) look(kept, laidSum string) (restart, changed bool) {
	laid, err := os.ReadFile(laidSum)
	if w.address == "" || err != nil {
		return false, false // or nothing was laid out yet: the role waits for it
	}
	r := wallcopy.Load(kept, w.address)
	if r.Sum != "" && r.Sum != string(laid) && r.Sum != w.shown {
		w.shown, restart = r.Sum, true
	}
	problem := wallcopy.Told(kept)
	changed = problem != w.problem
	w.problem, w.taken = problem, r.Taken
	return restart, changed
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

// followWall has the role show a new wall, and tells what is wrong with one.
func (k *keeper) followWall(ctx context.Context) {
	restart, changed := k.wall.look(wallFolder, wallLaidSum)
	if restart {
		say("a new wall: the picture is started anew")
		say("%s", output(ctx, []string{"systemctl", "restart", wallLayUnit}))
		say("%s", output(ctx, []string{"systemctl", "try-restart", units[settings.Dashboard], units[settings.Client]}))
	}
	if changed {
		if err := k.tellWrong(); err != nil {
			say("%v", err)
		}
		k.nextReport = 0
	}
}

// tellWrong tells the wall what is wrong with the appliance.
func (k *keeper) tellWrong() error {
	var b strings.Builder
	if k.refused != "" {
		fmt.Fprintf(&b, "The update was not taken: %s\n", k.refused)
	}
	if k.wall.problem != "" {
		fmt.Fprintf(&b, "%s\n", k.wall.problem)
	}
	return tell(about.WrongFile, b.String())
}

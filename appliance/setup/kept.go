//go:build linux

package setup

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"dashboard/appliance/about"
	"dashboard/appliance/settings"
	"dashboard/appliance/setup/flow"
	"dashboard/appliance/setup/words"
	"dashboard/internal/folder"
	"dashboard/internal/state"
)

const (
	maxKept = 64 << 10 // maximum size of the file, in bytes. The draft has a dozen short values
	// grantTime is the time limit for the keeper's answer. It is long, because the keeper writes to a slow card.
	grantTime  = 20 * time.Second
	grantPause = 50 * time.Millisecond
)

// The type kept has the values that are stored for the next start.
type kept struct {
	Password string     `json:"password"` // password of the access point
	Token    string     `json:"token"`    // token of the page
	Worked   bool       `json:"worked"`   // true if a network was joined at any earlier time
	Draft    flow.Draft `json:"draft"`
	// Returns is true while the board restarts because of a correction on the page. The next start then serves the page in every network.
	Returns bool `json:"returns,omitempty"`
}

// A keptFile stores a `kept` in a file that only its owner can read.
type keptFile struct {
	path string
	kept kept
}

// openKept reads the file. If the file is missing or damaged, openKept makes a new file with a new password and a new token. For a damaged
// file, openKept also returns an error.
func openKept(path string) (*keptFile, error) {
	f := &keptFile{path: path}
	data, err := folder.Read(os.DirFS(filepath.Dir(path)), filepath.Base(path), maxKept)
	if err == nil {
		err = json.Unmarshal(data, &f.kept)
	}
	if err == nil && f.kept.Password != "" && f.kept.Token != "" {
		return f, nil
	}
	f.kept = kept{Password: flow.NewPassword(), Token: flow.NewToken()}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return f, errors.Join(err, f.save())
}

func (f *keptFile) save() error {
	data, err := json.Marshal(f.kept)
	if err != nil {
		return err
	}
	return state.Replace(f.path, data)
}

// worked() records that a network was joined.
func (f *keptFile) worked() {
	if f.kept.Worked {
		return
	}
	f.kept.Worked = true
	_ = f.save() // a failed save affects only the next start
}

// returns records whether the board restarts because of the page.
func (f *keptFile) returns(yes bool) error {
	f.kept.Returns = yes
	return f.save()
}

// returned reports whether the page has caused this start, and forgets it.
func (f *keptFile) returned() bool {
	if !f.kept.Returns {
		return false
	}
	_ = f.returns(false) // a failure only serves the page once more
	return true
}

// cardValues returns the values that a person has written into settings.txt. `zone` is the board's time zone.
func cardValues(f about.Facts, zone string) (d flow.Draft) {
	def := settings.Default()
	d.Country = f.Country
	if f.Name != def.Hostname {
		d.Name = f.Name
	}
	if zone != def.Timezone {
		d.Zone = zone
	}
	return d
}

// localZone returns the name of the board's time zone, or "" if it is not known.
func localZone() string {
	target, _ := os.Readlink("/etc/localtime") // without the link the zone is not known
	zone, _ := strings.CutPrefix(target, zoneinfo+"/")
	table, _ := os.ReadFile(zoneinfo + "/zone.tab") // without the table, the name stays
	return settings.PresentZone(zoneinfo, zone, string(table))
}

// Save implements flow.Store.
func (s *service) Save(d flow.Draft) error {
	s.kept.kept.Draft = d
	return s.kept.save()
}

// Finish implements flow.Store. The keeper writes the card, and then Finish saves the draft. The saved draft contains the network's
// password only if Draft.Inside is true.
func (s *service) Finish(d flow.Draft) error {
	if err := s.wish(wishOf(d)); err != nil {
		return err
	}
	if d.Network != nil && !d.Inside {
		n := *d.Network
		n.Password = ""
		d.Network = &n
	}
	s.kept.kept.Worked = s.kept.kept.Worked || d.Network != nil
	return s.Save(d)
}

// Fix implements flow.Store.
func (s *service) Fix(m *about.Mistake, text string) error {
	w := about.WishOf(m, text)
	if w.File != "" {
		if err := checkFix(s.wall.root, w); err != nil {
			return err
		}
	}
	if w.Restarts() {
		_ = s.kept.returns(true) // saved first, because the board restarts as soon as the wish is granted. A failure affects only the page
	}
	err := s.wish(w)
	if err != nil && w.Restarts() {
		_ = s.kept.returns(false) // a failure only serves the page once more
	}
	return err
}

// wishOf converts a draft to a wish.
func wishOf(d flow.Draft) about.Wish {
	w := about.Wish{Country: d.Country, Name: d.Name, Zone: d.Zone, Place: d.Place, Wall: d.Wall}
	if d.Language != "" && d.Country != "" {
		w.Locale = words.OnWall(d.Language) + "-" + d.Country
	}
	if n := d.Network; n != nil {
		w.Network, w.Password = n.Name, n.Password
		if d.Inside && n.Password != "" {
			w.Password = settings.Inside
		}
	}
	return w
}

// wish hands a wish to the keeper and waits until it is granted.
func (s *service) wish(w about.Wish) error {
	w.ID = strconv.FormatInt(time.Now().UnixNano(), 36)
	data, err := json.Marshal(w)
	if err != nil {
		return err
	}
	if err := state.Replace("/"+about.WishFile, data); err != nil {
		return err
	}
	defer os.Remove("/" + about.WishFile) // the file contains a password
	for end := time.Now().Add(grantTime); time.Now().Before(end); time.Sleep(grantPause) {
		answer, err := os.ReadFile("/" + about.GrantFile)
		id, reason, _ := strings.Cut(string(answer), "\n")
		if err != nil || id != w.ID {
			continue
		}
		if reason != "" {
			return errors.New(reason)
		}
		return nil
	}
	return fmt.Errorf("the card was not written within %v", grantTime)
}

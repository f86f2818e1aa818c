package viewer

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"dashboard/config"
	"dashboard/internal/folder"
	"dashboard/internal/state"
)

const (
	// lastGood is the kind of the files in the state folder that hold the last valid settings.
	lastGood = "client"
	// noState is the option's value for keeping no state.
	noState = "none"
	// lookEvery is the interval of checks of files with errors. It is short, because the person who fixes them is in front of the
	// screen.
	lookEvery = 2 * time.Second
	// maxFileBytes is the maximum number of bytes that are read from a kept file.
	maxFileBytes = 256 << 10
)

// keptFiles are the contents of files, by their names in the folder of the configuration.
type keptFiles map[string][]byte

// read reads the settings files. Unreadable files are left out.
func (o *options) read() keptFiles {
	all := keptFiles{}
	for _, name := range []string{o.config, "secrets.yaml"} {
		if data, err := folder.Read(folder.Dir(o.home), name, maxFileBytes); err == nil {
			all[name] = data
		}
	}
	return all
}

// keeper opens the state folder of the command line or of systemd, or returns nil.
func (v *viewer) keeper() *state.Store {
	dir := v.opts.StateDir
	if dir == "" {
		if dir = os.Getenv("STATE_DIRECTORY"); !filepath.IsAbs(dir) { // set by StateDirectory= in the unit
			return nil
		}
	}
	if dir == noState {
		return nil
	}
	store, err := state.Open(dir)
	if err != nil {
		v.log.Warn("nothing is kept for a start after a mistake", "reason", err)
		return nil
	}
	return store
}

// key distinguishes the files of one screen from those of others.
func (o *options) key() string { return filepath.Join(o.home, o.config) }

// keepGood stores the files in use, if they are unchanged since they were read.
func (v *viewer) keepGood() {
	if v.store == nil || !filepath.IsLocal(v.opts.config) || !maps.EqualFunc(v.seen, v.opts.read(), bytes.Equal) {
		return
	}
	data, err := json.Marshal(v.seen)
	if old, ok := v.store.Load(lastGood, v.opts.key()); err != nil || ok && bytes.Equal(old, data) {
		return // the files are unchanged, and each write wears the card
	}
	if err := v.store.Save(lastGood, v.opts.key(), data); err != nil {
		v.log.Warn("the settings are not kept for a start after a mistake", "reason", err)
	}
}

// mended reports whether files with errors have changed since they were read.
func (v *viewer) mended() bool {
	return v.instead && !maps.EqualFunc(v.seen, v.opts.read(), bytes.Equal)
}

// nowhere configures a screen that only shows an error.
const nowhere = "server: {url: 'http://localhost'}\ngraphics: {resolution: [1280, 720]}\noutputs: [{type: window}]\n"

// fallback returns settings that replace files with errors: the last valid files, or a card with the first error. The card is
// shown on the screen of the files, if that part is readable.
func (v *viewer) fallback(report *config.Report) *settings {
	v.instead = true
	kept := keptFiles{}
	if data, ok := v.store.Load(lastGood, v.opts.key()); ok && json.Unmarshal(data, &kept) == nil {
		if s := v.over(kept); s != nil {
			v.log.Error("the settings are wrong: the screen begins with those that worked last, and takes them when they are mended")
			return s
		}
	}
	for _, text := range v.cards() {
		if s := v.over(keptFiles{v.opts.config: text}); s != nil {
			v.log.Error("the settings are wrong: the screen says so, and takes them when they are mended")
			s.client.Problem = problem(report)
			return s
		}
	}
	return nil
}

// cards returns settings for a card: with the screen of the invalid file, if that part is valid, and with the default screen.
func (v *viewer) cards() [][]byte {
	usual := []byte(nowhere)
	root := config.Parse(v.opts.config, v.seen[v.opts.config], &config.Report{}, nil)
	size, out := root.Get("graphics").Get("resolution"), root.Get("outputs")
	own := []byte("server: {url: 'http://localhost'}\n")
	for key, n := range map[string]*config.Node{"graphics": size, "outputs": out} {
		if n.Kind() == config.Null {
			return [][]byte{usual}
		}
		text, err := json.Marshal(n.Value())
		if err != nil {
			return [][]byte{usual}
		}
		if key == "graphics" {
			text = slices.Concat([]byte(`{"resolution": `), text, []byte("}"))
		}
		own = slices.Concat(own, []byte(key+": "), text, []byte("\n"))
	}
	return [][]byte{own, usual}
}

// over loads files instead of the folder's, and returns nil if they have errors too.
func (v *viewer) over(files keptFiles) *settings {
	o := *v.opts
	o.root = folder.Dir(o.home).Over(files)
	s, _ := load(&o)
	return s
}

// problem returns the first error as text for a screen.
func problem(report *config.Report) string {
	if all := report.Errors(); len(all) > 0 {
		return all[0].String()
	}
	return "client.yaml cannot be read"
}

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
	// lastGood is the kind of files in the state folder that hold the last working settings.
	lastGood = "client"
	// noState is the word for keeping nothing.
	noState = "none"
	// lookEvery is the time between two checks of wrong files, because the person who fixes them stands in front of the
	// screen.
	lookEvery = 2 * time.Second
	// maxFileBytes bounds the read part of a kept file.
	maxFileBytes = 256 << 10
)

// keptFiles are the contents of files by their names in the folder of the configuration.
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

// keeper opens the folder for working files, the command line's or systemd's, or nil.
func (v *viewer) keeper() *state.Store {
	dir := v.opts.StateDir
	if dir == "" {
		if dir = os.Getenv("STATE_DIRECTORY"); !filepath.IsAbs(dir) { // set by StateDirectory= of the unit
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

// key distinguishes the files of one screen from another's.
func (o *options) key() string { return filepath.Join(o.home, o.config) }

// keepGood keeps the shown files, if they are unchanged since they were read.
func (v *viewer) keepGood() {
	if v.store == nil || !filepath.IsLocal(v.opts.config) || !maps.EqualFunc(v.seen, v.opts.read(), bytes.Equal) {
		return
	}
	data, err := json.Marshal(v.seen)
	if old, ok := v.store.Load(lastGood, v.opts.key()); err != nil || ok && bytes.Equal(old, data) {
		return // a card lives longer when it is not written
	}
	if err := v.store.Save(lastGood, v.opts.key(), data); err != nil {
		v.log.Warn("the settings are not kept for a start after a mistake", "reason", err)
	}
}

// mended reports whether wrong files have changed since they were read.
func (v *viewer) mended() bool {
	return v.instead && !maps.EqualFunc(v.seen, v.opts.read(), bytes.Equal)
}

// nowhere configures a screen that only shows an error.
const nowhere = "server: {url: 'http://localhost'}\ngraphics: {resolution: [1280, 720]}\noutputs: [{type: window}]\n"

// fallback replaces wrong files: by the last working ones, or else by a card with the first mistake, on the screen that
// the files name if that can be read.
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

// cards are settings for a card: with the screen of the wrong file, as far as that is right, and with the usual one.
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

// over loads files in place of the folder's, nil if they are wrong too.
func (v *viewer) over(files keptFiles) *settings {
	o := *v.opts
	o.root = folder.Dir(o.home).Over(files)
	s, _ := load(&o)
	return s
}

// problem is the first mistake, in words for a screen.
func problem(report *config.Report) string {
	if all := report.Errors(); len(all) > 0 {
		return all[0].String()
	}
	return "client.yaml cannot be read"
}

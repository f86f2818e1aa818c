package viewer

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
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
	// lastGood is the kind of the file in the state folder that contains the last settings without errors.
	lastGood = "client"
	// noState is the value of --state-dir that turns the state folder off.
	noState = "none"
	// lookEvery is the time between two checks whether files with errors have changed. It is short,
	// because a person who fixes the files looks at the screen.
	lookEvery = 2 * time.Second
	// maxFileBytes is the maximum size of a settings file that is read or stored, in bytes.
	maxFileBytes = 256 << 10
)

// keptFiles contains the contents of files. The keys are paths in the folder of the configuration.
type keptFiles map[string][]byte

// read reads client.yaml and secrets.yaml. It leaves out files that cannot be read.
func (o *options) read() keptFiles {
	all := keptFiles{}
	for _, name := range []string{o.config, "secrets.yaml"} {
		if data, err := folder.Read(folder.Dir(o.home), name, maxFileBytes); err == nil {
			all[name] = data
		}
	}
	return all
}

// keeper opens the state folder from the command line or from systemd. If there is no state folder, or if it cannot be opened, keeper
// returns nil.
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
		v.log.Warn("working settings are not stored for a start with errors in the files", "reason", err)
		return nil
	}
	return store
}

// key returns the key under which the data of this screen is stored. Screens with other settings files have other keys.
func (o *options) key() string { return filepath.Join(o.home, o.config) }

// keepGood stores the settings files that are in use. If the files have changed since they were read, keepGood does nothing.
func (v *viewer) keepGood() {
	if v.store == nil || !filepath.IsLocal(v.opts.config) || !maps.EqualFunc(v.seen, v.opts.read(), bytes.Equal) {
		return
	}
	data, err := json.Marshal(v.seen)
	if old, ok := v.store.Load(lastGood, v.opts.key()); err != nil || ok && bytes.Equal(old, data) {
		return // do not write unchanged files, because each write wears the card
	}
	if err := v.store.Save(lastGood, v.opts.key(), data); err != nil {
		v.log.Warn("the settings are not kept for a start after a mistake", "reason", err)
	}
}

// mended() reports whether files with errors have changed since the program read them. If the screen uses the settings of the files, it
// returns false.
func (v *viewer) mended() bool {
	return v.instead && !maps.EqualFunc(v.seen, v.opts.read(), bytes.Equal)
}

// `nowhere` contains the settings of a screen that shows only an error.
const nowhere = "server: {url: 'http://localhost'}\ngraphics: {resolution: [1280, 720]}\noutputs: [{type: window}]\n"

// `anywhere` contains the settings of a screen without client.yaml. The screen then searches for a wall.
const anywhere = "graphics: {resolution: [1920, 1080]}\noutputs: [{type: window, fullscreen: true}]\noffline: {enabled: true}\n"

// fallback returns settings for a start with errors in the files. It first tries the last settings without errors. If there are none and
// client.yaml does not exist, it returns settings that search for a wall. If client.yaml exists, it returns settings that show the first
// error as a card. The card is on the screen that client.yaml names, if this part of the file can be read.
func (v *viewer) fallback(report *config.Report) *settings {
	v.instead = true
	kept := keptFiles{}
	if data, ok := v.store.Load(lastGood, v.opts.key()); ok && json.Unmarshal(data, &kept) == nil {
		if s := v.over(kept); s != nil {
			v.cover.warn(problem(report))
			v.log.Error("client.yaml has an error: the screen starts with the last working settings, and reloads the file when you fix it")
			return s
		}
	}
	if _, err := fs.Stat(v.opts.files(), v.opts.config); errors.Is(err, fs.ErrNotExist) {
		if s := v.over(keptFiles{v.opts.config: []byte(anywhere)}); s != nil {
			v.log.Warn("there is no client.yaml: the screen looks for a dashboard, and reads the file when you create it")
			return s
		}
	}
	for _, text := range v.cards() {
		if s := v.over(keptFiles{v.opts.config: text}); s != nil {
			v.log.Error("client.yaml has an error: the screen shows it, and reloads the file when you fix it")
			s.client.Problem = problem(report)
			return s
		}
	}
	return nil
}

// cards() returns contents of client.yaml for a card with an error. The first content uses the screen in the files, and the second content
// the default screen. If the files contain no usable screen, only the second content is returned.
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

// over() loads settings, with the given files in place of the files in the folder. If the settings have errors, over returns nil.
func (v *viewer) over(files keptFiles) *settings {
	o := *v.opts
	o.root = folder.Dir(o.home).Over(files)
	s, _ := load(&o)
	return s
}

// problem returns the first error in a report as a text for the screen.
func problem(report *config.Report) string {
	if all := report.Errors(); len(all) > 0 {
		return all[0].String()
	}
	return "client.yaml cannot be read"
}

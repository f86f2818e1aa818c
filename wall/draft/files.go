package draft

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dashboard/config"
	"dashboard/config/edit"
	"dashboard/internal/folder"
)

const (
	// maxFiles is the maximum number of files in a draft. A usual configuration has about five files.
	maxFiles = 64
	// maxTotal is the maximum size of all files of a draft, in bytes.
	maxTotal = 8 << 20
	// maxLevels is the maximum depth of the folders in which readFiles looks for files.
	maxLevels = 3
)

// A file is a file of the configuration in a draft.
type file struct {
	name  string
	base  []byte         // content on the disk
	there bool           // true if the file exists on the disk
	at    time.Time      // time of the last change on the disk, or zero if it is unknown
	doc   *edit.Document // parsed working text, or nil if it cannot be parsed
	wrong error          // reason why doc is nil
	work  []byte
	good  *edit.Document // document of the last valid working text, with all later changes outside of the fence
	fence *edit.Fence    // the part of the working text that is not valid YAML, or nil if it is not known or if the text is valid
	edits []edit.Edit    // edits that change `base` into the working text
}

func newFile(name string, data []byte, there bool) *file {
	f := &file{name: name, base: data, there: there}
	f.set(data, nil)
	return f
}

// set sets the working text of a file. `edits` are the edits that change the file's base into this text.
func (f *file) set(data []byte, edits []edit.Edit) {
	if f.work, f.edits = data, edits; !f.changed() {
		f.edits = nil // the texts are equal, so the draft has no edits
	}
	f.doc, f.wrong = edit.Parse(f.name, data)
	if f.wrong == nil {
		f.good = f.doc
	}
	f.enclose()
}

// broken reports whether the working text is not valid YAML. The wall can read a text with edit.ErrText, but operations cannot change it.
func (f *file) broken() bool { return f.wrong != nil && !errors.Is(f.wrong, edit.ErrText) }

func (f *file) changed() bool { return !slices.Equal(f.base, f.work) }

// readFiles reads all YAML files of a configuration except its secrets.
func readFiles(root *folder.Root) (map[string]*file, error) {
	files := map[string]*file{}
	home := root.Path(".")
	total := 0
	err := filepath.WalkDir(home, func(at string, e fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(home, at)
		name := filepath.ToSlash(rel)
		switch {
		case err != nil && at == home || relErr != nil:
			return errors.Join(err, relErr)
		case err != nil:
			return nil // skip an unreadable folder, because the wall does not read it either
		case e.IsDir() && rel != "." && (strings.HasPrefix(e.Name(), ".") || strings.Count(name, "/") >= maxLevels || e.Name() == "schema"):
			return fs.SkipDir
		case e.IsDir() || !editable(name) || len(files) >= maxFiles:
			return nil
		}
		data, err := folder.Read(root, name, edit.MaxBytes)
		if err != nil || total+len(data) > maxTotal {
			return nil // skip files that the wall cannot read or that are too large
		}
		total += len(data)
		f := newFile(name, data, true)
		if info, err := e.Info(); err == nil {
			f.at = info.ModTime()
		}
		files[name] = f
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, name := range []string{config.ConfName, config.ProvidersName} {
		if files[name] == nil {
			files[name] = newFile(name, nil, false)
		}
	}
	if conf := files[config.ConfName]; !conf.there {
		conf.set([]byte(firstConf), []edit.Edit{{Text: []byte(firstConf)}})
	}
	return files, nil
}

// firstConf is the conf.yaml of a new wall in an empty folder.
const firstConf = `outputs:
  - type: window   # the screen of this machine
  - type: stream   # browsers and remote screens
`

// editable() reports whether a name belongs to a YAML file of the configuration. It returns false for secrets.yaml.
func editable(name string) bool {
	ext := path.Ext(name)
	return (ext == ".yaml" || ext == ".yml") && name != config.SecretsName && fs.ValidPath(name) && !strings.HasPrefix(path.Base(name), ".")
}

// whyReadOnly returns the reason why the files cannot be saved. If they can be saved, it returns "".
func (d *Editor) whyReadOnly() string {
	if d.Foreign != nil {
		if why := d.Foreign(); why != "" {
			return why
		}
	}
	if d.Keeper != nil {
		if err := d.Keeper.Save(nil); err != nil {
			return err.Error()
		}
		return ""
	}
	home := d.Folder().Open().Path(".")
	probe, err := os.CreateTemp(home, ".edit-*")
	if err != nil {
		return "the folder " + home + " cannot be written"
	}
	probe.Close()
	if err := os.Remove(probe.Name()); err != nil {
		return "the folder " + home + " cannot be written"
	}
	return ""
}

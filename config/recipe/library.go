package recipe

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"dashboard/config"
	"dashboard/internal/folder"
	"dashboard/internal/spelling"
)

// A Library finds recipes by name. It searches the folder of the wall first, and then the recipes in the program.
type Library struct {
	// Wall is the folder of the wall's configuration.
	Wall fs.FS
	// BuiltIn contains the recipes in the program. Each recipe is in a folder with its name. BuiltIn may be nil.
	BuiltIn fs.FS
	// Version is the version of the program. If it is not a number, all recipes count as compatible.
	Version string
	// Common lists the keys that every widget has. The name of a parameter must not be one of them.
	Common []string
}

// builtIn is the folder name that messages use for the recipes in the program.
const builtIn = "built-in"

// maxListed is the maximum number of entries that are read from a folder, such as the folder of the wall's recipes.
const maxListed = 500

// Names lists the names of all recipes, sorted.
func (l *Library) Names() []string {
	names := append(folders(l.Wall, Dir), folders(l.BuiltIn, ".")...)
	slices.Sort(names)
	return slices.Compact(names)
}

func folders(files fs.FS, dir string) []string {
	if files == nil {
		return nil
	}
	list, _ := folder.List(files, dir, maxListed) // if the folder is missing, list is empty
	var names []string
	for _, e := range list {
		if e.IsDir() && ValidName(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names
}

// Find reads the recipe with the given name. If the recipe is missing or invalid, Find returns nil,
// and the report contains the reasons. `at` is the node that contains the name.
func (l *Library) Find(name string, at *config.Node, report *config.Report) *Recipe {
	if !ValidName(name) {
		report.Near(at, name, l.Names(), "there is no recipe '%s'", name)
		return nil
	}
	before := len(report.Errors())
	r := l.read(name, report)
	switch {
	case len(report.Errors()) > before:
		report.Errorf(at, "the recipe '%s' has a mistake", name)
		return nil
	case r == nil:
		l.missing(name, at, report)
		return nil
	case r.Name != name:
		report.Errorf(r.node.Get("name"), "must be the name of the folder, %s", name)
		return nil
	case l.older(r.Requires):
		report.Errorf(at, "the recipe '%s' needs version %s of the program, and this is %s", name, r.Requires, l.Version)
		return nil
	}
	l.warn(r, at, report)
	for _, p := range r.Parameters {
		if slices.Contains(l.reserved(), p.Name) {
			report.Errorf(r.node.Get("parameters").At(p.Name), "a parameter cannot be named '%s', because every widget has that key", p.Name)
			return nil
		}
	}
	return r
}

// reserved() returns the keys of every widget of the kind use. These keys cannot be names of parameters.
func (l *Library) reserved() []string {
	return append([]string{"widget", "name", "children", "recipe", "allow"}, l.Common...)
}

func (l *Library) read(name string, report *config.Report) *Recipe {
	if l.Wall != nil && exists(l.Wall, path.Join(Dir, name, File)) {
		return read(l.Wall, path.Join(Dir, name), false, report)
	}
	if l.BuiltIn != nil && exists(l.BuiltIn, path.Join(name, File)) {
		return read(prefixed{l.BuiltIn}, path.Join(builtIn, name), true, report)
	}
	return nil
}

func exists(files fs.FS, name string) bool {
	_, err := fs.Stat(files, name)
	return err == nil
}

func (l *Library) missing(name string, at *config.Node, report *config.Report) {
	if found := l.misplaced(name); found != "" {
		report.Errorf(at, "there is no recipe '%s': the wall needs the file %s, and it has %s", name, path.Join(Dir, name, File), found)
		return
	}
	if near := spelling.Nearest(name, l.Names()); near != "" {
		report.Near(at, name, l.Names(), "there is no recipe '%s'", name)
		return
	}
	report.Errorf(at, "there is no recipe '%s'; 'dashboard recipe list' lists them", name)
}

// warn adds a warning if the wall uses a built-in recipe although the wall's folder has a copy of this recipe in a wrong place.
func (l *Library) warn(r *Recipe, at *config.Node, report *config.Report) {
	if !r.BuiltIn || at == nil {
		return
	}
	found := l.misplaced(r.Name)
	empty := path.Base(found) == r.Name && alike(l.Wall, found, WidgetsFile)+alike(l.Wall, found, ProvidersFile) == ""
	if found == "" || empty { // an empty folder contains no part of a recipe
		return
	}
	const text = "the built-in recipe '%s' is used: the wall's copy needs the file %s, and it has %s"
	report.Warnf(at, text, r.Name, path.Join(Dir, r.Name, File), found)
}

// misplaced() looks for the file of a recipe in similar places. A person may have unpacked an archive into another folder, and some
// computers hide or capitalize parts of names. It returns the path of the file. If it finds only the recipe's folder, it returns the path
// of this folder, and otherwise "".
func (l *Library) misplaced(name string) string {
	dir := cmp.Or(alike(l.Wall, ".", Dir), Dir)
	if own := alike(l.Wall, dir, name); own != "" {
		at := path.Join(dir, own)
		if deep := path.Join(at, name, File); exists(l.Wall, deep) {
			return deep
		}
		return path.Join(at, alike(l.Wall, at, File))
	}
	for _, other := range []string{dir, name, "."} { // these places may contain the file of another recipe, so compare the name in the file
		file := path.Join(other, File)
		if l.Wall != nil && exists(l.Wall, file) && load(l.Wall, file, &config.Report{}).Get("name").Text() == name {
			return file
		}
	}
	return ""
}

// alike() returns the name of an entry of a folder that differs from the given name only in capital letters or in the ending. If there is
// none, it returns "".
func alike(files fs.FS, dir, name string) string {
	if files == nil {
		return ""
	}
	list, _ := folder.List(files, dir, maxListed) // if the folder is missing, list is empty
	for _, e := range list {
		found := strings.TrimSuffix(strings.ToLower(e.Name()), ".txt")
		if strings.Replace(found, ".yml", ".yaml", 1) == name {
			return e.Name()
		}
	}
	return ""
}

// older() reports whether the program is older than the required version.
func (l *Library) older(requires string) bool { return CheckVersion(l.Version, requires) != nil }

// CheckVersion returns an error if the version of the program is lower than the required version. A
// version that is not a number, such as the version of a development build, is never too low.
func CheckVersion(version, requires string) error {
	have, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), "-")
	if requires == "" || !versionShape.MatchString(have) || !Less(have, requires) {
		return nil
	}
	return fmt.Errorf("the files require version %s of the program, and this is %s: update the program first", requires, have)
}

// Open reads a recipe in a folder of a file system.
func Open(files fs.FS, dir string, report *config.Report) (*Recipe, error) {
	r := read(files, dir, false, report)
	if err := report.Err(); err != nil {
		return nil, err
	}
	if r == nil {
		return nil, errors.New(dir + " is no recipe")
	}
	return r, nil
}

// `prefixed` is a file system that shows the files of another file system below a folder named built-in.
type prefixed struct{ files fs.FS }

// Open implements fs.FS.
func (p prefixed) Open(name string) (fs.File, error) {
	rest, ok := strings.CutPrefix(name, builtIn+"/")
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return p.files.Open(rest)
}

// sub is a file system that shows one folder of another file system.
type sub struct {
	files fs.FS
	at    string
}

// Open implements fs.FS.
func (s sub) Open(name string) (fs.File, error) { return s.files.Open(path.Join(s.at, name)) }

// ReadDir implements fs.ReadDirFS.
func (s sub) ReadDir(name string) ([]fs.DirEntry, error) {
	return folder.List(s.files, path.Join(s.at, name), maxListed)
}

// Stat implements fs.StatFS.
func (s sub) Stat(name string) (fs.FileInfo, error) { return fs.Stat(s.files, path.Join(s.at, name)) }

// All reads all recipes, sorted by name. It leaves out invalid recipes, and the report contains the reasons.
func (l *Library) All(report *config.Report) []*Recipe {
	var all []*Recipe
	for _, name := range l.Names() {
		if r := l.Find(name, nil, report); r != nil {
			all = append(all, r)
		}
	}
	return all
}

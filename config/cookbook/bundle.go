// Package cookbook installs, updates and removes recipes in the folder of a wall.
package cookbook

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"dashboard/config"
	"dashboard/config/recipe"
	"dashboard/internal/folder"
)

// Limits for the files of a recipe that comes from outside of the wall's folder.
const (
	// maxArchive is the maximum size of a zip file, in bytes. Archives from a git server include the whole repository.
	maxArchive = 16 << 20
	// maxEntries is the maximum number of entries in a zip file, and of entries of the wall's folder that UsedAt reads.
	maxEntries = 5000
	// maxFiles is the maximum number of files of a recipe. maxFile is the maximum size of each file, in bytes.
	maxFiles, maxFile = 80, 256 << 10
)

// A Bundle contains a parsed recipe and the recipe's files, by their paths in the recipe's folder.
type Bundle struct {
	Recipe *recipe.Recipe
	Files  map[string][]byte
}

// wanted() reports whether a file belongs to a recipe.
func wanted(name string) bool {
	switch name {
	case recipe.File, recipe.ProvidersFile, recipe.WidgetsFile, "picture-day.png", "picture-night.png", "text.txt", "README.md", "LICENSE":
		return true
	}
	base, ok := strings.CutPrefix(name, recipe.Answers+"/")
	return ok && base != "" && !strings.ContainsAny(base, `/\`) && base[0] != '.'
}

// bundle checks the number and size of a recipe's files, and parses the recipe.
func bundle(files map[string][]byte) (*Bundle, error) {
	if len(files) > maxFiles {
		return nil, fmt.Errorf("%d files: a recipe has at most %d", len(files), maxFiles)
	}
	over := map[string][]byte{}
	for name, data := range files {
		if len(data) > maxFile {
			return nil, fmt.Errorf("%s: more than %d bytes", name, maxFile)
		}
		over["recipe/"+name] = data
	}
	report := &config.Report{}
	r, err := recipe.Open(folder.Dir(filepath.Join(os.TempDir(), "dashboard-recipe")).Over(over), "recipe", report)
	if err != nil {
		return nil, err
	}
	return &Bundle{r, files}, nil
}

// FromFolder reads the recipe in a folder of this machine. If one of the recipe's files is a symbolic link, it returns an error, because
// a link can lead to any file.
func FromFolder(dir string) (*Bundle, error) { return fromFolder(dir, false) }

// fromFolder reads the recipe in a folder. If `links` is true, it follows symbolic links. Otherwise, a link is an error.
func fromFolder(dir string, links bool) (*Bundle, error) {
	files, root := map[string][]byte{}, folder.Dir(dir)
	for _, sub := range []string{".", recipe.Answers} {
		list, err := folder.List(root, sub, maxFiles+1)
		if err != nil && sub == "." {
			return nil, err
		}
		for _, e := range list {
			name := path.Join(sub, e.Name())
			if !links && e.Type()&fs.ModeSymlink != 0 && (name == recipe.Answers || wanted(name)) {
				return nil, fmt.Errorf("%s is a symbolic link, and a recipe has none", name)
			}
			if !wanted(name) {
				continue
			}
			data, err := folder.Read(root, name, maxFile)
			if err != nil {
				return nil, err
			}
			files[name] = data
		}
	}
	if files[recipe.File] == nil {
		return nil, fmt.Errorf("there is no %s in %s", recipe.File, dir)
	}
	return bundle(files)
}

// FromZip reads the recipe in a zip file. If the archive contains several recipes, `name` selects one of them.
func FromZip(data []byte, name string) (*Bundle, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	if len(z.File) > maxEntries {
		return nil, fmt.Errorf("%d files: the limit is %d", len(z.File), maxEntries)
	}
	for _, f := range z.File {
		f.Name = strings.ReplaceAll(f.Name, `\`, "/") // some programs on Windows write backslashes
	}
	dir, err := recipeDir(z, name)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, f := range z.File {
		rel, ok := strings.CutPrefix(f.Name, dir)
		if !ok || !wanted(rel) || !f.Mode().IsRegular() {
			continue
		}
		if files[rel], err = unzip(f); err != nil {
			return nil, fmt.Errorf("%s: %w", rel, err)
		}
	}
	return bundle(files)
}

// recipeDir returns the path of the recipe's folder in an archive, with a slash at the end. If the
// recipe is at the top of the archive, it returns "".
func recipeDir(z *zip.Reader, name string) (string, error) {
	var dirs []string
	for _, f := range z.File {
		if dir, ok := strings.CutSuffix(f.Name, recipe.File); ok && (dir == "" || strings.HasSuffix(dir, "/")) {
			dirs = append(dirs, dir)
		}
	}
	if name != "" {
		dirs = slices.DeleteFunc(dirs, func(dir string) bool { return path.Base(dir) != name })
	}
	switch len(dirs) {
	case 1:
		return dirs[0], nil
	case 0:
		return "", errors.New("there is no recipe in the archive")
	}
	var names []string
	for _, dir := range dirs {
		names = append(names, path.Base(dir))
	}
	return "", fmt.Errorf("there are several recipes in the archive: add #NAME to the address, with one of %s", strings.Join(names, ", "))
}

func unzip(f *zip.File) ([]byte, error) {
	in, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("more than %d bytes", maxFile)
	}
	return data, err
}

// Installed reads an installed recipe from the folder of a wall. `name` is the recipe's name.
func Installed(home, name string) (*Bundle, error) {
	if !recipe.ValidName(name) {
		return nil, fmt.Errorf("%q is not a valid name of a recipe", name)
	}
	b, err := fromFolder(filepath.Join(home, recipe.Dir, name), true)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no recipe '%s' in the folder %s of the wall", name, recipe.Dir)
	}
	return b, err
}

// Install writes a recipe into the folder of a wall. It replaces an older recipe with the same name. If the machine loses power during
// the installation, the folder contains the old recipe, the new recipe, or no recipe.
func (b *Bundle) Install(home string) error {
	dir := filepath.Join(home, recipe.Dir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(dir, ".new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(fresh)
	if err := b.write(fresh); err != nil {
		return err
	}
	to, old := filepath.Join(dir, b.Recipe.Name), filepath.Join(fresh, ".old")
	if err := os.Rename(to, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(filepath.Join(fresh, b.Recipe.Name), to)
}

func (b *Bundle) write(fresh string) error {
	for name, data := range b.Files {
		file := filepath.Join(fresh, b.Recipe.Name, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Remove deletes a recipe from the folder of a wall.
func Remove(home, name string) error {
	if _, err := Installed(home, name); err != nil {
		return err
	}
	return os.RemoveAll(filepath.Join(home, recipe.Dir, name))
}

// UsedAt returns the position of the first use of a recipe in the .yaml files at the top of a wall's folder. If none of them uses the
// recipe, UsedAt returns "".
func UsedAt(files *folder.Root, name string) string {
	list, _ := folder.List(files, ".", maxEntries) // if the folder cannot be read, list is empty
	for _, e := range list {
		if e.IsDir() || path.Ext(e.Name()) != ".yaml" {
			continue
		}
		if at := use(config.Load(files, e.Name(), &config.Report{}, func(string) (any, error) { return "", nil }), name); at != nil {
			return at.Pos()
		}
	}
	return ""
}

// use() returns the first node that uses a recipe, among n and the nodes below it. If there is none, it returns nil.
func use(n *config.Node, name string) *config.Node {
	if n.Get("widget").Text() == recipe.Kind && n.Get("recipe").Text() == name {
		return n
	}
	for _, item := range n.Items() {
		if at := use(item, name); at != nil {
			return at
		}
	}
	for _, p := range n.Pairs() {
		if at := use(p.Value, name); at != nil {
			return at
		}
	}
	return nil
}

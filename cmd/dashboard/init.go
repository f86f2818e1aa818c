package main

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"dashboard/schema"
)

// starter is the configuration that init writes. It needs no network and no key.
//
//go:embed starter
var starter embed.FS

// schemaDir is where the starter's files look for the schemas that editors check them with.
const schemaDir = "schema"

// initialize writes the starter configuration into a folder, and tells what to do next.
func initialize(dir string, stdout io.Writer) error {
	files, err := starterFiles()
	if err != nil {
		return err
	}
	if err := refuseExisting(dir, files); err != nil {
		return err
	}
	for name, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := writeNew(path, data); err != nil {
			return err
		}
	}
	fmt.Fprintf(stdout, `%[1]s is a wall now:

  conf.yaml       size, outputs, place
  widgets.yaml    what is shown, and where
  providers.yaml  where values come from
  themes/         how it looks by day and by night
  schema/         for your editor, which completes and checks with it

Show it with

  dashboard %[2]s

and open http://127.0.0.1:5000/. After a change, 'dashboard check %[2]s' tells what is wrong.
`, dir, shellWord(dir))
	return nil
}

// starterFiles are the files of the starter configuration, by their path with slashes.
func starterFiles() (map[string][]byte, error) {
	all := map[string][]byte{}
	return all, errors.Join(addFiles(all, starter, "starter", ""), addFiles(all, schema.Files, ".", schemaDir))
}

// addFiles adds what is below root in fsys, as if it were below to.
func addFiles(all map[string][]byte, fsys fs.FS, root, to string) error {
	sub, err := fs.Sub(fsys, root)
	if err != nil {
		return err
	}
	return fs.WalkDir(sub, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(sub, path)
		all[filepath.ToSlash(filepath.Join(to, path))] = data
		return err
	})
}

// refuseExisting reports a file that would be overwritten.
func refuseExisting(dir string, files map[string][]byte) error {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return fmt.Errorf("%s is there already, and is no folder", dir)
	}
	for name := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if _, err := os.Lstat(path); err == nil {
			return fmt.Errorf("%s is there already; nothing was written", path)
		}
	}
	return nil
}

// writeNew writes a file that must not be there.
func writeNew(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// shellWord is a path as a shell reads it.
func shellWord(path string) string {
	if !strings.ContainsAny(path, " \t\n\"'\\$&;|<>()*?#~`") {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

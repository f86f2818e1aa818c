package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"dashboard/cmd/shared/cli"
	"dashboard/config"
	"dashboard/render/icon"
	"dashboard/samples"
	"dashboard/schema"
)

// starter contains the configuration that the command init writes. It needs no network and no access keys.
//
//go:embed starter
var starter embed.FS

// editorSettings is the path of a file with settings for VS Code and similar editors. Their YAML language server reads the file. The file
// contains the tags of this program, such as !data, and the schemas of files that do not name their schema themselves.
const editorSettings = ".vscode/settings.json"

const vscode = `{
  "yaml.yamlVersion": "1.1",
  "yaml.customTags": [
    "!color scalar", "!size scalar", "!font scalar", "!image scalar", "!secret scalar",
    "!data scalar", "!data mapping", "!data sequence"
  ]%s
}
`

// schemaFor lists the schemas, each with the files that it describes.
var schemaFor = [][2]string{
	{"conf", "conf.yaml"}, {"widgets", "widgets.yaml"}, {"providers", "providers.yaml"}, {"secrets", "secrets.yaml"}, {"theme", "themes/*.yaml"},
}

// vscodeFor returns the content of the file editorSettings. It names the schemas of files that the
// user may add later. The files that init writes already name their schemas.
func vscodeFor(files map[string][]byte) []byte {
	var lines []string
	for _, s := range schemaFor {
		written := false
		for name := range files {
			matched, _ := path.Match(s[1], name)
			written = written || matched
		}
		if !written {
			lines = append(lines, fmt.Sprintf("    \"./%s/%s.json\": %q", schema.Dir, s[0], s[1]))
		}
	}
	schemas := ""
	if len(lines) > 0 {
		schemas = ",\n  \"yaml.schemas\": {\n" + strings.Join(lines, ",\n") + "\n  }"
	}
	return fmt.Appendf(nil, vscode, schemas)
}

// initialize writes the starter configuration or a sample into the folder `dir`, and prints the next steps.
func initialize(dir, sample string, stdout io.Writer) error {
	files, err := initialFiles(sample)
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
	tellNext(stdout, dir, files)
	return nil
}

// listSamples prints each sample with a short description.
func listSamples(w io.Writer) error {
	for _, name := range samples.Names() {
		about, err := samples.About(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%-12s  %s\n", name, about)
	}
	_, err := fmt.Fprint(w, "\nWrite one with\n\n  dashboard init --sample NAME DIR\n")
	return err
}

// parts lists the files and folders of a configuration, each with a description for the user.
var parts = [][2]string{
	{"conf.yaml", "size, outputs, place"},
	{"widgets.yaml", "what is shown, and where"},
	{"providers.yaml", "where values come from"},
	{"secrets.yaml", "keys and passwords, to be filled in"},
	{"themes", "how it looks by day and by night"},
	{schema.Dir, "for your editor, which completes and checks with it"},
}

// tellNext prints the written files and the next steps.
func tellNext(w io.Writer, dir string, files map[string][]byte) {
	there := map[string]bool{}
	for name := range files {
		top, _, _ := strings.Cut(name, "/")
		there[top] = true
	}
	fmt.Fprintf(w, "The wall %s has these files:\n\n", dir)
	for _, p := range parts {
		if there[p[0]] {
			fmt.Fprintf(w, "  %-15s %s\n", p[0], p[1])
		}
	}
	fmt.Fprintf(w, "\nShow the wall:\n\n  dashboard %s\n\n", cli.ShellWord(dir))
	if bytes.Contains(files[config.ConfName], []byte("type: stream")) {
		fmt.Fprint(w, "Open http://127.0.0.1:5000/ in a browser. ")
	}
	fmt.Fprintf(w, "The wall changes when you save a file. 'dashboard check %s' explains errors.\n", cli.ShellWord(dir))
}

// initialFiles returns the files of the starter configuration or of a sample, together with the schemas. The keys are paths with slashes.
func initialFiles(sample string) (map[string][]byte, error) {
	schemas, err := schema.Files()
	if err != nil {
		return nil, err
	}
	all := map[string][]byte{}
	if sample == "" {
		err = addFiles(all, starter, "starter", "")
	} else {
		err = addSample(all, sample)
	}
	if err != nil {
		return nil, err
	}
	for name, data := range all { // in the repository, the schemas are two folders higher than a sample
		all[name] = bytes.Replace(data, []byte("$schema=../../"), []byte("$schema="), 1)
	}
	all[editorSettings] = vscodeFor(all)
	if all[schema.Dir+"/icons.json"], err = schema.Icons(icon.Prefix, icon.Names()); err != nil {
		return nil, err
	}
	return all, addFiles(all, schemas, ".", schema.Dir)
}

func addSample(all map[string][]byte, name string) error {
	files, err := samples.Files()
	if err != nil {
		return err
	}
	return addFiles(all, files, name, "")
}

// addFiles adds all files in the folder `root` of fsys to the map `all`. In the keys, the folder `to` replaces `root`.
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

// refuseExisting returns an error if one of the files exists already, or if `dir` is not a folder.
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

// writeNew writes a file that must not exist yet. If the file is secrets.yaml, only the owner can read it.
func writeNew(path string, data []byte) error {
	mode := os.FileMode(0o644)
	if filepath.Base(path) == config.SecretsName {
		mode = 0o600
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

package main

import (
	"context"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"dashboard/tools/command"
)

// copyright returns the copyright file of a package, which Debian requires. A static program contains the code of all its modules, so the
// file contains all their licenses.
func copyright(program string) (string, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return "", fmt.Errorf("build it first: %w", err)
	}
	dirs, goroot, err := sources()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s is the work of its authors.\n\nIt is one static program, which contains the following works under their own licences.\n",
		filepath.Base(program))
	for _, w := range []work{
		{"The Go programming language, " + info.GoVersion, goroot}, {"The Liberation and Inter fonts", "render/text/fonts"}, {"Material Design Icons", "render/icon"}, pageScripts,
	} {
		if err := license(&b, w.title, w.dir); err != nil {
			return "", err
		}
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		if err := license(&b, m.Path+" "+m.Version, dirs[m.Path]); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// A work is a title with the folder that contains the work's license. The folder is in this repository or in GOROOT.
type work struct{ title, dir string }

// pageScripts are the npm packages in the web pages of the service. Their licenses are collected when the pages are built.
var pageScripts = work{"The scripts and icons of the page", "web/dist"}

// licenseFiles lists the names of license files in modules. Every copy of a module must contain these files.
var licenseFiles = []string{"LICENSE", "LICENSE.Inter", "LICENSE.md", "LICENSE.txt", "LICENSES.txt", "LICENCE", "COPYING", "UNLICENSE", "NOTICE", "PATENTS"}

// license writes the license of one work to w.
func license(w io.Writer, title, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("licence of %s: %w", title, err)
	}
	found := false
	for _, e := range entries {
		if !slices.Contains(licenseFiles, strings.ToUpper(e.Name())) && !slices.Contains(licenseFiles, e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "\n%s\n%s, %s:\n\n%s\n", strings.Repeat("-", 72), title, e.Name(), strings.TrimSpace(shortened(string(text))))
		found = true
	}
	if !found {
		return fmt.Errorf("licence of %s: none in %s", title, dir)
	}
	return nil
}

// apache matches the Apache License, also inside a longer text. Debian installs this license, so packages only refer to it.
var apache = regexp.MustCompile(`(?s)(^|\n)\s*Apache License\s+Version 2\.0, January 2004\s.*?(END OF TERMS AND CONDITIONS(\s+APPENDIX.*?limitations under the License\.)?|$)`)

// shortened() returns a license without the parts that Debian installs in a common place.
func shortened(text string) string {
	const where = "The Apache License, Version 2.0, is in /usr/share/common-licenses/Apache-2.0."
	return strings.TrimLeft(apache.ReplaceAllString(text, "${1}"+where), "\n")
}

// sources() returns the folder of every module, by the module's path, and the folder of Go.
func sources() (dirs map[string]string, goroot string, err error) {
	out, err := command.Run(context.Background(), nil, "go", "env", "GOROOT")
	if err != nil {
		return nil, "", err
	}
	list, err := command.Run(context.Background(), nil, "go", "list", "-mod=readonly", "-m", "-json", "all")
	if err != nil {
		return nil, "", err
	}
	dirs = map[string]string{}
	for d := json.NewDecoder(strings.NewReader(list)); ; {
		var m struct{ Path, Dir string }
		if err := d.Decode(&m); errors.Is(err, io.EOF) {
			return dirs, strings.TrimSpace(out), nil
		} else if err != nil {
			return nil, "", err
		}
		dirs[m.Path] = m.Dir
	}
}

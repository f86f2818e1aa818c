// Package debian lists the Debian packages in a folder into which they were unpacked.
package debian

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
)

// WriteList writes the list of the packages in the folder `base` to a file, for the bill of materials. Each line has the form
// NAME VERSION ARCHITECTURE.
func WriteList(file, base, arch string) error {
	lines, err := packagesIn(os.DirFS(base), arch)
	if err != nil {
		return err
	}
	return os.WriteFile(file, []byte(strings.Join(lines, "")), 0o644)
}

var (
	// packageName matches the name of a package (Debian policy, section 5.6.7). /usr/share/doc has links with other names.
	packageName = regexp.MustCompile(`^[a-z0-9][a-z0-9+.-]+$`)
	// packageVersion matches the first line of a changelog (Debian policy, section 4.4).
	packageVersion = regexp.MustCompile(`^\S+ \(([^ ()]+)\) `)
)

// packagesIn returns a line for each package that is unpacked in a folder. Unpacking creates no database of packages, so the versions come
// from the changelogs in /usr/share/doc.
func packagesIn(base fs.FS, arch string) (lines []string, err error) {
	const docs = "usr/share/doc"
	entries, err := fs.ReadDir(base, docs)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name := e.Name()
		if !packageName.MatchString(name) {
			continue
		}
		version, err := versionIn(base, docs+"/"+name, arch)
		if err != nil {
			return nil, fmt.Errorf("package %s: %w", name, err)
		}
		lines = append(lines, fmt.Sprintf("%s %s %s\n", name, version, arch))
	}
	return lines, nil
}

// versionIn returns the version of the package whose documents are in a folder. If a package was built again for one architecture, the
// changelog of this architecture has the version.
func versionIn(base fs.FS, docs, arch string) (string, error) {
	for _, name := range []string{"changelog.Debian." + arch + ".gz", "changelog.Debian.gz", "changelog.gz"} {
		f, err := base.Open(docs + "/" + name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		defer f.Close()
		text, err := gzip.NewReader(f)
		if err != nil {
			return "", err
		}
		line, err := bufio.NewReader(text).ReadString('\n')
		if m := packageVersion.FindStringSubmatch(line); m != nil {
			return m[1], nil
		}
		return "", errors.Join(fmt.Errorf("%s begins with %q", name, line), err)
	}
	return "", errors.New("there is no changelog with its version")
}

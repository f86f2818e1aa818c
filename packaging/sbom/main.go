// Command sbom writes the software bill of materials of built programs: the Go modules that they contain, in the format of CycloneDX 1.6
// (JSON). With -debian FILE it adds the Debian packages that the file lists. Each line of the file has the form NAME VERSION ARCHITECTURE.
package main

import (
	"bufio"
	"cmp"
	"debug/buildinfo"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A component is a part of the product (CycloneDX 1.6, components).
type component struct {
	Type    string `json:"type"` // type, application or library
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl,omitempty"`
	Ref     string `json:"bom-ref"`
}

// A bill is the CycloneDX document.
type bill struct {
	Format     string      `json:"bomFormat"`
	Spec       string      `json:"specVersion"`
	Version    int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
}

type metadata struct {
	Time      string    `json:"timestamp"`
	Component component `json:"component"`
}

func main() {
	version := flag.String("version", "", "version of the product")
	date := flag.Int64("date", 0, "time of the release, Unix seconds")
	debian := flag.String("debian", "", "`FILE` with the Debian packages of the card's image")
	flag.Parse()
	if err := write(os.Stdout, *version, time.Unix(*date, 0), *debian, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

// write writes the bill of materials for several programs.
func write(w io.Writer, version string, at time.Time, debian string, programs []string) error {
	b := bill{Format: "CycloneDX", Spec: "1.6", Version: 1, Metadata: metadata{
		Time: at.UTC().Format(time.RFC3339), Component: component{Type: "application", Name: "dashboard", Version: version, Ref: "dashboard@" + version},
	}}
	for _, path := range programs {
		modules, err := modulesOf(path)
		if err != nil {
			return err
		}
		b.Components = append(b.Components, modules...)
	}
	if debian != "" {
		packages, err := packagesOf(debian)
		if err != nil {
			return err
		}
		b.Components = append(b.Components, packages...)
	}
	slices.SortFunc(b.Components, func(x, y component) int { return cmp.Compare(x.Ref, y.Ref) })
	b.Components = slices.Compact(b.Components)
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(b)
}

// modulesOf returns the Go modules in a program, and Go's standard library.
func modulesOf(path string) ([]component, error) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	all := []component{library("pkg:golang/std@"+strings.TrimPrefix(info.GoVersion, "go"), "std", strings.TrimPrefix(info.GoVersion, "go"))}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		all = append(all, library("pkg:golang/"+m.Path+"@"+m.Version, m.Path, m.Version))
	}
	return all, nil
}

// packagesOf reads a list of Debian packages.
func packagesOf(path string) (all []component, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		words := strings.Fields(lines.Text())
		if len(words) != 3 {
			return nil, fmt.Errorf("%s:%d: got %q, want NAME VERSION ARCHITECTURE", path, n, lines.Text())
		}
		purl := "pkg:deb/debian/" + words[0] + "@" + url.QueryEscape(words[1]) + "?arch=" + words[2]
		all = append(all, library(purl, words[0], words[1]))
	}
	return all, lines.Err()
}

func library(purl, name, version string) component {
	return component{Type: "library", Name: name, Version: version, PURL: purl, Ref: purl}
}

package main

import (
	"archive/tar"
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// pack makes a tar archive of files, sorted by name.
func pack(entries []entry, date time.Time) ([]byte, error) {
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for _, e := range entries {
		if err := w.WriteHeader(e.header(date)); err != nil {
			return nil, err
		}
		if _, err := w.Write(e.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

func opener(data []byte) tarball.Opener {
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
}

// writeLayout writes one archive with the images for all boards. Every image has the tag `tag`.
func (m *maker) writeLayout(images map[string]v1.Image, tag string) error {
	dir, err := os.MkdirTemp("", "oci-layout-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	index := v1.ImageIndex(empty.Index)
	for _, b := range boards {
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: images[b.name], Descriptor: v1.Descriptor{Platform: &b.Platform}})
	}
	top, err := layout.Write(dir, empty.Index)
	if err != nil {
		return err
	}
	if err := top.AppendIndex(index, layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": tag})); err != nil {
		return err
	}
	entries, err := entriesOf(dir)
	if err != nil {
		return err
	}
	packed, err := pack(entries, m.Date)
	if err != nil {
		return err
	}
	return os.WriteFile(m.path("all"), packed, 0o644)
}

// entriesOf returns all files and folders in a folder.
func entriesOf(dir string) (all []entry, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		e := entry{name: filepath.ToSlash(name), mode: 0o644}
		if d.IsDir() {
			e.name, e.mode = e.name+"/", 0o755
		} else if e.data, err = os.ReadFile(path); err != nil {
			return err
		}
		all = append(all, e)
		return nil
	})
	return all, err
}

package calendar

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"dashboard/internal/folder"
	"dashboard/provider/ical"
)

const (
	// maxFiles is the maximum number of entries of a folder.
	maxFiles = 1000
	// maxTold is the maximum number of unreadable files that an error names.
	maxTold = 3
)

// readFiles reads a file, or all .ics files in a folder. If a file is unreadable, readFiles returns
// the readable files together with an error.
func readFiles(files fs.FS, name string) ([][]byte, error) {
	data, err := folder.Read(files, name, ical.MaxBytes)
	if err == nil {
		return [][]byte{data}, nil
	}
	entries, dirErr := folder.List(files, name, maxFiles)
	if dirErr != nil {
		return nil, fmt.Errorf("%s: %w", name, folder.Reason(err))
	}
	all, left, failed := [][]byte{}, ical.MaxBytes, []error(nil)
	for _, e := range entries {
		if e.IsDir() || !strings.EqualFold(path.Ext(e.Name()), ".ics") {
			continue
		}
		data, err := folder.Read(files, path.Join(name, e.Name()), int64(left))
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", path.Join(name, e.Name()), folder.Reason(err)))
			continue
		}
		all, left = append(all, data), left-len(data)
	}
	if n := len(failed) - maxTold; n > 0 {
		failed = append(failed[:maxTold:maxTold], fmt.Errorf("and %d more", n))
	}
	return all, errors.Join(failed...)
}

// Missing lists the files and folders of calendars that do not exist.
func (p *Provider) Missing() []string {
	var all []string
	for _, c := range p.sources {
		if c.path != "" && missing(p.files, c.path) {
			all = append(all, c.path)
		}
	}
	return all
}

func missing(files fs.FS, name string) bool {
	_, err := fs.Stat(files, name)
	return errors.Is(err, fs.ErrNotExist)
}

package caldav

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"dashboard/internal/fetch"
)

// MaxFolder is the maximum size of the list of one folder, in bytes. A list of about 20,000 files fits.
const MaxFolder = 8 << 20

// A File is an entry of a folder.
type File struct {
	URL     *url.URL
	Folder  bool
	Changed time.Time // zero if unknown
	ETag    string    // "" if the server sends no ETag
}

const propfindFiles = `<?xml version="1.0" encoding="utf-8"?>
<propfind xmlns="DAV:"><prop><resourcetype/><getlastmodified/><getetag/></prop></propfind>`

// Folder lists the entries of a folder on a WebDAV server (RFC 4918, section 9.1). `at` is the address of the folder. Folder omits the
// folder itself, the content of its subfolders, and entries outside of the folder.
func Folder(ctx context.Context, client *fetch.Client, r fetch.Request, at string) ([]File, error) {
	root, base, err := New(client, r, false).request(ctx, "PROPFIND", at, "1", propfindFiles, MaxFolder)
	if err != nil {
		return nil, err
	}
	folder := strings.TrimSuffix(base.Path, "/") + "/"
	var all []File
	for e := range responses(root) {
		f := File{ETag: e.text(nsDAV, "getetag")}
		href := child(e.Element, nsDAV, "href")
		if href == nil {
			continue
		}
		if f.URL, err = base.Parse(strings.TrimSpace(href.Text)); err != nil || !fetch.SameOrigin(f.URL, base) {
			continue
		}
		name, inside := strings.CutPrefix(strings.TrimSuffix(f.URL.Path, "/"), folder)
		if !inside || name == "" || strings.Contains(name, "/") || name == ".." || name == "." {
			continue
		}
		if kind := e.prop(nsDAV, "resourcetype"); kind != nil {
			f.Folder = child(kind, nsDAV, "collection") != nil
		}
		f.Changed, _ = http.ParseTime(e.text(nsDAV, "getlastmodified"))
		all = append(all, f)
	}
	return all, nil
}

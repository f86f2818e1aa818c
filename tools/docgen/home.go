package main

import (
	"bytes"
	"context"
	"dashboard/render/picture"
	"embed"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/image/font/gofont/goregular"

	"dashboard/config"
	"dashboard/internal/fetch"
	"dashboard/render/text"
	"dashboard/tools/files"
)

// homeFiles are the files that the examples read: landscape.svg, providers.yaml, and the answers of the household's devices in
// answers/<host>.
//
//go:embed home
var homeFiles embed.FS

// glyphBytes bounds the cache of glyphs. All pictures share this cache.
const glyphBytes = 8 << 20

// A home is the example household, with its files and devices. Its folder is the working directory until close.
type home struct {
	dir, before string
	text        *text.Cache
	client      *fetch.Client
}

// newHome makes the home and changes to its folder.
func newHome() (*home, error) {
	before, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "docgen-")
	if err != nil {
		return nil, err
	}
	h := &home{dir: dir, before: before, text: text.NewCache(glyphBytes), client: fetch.NewWith(devices{})}
	h.text.SystemFonts() // use no fonts of this machine, so that the pictures are the same on all machines
	if err := errors.Join(h.furnish(), os.Chdir(dir)); err != nil {
		h.close()
		return nil, err
	}
	return h, nil
}

func (h *home) close() {
	_ = os.Chdir(h.before) // return to the previous folder
	os.RemoveAll(h.dir)
}

// furnish writes the files that the examples use.
func (h *home) furnish() error {
	providers, err := homeFiles.ReadFile("home/providers.yaml")
	if err != nil {
		return err
	}
	return errors.Join(
		files.Write(filepath.Join(h.dir, config.ProvidersName), providers),
		files.Write(filepath.Join(h.dir, "pictures/lake.svg"), landscape("day")),
		files.Write(filepath.Join(h.dir, "pictures/evening.svg"), landscape("evening")),
		files.Write(filepath.Join(h.dir, "fonts/Regular.ttf"), goregular.TTF),
		files.Write(filepath.Join(h.dir, "photos/First light.jpg"), photograph("evening")),
	)
}

// photograph returns the landscape as a JPEG, like a photo of a camera.
func photograph(mood string) []byte {
	pic, err := picture.Decode(context.Background(), landscape(mood), image.Pt(1280, 720), picture.Cover, true)
	var b bytes.Buffer
	if err == nil {
		err = jpeg.Encode(&b, pic.Frames[0].Img, nil)
	}
	if err != nil {
		panic(err) // cannot fail: the landscape is part of the program
	}
	return b.Bytes()
}

// moods lists the colors of the landscape: upper and lower sky, sun, far hills, near hills and water.
var moods = map[string][]string{
	"day":     {"#3a7bd5", "#a8d8f0", "#fff3c4", "#5d8aa8", "#2f5d50", "#2a6f97"},
	"evening": {"#2b1b4d", "#f08a5d", "#ffd166", "#6b3f69", "#3b2347", "#7a4069"},
}

// landscape returns a picture of hills above a lake.
func landscape(mood string) []byte {
	data, err := homeFiles.ReadFile("home/landscape.svg")
	if err != nil {
		panic(err) // cannot fail: the file is part of the program
	}
	svg := string(data)
	for i, name := range []string{"SKY1", "SKY2", "SUN", "FAR", "NEAR", "WATER"} {
		svg = strings.ReplaceAll(svg, name, moods[mood][i])
	}
	return []byte(svg)
}

// devices answers requests in place of the HTTP servers of the home.
type devices struct{}

// RoundTrip answers a request to a host of the examples.
func (devices) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		r.Body.Close()
	}
	data, kind := landscape("evening"), "image/svg+xml"
	if answer, ok := recordedAnswer(r); ok {
		data, kind = answer, "application/json"
	} else if !strings.HasPrefix(r.URL.Host, "camera") {
		var err error
		if data, err = homeFiles.ReadFile("home/answers/" + r.URL.Hostname()); err != nil {
			return nil, fmt.Errorf("no device answers at %s", r.URL.Host)
		}
		kind = "application/json"
	}
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {kind}}, Request: r,
		ContentLength: int64(len(data)), Body: io.NopCloser(strings.NewReader(string(data))),
	}, nil
}

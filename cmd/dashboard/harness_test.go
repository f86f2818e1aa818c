package main

import (
	"image"
	"image/draw"
	"image/png"
	"os"
	"strings"
	"testing"

	"dashboard/internal/testing/programtest"
	"dashboard/wall/scene"
)

func TestMain(m *testing.M) {
	cache, err := os.MkdirTemp("", "dashboard")
	if err != nil {
		panic(err)
	}
	os.Setenv("XDG_CACHE_HOME", cache) // state folder of the tests
	for _, name := range []string{"REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NETRC"} {
		os.Unsetenv(name) // unset the settings of the user who runs the tests
	}
	scene.Settle, readTime = programtest.Patience, programtest.Patience
	status := m.Run()
	os.RemoveAll(cache)
	os.Exit(status)
}

// sourceDir is the folder of this package. It is absolute, because tests change the working folder.
var sourceDir, _ = os.Getwd()

// files contains the files of a configuration, by name.
type files map[string]string

// write writes the files into `dir`.
func (f files) write(t testing.TB, dir string) {
	t.Helper()
	programtest.Write(t, dir, f)
}

// decoded() returns the pixels of a PNG file.
func decoded(t *testing.T, file string) *image.RGBA {
	t.Helper()
	img, err := png.Decode(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	m := image.NewRGBA(img.Bounds())
	draw.Draw(m, m.Rect, img, m.Rect.Min, draw.Src)
	return m
}

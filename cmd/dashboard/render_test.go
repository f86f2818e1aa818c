package main

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRenderWaitsForPrograms checks a wall with two sources. The first source fails at once, and the second source answers later. The
// picture contains the results that the !data programs compute from the late answer.
func TestRenderWaitsForPrograms(t *testing.T) {
	failed := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/bad" {
			http.Error(w, "no", http.StatusInternalServerError)
			close(failed)
			return
		}
		<-failed
		_, _ = w.Write([]byte(`{"color": "#ff0000"}`))
	}))
	t.Cleanup(srv.Close)
	dir := valueWall(t, "providers: {good: {type: rest, url: "+srv.URL+"/good}, bad: {type: rest, url: "+srv.URL+"/bad}}\n")
	widgets := []byte("widgets: [{widget: column, children: [{widget: text, text: !data .bad.x}, {widget: text, text: MMMM, color: !data .good.color}" +
		// a program that takes some time
		", {widget: text, text: !data '(reduce range(20000) as $i (0; . + 1)) as $slow | .good.color'}]}]\n")
	if err := os.WriteFile(filepath.Join(dir, "widgets.yaml"), widgets, 0o600); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(dir, "wall.png")
	if status, _, errs := command(t, "render", dir, "--size", "320x240", "-o", to); status != 0 {
		t.Fatal(errs)
	}
	if !hasRed(readPNG(t, to)) {
		t.Error("the picture was made before the programs had run over the answer")
	}
}

func hasRed(img image.Image) bool {
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			if r, g, b, _ := img.At(x, y).RGBA(); r > 0xd000 && g < 0x3000 && b < 0x3000 {
				return true
			}
		}
	}
	return false
}

// TestRenderShowsCameras checks that a rendered picture shows the first picture of a camera completely. On a running wall, this picture
// would fade in.
func TestRenderShowsCameras(t *testing.T) {
	red := image.NewRGBA(image.Rect(0, 0, 32, 32))
	draw.Draw(red, red.Rect, image.NewUniform(color.RGBA{255, 0, 0, 255}), image.Point{}, draw.Src)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _ = png.Encode(w, red) }))
	t.Cleanup(srv.Close)
	dir := valueWall(t, "providers: {}\n")
	if err := os.WriteFile(filepath.Join(dir, "widgets.yaml"), []byte("widgets: [{widget: camera, kind: snapshot, url: "+srv.URL+"}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(dir, "wall.png")
	if status, _, errs := command(t, "render", dir, "--size", "320x240", "-o", to); status != 0 {
		t.Fatal(errs)
	}
	if !hasRed(readPNG(t, to)) {
		t.Error("the camera's picture is not in it")
	}
}

// TestRenderWrongOutput checks file names that are not suitable for a PNG picture.
func TestRenderWrongOutput(t *testing.T) {
	dir := t.TempDir()
	for out, want := range map[string]string{
		"wall.webp": "the picture is a PNG: name a file such as wall.png",
		dir:         "this is a folder: name a file such as " + dir + "/wall.png",
	} {
		if status, _, errs := command(t, "render", "--demo", "-o", out); status != 2 || !strings.Contains(errs, "-o "+out+": "+want) {
			t.Errorf("%s: got %d, %s", out, status, errs)
		}
	}
}

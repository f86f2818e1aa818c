package draft

import (
	"bytes"
	"context"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"dashboard/server"
)

// Every entry of the gallery has a picture. Only the picture of the widget space may be empty.
func TestGallery(t *testing.T) {
	b := newBench(t, usual)
	a, err := b.Edit(context.Background(), server.EditCall{Verb: "gallery"})
	if err != nil {
		t.Fatal(err)
	}
	items := a.Fields["items"].([]map[string]any)
	if len(items) < 30 {
		t.Fatalf("%d entries", len(items))
	}
	for i, item := range items {
		if testing.Short() && i%4 > 0 {
			continue // skip some, because drawing all of them takes seconds
		}
		id := item["id"].(string)
		a, err := b.Edit(context.Background(), server.EditCall{Verb: "gallery-picture", ID: id})
		if err != nil {
			t.Errorf("%s: %v", id, err)
			continue
		}
		pic, err := png.Decode(bytes.NewReader(a.Body))
		if err != nil || pic.Bounds().Dx() < galleryWidth {
			t.Errorf("%s: %v", id, err)
		}
		if len(a.Body) < 1000 && id != "space" {
			t.Errorf("%s: the picture has %d bytes", id, len(a.Body))
		}
		if dir := os.Getenv("GALLERY"); dir != "" {
			_ = os.WriteFile(filepath.Join(dir, id+".png"), a.Body, 0o600)
		}
	}
}

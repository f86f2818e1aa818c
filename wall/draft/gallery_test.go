package draft

import (
	"bytes"
	"context"
	"image/png"
	"os"
	"path/filepath"
	"strings"
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
			continue // skip some entries, because drawing all of them takes seconds
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

// The gallery also has the recipes of the wall's folder. If such a recipe has the same name as a recipe of the program, it replaces the
// program's recipe. A broken recipe is left out, and the answer to a request for its picture contains the reason.
func TestGalleryOfTheFolder(t *testing.T) {
	head := func(name string) string {
		return "name: " + name + "\ntitle: Ours " + name + "\nabout: Ours.\nversion: '1'\nlicense: MIT\nauthor: Anna\nhosts: []\n"
	}
	widget := "widgets:\n  - {widget: text, text: Good day}\n"
	b := newBench(t, map[string]string{
		"widgets.yaml":              testWall,
		"recipes/door/recipe.yaml":  head("door"),
		"recipes/door/widgets.yaml": widget,
		"recipes/moon/recipe.yaml":  head("moon"),
		"recipes/moon/widgets.yaml": widget,
		"recipes/torn/recipe.yaml":  "name: [torn\n",
		"recipes/name/recipe.yaml":  head("other"),
		"recipes/name/widgets.yaml": widget,
		"recipes/half/recipe.yaml":  head("half"),
	})
	a, err := b.Edit(context.Background(), server.EditCall{Verb: "gallery"})
	if err != nil {
		t.Fatal(err)
	}
	titles := map[string]any{}
	for _, item := range a.Fields["items"].([]map[string]any) {
		titles[item["id"].(string)] = item["title"]
	}
	for id, want := range map[string]any{
		"recipe-door": "Ours door", "recipe-moon": "Ours moon", "recipe-iss": "International Space Station",
		"recipe-torn": nil, "recipe-name": nil, "recipe-half": nil,
	} {
		if titles[id] != want {
			t.Errorf("%s: got the title %v, want %v", id, titles[id], want)
		}
		a, err := b.Edit(context.Background(), server.EditCall{Verb: "gallery-picture", ID: id})
		if want == nil && (err == nil || !strings.Contains(err.Error(), "recipes/"+strings.TrimPrefix(id, recipeID))) {
			t.Errorf("%s: got the error %v, want one with the file", id, err)
		}
		if want != nil && (err != nil || len(a.Body) < 1000) {
			t.Errorf("%s: a picture of %d bytes, error %v", id, len(a.Body), err)
		}
	}
}

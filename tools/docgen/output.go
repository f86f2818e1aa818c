package main

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"maps"
	"path/filepath"

	"dashboard/tools/files"
	"dashboard/widgets"
)

// Paths of the written files, relative to the repository.
const (
	widgetsPage  = "docs/widgets.md"
	classicPage  = "docs/classic-widgets.md"
	settingsPage = "docs/configuration.md"
	pictureDir   = "docs/pictures/widgets"
)

// Output is all generated content.
type Output struct {
	Pages    map[string]string      // texts of pages and schemas, by path
	Pictures map[string]*image.RGBA // pictures by path
}

// Generate makes all pages and pictures. `root` is the folder of the repository.
func Generate(root string) (*Output, error) {
	out := &Output{Pages: map[string]string{}, Pictures: map[string]*image.RGBA{}}
	var err error
	if out.Pages[widgetsPage], err = widgetsText("widgets.md", true); err != nil {
		return nil, err
	}
	if out.Pages[classicPage], err = widgetsText("classic-widgets.md", false); err != nil {
		return nil, err
	}
	if out.Pages[settingsPage], err = settingsText(); err != nil {
		return nil, err
	}
	files, err := schemas()
	if err != nil {
		return nil, err
	}
	maps.Copy(out.Pages, files)
	delete(files, iconsFile)
	if out.Pages[packedSchemas], err = pack(files); err != nil {
		return nil, err
	}
	if out.Pages["wall/draft/examples.zip"], err = packExamples(); err != nil {
		return nil, err
	}
	regions, err := generatedRegions(root)
	if err != nil {
		return nil, err
	}
	maps.Copy(out.Pages, regions)
	h, err := newHome()
	if err != nil {
		return nil, err
	}
	defer h.close()
	for _, k := range widgets.Kinds() {
		if out.Pictures[picturePath(k.Name)], err = h.picture(k.Name); err != nil {
			return nil, fmt.Errorf("the example of %s: %w", k.Name, err)
		}
	}
	for _, s := range shots {
		if out.Pictures[s.path()], err = h.sample(s); err != nil {
			return nil, fmt.Errorf("the sample %s: %w", s.sample, err)
		}
	}
	return out, nil
}

func picturePath(kind string) string { return pictureDir + "/" + kind + ".png" }

// Write writes all files below root.
func (o *Output) Write(root string) error {
	for path, text := range o.Pages {
		if err := files.Write(filepath.Join(root, path), []byte(text)); err != nil {
			return err
		}
	}
	for path, m := range o.Pictures {
		var b bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, m); err != nil {
			return err
		}
		if err := files.Write(filepath.Join(root, path), b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

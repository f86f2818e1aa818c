package rig

import (
	"bytes"
	"embed"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"text/template"
)

//go:embed wall
var wallFiles embed.FS

// Names of the walls, which are files in the folder wall.
const (
	first  = "first"
	second = "second"
	broken = "broken" // cannot be read
)

// wallFolder returns the files of a configuration that shows a wall on a machine's screen.
func wallFolder(name string, m *machine) (map[string][]byte, error) {
	widgets, err := widgetsOf(name)
	if err != nil {
		return nil, err
	}
	conf, err := confOf(m, false)
	if err != nil {
		return nil, err
	}
	gradient, err := rainbowFile()
	return map[string][]byte{"conf.yaml": conf, "widgets.yaml": widgets, gradientFile: gradient}, err
}

// confOf returns the conf.yaml for a machine. If `follow` is true, the wall has the size of the screen.
func confOf(m *machine, follow bool) ([]byte, error) {
	return fillIn("conf", map[string]any{"Width": m.size.X, "Height": m.size.Y, "Pan": m.pages, "Card": m.card, "Follow": follow})
}

// widgetsOf returns the widgets file of a wall.
func widgetsOf(name string) ([]byte, error) { return wallFiles.ReadFile("wall/" + name + ".yaml") }

// fillIn returns a file of the folder `wall` with `values` in the places of the template's placeholders.
func fillIn(name string, values any) ([]byte, error) {
	t, err := template.ParseFS(wallFiles, "wall/"+name+".yaml")
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = t.Execute(&text, values)
	return text.Bytes(), err
}

// under() returns files with their paths in a folder.
func under(folder string, files map[string][]byte) map[string][]byte {
	moved := map[string][]byte{}
	for name, content := range files {
		moved[folder+"/"+name] = content
	}
	return moved
}

// writeFiles writes files to an existing folder.
func writeFiles(folder string, files map[string][]byte) error {
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// gradientFile is the name of the picture that the walls show.
const gradientFile = "gradient.png"

// rainbowFile returns the gradient as a PNG file.
func rainbowFile() ([]byte, error) {
	var b bytes.Buffer
	err := png.Encode(&b, rainbow())
	return b.Bytes(), err
}

// rainbow returns a picture with a gradient in every channel. Each gradient has another slope, so bands appear if the picture is not
// dithered.
func rainbow() *image.RGBA {
	const w, h = 256, 160
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.SetRGBA(x, y, color.RGBA{uint8(x), uint8(y * 255 / (h - 1)), uint8(255 - (x+y)*255/(w+h-2)), 255})
		}
	}
	return m
}

package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"dashboard/config"
	"dashboard/internal/folder"
	"dashboard/render/icon"
	"dashboard/theme/sun"
	"dashboard/wall/scene"
)

const (
	// maxIcons is the maximum number of icons that are listed, because a person reads the list.
	maxIcons = 60
	// iconColumns is the number of icons in a row of the picture.
	iconColumns = 6
)

// listIcons prints the icons whose names or aliases contain a word. If the user has given a file,
// it also draws these icons into the file.
func listIcons(o *options, stdout io.Writer) error {
	names := icon.Find(o.Name, maxIcons)
	if len(names) == 0 {
		text := fmt.Sprintf("no icon has '%s' in its name", o.Name)
		if near := icon.Near(icon.Prefix+o.Name, 3); len(near) > 0 {
			text += "; near: " + strings.Join(near, ", ")
		}
		return errors.New(text)
	}
	for _, n := range names {
		fmt.Fprintln(stdout, icon.Prefix+n)
	}
	if o.Sheet == "" {
		return nil
	}
	return drawIcons(o, names)
}

// drawIcons writes a PNG with icons and their names.
func drawIcons(o *options, names []string) error {
	rows := (len(names) + iconColumns - 1) / iconColumns
	at := o.wall
	at.Widgets, at.Theme = "widgets.yaml", "calm"
	at.Size = config.Size{Width: 1280, Height: 20 + 120*rows}
	at.Files = folder.Dir(".").Over(map[string][]byte{
		at.Widgets: []byte(iconSheet(names)), config.ProvidersName: []byte("providers: {}\n"),
		config.ConfName: []byte("graphics: {resolution: [1280, 720]}\noutputs: [{type: stream}]\n"),
	})
	b := scene.NewBuilder(scene.Parts{Version: version, Wake: func() {}, Log: discardLog()})
	defer b.Providers.Close()
	g, report := b.Load(at, scene.Alone(func() {}))
	if g == nil {
		return errors.New(report.String())
	}
	r := g.Scenes[config.MainView].Renderer(sun.Day)
	r.Step(time.Now())
	return writePNG(o.Sheet, r.Frame())
}

// iconSheet returns a widgets file that shows the icons with their names.
func iconSheet(names []string) string {
	var s strings.Builder
	s.WriteString("widgets:\n  - widget: column\n    children:\n")
	for row := range slices.Chunk(names, iconColumns) {
		s.WriteString("      - widget: row\n        children:\n")
		for _, n := range row {
			fmt.Fprintf(&s, "          - {widget: column, children: [{widget: icon, icon: 'mdi:%s'}, {widget: text, text: '%s', text_size: 13, text_group: names, padding: 0, lines: 2, align: center, size: 34}]}\n", n, n)
		}
		for range iconColumns - len(row) {
			s.WriteString("          - {widget: space}\n")
		}
	}
	return s.String()
}

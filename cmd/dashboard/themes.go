package main

import (
	"errors"
	"fmt"
	"image"
	"image/draw"
	"io"
	"strings"
	"time"

	"dashboard/config"
	"dashboard/internal/folder"
	"dashboard/theme/look"
	"dashboard/theme/sun"
	"dashboard/wall/scene"
)

// themeWords contains a description of each built-in theme.
var themeWords = map[string]string{
	"calm": "dark blue-grey by night, warm white by day", "paper": "calm that begins by day", "amber": "warm, without blue of its own, for dark rooms",
	"photo": "white on cards that show what is behind them", "contrast": "7:1 and more everywhere", "eink": "black on white, thick lines, for e-paper",
}

// themeTile is the size of the picture of a theme in one mode, in px.
var themeTile = image.Pt(640, 360)

// listThemes prints the built-in themes. If the user has given a file, it also draws each theme by day and night into the file.
func listThemes(o *options, stdout io.Writer) error {
	for _, name := range look.Names() {
		fmt.Fprintf(stdout, "%-9s %s\n", name, themeWords[name])
	}
	if o.Sheet == "" {
		return nil
	}
	sheet := image.NewRGBA(image.Rect(0, 0, 2*themeTile.X, len(look.Names())*themeTile.Y))
	for row, name := range look.Names() {
		if err := drawTheme(o, name, sheet, row*themeTile.Y); err != nil {
			return err
		}
	}
	return writePNG(o.Sheet, sheet)
}

// drawTheme draws the sample wall in a theme. The picture by day is next to the picture by night. y is the top edge of the two pictures
// in `sheet`.
func drawTheme(o *options, name string, sheet *image.RGBA, y int) error {
	at := o.wall
	at.Widgets, at.Theme = "widgets.yaml", name
	wall := strings.ReplaceAll(themeSheet, "NAME", name)
	if name == "photo" { // the cards of this theme are translucent, so draw a picture below them
		wall = strings.Replace(wall, "    areas:", "    background: {colors: ['#31517a', '#b98a86', '#25303c'], angle: 200}\n    areas:", 1)
	}
	at.Size = config.Size{Width: themeTile.X, Height: themeTile.Y}
	at.Files = folder.Dir(".").Over(map[string][]byte{
		at.Widgets: []byte(wall), config.ProvidersName: []byte("providers: {}\n"),
		config.ConfName: []byte("graphics: {resolution: [1280, 720], motion: reduced}\nlocale: en-GB\ntimezone: UTC\nlocation: {latitude: 51.48, longitude: 0}\noutputs: [{type: stream}]\n"),
	})
	b := scene.NewBuilder(scene.Parts{Version: version, Wake: func() {}, Log: discardLog()})
	defer b.Providers.Close()
	g, report := b.Load(at, scene.Alone(func() {}))
	if g == nil {
		return errors.New(report.String())
	}
	for column, mode := range []sun.Mode{sun.Day, sun.Night} {
		r := g.Scenes[config.MainView].Renderer(mode)
		r.Step(themeMoment)
		to := image.Rectangle{Max: themeTile}.Add(image.Pt(column*themeTile.X, y))
		draw.Draw(sheet, to, r.Frame(), image.Point{}, draw.Src)
	}
	return nil
}

// themeMoment is the time that the sample wall shows. It is constant, so that the pictures are always the same.
var themeMoment = time.Date(2025, time.May, 15, 10, 24, 37, 0, time.UTC)

// themeSheet is the widgets file of the sample wall. It shows the texts, the color roles, the series and the states of a theme.
const themeSheet = `widgets:
  - widget: layout
    areas: ["clock clock month", "chart list month"]
    columns: [1.2, 1, 1]
    rows: [1, 1.25]
    children:
      - {widget: clock, area: clock, week: true}
      - {widget: month, area: month, title: NAME, icon: mdi:palette-outline}
      - widget: chart
        area: chart
        title: Power
        icon: mdi:solar-power-variant
        unit: W
        labels: ["6", "9", "12", "15", "18"]
        series: [{values: [120, 640, 1240, 980, 300], text: Solar, kind: area}, {values: [420, 380, 610, 540, 820], text: House}]
      - widget: list
        area: list
        title: Rooms
        icon: mdi:home-outline
        items:
          - {icon: mdi:sofa-outline, text: Living room, value: 21.4, unit: °}
          - {icon: mdi:bed-outline, text: Bedroom, value: 18.9, unit: °}
          - {icon: mdi:check-circle, text: Backup, value: 64, unit: "%", bar: true, color: good}
          - {icon: mdi:lock-open-variant-outline, text: Door, value: unlocked, color: bad}
`

package server

import (
	"context"
	"flag"
	"image"
	"image/draw"
	"image/png"
	"os"
	"testing"

	"github.com/chromedp/chromedp"

	"dashboard/control/notify"
)

var pagePicture = flag.Bool("page-picture", false, "write the picture of the page for the documents; look at it")

// docPictures is the folder with the pictures of the documents.
const docPictures = "../docs/pictures/"

// demoSurveyor lists the widgets of the built-in wall at 1280x720.
type demoSurveyor struct{}

func (demoSurveyor) Survey(context.Context, string) ([]Widget, []Handle, error) {
	return []Widget{
		{Kind: "layout", Name: "layout", File: "widgets.yaml", FirstLine: 4, LastLine: 23, Bounds: image.Rect(0, 0, 1280, 720)},
		{
			Kind: "list", Name: "list", File: "widgets.yaml", FirstLine: 14, LastLine: 23, Bounds: image.Rect(741, 374, 1260, 700),
			Sources: []Source{{Name: "machine", Value: `{"hostname":"hallway","memory_percent":31,"disk_percent":33,"load1":0.42,"uptime":273840}`, Age: 2}},
		},
	}, nil, nil
}

// The documents contain a picture of the page. It shows the built-in wall with its tools: a list of notifications, and data of the widget
// under the pointer. With the flag -page-picture, the test writes this picture.
func TestPageOfTheDocuments(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts a browser")
	}
	f, b, _ := noticed(t)
	f.Server.deps.Surveyor, f.themes.state.Mode = demoSurveyor{}, "night"
	f.Configure(Settings{StreamOn: true, HTTPControl: true})
	wall, err := os.Open(docPictures + "demo.png")
	if err != nil {
		t.Fatal(err)
	}
	defer wall.Close()
	m, err := png.Decode(wall)
	if err != nil {
		t.Fatal(err)
	}
	frame := image.NewRGBA(m.Bounds())
	draw.Draw(frame, frame.Rect, m, image.Point{}, draw.Src)
	if err := f.stream.DrawFrame(frame, []image.Rectangle{frame.Rect}); err != nil {
		t.Fatal(err)
	}
	postNotice(t, b, notify.Notification{ID: "wash", Title: "Laundry is done"})
	address, _ := f.serve(t)
	ctx := browser(t, 1280, 800, 1)
	see(t, ctx, chromedp.Navigate("http://"+address+"/"))
	until(t, ctx, "document.querySelector('canvas[data-shown]') && document.querySelector('.card.notice') && document.querySelector('.segment[aria-label=\"Theme\"]')")
	if !*pagePicture {
		return
	}
	shot, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(docPictures+"browser.png", shot, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

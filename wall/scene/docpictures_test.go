package scene

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"io"
	"log/slog"
	"math"
	"net/http"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/config"
	"dashboard/control/notify"
	"dashboard/internal/fetch"
	"dashboard/internal/folder"
	"dashboard/internal/testing/golden"
	"dashboard/internal/testing/race"
	"dashboard/render"
	"dashboard/render/picture"
	"dashboard/theme/sun"
)

// busyMachine is an HTTP transport. It answers with the values of a machine that is busy at times.
type busyMachine struct{}

func (busyMachine) RoundTrip(*http.Request) (*http.Response, error) {
	at := float64(time.Now().Unix()-wallsMoment.Unix()) / 8
	cpu := 14 + 5*math.Sin(at/1.3) + 3*math.Sin(at*2.1) + 42*math.Exp(-(at+10)*(at+10)/0.9) + 24*math.Exp(-(at+3)*(at+3)/0.6)
	body := fmt.Sprintf(`{"hostname":"hallway","cpu_percent":%.1f,"load1":0.42,"uptime":273840,`, cpu) +
		`"memory_percent":31,"memory_used":1240000000,"memory_total":4000000000,"disk_percent":33,"disk_used":21000000000,"disk_total":64000000000}`
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader([]byte(body))), ContentLength: int64(len(body))}, nil
}

// showDemo draws the built-in wall some minutes after its start and calls the function `use` with the picture. If n is not nil, the wall
// shows this notification.
func showDemo(t *testing.T, size image.Point, mode sun.Mode, n *notify.Notification, photo string, use func(*image.RGBA)) {
	t.Helper()
	conf, err := os.ReadFile("../../cmd/dashboard/demo/conf.yaml")
	if err != nil {
		t.Fatal(err)
	}
	over := map[string][]byte{
		"conf.yaml":      append(conf, "\nlocale: en-GB\ntimezone: UTC\n"...),
		"providers.yaml": []byte("providers:\n  machine: {url: http://machine.test/, update_interval: 2}\n"),
	}
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(wallsMoment.Add(-4 * time.Minute)))
		b := NewBuilder(Parts{Wake: func() {}, Log: slog.New(slog.DiscardHandler)})
		defer b.Providers.Close()
		b.Client = fetch.NewWith(busyMachine{})
		o := Folder{Widgets: "widgets.yaml", Files: folder.Dir("../../cmd/dashboard/demo").Over(over), Size: config.Size{Width: size.X, Height: size.Y}}
		at := Alone(func() {})
		wall := at(config.MainView)
		g, report := b.Load(o, func(string) Seat { return wall })
		if g == nil {
			t.Fatal(report.String())
		}
		b.Providers.Commit(g.Sources)
		tree := g.Scenes[config.MainView].Trees[mode]
		wall.Board.Commit(tree.Inboxes)
		r := render.New(tree.Root, size)
		for time.Now().Before(wallsMoment.Add(16 * time.Second)) {
			time.Sleep(2 * time.Second)
			synctest.Wait()
			r.Step(time.Now())
		}
		if n != nil {
			if n.Posted = time.Now(); photo != "" {
				inbox, err := wall.Board.Lookup(notify.Wall)
				if err != nil {
					t.Fatal(err)
				}
				v := inbox.View()
				n.Box = v.Box
				if n.Picture, err = picture.Load(t.Context(), os.DirFS("../../samples/family/photos"), photo, v.Box, v.Fit, v.Smooth); err != nil {
					t.Fatal(err)
				}
			}
			if err := wall.Board.Post(notify.Wall, n); err != nil {
				t.Fatal(err)
			}
			for range 40 { // until the notification has slid in
				time.Sleep(50 * time.Millisecond)
				synctest.Wait() // until the newest values of the machine have arrived
				r.Step(time.Now())
			}
		}
		use(r.Frame())
	})
}

// TestDocPictures compares the pictures of the built-in wall in the documents with newly drawn pictures.
func TestDocPictures(t *testing.T) {
	t.Parallel()
	wide := image.Pt(1280, 720)
	compare := func(name string) func(m *image.RGBA) {
		return func(m *image.RGBA) { golden.Compare(t, "../../../../docs/pictures/"+name, m) }
	}
	showDemo(t, wide, sun.Night, nil, "", compare("demo"))
	if race.Enabled {
		return // under the race detector, one picture is enough, because the others have the same providers
	}
	both := image.NewRGBA(image.Rect(0, 0, 1600, 450))
	for i, mode := range []sun.Mode{sun.Day, sun.Night} {
		showDemo(t, image.Pt(800, 450), mode, nil, "", func(m *image.RGBA) {
			draw.Draw(both, image.Rect(800*i, 0, 800*(i+1), 450), m, image.Point{}, draw.Src)
		})
	}
	compare("day-night")(both)
	showDemo(t, wide, sun.Day, &notify.Notification{Title: "Laundry is done", Text: "2 h 5 min, 0.9 kWh. Please take it out.", Icon: "mdi:washing-machine", Duration: 20 * time.Second}, "", compare("notification-text"))
	showDemo(t, wide, sun.Night, &notify.Notification{Title: "From Ida", Text: "First light on the lake", Icon: "mdi:image-outline", Duration: 20 * time.Second}, "lake.jpg", compare("notification-picture"))
}

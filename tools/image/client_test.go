package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"time"

	"dashboard/appliance/card"
	"dashboard/client"
)

// still has the settings of a clock that never changes, because the card's picture is compared with a picture that was painted earlier.
var still = client.Offline{ClockFormat: "12:00"}

// clientText returns a client.yaml. `server` is its section about the server.
func clientText(server string) string {
	return server + "graphics:\n  resolution: [1280, 720]\noffline: {enabled: true, clock_format: '" + still.ClockFormat + "'}\noutputs:\n  - type: window\n    fullscreen: true\n"
}

// jpegTolerance is the maximum difference between two decoders' pictures of the same file.
const jpegTolerance = 6

// takeClient copies new settings to the card and restarts the remote screen.
var takeClient = onDrive("cat /tmp/client.yaml >/boot/%s") + " && systemctl restart dashboard-client.service"

// testClient turns the card into a remote screen. First the screen searches for a wall. Then the screen's own address is set as the
// server, and the screen reports this mistake. Then the host's address is set, and the screen shows the host's dashboard.
func (t *tester) testClient(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	port, err := t.serve(ctx)
	if err != nil {
		return err
	}
	l, err := t.newLogin(ctx)
	if err != nil {
		return err
	}
	const file = card.ConfigFolder + "/client.yaml"
	d, done, err := t.diskWith(ctx, map[string][]byte{
		card.SettingsFile: []byte("role = client\nhostname = cut-test\n" + l.line), file: []byte(clientText("")),
	})
	if err != nil {
		return err
	}
	defer done()
	on := *t
	on.forward = l.forward()
	m, err := on.start(ctx, d, "client", "")
	if err != nil {
		return err
	}
	defer m.Stop()
	shown, err := t.shown(ctx, port)
	if err != nil {
		return err
	}
	for i, step := range []struct {
		name, server string
		notice       *client.Notice
	}{
		{"client-looks", "", &client.Notice{Title: "Looking for a dashboard", Detail: "on this network"}},
		{"client-self", "server:\n  url: http://cut-test.local:5000\n", &client.Notice{
			Title: "This board is cut-test.local itself", Detail: "server.url in client.yaml names the board that draws; without it one is looked for",
		}},
		{"client", fmt.Sprintf("server:\n  url: http://10.0.2.2:%d\n", port), nil},
	} {
		want := shown
		if step.notice != nil {
			if want, err = noticePicture(ctx, step.notice); err != nil {
				return err
			}
		}
		if i > 0 {
			if _, err := l.await(ctx, "true"); err != nil {
				return err
			}
			if err := l.put(ctx, "/tmp/client.yaml", clientText(step.server), fmt.Sprintf(takeClient, file)); err != nil {
				return err
			}
		}
		_, err = m.await(ctx, want, jpegTolerance, time.Since(m.Began)+pictureTime)
		if err := errors.Join(err, t.keep(m, step.name)); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
	}
	return nil
}

// The type taken is a display that stores the first frame.
type taken chan *image.RGBA

func (t taken) DrawFrame(src *image.RGBA, _ []image.Rectangle) error {
	c := image.NewRGBA(src.Rect)
	copy(c.Pix, src.Pix)
	select {
	case t <- c:
	default:
	}
	return nil
}

// noticePicture returns the picture of a remote screen without a wall.
func noticePicture(ctx context.Context, n *client.Notice) (*image.RGBA, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	display := make(taken, 1)
	c, err := client.New(client.Options{URL: "http://127.0.0.1:9", Size: screenSize, Notice: n, Offline: &still, Display: display})
	if err != nil {
		return nil, err
	}
	go c.Run(ctx)
	select {
	case pic := <-display:
		return pic, nil
	case <-time.After(serverTime):
		return nil, errors.New("no notice was painted")
	}
}

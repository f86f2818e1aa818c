package soak

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"time"

	"dashboard/control/notify"
	"dashboard/netstream"
	"dashboard/provider"
	"dashboard/render/picture"
)

// feed sends values to the wall. It replaces the network, and runs in the goroutine that paints the frames.
type feed struct {
	cells map[string]*provider.Cell
}

// still is a provider that publishes nothing.
type still struct{}

// Run implements provider.Provider.
func (still) Run(ctx context.Context, _ *provider.Cell) error { <-ctx.Done(); return nil }

// addTo adds the providers of the feed to the set.
func (f *feed) addTo(set *provider.Set) {
	f.cells = map[string]*provider.Cell{}
	for _, name := range []string{"load", "words", "bars", "switch", "gone", "numbers"} {
		f.cells[name] = set.Add(name, still{})
		set.Name(name, name)
	}
}

var errGone = errors.New("connection refused")

// give publishes the values for step n. The values repeat only after a long time.
func (f *feed) give(n int, now time.Time) {
	f.cells["load"].Publish(float64(n%7919)/100, now)
	f.cells["words"].Publish(fmt.Sprintf("%x Grüße %d", n*2654435761, n), now)
	f.cells["switch"].Publish(n/20%2 == 0, now)
	f.cells["numbers"].Publish([]any{float64(n), float64(n % 100)}, now)
	f.cells["gone"].Fail(errGone, now)
	values, labels := make([]any, 12), make([]any, 12)
	for i := range values {
		values[i], labels[i] = float64((n*(i+3))%101), fmt.Sprint((n+i)%24)
	}
	f.cells["bars"].Publish(map[string]any{"values": values, "labels": labels}, now)
}

// noteTime is the time for which a notification is shown, on the wall's clock.
const noteTime = 20 * time.Second

// post sends notification n. Texts and pictures alternate.
func post(b *notify.Board, n int, size image.Point) error {
	if n%2 == 0 {
		return b.Post("texts", &notify.Notification{Text: fmt.Sprint("Notification ", n), Duration: noteTime})
	}
	img := image.NewRGBA(image.Rect(0, 0, 64+n%64, 48))
	for i := range img.Pix {
		img.Pix[i] = byte(i*n) | 0x80
	}
	img.Set(0, 0, color.White)
	var file bytes.Buffer
	if err := png.Encode(&file, img); err != nil {
		return err
	}
	pic, err := picture.Decode(context.Background(), file.Bytes(), size, picture.Contain, true)
	if err != nil {
		return err
	}
	return b.Post("pictures", &notify.Notification{Picture: pic, Box: size, Duration: noteTime})
}

// An audience contains the screens that watch the stream.
type audience struct {
	stream *netstream.Stream
	frames *netstream.Subscription
	size   image.Point
	tag    string // tag of the frame that the first screen shows
	event  []byte
	sink   discard
	guests []*netstream.Subscription // screens that connect and disconnect
}

func newAudience(s *netstream.Stream, size image.Point) *audience {
	return &audience{stream: s, frames: s.Subscribe(), size: size}
}

func (a *audience) close() {
	a.frames.Close()
	a.leave(0)
}

// leave() disconnects guests until only `keep` guests are connected.
func (a *audience) leave(keep int) {
	for _, g := range a.guests[keep:] {
		g.Close()
	}
	a.guests = a.guests[:keep]
}

// Guests are screens that connect one after the other. When mostGuests are connected, two thirds of them disconnect.
const (
	perGuest   = 37 // seconds on the wall's clock
	mostGuests = 23
)

// otherSizes is the number of sizes that are requested in turn. It is greater than the number of sizes that the stream keeps.
const otherSizes = 11

// look fetches the frames of second n. One screen follows the stream with deltas. A second screen sometimes fetches a whole frame in half
// the size. Rarely, a screen of another size fetches a frame.
func (a *audience) look(n int) error {
	if p, ok := a.frames.Next(); ok {
		a.event = p.AppendEvent(a.event[:0])
	}
	if n%perGuest == 0 {
		if len(a.guests) == mostGuests {
			a.leave(mostGuests / 3)
		}
		a.guests = append(a.guests, a.stream.Subscribe())
	}
	resp, err := a.fetch(netstream.Request{W: a.size.X, H: a.size.Y, IfNoneMatch: a.tag, Delta: true})
	if err != nil {
		return err
	}
	a.tag = resp.ETag
	if n%17 == 0 {
		_, err = a.fetch(netstream.Request{W: a.size.X / 2, H: a.size.Y / 2})
	}
	if n%503 == 0 && err == nil {
		k := n / 503 % otherSizes
		_, err = a.fetch(netstream.Request{W: 100 + 40*k, H: 80 + 20*k})
	}
	return err
}

// fetch reads a whole answer.
func (a *audience) fetch(r netstream.Request) (netstream.Response, error) {
	resp, err := a.stream.Get(context.Background(), r)
	if err != nil || resp.Body == nil {
		return resp, err
	}
	_, err = resp.Body.WriteTo(&a.sink)
	return resp, errors.Join(err, resp.Body.Close())
}

// discard counts the bytes that are written to it, and drops them.
type discard struct{ n int64 }

// Write implements io.Writer.
func (d *discard) Write(p []byte) (int, error) { d.n += int64(len(p)); return len(p), nil }

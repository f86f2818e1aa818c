package viewer

import (
	"cmp"
	"context"
	"image"
	"image/draw"
	"io/fs"
	"reflect"
	"sync/atomic"
	"time"

	"dashboard/appliance/about"
	"dashboard/appliance/startscreen"
	"dashboard/client"
	"dashboard/render/text"
)

// guidePause is the interval at which the guide of an appliance's set-up is read. It is short, because a person waits for the next picture.
const guidePause = 400 * time.Millisecond

// codesPause is the time after a touch of the badge in which further touches are ignored. The codes appear during this time.
const codesPause = 2 * time.Second

// coverMargin is the distance of a badge from the edges of the screen, in px for a short side of 720 px.
const coverMargin = 20

// A cover draws the guide of an appliance's set-up over the wall, or a badge about an error in the files. Only the client's goroutine calls
// DrawFrame.
type cover struct {
	screen client.Display
	fonts  *text.Cache
	shows  atomic.Pointer[client.Client] // client that draws the frames
	setup  atomic.Pointer[about.Guide]   // guide of the set-up, or nil
	wrong  atomic.Pointer[about.Guide]   // badge about an error in the files, or nil
	socket string                        // socket of the card's keeper, or "" for the usual one
	asked  atomic.Int64                  // time of the last request for the codes, in Unix nanoseconds

	now        *about.Guide
	pic, under *image.RGBA // picture of the guide, and the frame's pixels below a badge
	at         image.Rectangle
	whole      bool // true if the screen has not shown the last change of the guide
}

// run follows the guide of the set-up until ctx ends. `machine` is the root of the file system. On a machine that is not an appliance it
// does nothing.
func (c *cover) run(ctx context.Context, machine fs.FS) {
	if _, ok := about.Read(machine); !ok {
		return
	}
	tick := time.NewTicker(guidePause)
	defer tick.Stop()
	for {
		c.follow(machine)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// follow reads the guide of the set-up. A picture of the gallery is not shown, because a remote screen has no wall of its own.
func (c *cover) follow(machine fs.FS) {
	g := about.ReadGuide(machine)
	if g != nil && g.Picture != "" {
		g = nil
	}
	if !reflect.DeepEqual(g, c.setup.Load()) {
		c.setup.Store(g)
		c.redraw()
	}
}

// warn shows a badge with an error in the files. Without a text it removes the badge.
func (c *cover) warn(problem string) {
	var g *about.Guide
	if problem != "" {
		g = &about.Guide{Badge: true, Icon: "file-alert-outline", Role: "bad", Title: "The settings have a mistake", Text: []string{problem}}
	}
	c.wrong.Store(g)
	c.redraw()
}

// touched() requests the codes of the access point if its badge is shown, and the badge if the codes are shown. It does not block.
func (c *cover) touched() {
	now, last := time.Now().UnixNano(), c.asked.Load()
	if c.setup.Load() == nil || now-last < int64(codesPause) || !c.asked.CompareAndSwap(last, now) {
		return
	}
	go func() {
		_ = about.Send(cmp.Or(c.socket, "/"+about.AskSocket), about.Ask{Do: about.DoCodes}) // without the keeper the badge stays
	}()
}

func (c *cover) redraw() {
	if shows := c.shows.Load(); shows != nil {
		shows.Invalidate()
	}
}

// DrawFrame implements client.Display. It restores the frame before it returns.
func (c *cover) DrawFrame(src *image.RGBA, damage []image.Rectangle) error {
	g := c.setup.Load()
	if g == nil {
		g = c.wrong.Load()
	}
	if g != c.now || c.pic != nil && !c.at.In(src.Rect) {
		c.change(g, src.Rect)
	}
	if c.whole {
		damage = nil
	}
	err := c.draw(src, damage)
	c.whole = c.whole && err != nil
	return err
}

func (c *cover) draw(src *image.RGBA, damage []image.Rectangle) error {
	switch {
	case c.pic == nil:
		return c.screen.DrawFrame(src, damage)
	case c.under == nil:
		return c.screen.DrawFrame(c.pic, damage)
	}
	draw.Draw(c.under, c.under.Rect, src, c.at.Min, draw.Src)
	draw.Draw(src, c.at, c.pic, image.Point{}, draw.Over)
	err := c.screen.DrawFrame(src, damage)
	draw.Draw(src, c.at, c.under, image.Point{}, draw.Src)
	return err
}

// change draws the picture of a guide for a wall, in the colors of the night, because the theme of the wall is not known.
func (c *cover) change(g *about.Guide, wall image.Rectangle) {
	c.now, c.pic, c.under, c.whole = g, nil, nil, true
	switch size := wall.Size(); {
	case g == nil:
	case g.Badge:
		c.pic = startscreen.Badge(size, *g, true, c.fonts)
		margin := coverMargin * min(size.X, size.Y) / 720
		far := wall.Max.Sub(image.Pt(margin, margin))
		c.at = image.Rectangle{Min: far.Sub(c.pic.Rect.Size()), Max: far}.Intersect(wall)
		c.under = image.NewRGBA(image.Rectangle{Max: c.at.Size()})
	default:
		c.pic, c.at = image.NewRGBA(image.Rectangle{Max: size}), wall
		startscreen.Guide(c.pic, *g, true, c.fonts)
	}
}

package viewer

import (
	"cmp"
	"context"
	"image"
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

// codesPause is the time after a touch of the badge in which further touches are ignored. The codes of the access point appear during
// this time.
const codesPause = 2 * time.Second

// coverMargin is the distance of a badge from the edges of the screen, in px for a short side of 720 px.
const coverMargin = 20

// A cover draws the guide of an appliance's set-up over the wall, or a badge about an error in the files. Only the client's goroutine calls
// DrawFrame.
type cover struct {
	screen client.Display
	corner client.Corner // corner of a badge
	fonts  *text.Cache
	shows  atomic.Pointer[client.Client] // client that draws the frames
	setup  atomic.Pointer[about.Guide]   // guide of the set-up, or nil
	wrong  atomic.Pointer[about.Guide]   // badge about an error in the files, or nil
	socket string                        // socket of the card's keeper, or "" for the usual one
	asked  atomic.Int64                  // time of the last request for the codes of the access point, in Unix nanoseconds

	now  *about.Guide
	wall image.Rectangle // rectangle of the frames for which change() drew the picture
	over startscreen.Over
}

// run reads the guide of the set-up at intervals until ctx ends. `machine` is the root of the file system. On a machine that is not an
// appliance it does nothing.
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

// follow reads the guide of the set-up. It ignores a guide with a picture of the gallery, because a remote screen has no wall of its own.
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

// warn shows a badge with an error in the files. If `problem` is "", it removes the badge.
func (c *cover) warn(problem string) {
	var g *about.Guide
	if problem != "" {
		g = &about.Guide{Badge: true, Icon: "file-alert-outline", Role: "bad", Title: "The settings have a mistake", Text: []string{problem}}
	}
	c.wrong.Store(g)
	c.redraw()
}

// touched() asks the appliance's keeper to show the codes of the access point instead of its badge, or the badge instead of the codes. It
// does nothing if no guide of the set-up is shown. It does not block.
func (c *cover) touched() {
	now, last := time.Now().UnixNano(), c.asked.Load()
	if c.setup.Load() == nil || now-last < int64(codesPause) || !c.asked.CompareAndSwap(last, now) {
		return
	}
	go func() {
		// Ignore the error: if the appliance's keeper does not run, the badge stays.
		_ = about.Send(cmp.Or(c.socket, "/"+about.AskSocket), about.Ask{Do: about.DoCodes})
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
	if g != c.now || src.Rect != c.wall {
		c.change(g, src.Rect)
	}
	return c.over.DrawFrame(c.screen, src, damage)
}

// change draws the picture of a guide for a wall. It uses the colors of the night theme, because the theme of the wall is not known. A
// badge is in the corner that client.yaml sets.
func (c *cover) change(g *about.Guide, wall image.Rectangle) {
	c.now, c.wall = g, wall
	switch size := wall.Size(); {
	case g == nil:
		c.over.Put(nil, image.Rectangle{})
	case g.Badge:
		pic := startscreen.Badge(size, *g, true, c.fonts)
		margin := coverMargin * min(size.X, size.Y) / 720
		at := c.corner.Place(size, pic.Rect.Size(), margin)
		c.over.Put(pic, pic.Rect.Add(wall.Min.Add(at)).Intersect(wall))
	default:
		pic := image.NewRGBA(image.Rectangle{Max: size})
		startscreen.Guide(pic, *g, true, c.fonts)
		c.over.Put(pic, wall)
	}
}

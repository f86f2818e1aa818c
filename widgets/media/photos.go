package media

import (
	"image"
	"image/color"
	"time"

	"dashboard/config/value"
	"dashboard/internal/folder"
	"dashboard/internal/locale"
	"dashboard/provider"
	"dashboard/provider/photos"
	"dashboard/render"
	"dashboard/render/picture"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/kit/piece"
)

// PhotosParams are the parameters of the photos widget.
type PhotosParams struct {
	kit.Framed
	// Folder of the pictures, with its subfolders.
	Path string `yaml:"path"`
	// Provider of type immich, webdav or icloud, instead of path. Default: the only such provider.
	Provider string `yaml:"provider"`
	// Order of the pictures. on_this_day shows the pictures of this day in other years. Without such pictures, it shows all pictures in
	// random order.
	Order string `yaml:"order" default:"shuffle" enum:"shuffle,name,date,on_this_day"`
	// Scaling of a picture. blurred shows the whole picture in front of a blurred copy.
	Fit string `yaml:"fit" default:"cover" enum:"cover,contain,blurred"`
	// Caption. place: the folder, or the town for Immich. name: the file name.
	Caption string `yaml:"caption" default:"none" enum:"none,date,place,name"`
	// Share of the height that is darkened, from the bottom, so that the theme's texts are readable. Default: 0%.
	Shade value.Share `yaml:"shade"`
	// Time for which a picture is shown. Default: 30s.
	Dwell value.Duration `yaml:"dwell"`
	// Slowly moves and enlarges pictures that fill their cell.
	KenBurns bool `yaml:"ken_burns" default:"false"`
}

const (
	// photoDwell is the default time for which a photo is shown.
	photoDwell = 30 * time.Second
	// photoFade is the duration of the transition from one photo to the next.
	photoFade = time.Second
	// photoRoom is the size of a moving photo divided by the size of its widget.
	photoRoom = 1.06
)

// photosWidget shows photos in turn.
type photosWidget struct {
	b       *kit.Builder
	size    image.Point
	cell    provider.Typed[*photos.Photo]
	seen    *provider.Sample
	told    string // kind of the caption
	caption piece.Snippet
	sign    *kit.Mark // icon before the caption
	scrim   scrim     // darkens the photo behind the caption and in the area of the key `shade`
	shaded  image.Rectangle
	ground  color.RGBA
	white   color.RGBA
	empty   *kit.Mark
	muted   color.RGBA
	moves   bool
	dwell   time.Duration

	last, now *photos.Photo
	before    *photos.Photo // photo for an earlier size of the widget, shown until a photo for the current size arrives
	at        image.Point   // position of the photo in `before`
	began     time.Time     // time at which the photo in `now` was first shown
	share     int           // opacity of the photo in `now`, from 0 to 255
	offset    image.Point   // distance by which the photo in `now` has moved
	gone      image.Point   // distance by which the photo in `last` had moved
	buf       []byte
}

func buildPhotos(b *kit.Builder, s *kit.Spec, p *PhotosParams, size image.Point) render.Widget {
	w := &photosWidget{
		b: b, size: size, told: p.Caption, ground: b.Role("surface"), muted: b.Role("muted"), white: color.RGBA{255, 255, 255, 255}, share: 255,
		moves: p.KenBurns && p.Fit == "cover" && !b.Reduced, dwell: photoDwell,
	}
	if p.Dwell > 0 {
		w.dwell = max(time.Duration(p.Dwell), time.Second)
	}
	switch {
	case p.Path != "" && p.Provider != "":
		s.Errorf("provider", "photos come from a folder at 'path' or from a provider, not from both")
	case p.Path != "":
		if _, err := folder.List(b.Files, p.Path, 1); err != nil {
			s.Warnf("path", "%s: %v", p.Path, folder.Reason(err))
		}
	}
	box := size
	if w.moves {
		box = image.Pt(int(float64(size.X)*photoRoom), int(float64(size.Y)*photoRoom))
	}
	w.cell.Cell = b.PhotosFor(s, p.Provider, photos.Config{
		Path: p.Path, Order: photos.Order(p.Order), Dwell: w.dwell, Box: box, Fit: photoFits[p.Fit], Blurred: p.Fit == "blurred", Zone: b.Location, Smooth: b.SmoothScaling,
	})
	face := b.Face("caption")
	pad := b.Px(b.Look.Sizes.Padding)
	if b.Shorter() < kit.Small {
		pad = b.Px(b.Look.Sizes.Padding / 2)
	}
	w.caption = piece.NewSnippet(b, face, b.EdgeOf("start"))
	w.placeCaption(face, pad)
	w.scrim = newScrim(size, w.caption.Box.Min.Y, 2*face.Line)
	if p.Shade > 0 {
		w.shaded = image.Rect(0, size.Y-int(float64(p.Shade)*float64(size.Y)), size.X, size.Y)
		w.scrim = newScrim(size, w.shaded.Min.Y, w.shaded.Dy()/2)
	}
	side := min(size.X, size.Y, b.Px(64))
	at := image.Pt((size.X-side)/2, (size.Y-side)/2)
	w.empty = b.Mark(image.Rectangle{Min: at, Max: at.Add(image.Pt(side, side))})
	w.empty.Set("mdi:image-outline")
	return w
}

// placeCaption places the caption and its icon at the bottom.
func (w *photosWidget) placeCaption(face kit.Face, pad int) {
	b := w.b
	across := pad
	// A photo that fills the wall aligns its caption with the texts in cards. Lengths in the file may have a smaller scale than the
	// lengths of the theme. The caption uses the smaller distance.
	if w.size == b.Picture {
		sizes := b.Look.Sizes
		across = min(across+b.Px(sizes.Margin), b.Written(value.Length(sizes.Margin+sizes.Padding)))
	}
	line, side := image.Rect(across, w.size.Y-pad-face.Line, w.size.X-across, w.size.Y-pad), face.Size*5/4
	w.sign = b.Mark(b.Mirrored(image.Rect(across, line.Min.Y+(line.Dy()-side)/2, across+side, line.Min.Y+(line.Dy()+side)/2), w.size.X))
	w.sign.Set("mdi:image-outline")
	line.Min.X += side + face.Size/2
	w.caption.Box = b.Mirrored(line, w.size.X)
}

var photoFits = map[string]picture.Fit{"cover": picture.Cover, "contain": picture.Contain, "blurred": picture.Contain}

// Update implements render.Widget.
func (w *photosWidget) Update(t render.Tick) {
	s := w.cell.Load()
	if s != w.seen {
		w.seen = s
		if p, ok := w.cell.Value(s); ok && p != w.now {
			w.turn(t, p)
		}
	}
	w.fade(t)
	w.move(t)
	if w.now != nil || w.before != nil {
		t.Photo(image.Rectangle{Max: w.size})
	}
}

// turn() starts the transition to the photo p.
func (w *photosWidget) turn(t render.Tick, p *photos.Photo) {
	w.last, w.now, w.before, w.began, w.share = w.now, p, nil, t.Now(), 0
	w.gone, w.offset = w.offset, image.Point{}
	if w.b.Reduced || !t.Shown() || w.last == nil { // the first photo has no transition, so that the first frame shows it completely
		w.share, w.last = 255, nil
	}
	w.buf = w.buf[:0]
	switch {
	case w.told == "date" && !p.Taken.IsZero():
		w.buf = w.b.Locale.Append(w.buf, p.Taken, locale.MonthYear)
	case w.told == "place":
		w.buf = append(w.buf, format.Short(p.Folder)...)
	case w.told == "name":
		w.buf = append(w.buf, format.Short(p.Name)...)
	}
	w.caption.Set(w.buf)
	w.scrim.turn(w.need(p))
	w.b.TintBy(p.Palette[:])
	t.DamageAll()
}

// fade() blends the previous photo with the current photo.
func (w *photosWidget) fade(t render.Tick) {
	if w.share == 255 {
		return
	}
	passed := t.Now().Sub(w.began)
	share := int(255 * passed / photoFade)
	if share < 0 || share > 255 {
		share = 255
	}
	if share != w.share {
		w.share = share
		t.DamageAll()
	}
	if w.share == 255 {
		w.last = nil // release the photo, because the next photo uses the same memory
		return
	}
	t.Wake(t.Now())
}

// move moves a photo that is larger than the widget, in steps of one pixel.
func (w *photosWidget) move(t render.Tick) {
	if !w.moves || w.now == nil || !t.Shown() {
		return
	}
	room := w.now.Picture.Rect.Size().Sub(w.size)
	part := min(max(float64(t.Now().Sub(w.began))/float64(w.dwell+photoFade), 0), 1)
	at := image.Pt(int(float64(room.X)*part), int(float64(room.Y)*part))
	if at != w.offset {
		w.offset = at
		t.DamageAll()
	}
	if steps := max(room.X, room.Y); steps > 0 && part < 1 {
		t.Wake(t.Now().Add((w.dwell + photoFade) / time.Duration(2*steps)))
	}
}

// Succeed implements kit.Successor. The photo for the earlier size is not scaled. If it is too large, its center is shown. If it is too
// small, colored borders surround it.
func (w *photosWidget) Succeed(old render.Widget) {
	o, ok := old.(*photosWidget)
	if !ok {
		return
	}
	w.before, w.at = o.before, o.at
	if o.now != nil {
		w.before, w.at = o.now, o.now.Picture.Rect.Min.Sub(o.offset)
	}
	w.at = w.at.Add(w.size.Sub(o.size).Div(2))
}

// Paint implements render.Widget.
func (w *photosWidget) Paint(c render.Canvas) {
	c = c.In(image.Rectangle{Max: w.size})
	c.Fill(image.Rectangle{Max: w.size}, w.ground)
	switch {
	case w.now != nil:
	case w.before != nil:
		c.Image(w.at, w.before.Picture.Frames[0].Img, w.before.Picture.Opaque)
		return
	default:
		w.empty.Paint(c, w.muted)
		return
	}
	if w.last != nil {
		w.show(c, w.last, w.gone, 255)
	}
	w.show(c, w.now, w.offset, uint8(w.share))
	w.scrim.paint(c, w.share)
	if len(w.caption.Raw) > 0 {
		w.sign.Paint(c, w.white)
		w.caption.Paint(c, w.white)
	}
}

// show paints the photo p. The parameter `moved` is the distance by which the photo has moved, and `share` is its opacity, from 0 to 255.
func (w *photosWidget) show(c render.Canvas, p *photos.Photo, moved image.Point, share uint8) {
	at := p.Picture.Rect.Min.Sub(moved)
	frame := p.Picture.Frames[0].Img
	if share == 255 {
		c.Image(at, frame, p.Picture.Opaque)
		return
	}
	c.ImageAs(at, frame, share)
}

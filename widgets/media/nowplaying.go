package media

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"time"

	"dashboard/config/value"
	"dashboard/control"
	"dashboard/internal/locale"
	"dashboard/provider"
	"dashboard/provider/query"
	"dashboard/render"
	"dashboard/render/picture"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
	"dashboard/widgets/kit/speech"
)

// NowPlayingParams are the parameters of the nowplaying widget.
type NowPlayingParams struct {
	kit.Framed
	// Media player of Home Assistant, such as media_player.kitchen. Either entity or provider is required.
	Entity *value.Entity `yaml:"entity"`
	// Provider of the song: type mpd, or any type whose value has title, artist, album, cover, state, position and length, or MPRIS keys. If
	// entity is set: the Home Assistant provider, by default the one in conf.yaml.
	Provider string `yaml:"provider"`
	// Buttons: previous, play or pause, next. Only for Home Assistant and MPD. Recipes show no buttons.
	Controls bool `yaml:"controls" default:"true"`
}

// nowPlaying shows the song that a player plays.
type nowPlaying struct {
	b        *kit.Builder
	size     image.Point
	cell     *provider.Cell
	pictures provider.Typed[*picture.Picture]
	accent   kit.Input
	player   player

	track track
	seen  *provider.Sample
	shot  *provider.Sample // last sample of the cover pictures
	none  *piece.Empty
	empty string

	film    kit.Film
	cover   image.Rectangle
	stencil *render.Stencil
	corner  *render.Corner
	note    *kit.Mark // icon shown if there is no cover

	title, artist, album, passed, length piece.Snippet
	big, small                           kit.Face // faces of the title
	side                                 int      // side of the middle button, in px
	bar                                  *piece.Meter
	step                                 int // filled length of the bar, in px
	keys                                 []key
	fill, onFill                         color.RGBA
	buf                                  []byte
}

func buildNowPlaying(b *kit.Builder, s *kit.Spec, p *NowPlayingParams, size image.Point) render.Widget {
	code, name := "", cmp.Or(p.Provider, kit.UsualHome)
	switch {
	case p.Entity != nil:
		code = fmt.Sprintf(".[%q][%q]", name, p.Entity.ID)
	case p.Provider != "":
		code = fmt.Sprintf(".[%q]", name)
	default:
		s.Errorf("", "needs a player: entity, such as media_player.kitchen, or provider, such as one of type mpd")
		return nil
	}
	w := &nowPlaying{b: b, size: size, accent: kit.InputOf(b, s, p.Accent, kit.ColorOf)}
	w.empty = cmp.Or(p.Empty, b.Locale.Say(locale.NothingPlays))
	w.cell = programCell(b, s, code)
	b.Asks(w.cell)
	w.player = playerOf(b, s, p, name)
	w.build()
	w.pictures.Cell = coverCell(b, s, query.Picture{
		Box: w.cover.Size(), Fit: picture.Cover, Smooth: b.SmoothScaling, At: programCell(b, s, code+" | "+coverCode), Player: name,
	})
	return w
}

// programCell returns the provider.Cell of a program. The program is requested once, even if the widget is built several times.
func programCell(b *kit.Builder, s *kit.Spec, code string) *provider.Cell {
	id := "player at " + s.Pos + ": " + code
	cell, ok := b.TextFiles[id]
	if ok {
		return cell
	}
	cell = provider.NewCell(nil)
	if b.Sources != nil && !b.Running {
		if c, found := b.Sources.Live(s.Asker(), "provider", code); found {
			cell = c
		}
	}
	b.TextFiles[id] = cell
	return cell
}

// coverCell returns the provider.Cell of the cover pictures, which are scaled to the size q.Box. If this size is zero, the cell stays
// empty.
func coverCell(b *kit.Builder, s *kit.Spec, q query.Picture) *provider.Cell {
	if b.Sources != nil && !q.Box.Eq(image.Point{}) {
		if c, found := b.PictureFor(s, q); found {
			return c.Cell
		}
	}
	return provider.NewCell(nil)
}

// Update implements render.Widget.
func (w *nowPlaying) Update(t render.Tick) {
	changed := w.accent.Update(t)
	if s := kit.SampleOf(t, w.cell); s != w.seen {
		w.seen, changed = s, true
		w.take(s)
	}
	if s := kit.SampleOf(t, w.pictures.Cell); s != w.shot {
		w.shot, changed = s, true
		pic, _ := w.pictures.Value(s)
		if s.Err != nil {
			pic = nil
		}
		w.film = kit.Film{Pic: pic}
	}
	if changed {
		w.colors()
		t.DamageAll()
	}
	if !w.idle() && w.film.Pic != nil && !w.cover.Empty() {
		t.Photo(w.cover)
	}
	w.advance(t)
}

// take reads a sample of the player.
func (w *nowPlaying) take(s *provider.Sample) {
	w.track = track{}
	if s.Has() {
		w.track = w.trackOf(s.Value)
		if w.track.at.IsZero() {
			w.track.at = s.At
		}
		w.player.take(s.Value)
	}
	if w.idle() {
		w.none.Say("mdi:music-note-off-outline", w.empty, "")
		return
	}
	w.none.Say("", "", "")
	w.lay()
}

// idle() reports whether there is no song to show. While a player is paused, there is a song only if its title is known.
func (w *nowPlaying) idle() bool {
	return !w.track.playing && !(w.track.paused && w.track.title != "")
}

// advance updates the bar and the played time.
func (w *nowPlaying) advance(t render.Tick) {
	if w.idle() || w.bar == nil {
		return
	}
	passed := w.track.passed(t.Now())
	step := int(float64(w.bar.Rect.Dx()) * float64(passed) / float64(w.track.length))
	if step != w.step {
		w.step = step
		w.bar.Set(float64(step) / float64(max(1, w.bar.Rect.Dx())))
		t.Damage(w.bar.Rect)
	}
	if !w.passed.Box.Empty() {
		old := w.passed.Ink
		w.buf = appendPassed(w.buf[:0], passed)
		if w.passed.Set(w.buf) {
			t.Damage(old)
			t.Damage(w.passed.Ink)
		}
	}
	if w.track.playing && passed < w.track.length {
		t.Wake(t.Now().Add(passed.Truncate(time.Second) + time.Second - passed))
	}
}

// colors() sets the accent color. It comes from the file, otherwise from the cover, otherwise from the theme. The icon on this color is
// white or black.
func (w *nowPlaying) colors() {
	var colors []color.RGBA
	if w.film.Pic != nil {
		colors = w.film.Pic.Colors
	}
	w.fill = w.accent.Color(w.b, w.b.AccentOf(colors))
	w.onFill = color.RGBA{255, 255, 255, 255}
	if fill, black := color.NRGBA(w.fill), (color.NRGBA{A: 255}); look.Contrast(fill, black) > look.Contrast(fill, color.NRGBA(w.onFill)) {
		w.onFill = color.RGBA(black)
	}
}

// Paint implements render.Widget.
func (w *nowPlaying) Paint(c render.Canvas) {
	if w.idle() {
		w.none.Paint(c)
		return
	}
	w.paintCover(c)
	w.title.Paint(c, w.b.Role("text"))
	w.artist.Paint(c, w.b.Role("muted"))
	w.album.Paint(c, w.b.Role("muted"))
	if w.bar != nil {
		w.bar.Paint(c, w.b.Role("line"), w.fill, w.fill)
		w.passed.Paint(c, w.b.Role("muted"))
		w.length.Paint(c, w.b.Role("muted"))
	}
	for i := range w.keys {
		w.keys[i].paint(c, w)
	}
}

// paintCover draws the cover, or an icon instead.
func (w *nowPlaying) paintCover(c render.Canvas) {
	switch {
	case w.cover.Empty():
	case w.film.Pic == nil:
		c.FillRound(w.cover, w.corner, w.b.Role("line"))
		w.note.Paint(c, w.b.Role("muted"))
	default:
		in := c.In(w.cover)
		w.stencil.Save(in)
		w.film.Paint(in)
		w.stencil.Restore(in)
	}
}

// Tap implements kit.Tappable. A tap on a disabled button has no effect, and widgets behind the button do not receive the tap.
func (w *nowPlaying) Tap(p image.Point) (control.Action, bool) {
	if w.idle() {
		return control.Action{}, false
	}
	for i := range w.keys {
		switch k := &w.keys[i]; {
		case !p.In(k.touch):
		case k.off:
			return control.Action{}, true
		default:
			return k.action, true
		}
	}
	return control.Action{}, false
}

// Handles implements kit.Handled.
func (w *nowPlaying) Handles(each func(r image.Rectangle, a *control.Action, speak func(*speech.Speech))) {
	if w.idle() {
		return
	}
	for i := range w.keys {
		k := &w.keys[i]
		if k.off {
			continue
		}
		each(k.touch, &k.action, func(s *speech.Speech) {
			s.Open(speech.Sentence)
			s.Picture(k.mark.Name)
			s.Phrase(k.word(w))
			s.Close()
		})
	}
}

// Speak implements speech.Speaker.
func (w *nowPlaying) Speak(s *speech.Speech) {
	s.Open(speech.Sentence)
	if w.idle() {
		s.Add(w.empty)
		s.Close()
		return
	}
	s.AddBytes(w.title.Raw)
	s.Add(w.track.artist)
	s.Add(w.track.album)
	if w.bar != nil && !w.passed.Box.Empty() {
		s.AddBytes(w.passed.Raw)
		s.AddBytes(w.length.Raw)
	}
	if w.track.paused {
		s.Phrase(locale.Paused)
	}
	s.Close()
}

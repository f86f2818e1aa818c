package media

import (
	"image"

	"dashboard/control"
	"dashboard/control/verb"
	"dashboard/internal/locale"
	"dashboard/provider/mpd"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
)

// Buttons of a player, from left to right.
const (
	previousKey = iota
	playKey
	nextKey
	allKeys
)

// keyIcons are the icons of the buttons. While a song plays, the middle button has the icon pauseIcon instead.
var keyIcons = [allKeys]string{"mdi:skip-previous", "mdi:play", "mdi:skip-next"}

const pauseIcon = "mdi:pause"

// homeFeatures are the bits of Home Assistant's supported_features for the buttons that a player may not support
// (developers.home-assistant.io, media player entity). The play button has no bit here, because it never looks disabled.
var homeFeatures = [allKeys]int{previousKey: 16, nextKey: 32}

// homeServices are the actions of Home Assistant that the buttons call.
var homeServices = [allKeys]string{"media_player.media_previous_track", "media_player.media_play_pause", "media_player.media_next_track"}

// A player holds the action of each button. If the player has no buttons, `actions` is empty.
type player struct {
	actions []control.Action
	offers  [allKeys]bool
}

// playerOf returns the actions for the player that a widget shows.
func playerOf(b *kit.Builder, s *kit.Spec, p *NowPlayingParams, name string) (out player) {
	if !p.Controls || s.Recipe != "" || b.Sources == nil {
		return out
	}
	out.offers = [allKeys]bool{true, true, true}
	services, entity := [allKeys]string{mpd.Previous, mpd.Toggle, mpd.Next}, ""
	switch kind := b.Sources.Kind(name); {
	case p.Entity != nil:
		services, entity = homeServices, p.Entity.ID
	case kind != "mpd":
		return player{}
	}
	for _, service := range services {
		args := verb.Args{"action": service, "provider": name}
		if entity != "" {
			args["entity"] = entity
		}
		out.actions = append(out.actions, control.Action{Verb: "action", Args: args})
	}
	return out
}

// take() reads which buttons the player supports, from a value of the player.
func (p *player) take(v any) {
	m, _ := v.(map[string]any)
	in, _ := m["attributes"].(map[string]any)
	n, ok := format.NumberOf(in["supported_features"])
	for i, bit := range homeFeatures {
		p.offers[i] = !ok || bit == 0 || int(n)&bit != 0
	}
}

// A key is one button.
type key struct {
	at     int // previousKey, playKey or nextKey
	touch  image.Rectangle
	mark   *kit.Mark
	plate  image.Rectangle // background of the middle button
	corner *render.Corner
	action control.Action
	off    bool
}

// layKeys places the buttons. y is the coordinate of their upper edge.
func (w *nowPlaying) layKeys(p parts, box image.Rectangle, y int) {
	w.keys = w.keys[:0]
	if !p.keys {
		return
	}
	b := w.b
	side := w.side
	pitch := min(side*3/2, box.Dx()/allKeys)
	x := box.Min.X - (pitch-side*5/8)/2 // align the icon with the texts, and not the button's edge
	if !w.wide() {
		x = box.Min.X + (box.Dx()-allKeys*pitch)/2
	}
	for i := range allKeys {
		cell := b.Mirrored(image.Rect(x+i*pitch, y, x+(i+1)*pitch, y+side), w.size.X)
		mid := cell.Min.Add(cell.Size().Div(2))
		high := max(side, b.Px(keyTouch))
		k := key{at: i, action: w.player.actions[i], off: !w.player.offers[i]}
		k.touch = image.Rect(cell.Min.X, mid.Y-high/2, cell.Max.X, mid.Y+high/2)
		sign := side * 5 / 8
		if i == playKey {
			plate := min(side, pitch)
			k.plate = image.Rect(mid.X-plate/2, mid.Y-plate/2, mid.X-plate/2+plate, mid.Y-plate/2+plate)
			k.corner = render.NewCorner(plate/2, k.plate.Size())
			sign = plate * 9 / 16
		}
		k.mark = b.Mark(image.Rect(mid.X-sign/2, mid.Y-sign/2, mid.X-sign/2+sign, mid.Y-sign/2+sign))
		k.mark.Set(w.iconOf(i))
		w.keys = append(w.keys, k)
	}
}

// iconOf returns the icon of button i. In languages that are written from right to left, the icons for the previous and the next song are
// exchanged.
func (w *nowPlaying) iconOf(i int) string {
	switch {
	case i == playKey && w.track.playing:
		return pauseIcon
	case w.b.Locale.RightToLeft:
		return keyIcons[allKeys-1-i]
	}
	return keyIcons[i]
}

// word() returns the phrase that describes the effect of the button.
func (k *key) word(w *nowPlaying) locale.Phrase {
	switch {
	case k.at == previousKey:
		return locale.PreviousTitle
	case k.at == nextKey:
		return locale.NextTitle
	case w.track.playing:
		return locale.Pause
	}
	return locale.Play
}

func (k *key) paint(c render.Canvas, w *nowPlaying) {
	ink := w.b.Role("text")
	switch {
	case k.at == playKey:
		c.FillRound(k.plate, k.corner, w.fill)
		ink = w.onFill
	case k.off:
		ink = w.b.Role("line")
	}
	k.mark.Paint(c, ink)
}

package media

import (
	"image"
	"image/color"
	"testing"
	"time"

	"dashboard/control"
	"dashboard/render/picture"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/speech"
	"dashboard/widgets/walltest"
)

// Colors of covers.
var (
	plum   = color.RGBA{92, 30, 84, 255}
	orange = color.RGBA{240, 140, 60, 255}
	slate  = color.RGBA{60, 64, 68, 255}
	pale   = color.RGBA{210, 214, 218, 255}
)

// playing() returns the player widget of a wall.
func playing(d *walltest.Data) *nowPlaying {
	return walltest.Only[*kit.Frame](d).Inner.(*nowPlaying)
}

// played() returns a function that publishes the song v with a cover of two colors.
func played(v map[string]any, ground, disc color.RGBA) func(*walltest.Data) {
	return func(d *walltest.Data) {
		d.ByName[walltest.Player].Publish(v, walltest.T0)
		w := playing(d)
		if w.pictures.Cell != nil && ground.A > 0 && !w.cover.Empty() {
			w.pictures.Publish(walltest.Cover(d.T, w.cover.Size(), ground, disc), walltest.T0)
		}
	}
}

func song(change map[string]any) map[string]any {
	v := walltest.Song("The Reeds", "Pond Ensemble")
	for k, c := range change {
		v[k] = c
	}
	return v
}

const mpdPlayer = "{widget: nowplaying, provider: mpd-p"

func TestNowPlayingGoldens(t *testing.T) {
	card, wide := image.Pt(260, 380), image.Pt(480, 200)
	long := song(map[string]any{"title": "Variations on a very long theme for four hands and a boat, second part", "artist": "The Orchestra of the Lake and All Its Islands"})
	paused := song(map[string]any{"state": "paused"})
	walltest.ModernSheet(t, "nowplaying", []walltest.Scene{
		{Size: card, Widget: mpdPlayer + ", title: Kitchen, icon: mdi:speaker}", Feed: played(song(nil), plum, orange)},
		{Size: wide, Widget: mpdPlayer + "}", Feed: played(song(nil), slate, color.RGBA{70, 150, 200, 255})},
		{Size: wide, Widget: mpdPlayer + "}", Feed: played(long, pale, slate)},
		{Size: wide, Widget: mpdPlayer + ", controls: false}", Feed: played(paused, color.RGBA{}, plum)},
		{Size: wide, Locale: "ar", Widget: mpdPlayer + "}", Feed: played(song(nil), plum, orange)},
		{Size: image.Pt(480, 120), Widget: mpdPlayer + "}", Feed: played(song(nil), plum, orange)},
		{Size: image.Pt(150, 110), Picture: image.Pt(320, 240), Widget: mpdPlayer + "}", Feed: played(song(nil), plum, orange)},
		{Size: image.Pt(260, 200), Widget: mpdPlayer + "}", Feed: played(map[string]any{"state": "stopped"}, plum, orange)},
	})
}

func TestNowPlayingWholeWall(t *testing.T) {
	walltest.Scene{Size: image.Pt(1280, 720), Widget: mpdPlayer + "}", Feed: played(song(nil), plum, orange)}.DrawIn(t, look.Calm(true), "nowplaying-wall")
	walltest.Scene{Size: image.Pt(480, 800), Picture: image.Pt(480, 800), Widget: mpdPlayer + "}", Feed: played(song(nil), plum, orange)}.DrawIn(t, look.Calm(false), "nowplaying-upright")
}

// TestTracks checks that the keys of all sources are read and that unusual values cause no failure.
func TestTracks(t *testing.T) {
	type shown struct {
		title, artist, album, passed, length string
		idle                                 bool
	}
	for name, tt := range map[string]struct {
		v    any
		want shown
	}{
		"mpd": {song(nil), shown{"The Reeds", "Pond Ensemble", "Evening Water", "1:25", "4:01", false}},
		"home assistant": {map[string]any{"state": "playing", "attributes": map[string]any{
			"media_title": "Dew", "media_artist": "Moss", "media_album_name": "Fen", "media_duration": 3725, "media_position": 10,
			"media_position_updated_at": walltest.T0.Add(-time.Minute).Format(time.RFC3339), "supported_features": 152463,
		}}, shown{"Dew", "Moss", "Fen", "1:12", "1:02:05", false}},
		"mpris": {map[string]any{"PlaybackStatus": "Paused", "Position": 61_000_000, "Metadata": map[string]any{
			"xesam:title": "Dew", "xesam:artist": []any{"Moss", "Fern"}, "mpris:length": 120_000_000.0,
		}}, shown{"Dew", "Moss, Fern", "", "1:01", "2:00", false}},
		"a title alone":   {map[string]any{"title": "Dew"}, shown{"Dew", "", "", "", "", false}},
		"stopped":         {map[string]any{"state": "stopped", "title": "Dew"}, shown{idle: true}},
		"off":             {map[string]any{"state": "off", "attributes": map[string]any{}}, shown{idle: true}},
		"no mapping":      {"playing", shown{idle: true}},
		"null":            {nil, shown{idle: true}},
		"senseless times": {song(map[string]any{"position": -4.0, "length": 1e18}), shown{"The Reeds", "Pond Ensemble", "Evening Water", "", "", false}},
		"beyond the end":  {song(map[string]any{"position": 900.0}), shown{"The Reeds", "Pond Ensemble", "Evening Water", "4:01", "4:01", false}},
		"odd types":       {song(map[string]any{"title": map[string]any{}, "artist": 7, "album": []any{}, "position": "x"}), shown{"", "7", "", "0:02", "4:01", false}},
	} {
		t.Run(name, func(t *testing.T) {
			file := "widgets: [{widget: nowplaying, provider: p}]"
			walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(480, 240)}, look.Calm(true), func(d *walltest.Data) {
				d.ByName["p"].Publish(tt.v, walltest.T0)
				d.Step(2 * time.Second)
				w := playing(d)
				got := shown{idle: w.idle()}
				if !got.idle {
					got = shown{string(w.title.Raw), string(w.artist.Raw), string(w.album.Raw), "", "", false}
					if w.bar != nil {
						got.passed, got.length = string(w.passed.Raw), string(w.length.Raw)
					}
				}
				if got != tt.want {
					t.Errorf("got %+v, want %+v", got, tt.want)
				}
				if len(w.keys) > 0 {
					t.Error("a provider without actions has buttons")
				}
			})
		})
	}
}

// TestNowPlayingTaps checks that each button requests its action, and that the rest of the widget has no action.
func TestNowPlayingTaps(t *testing.T) {
	walltest.ModernBubble(t, "widgets: ["+mpdPlayer+"}]", walltest.Scene{Size: image.Pt(480, 240)}, look.Calm(true), func(d *walltest.Data) {
		played(song(nil), plum, orange)(d)
		d.Step(0)
		w := playing(d)
		for i, want := range []string{"mpd.previous", "mpd.toggle", "mpd.next"} {
			r := w.keys[i].touch
			a, ok := w.Tap(r.Min.Add(r.Size().Div(2)))
			if !ok || a.Verb != "action" || a.Args.Text("action") != want || a.Args.Text("provider") != walltest.Player {
				t.Errorf("button %d: got %+v, %v, want %s", i, a, ok, want)
			}
			if r.Dx() < 44 || r.Dy() < 44 {
				t.Errorf("button %d: %v is smaller than a fingertip", i, r.Size())
			}
		}
		if _, ok := w.Tap(image.Pt(3, 3)); ok {
			t.Error("the cover takes a tap")
		}
		d.ByName[walltest.Player].Publish(song(map[string]any{"state": "stopped"}), walltest.T0)
		d.Step(0)
		if _, ok := w.Tap(w.cover.Max.Add(image.Pt(40, -40))); ok {
			t.Error("a player without a song takes a tap")
		}
	})
}

// TestNowPlayingDisabledTaps checks that a disabled button has no action, and that Handles omits this button.
func TestNowPlayingDisabledTaps(t *testing.T) {
	const wall = "widgets: [{widget: nowplaying, entity: media_player.kitchen, on_tap: {page: next}}]"
	walltest.ModernBubble(t, wall, walltest.Scene{Size: image.Pt(480, 240)}, look.Calm(true), func(d *walltest.Data) {
		d.ByName[kit.UsualHome].Publish(map[string]any{"media_player.kitchen": map[string]any{
			"state": "playing", "attributes": map[string]any{"media_title": "The Reeds", "supported_features": 16},
		}}, walltest.T0)
		d.Step(0)
		w := playing(d)
		for i, want := range []string{homeServices[previousKey], homeServices[playKey], ""} {
			r := w.keys[i].touch
			if a, ok := w.Tap(r.Min.Add(r.Size().Div(2))); !ok || a.Args.Text("action") != want {
				t.Errorf("button %d: got %+v, %v, want %q", i, a, ok, want)
			}
		}
		var handles []image.Rectangle
		w.Handles(func(r image.Rectangle, _ *control.Action, _ func(*speech.Speech)) { handles = append(handles, r) })
		if len(handles) != 2 || handles[0] != w.keys[previousKey].touch || handles[1] != w.keys[playKey].touch {
			t.Errorf("got the handles %v of the buttons %v", handles, w.keys)
		}
	})
}

// TestCoverAccent checks that a color of the cover becomes the accent and is readable on the card. With a gray cover, the theme's accent
// color is used. An accent in the file has priority over the cover.
func TestCoverAccent(t *testing.T) {
	for _, night := range []bool{true, false} {
		l := look.Calm(night)
		theme := l.Colors["accent"]
		for name, tt := range map[string]struct {
			keys         string
			ground, disc color.RGBA
			usual        bool
		}{
			"colorful": {"", plum, orange, false},
			"gray":     {"", slate, pale, true},
			"written":  {", accent: '#336699'", plum, orange, false},
		} {
			walltest.ModernBubble(t, "widgets: ["+mpdPlayer+tt.keys+"}]", walltest.Scene{Size: image.Pt(480, 240)}, l, func(d *walltest.Data) {
				played(song(nil), tt.ground, tt.disc)(d)
				d.Step(0)
				got := color.NRGBA(playing(d).fill)
				if (got == theme) != tt.usual {
					t.Errorf("%s: got %v, the theme has %v", name, got, theme)
				}
				if tt.keys != "" && got != (color.NRGBA{0x33, 0x66, 0x99, 255}) {
					t.Errorf("%s: got %v", name, got)
				}
				surface := l.Colors["surface"]
				surface.A = 255
				if c := look.Contrast(got, surface); tt.keys == "" && !tt.usual && c < 4.5 {
					t.Errorf("%s: contrast %.1f", name, c)
				}
			})
		}
	}
}

// TestCoverGoes checks that the cover of the previous song disappears if the next song has no cover or an unreadable cover.
func TestCoverGoes(t *testing.T) {
	walltest.ModernBubble(t, "widgets: ["+mpdPlayer+"}]", walltest.Scene{Size: image.Pt(480, 240)}, look.Calm(true), func(d *walltest.Data) {
		played(song(nil), plum, orange)(d)
		d.Step(0)
		w := playing(d)
		if w.film.Pic == nil {
			t.Fatal("no cover")
		}
		w.pictures.Publish((*picture.Picture)(nil), walltest.T0)
		if d.Step(0); w.film.Pic != nil {
			t.Error("the cover stays with a song without one")
		}
		played(song(nil), plum, orange)(d)
		d.Step(0)
		w.pictures.Fail(image.ErrFormat, walltest.T0)
		if d.Step(0); w.film.Pic != nil {
			t.Error("the cover stays with a song whose cover cannot be read")
		}
	})
}

// TestNowPlayingAllocatesNothing checks the update for each second of a song. The update allocates no memory and damages only the bar and
// the time.
func TestNowPlayingAllocatesNothing(t *testing.T) {
	if walltest.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	walltest.ModernBubble(t, "widgets: ["+mpdPlayer+"}]", walltest.Scene{Size: image.Pt(480, 240)}, look.Calm(true), func(d *walltest.Data) {
		played(song(nil), plum, orange)(d)
		if d.Step(0); playing(d).bar == nil {
			t.Fatal("no song is shown")
		}
		now := walltest.T0
		for range 61 { // until all digits have been shaped
			now = now.Add(time.Second)
			d.R.Step(now)
		}
		if n := testing.AllocsPerRun(50, func() { now = now.Add(time.Second); d.R.Step(now) }); n != 0 {
			t.Errorf("a second: got %v allocations, want 0", n)
		}
		now = now.Add(time.Second)
		damage, next := d.R.Step(now)
		for _, r := range damage {
			if r.Dy() > 40 {
				t.Errorf("a second damages %v", r)
			}
		}
		if wait := next.Sub(now); wait <= 0 || wait > 3*time.Second {
			t.Errorf("wakes after %v", wait)
		}
	})
}

package media

import (
	"math"
	"strings"
	"time"

	"dashboard/widgets/kit"
)

// A track is the song of a player.
type track struct {
	title, artist, album string
	playing, paused      bool
	position, length     time.Duration // 0 is unknown
	at                   time.Time     // of position; zero is the time of the value
}

// The keys of a track in the values of players: Home Assistant's attributes, MPRIS's names (specifications.freedesktop.org/mpris-spec),
// and plain words.
var (
	titleKeys    = []string{"media_title", "title", "xesam:title", "media_channel", "app_name"}
	artistKeys   = []string{"media_artist", "artist", "xesam:artist", "media_album_artist", "media_series_title"}
	albumKeys    = []string{"media_album_name", "album", "xesam:album"}
	stateKeys    = []string{"state", "status", "PlaybackStatus"}
	positionKeys = []string{"media_position", "position", "elapsed"}
	lengthKeys   = []string{"media_duration", "length", "duration"}
	atKeys       = []string{"media_position_updated_at", "at"}
	microKeys    = [2]string{"Position", "mpris:length"} // in microseconds
	innerKeys    = []string{"attributes", "metadata", "Metadata"}
)

// coverCode is a program for the address of the cover, over the value of a player.
const coverCode = `if type != "object" then null
else (.cover // .attributes.entity_picture? // (.metadata? // .Metadata? // .)["mpris:artUrl"]? // .artUrl // null) end`

// maxLength bounds the length of a track.
const maxLength = 100 * time.Hour

// trackOf reads the value of a player.
func (w *nowPlaying) trackOf(v any) (t track) {
	m, _ := v.(map[string]any)
	parts := []map[string]any{m}
	for _, k := range innerKeys {
		if in, ok := m[k].(map[string]any); ok {
			parts = append(parts, in)
		}
	}
	t.title, t.artist, t.album = textIn(parts, titleKeys), textIn(parts, artistKeys), textIn(parts, albumKeys)
	switch strings.ToLower(textIn(parts, stateKeys)) {
	case "playing", "play", "buffering":
		t.playing = true
	case "paused", "pause", "on":
		t.paused = true
	case "": // the source has no state, so a title is a song that plays
		t.playing = t.title != ""
	}
	t.position, t.length = secondsIn(parts, positionKeys, microKeys[0]), secondsIn(parts, lengthKeys, microKeys[1])
	for _, p := range parts {
		for _, k := range atKeys {
			if at, ok := w.b.TimeOf(p[k]); ok {
				t.at = at
			}
		}
	}
	return t
}

// textIn is the first of the keys that has a text. A list is joined.
func textIn(parts []map[string]any, keys []string) string {
	for _, k := range keys {
		for _, p := range parts {
			switch v := p[k].(type) {
			case []any:
				var all []string
				for _, one := range v[:min(len(v), 5)] {
					all = append(all, kit.PlainText(one))
				}
				return kit.Short(strings.Join(all, ", "))
			case nil, map[string]any:
			default:
				if s := kit.Short(kit.PlainText(v)); s != "" {
					return s
				}
			}
		}
	}
	return ""
}

// secondsIn is the first of the keys that has a number of seconds, or a number of microseconds in micro.
func secondsIn(parts []map[string]any, keys []string, micro string) time.Duration {
	for _, p := range parts {
		for _, k := range keys {
			if n, ok := kit.NumberOf(p[k]); ok {
				return lengthOf(n)
			}
		}
		if n, ok := kit.NumberOf(p[micro]); ok {
			return lengthOf(n / 1e6)
		}
	}
	return 0
}

// lengthOf is a length in seconds within its bounds.
func lengthOf(s float64) time.Duration {
	if math.IsNaN(s) || s < 0 || s > maxLength.Seconds() {
		return 0
	}
	return time.Duration(s * float64(time.Second))
}

// passed is how much of the track has played at a moment.
func (t *track) passed(now time.Time) time.Duration {
	p := t.position
	if t.playing && !t.at.IsZero() {
		p += max(0, now.Sub(t.at))
	}
	if t.length > 0 {
		p = min(p, t.length)
	}
	return p
}

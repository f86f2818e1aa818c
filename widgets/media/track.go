package media

import (
	"dashboard/widgets/kit/format"
	"math"
	"strings"
	"time"
)

// A track is the song that a player plays.
type track struct {
	title, artist, album string
	playing, paused      bool
	position, length     time.Duration // 0 if unknown
	at                   time.Time     // time at which `position` was measured. Zero means the time of the sample
}

// Keys of a track in the values of players. They are attributes of Home Assistant, names of MPRIS
// (specifications.freedesktop.org/mpris-spec), or plain words.
var (
	titleKeys    = []string{"media_title", "title", "xesam:title", "media_channel", "app_name"}
	artistKeys   = []string{"media_artist", "artist", "xesam:artist", "media_album_artist", "media_series_title"}
	albumKeys    = []string{"media_album_name", "album", "xesam:album"}
	stateKeys    = []string{"state", "status", "PlaybackStatus"}
	positionKeys = []string{"media_position", "position", "elapsed"}
	lengthKeys   = []string{"media_duration", "length", "duration"}
	atKeys       = []string{"media_position_updated_at", "at"}
	microKeys    = [2]string{"Position", "mpris:length"} // keys whose numbers are in microseconds
	innerKeys    = []string{"attributes", "metadata", "Metadata"}
)

// coverCode is a jq program that returns the address of the cover picture from a value of the player.
const coverCode = `if type != "object" then null
else (.cover // .attributes.entity_picture? // (.metadata? // .Metadata? // .)["mpris:artUrl"]? // .artUrl // null) end`

// maxLength is the maximum length of a track. A longer track counts as unknown.
const maxLength = 100 * time.Hour

// trackOf reads the track from a value of the player.
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
	case "": // a source that reports no state has a title only while the song plays
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

// textIn returns the text of the first key that has a text. If the value is a list, its first 5 elements are joined.
func textIn(parts []map[string]any, keys []string) string {
	for _, k := range keys {
		for _, p := range parts {
			switch v := p[k].(type) {
			case []any:
				var all []string
				for _, one := range v[:min(len(v), 5)] {
					all = append(all, format.PlainText(one))
				}
				return format.Short(strings.Join(all, ", "))
			case nil, map[string]any:
			default:
				if s := format.Short(format.PlainText(v)); s != "" {
					return s
				}
			}
		}
	}
	return ""
}

// secondsIn returns the first duration in the parts. In each part, it looks for a number of seconds under `keys`, then for a number of
// microseconds under the key `micro`.
func secondsIn(parts []map[string]any, keys []string, micro string) time.Duration {
	for _, p := range parts {
		for _, k := range keys {
			if n, ok := format.NumberOf(p[k]); ok {
				return lengthOf(n)
			}
		}
		if n, ok := format.NumberOf(p[micro]); ok {
			return lengthOf(n / 1e6)
		}
	}
	return 0
}

// lengthOf converts seconds to a duration. It returns 0 for a negative number and for a number above maxLength.
func lengthOf(s float64) time.Duration {
	if math.IsNaN(s) || s < 0 || s > maxLength.Seconds() {
		return 0
	}
	return time.Duration(s * float64(time.Second))
}

// passed() returns the part of the track that has been played at the time `now`.
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

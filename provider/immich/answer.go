package immich

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// An asset is the part of a photo's description (AssetResponseDto) that the provider uses.
type asset struct {
	ID      string `json:"id"`
	Type    string `json:"type"`
	Name    string `json:"originalFileName"`
	Local   string `json:"localDateTime"` // local time at the place of the photo; Immich writes it as if it were in UTC
	Trashed bool   `json:"isTrashed"`
	Exif    struct {
		City    string `json:"city"`
		State   string `json:"state"`
		Country string `json:"country"`
	} `json:"exifInfo"`
}

// An album collects the photos of a list.
type album struct{ photos []any }

// each() calls the function `entry` for each entry of a JSON list. It decodes one entry at a time, so that a long list does not need much
// memory.
func each(data []byte, entry func(d *json.Decoder) error) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return errors.New("the answer is no list in JSON")
	}
	for d.More() {
		if err := entry(d); err != nil {
			return fmt.Errorf("the answer: %w", err)
		}
	}
	if _, err := d.Token(); err != nil {
		return fmt.Errorf("the answer ends half-way: %w", err)
	}
	return nil
}

// read adds the photos of a list.
func (a *album) read(data []byte) error { return each(data, a.take) }

func (a *album) take(d *json.Decoder) error {
	var v asset
	if err := d.Decode(&v); err != nil {
		return err
	}
	a.add(&v)
	return nil
}

// readMemories adds the photos of each memory in a list.
func (a *album) readMemories(data []byte) error {
	return each(data, func(d *json.Decoder) error {
		var m struct {
			Assets json.RawMessage `json:"assets"`
		}
		if err := d.Decode(&m); err != nil || len(m.Assets) == 0 {
			return err
		}
		return a.read(m.Assets)
	})
}

// add adds a photo to the album if it can be shown.
func (a *album) add(v *asset) {
	if len(a.photos) >= MaxPhotos || !isID.MatchString(v.ID) || v.Type != "" && v.Type != "IMAGE" || v.Trashed {
		return
	}
	a.photos = append(a.photos, map[string]any{"id": v.ID, "name": cut(v.Name), "taken": v.taken(), "place": cut(v.place())})
}

// taken() returns the local time at which a photo was taken, as a text without a time zone. If the time is unknown, the result is nil.
func (v *asset) taken() any {
	t, err := time.Parse(time.RFC3339, v.Local)
	if err != nil {
		return nil
	}
	return t.Format("2006-01-02T15:04:05")
}

// place returns the name of the place where the photo was taken.
func (v *asset) place() string {
	var parts []string
	for _, s := range []string{v.Exif.City, v.Exif.Country} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	if len(parts) == 0 {
		return v.Exif.State
	}
	return strings.Join(parts, ", ")
}

// cut cuts a text to maxText bytes.
func cut(s string) string {
	return strings.ToValidUTF8(s[:min(len(s), maxText)], "")
}

// The type names searches a list for the entry with the name `want`. It ignores case, but an exact match takes precedence.
type names struct {
	key, want string
	seen      int
	id        string
}

func (n *names) read(data []byte) error {
	return each(data, func(d *json.Decoder) error {
		var v struct {
			ID        string `json:"id"`
			Name      string `json:"name"`
			AlbumName string `json:"albumName"`
		}
		if n.seen++; n.seen > maxNames {
			return fmt.Errorf("there are more than %d names; write the id", maxNames)
		}
		if err := d.Decode(&v); err != nil {
			return err
		}
		name := map[string]string{"name": v.Name, "albumName": v.AlbumName}[n.key]
		if exact := name == n.want; isID.MatchString(v.ID) && (exact || n.id == "" && strings.EqualFold(name, n.want)) {
			n.id = v.ID
		}
		return nil
	})
}

package photos

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image/jpeg"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"

	"dashboard/internal/folder"
	"dashboard/internal/state"
	"dashboard/render/picture"
)

const (
	// MaxKept is the maximum number of scaled pictures on disk. maxKeptBytes is their maximum total size.
	MaxKept      = 200
	maxKeptBytes = 96 << 20
	keptQuality  = 90
	indexName    = "index.json"
	maxIndex     = 1 << 20
)

// Kept stores scaled pictures on disk. A wall then has photos even if their folder or server is unavailable, and the wall need not scale
// pictures again. A nil *Kept stores nothing. Any goroutine may call the methods of a Kept.
type Kept struct {
	dir string

	mu   sync.Mutex // guards the fields below
	list []keptPhoto
}

// A keptPhoto is one stored picture in the index. The oldest picture is the first in the index.
type keptPhoto struct {
	File   string    `json:"file"` // name of the file in the folder
	For    string    `json:"for"`  // settings for which the picture was scaled; see purpose()
	Name   string    `json:"name"`
	Folder string    `json:"folder"`
	Taken  time.Time `json:"taken"`
	Bytes  int64     `json:"bytes"`
}

// Keep opens the folder for stored pictures and creates it if it is missing.
func Keep(dir string) (*Kept, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	k := &Kept{dir: dir}
	if data, err := folder.Read(folder.Dir(dir), indexName, maxIndex); err == nil {
		_ = json.Unmarshal(data, &k.list) // a damaged index counts as empty
	}
	k.list = slices.DeleteFunc(k.list, func(p keptPhoto) bool { return p.File != filepath.Base(p.File) || p.File == "" })
	k.list = k.list[max(0, len(k.list)-MaxKept):]
	k.tidy(time.Now())
	return k, nil
}

// leftAfter is the age at which a file of Kept that is not in the index is removed.
const leftAfter = time.Hour

// ours matches the names of stored pictures, and of temporary files, which a power cut during a save leaves.
var ours = regexp.MustCompile(`^(\.(index\.json|[0-9a-f]{32}\.jpg)[0-9]+|[0-9a-f]{32}\.jpg)$`)

// tidy() removes pictures that are not in the index, and old temporary files. They would use space that room() does not count.
func (k *Kept) tidy(now time.Time) {
	entries, _ := os.ReadDir(k.dir) // without the list, the files stay until the next start
	for _, e := range entries {
		listed := slices.ContainsFunc(k.list, func(p keptPhoto) bool { return p.File == e.Name() })
		info, err := e.Info()
		if err == nil && !listed && ours.MatchString(e.Name()) && info.Mode().IsRegular() && now.Sub(info.ModTime()) > leftAfter {
			_ = os.Remove(filepath.Join(k.dir, e.Name()))
		}
	}
}

// purpose returns a text that identifies the settings for which a picture is scaled.
func (c Config) purpose() string {
	return fmt.Sprintf("%q %v %v %v", c.Path, c.Box, c.Fit, c.Blurred)
}

// nameOf returns the file name for a stored picture.
func nameOf(f file, c Config) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %d %d %s", f.path, f.changed.UnixNano(), f.size, c.purpose()))
	return hex.EncodeToString(sum[:16]) + ".jpg"
}

// load returns the stored copy of f for the settings c, or nil if there is no readable copy.
func (k *Kept) load(ctx context.Context, f file, c Config) *Photo {
	if k == nil {
		return nil
	}
	name := nameOf(f, c)
	k.mu.Lock()
	i := slices.IndexFunc(k.list, func(p keptPhoto) bool { return p.File == name })
	var found keptPhoto
	if i >= 0 {
		found = k.list[i]
	}
	k.mu.Unlock()
	if i < 0 {
		return nil
	}
	return k.read(ctx, found, c)
}

// read decodes a stored picture. It returns nil if the file is damaged.
func (k *Kept) read(ctx context.Context, p keptPhoto, c Config) *Photo {
	data, err := folder.Read(folder.Dir(k.dir), p.File, picture.MaxBytes)
	if err != nil {
		return nil
	}
	pic, err := picture.Decode(ctx, data, c.Box, picture.Contain, c.Smooth)
	if err != nil {
		return nil
	}
	return &Photo{Picture: pic, Name: p.Name, Folder: p.Folder, Taken: p.Taken}
}

// any() returns a random picture that was stored for the settings c, or nil.
func (k *Kept) any(ctx context.Context, r *rand.Rand, c Config) *Photo {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	var fit []keptPhoto
	for _, p := range k.list {
		if p.For == c.purpose() {
			fit = append(fit, p)
		}
	}
	k.mu.Unlock()
	if len(fit) == 0 {
		return nil
	}
	return k.read(ctx, fit[r.IntN(len(fit))], c)
}

// save stores an opaque picture with a single frame. It ignores other pictures. If there are too many stored pictures, it removes the
// oldest pictures. A write error is ignored.
func (k *Kept) save(f file, c Config, p *Photo) {
	if k == nil || !p.Picture.Opaque || len(p.Picture.Frames) != 1 {
		return
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, p.Picture.Frames[0].Img, &jpeg.Options{Quality: keptQuality}); err != nil {
		return
	}
	name := nameOf(f, c)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.list = slices.DeleteFunc(k.list, func(p keptPhoto) bool { return p.File == name })
	k.room(int64(b.Len()))
	if state.Replace(filepath.Join(k.dir, name), b.Bytes()) != nil {
		return
	}
	k.list = append(k.list, keptPhoto{name, c.purpose(), p.Name, p.Folder, p.Taken, int64(b.Len())})
	if data, err := json.Marshal(k.list); err == nil {
		_ = state.Replace(filepath.Join(k.dir, indexName), data)
	}
}

// room removes the oldest pictures until there is room for a picture of the given size. mu must be held.
func (k *Kept) room(size int64) {
	total := size
	for _, p := range k.list {
		total += p.Bytes
	}
	for len(k.list) > 0 && (len(k.list) >= MaxKept || total > maxKeptBytes) {
		_ = os.Remove(filepath.Join(k.dir, k.list[0].File))
		total -= k.list[0].Bytes
		k.list = k.list[1:]
	}
}

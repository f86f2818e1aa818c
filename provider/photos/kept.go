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
	"slices"
	"sync"
	"time"

	"dashboard/internal/folder"
	"dashboard/internal/state"
	"dashboard/render/picture"
)

const (
	// MaxKept bounds the scaled pictures that are kept on disk, and maxKeptBytes their size together.
	MaxKept      = 200
	maxKeptBytes = 96 << 20
	keptQuality  = 90
	indexName    = "index.json"
	maxIndex     = 1 << 20
)

// Kept are scaled pictures on disk, so that a wall has photos while their folder cannot be reached, and need not scale them again.
// A nil Kept keeps nothing. Its methods may be called from any goroutine.
type Kept struct {
	dir string

	mu   sync.Mutex // guards what follows
	list []keptPhoto
}

// keptPhoto is one picture of the index, the oldest first.
type keptPhoto struct {
	File   string    `json:"file"` // in the folder
	For    string    `json:"for"`  // the size for which it was scaled
	Name   string    `json:"name"`
	Folder string    `json:"folder"`
	Taken  time.Time `json:"taken"`
	Bytes  int64     `json:"bytes"`
}

// Keep opens the folder for kept pictures, and makes it if it is missing.
func Keep(dir string) (*Kept, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	k := &Kept{dir: dir}
	if data, err := folder.Read(folder.Dir(dir), indexName, maxIndex); err == nil {
		_ = json.Unmarshal(data, &k.list) // a damaged index is an empty one
	}
	k.list = slices.DeleteFunc(k.list, func(p keptPhoto) bool { return p.File != filepath.Base(p.File) || p.File == "" })
	k.list = k.list[max(0, len(k.list)-MaxKept):]
	return k, nil
}

// purpose is what a picture is scaled for.
func (c Config) purpose() string {
	return fmt.Sprintf("%q %v %v %v", c.Path, c.Box, c.Fit, c.Blurred)
}

// nameOf is the name of the file of a picture.
func nameOf(f file, c Config) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %d %d %s", f.path, f.changed.UnixNano(), f.size, c.purpose()))
	return hex.EncodeToString(sum[:16]) + ".jpg"
}

// load returns a kept picture, nil without one.
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

// read decodes a kept picture, or nil if it is damaged.
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

// any returns any kept picture for the same place, nil without one.
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

// save keeps a picture, in place of the oldest if there are too many. What cannot be written is not kept.
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

// room throws the oldest pictures away until there is room for one more of a size; mu is held.
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

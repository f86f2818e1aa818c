package trmnl

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"image"
	"slices"
	"strings"
	"time"
)

// name() chooses a name for a picture and stores the picture. If the pixels are the same as in the device's last picture, the name is the
// same too.
func (r *Readers) name(device string, pic *image.Paletted, file []byte, asBMP bool, now time.Time) Picture {
	h := sha256.New()
	fmt.Fprintf(h, "gray %v %d ", pic.Rect, len(pic.Palette))
	h.Write(pic.Pix)
	sum := h.Sum(nil)
	r.mu.Lock()
	defer r.mu.Unlock()
	last, was := r.kept.Shown[device]
	if !was || !slices.Equal(last.Sum, sum) {
		last = Shown{Sum: sum, Time: max(now.Unix(), last.Time+1)}
		r.remember(device, last)
	}
	p := Picture{Name: pictureName(device, last.Time), Type: "image/png", File: file, device: device}
	if asBMP {
		p.Type = "image/bmp"
	}
	for _, have := range r.pictures {
		if have.device == device && have.Name == p.Name && have.Type == p.Type {
			return have
		}
	}
	p.Secret = rand.Text()
	r.add(p)
	return p
}

// pictureName returns a name that devices accept: at most 31 characters, ending with the time of the picture.
func pictureName(device string, at int64) string {
	return fmt.Sprintf("screen-%s-%010d", strings.ToLower(Friendly(device)), at)
}

// remember stores the last picture of a device. If there are too many entries, it drops the oldest entry of another device.
func (r *Readers) remember(device string, s Shown) {
	r.kept.Shown[device] = s
	for len(r.kept.Shown) > MaxDevices {
		oldest := ""
		for name, one := range r.kept.Shown {
			if name != device && (oldest == "" || one.Time < r.kept.Shown[oldest].Time) {
				oldest = name
			}
		}
		delete(r.kept.Shown, oldest)
	}
	if err := r.keep(r.kept); err != nil {
		r.parts.Log.Warn("cannot keep the names of e-readers' pictures for the next start", "reason", err)
	}
}

// add stores a picture. If the device has too many pictures, or all pictures together have too many bytes, it drops old pictures.
func (r *Readers) add(p Picture) {
	r.pictures = append(r.pictures, p)
	own, total := 0, 0
	for i := len(r.pictures) - 1; i >= 0; i-- { // from the newest to the oldest
		have := r.pictures[i]
		if have.device == p.device {
			own++
		}
		total += len(have.File)
		if total > maxKept && i < len(r.pictures)-1 || have.device == p.device && own > keptEach {
			total -= len(have.File)
			r.pictures = slices.Delete(r.pictures, i, i+1)
		}
	}
}

// Fetch returns the picture with the given secret and name. ok is false if the picture is not stored.
func (r *Readers) Fetch(secret, name string) (Picture, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	found := -1
	for i, p := range r.pictures {
		if subtle.ConstantTimeCompare([]byte(p.Secret), []byte(secret)) == 1 && p.Name == name {
			found = i
		}
	}
	if found < 0 {
		return Picture{}, false
	}
	return r.pictures[found], true
}

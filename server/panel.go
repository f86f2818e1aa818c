package server

import (
	"context"
	"errors"
	"hash/maphash"
	"image"
	"net/http"
	"strconv"
)

// ErrNoPanel is the error for a view that is only shown in full color.
var ErrNoPanel = errors.New("no output of this view has inks")

// Panels draws views in the inks of a panel or of a file.
type Panels interface {
	// Panel returns the newest frame as a PNG file, and its size.
	Panel(ctx context.Context, view string) (png []byte, size image.Point, err error)
}

// panel answers GET /panel with the frame in the inks of the view's panel.
func (s *Server) panel(w http.ResponseWriter, r *http.Request) {
	if s.deps.Panels == nil {
		refuse(w, http.StatusNotFound, ErrNoPanel.Error())
		return
	}
	if _, ok := s.streamOf(w, r); !ok {
		return
	}
	file, size, err := s.deps.Panels.Panel(r.Context(), r.URL.Query().Get("view"))
	switch {
	case errors.Is(err, ErrNoPanel):
		refuse(w, http.StatusNotFound, err.Error())
		return
	case err != nil:
		s.frameFailed(w, r, err)
		return
	}
	h := w.Header()
	tag := `"` + strconv.FormatUint(maphash.Bytes(s.seed, file), 36) + `"`
	h["ETag"] = []string{tag}
	h.Set("Cache-Control", "no-store")
	h.Set("X-Frame-Render-Size", strconv.Itoa(size.X)+"x"+strconv.Itoa(size.Y))
	if unchanged(r, tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", "image/png")
	h.Set("Content-Length", strconv.Itoa(len(file)))
	if r.Method != http.MethodHead {
		w.Write(file)
	}
}

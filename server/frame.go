package server

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"dashboard/netstream"
)

// frame answers GET /frame.
func (s *Server) frame(w http.ResponseWriter, r *http.Request) {
	width, height, err := size(r.URL.Query())
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	stream, ok := s.streamOf(w, r)
	if !ok {
		return
	}
	resp, err := stream.Get(r.Context(), netstream.Request{
		W: width, H: height, IfNoneMatch: strings.Join(r.Header.Values("If-None-Match"), ", "), Delta: wantsTiles(r.Header),
		OnRevoke: impatient(w),
	})
	if err != nil {
		s.frameFailed(w, r, err)
		return
	}
	if resp.Body != nil {
		defer resp.Body.Close()
	}
	frameHeader(w.Header(), resp)
	render := resp.Render // size at which the frame was rendered
	w.Header().Set("X-Frame-Render-Size", strconv.Itoa(render.X)+"x"+strconv.Itoa(render.Y))
	w.WriteHeader(resp.Status)
	if resp.Body != nil && r.Method != http.MethodHead {
		resp.Body.WriteTo(w) // ignore the error, because the caller has disconnected or is too slow
	}
}

// frameHeader sets the headers that describe a frame and its body.
func frameHeader(h http.Header, resp netstream.Response) {
	h["ETag"] = []string{resp.ETag} // Header.Set would write Etag. Etag is valid too, but people search for ETag
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Expires", "@1") // nginx may store a copy, but must always check its ETag
	h.Set("X-Frame-Published-At", string(netstream.AppendUnix(nil, resp.PublishedAt)))
	if resp.Status == http.StatusNotModified {
		return
	}
	h.Set("Content-Type", resp.ContentType)
	if resp.Length >= 0 {
		h.Set("Content-Length", strconv.FormatInt(resp.Length, 10))
	}
	if resp.Status == http.StatusIMUsed {
		h.Set("IM", "tiles")
		h.Set("Delta-Base", resp.DeltaBase)
	}
}

// frameFailed sends the error of a request for a frame.
func (s *Server) frameFailed(w http.ResponseWriter, r *http.Request, err error) {
	switch {
	case errors.Is(err, netstream.ErrNoFrame):
		refuseFor(w, time.Second, http.StatusServiceUnavailable, "no frame has been published yet")
	case errors.Is(err, netstream.ErrSize):
		refuse(w, http.StatusBadRequest, errSizeRange.Error())
	case r.Context().Err() != nil: // the caller has disconnected
	default:
		s.log.Error("frame not encoded", "error", err)
		refuse(w, http.StatusInternalServerError, "the frame cannot be encoded")
	}
}

// wantsTiles reports whether the caller accepts tiles. In this case, the header A-IM (RFC 3229 section 10.5.3) contains the word tiles.
func wantsTiles(h http.Header) bool {
	for _, line := range h.Values("A-IM") {
		for item := range strings.SplitSeq(line, ",") {
			name, _, _ := strings.Cut(item, ";")
			if strings.EqualFold(strings.TrimSpace(name), "tiles") {
				return true
			}
		}
	}
	return false
}

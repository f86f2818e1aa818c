package server

import (
	"net/http"
	"strconv"

	"dashboard/netstream"
)

// boundary separates the parts of /stream.mjpg, RFC 2046 section 5.1.1.
const boundary = "frame"

// mjpg answers GET /stream.mjpg with the frames as parts of one endless response. This endpoint is for players that support no better
// method. The boundary follows each part immediately, because browsers show a part only when they have received its end.
func (s *Server) mjpg(w http.ResponseWriter, r *http.Request) {
	v, ok := s.enter(w, r, movie)
	if !ok {
		return
	}
	h := w.Header()
	h.Set("Content-Type", "multipart/x-mixed-replace; boundary="+boundary)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	if r.Method == http.MethodHead {
		s.hub.leave(v)
		return
	}
	s.greet(v)
	defer s.bye(v)
	ctx, cancel := s.streamContext(r)
	defer cancel()
	out := s.flushed(w, v)
	if out.write([]byte("--"+boundary+"\r\n")) != nil {
		return
	}
	for resp, err := range v.stream.Frames(ctx, netstream.Request{W: v.w, H: v.h, OnRevoke: impatient(w)}, resendEvery) {
		if err == nil {
			err = out.part(resp)
		}
		if err != nil {
			return
		}
	}
}

// part sends a frame and the boundary that ends it.
func (f flushed) part(resp netstream.Response) error {
	defer resp.Body.Close()
	head := "Content-Type: " + resp.ContentType + "\r\n"
	if resp.Length >= 0 {
		head += "Content-Length: " + strconv.FormatInt(resp.Length, 10) + "\r\n"
	}
	head += "X-Frame-Published-At: " + string(netstream.AppendUnix(nil, resp.PublishedAt)) + "\r\n\r\n"
	if _, err := f.w.Write([]byte(head)); err != nil {
		return err
	}
	if _, err := resp.Body.WriteTo(f.w); err != nil {
		return err
	}
	return f.write([]byte("\r\n--" + boundary + "\r\n"))
}

package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"

	"dashboard/control"
)

// A Speaker describes walls as text.
type Speaker interface {
	// Spoken returns the text of a view. If `all` is true, the text includes the pages that are not shown.
	Spoken(ctx context.Context, view string, all bool) (*Spoken, error)
}

// Spoken is the text of a view. It does not change.
type Spoken struct {
	Language    string // language tag (BCP 47)
	RightToLeft bool
	At          time.Time
	When        string // date and time in the wall's language
	Pages       string // such as "Page 1 of 3", or "" if there are no pages
	AsOf        string // such as "as of 10:24"
	Picture     string // such as "Picture of the wall"
	Dismiss     string
	Parts       []SpokenPart
	Plain       []byte // text of all parts
}

// A SpokenPart is a part of the text: a heading, a sentence, an entry of a list, an aside, an alert, or an action of a notification.
type SpokenPart struct {
	Tone   string `json:"tone"`            // heading, sentence, item, aside, alert or choice
	Level  int    `json:"level,omitempty"` // level of a heading, from 2
	Text   string `json:"text"`
	Notice string `json:"notice,omitempty"` // id of the notification to which the part belongs
	Widget string `json:"widget,omitempty"` // kind of the widget
}

// usualAnnounce is the default of accessibility.announce.
const usualAnnounce = "notifications"

// text answers GET /text. A browser gets a page, and other callers get JSON or plain text.
func (s *Server) text(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Vary", "Accept, Authorization")
	if accepts(r, "text/html") {
		s.textPage(w, r)
		return
	}
	s.stream(s.plainText)(w, r)
}

// accepts() reports whether the header Accept contains a media type.
func accepts(r *http.Request, kind string) bool {
	for _, line := range r.Header.Values("Accept") {
		for item := range strings.SplitSeq(line, ",") {
			name, _, _ := strings.Cut(item, ";")
			if strings.EqualFold(strings.TrimSpace(name), kind) {
				return true
			}
		}
	}
	return false
}

// plainText answers with JSON or plain text.
func (s *Server) plainText(w http.ResponseWriter, r *http.Request) {
	spoken, ok := s.speech(w, r)
	if !ok {
		return
	}
	if !accepts(r, "application/json") {
		s.sendTagged(w, r, "text/plain; charset=utf-8", s.plainOf(spoken))
		return
	}
	body, err := encode(s.spokenFields(spoken, view(r)))
	if err != nil {
		refuse(w, http.StatusInternalServerError, "the answer cannot be encoded")
		return
	}
	s.sendTagged(w, r, "application/json", body)
}

// speech returns the text of the view that a request names. If the view has no text, speech refuses the request.
func (s *Server) speech(w http.ResponseWriter, r *http.Request) (*Spoken, bool) {
	pages := r.URL.Query().Get("pages")
	if pages != "" && pages != "all" {
		refuse(w, http.StatusBadRequest, "pages must be all; without it the shown page is read")
		return nil, false
	}
	if _, ok := s.streamOf(w, r); !ok {
		return nil, false
	}
	if s.deps.Speaker == nil {
		refuse(w, http.StatusNotFound, "this wall has no words")
		return nil, false
	}
	spoken, err := s.deps.Speaker.Spoken(r.Context(), view(r), pages == "all")
	if err != nil {
		refuseFor(w, time.Second, http.StatusServiceUnavailable, "the wall does not answer")
		return nil, false
	}
	return spoken, true
}

// plainOf returns the name of the wall, the date and time, and then the text of a view.
func (s *Server) plainOf(v *Spoken) []byte {
	dst := append([]byte("# "), s.deps.Name()...)
	dst = append(append(append(dst, '\n'), v.When...), '.')
	if v.Pages != "" {
		dst = append(append(append(dst, ' '), v.Pages...), '.')
	}
	return append(append(dst, "\n\n"...), v.Plain...)
}

// spokenFields returns the text of a view as the fields of a JSON answer.
func (s *Server) spokenFields(v *Spoken, view string) fields {
	direction := "ltr"
	if v.RightToLeft {
		direction = "rtl"
	}
	parts := v.Parts
	if parts == nil {
		parts = []SpokenPart{}
	}
	return fields{
		"success": true, "name": s.deps.Name(), "view": view, "language": v.Language, "direction": direction, "when": v.When, "as_of": v.AsOf,
		"pages": control.OrNull(v.Pages), "picture": v.Picture, "dismiss": v.Dismiss, "announce": s.announce(), "parts": parts,
	}
}

// announce returns which kinds of messages a page reads aloud.
func (s *Server) announce() string {
	if a := s.settings.Load().Announce; a != "" {
		return a
	}
	return usualAnnounce
}

// unchanged reports whether a caller already has the content with an entity tag (RFC 9110, section 13.1.2).
func unchanged(r *http.Request, tag string) bool {
	given := strings.Join(r.Header.Values("If-None-Match"), ", ") // a proxy may split the list into several lines
	return given == "*" || strings.Contains(given, tag)
}

// sendTagged sends a body with an ETag. If the caller already has the same body, it sends 304.
func (s *Server) sendTagged(w http.ResponseWriter, r *http.Request, kind string, body []byte) {
	sum := sha256.Sum256(body)
	tag := `"` + hex.EncodeToString(sum[:8]) + `"`
	h := w.Header()
	h["ETag"] = []string{tag}
	h.Set("Cache-Control", "no-cache")
	if unchanged(r, tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", kind)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method != http.MethodHead {
		w.Write(body)
	}
}

package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"time"

	"dashboard/control"
)

// A Speaker reads walls.
type Speaker interface {
	// Spoken returns a view in words. all reads pages that are not shown, too.
	Spoken(ctx context.Context, view string, all bool) (*Spoken, error)
}

// Spoken is a view in words. It is not changed after it is made.
type Spoken struct {
	Language    string // BCP 47
	RightToLeft bool
	At          time.Time
	When        string // date and time in the language
	Pages       string // "Page 1 of 3", "" without pages
	AsOf        string // "as of 10:24"
	Picture     string // "Picture of the wall"
	Dismiss     string
	Parts       []SpokenPart
	Plain       []byte // the parts as plain text
}

// A SpokenPart is a heading, a sentence, an entry of a list, an aside, an alert or an action of a notification.
type SpokenPart struct {
	Tone   string `json:"tone"`            // heading, sentence, item, aside, alert, choice
	Level  int    `json:"level,omitempty"` // of a heading, from 2
	Text   string `json:"text"`
	Notice string `json:"notice,omitempty"` // id of the notification that the part belongs to
	Widget string `json:"widget,omitempty"` // kind of the widget
}

// The values of accessibility.announce.
const usualAnnounce = "notifications"

// text answers GET /text: a page for browsers, else JSON or plain text.
func (s *Server) text(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Vary", "Accept, Authorization")
	if accepts(r, "text/html") {
		s.textPage(w, r)
		return
	}
	s.stream(s.plainText)(w, r)
}

// accepts reports whether the header Accept names a media type.
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

// speech reads the view of a request, or refuses it.
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

// plainOf is a view as plain text, below its name.
func (s *Server) plainOf(v *Spoken) []byte {
	dst := append([]byte("# "), s.deps.Name()...)
	dst = append(append(append(dst, '\n'), v.When...), '.')
	if v.Pages != "" {
		dst = append(append(append(dst, ' '), v.Pages...), '.')
	}
	return append(append(dst, "\n\n"...), v.Plain...)
}

// spokenFields is the answer in JSON.
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

// announce is what a page reads aloud.
func (s *Server) announce() string {
	if a := s.settings.Load().Announce; a != "" {
		return a
	}
	return usualAnnounce
}

// sendTagged sends a body with its ETag, or 304 if the caller has it.
func (s *Server) sendTagged(w http.ResponseWriter, r *http.Request, kind string, body []byte) {
	sum := sha256.Sum256(body)
	tag := `"` + hex.EncodeToString(sum[:8]) + `"`
	h := w.Header()
	h["ETag"] = []string{tag}
	h.Set("Cache-Control", "no-cache")
	if strings.Contains(strings.Join(r.Header.Values("If-None-Match"), ", "), tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", kind)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method != http.MethodHead {
		w.Write(body)
	}
}

//go:embed text.html
var textSource string

var textTemplate = template.Must(template.New("text").Parse(textSource))

// textPage answers with the page of the words. A caller without the token gets an empty page that asks for the
// token.
func (s *Server) textPage(w http.ResponseWriter, r *http.Request) {
	c := s.settings.Load()
	_, screen := s.paired(r)
	data := textData{Name: s.deps.Name(), View: view(r)}
	if c.StreamOn && (screen || authorized(r, c.StreamToken)) {
		spoken, ok := s.speech(w, r)
		if !ok {
			return
		}
		data.fill(spoken)
	}
	var b bytes.Buffer
	if err := textTemplate.Execute(&b, data); err != nil {
		refuse(w, http.StatusInternalServerError, "the page cannot be written")
		return
	}
	h := w.Header()
	h.Set("Content-Security-Policy", webPolicy)
	h.Set("X-Frame-Options", "DENY")
	s.sendTagged(w, r, "text/html; charset=utf-8", b.Bytes())
}

// textData is what the page shows.
type textData struct {
	Name, View, Language, Direction, When, Pages, AsOf, Picture string
	Blocks                                                      []textBlock
}

// A textBlock is a heading, a paragraph, or a list of items.
type textBlock struct {
	Level  int // 2 to 6 for a heading, else 0
	Text   string
	Class  string
	Items  []string
	Notice bool // a card: the parts of a notification
	Inner  []textBlock
}

// fill turns the parts into blocks: neighboring items are one list, and a notification is one card.
func (d *textData) fill(v *Spoken) {
	d.Language, d.Direction, d.When, d.Pages, d.AsOf, d.Picture = v.Language, "ltr", v.When, v.Pages, v.AsOf, v.Picture
	if v.RightToLeft {
		d.Direction = "rtl"
	}
	for i := 0; i < len(v.Parts); {
		n := 1
		if id := v.Parts[i].Widget; id == "notification" {
			for i+n < len(v.Parts) && v.Parts[i+n].Notice == v.Parts[i].Notice && v.Parts[i+n].Tone != "heading" {
				n++
			}
			d.Blocks = append(d.Blocks, textBlock{Notice: true, Inner: blocksOf(v.Parts[i : i+n])})
		} else {
			for i+n < len(v.Parts) && v.Parts[i+n].Widget != "notification" {
				n++
			}
			d.Blocks = append(d.Blocks, blocksOf(v.Parts[i:i+n])...)
		}
		i += n
	}
}

// blocksOf turns parts into blocks.
func blocksOf(parts []SpokenPart) (all []textBlock) {
	for _, p := range parts {
		switch {
		case p.Tone == "heading":
			all = append(all, textBlock{Level: p.Level, Text: p.Text})
		case p.Tone != "item" && p.Tone != "choice":
			all = append(all, textBlock{Text: p.Text, Class: p.Tone})
		case len(all) > 0 && all[len(all)-1].Items != nil:
			all[len(all)-1].Items = append(all[len(all)-1].Items, p.Text)
		default:
			all = append(all, textBlock{Items: []string{p.Text}})
		}
	}
	return all
}

package wall

import (
	"bytes"
	"io"
	"testing"
	"time"
)

// The code of a device is in the note on the machine's screens. It is not in a frame, because a caller with the remote's token can see
// the frames.
func TestEditCodeIsOnNoFrame(t *testing.T) {
	t.Chdir(t.TempDir())
	s, _ := quiet(t, files{
		"conf.yaml":    "graphics: {resolution: [320, 192]}\noutputs: [{type: stream}]\n",
		"widgets.yaml": "widgets:\n  - {widget: text, text: Hall}\n",
	}, io.Discard)
	defer func() { s.main().Close(); s.builder.Providers.Close() }()
	frame := func() []byte {
		g, report := s.load()
		if g == nil {
			t.Fatal(report.Errors())
		}
		r := g.Scenes["main"].Renderer("day")
		r.Step(time.Now())
		return bytes.Clone(r.Frame().Pix)
	}
	before := frame()
	s.showEditCode("1", "482913", "Anna's phone")
	note := s.note.Now.Load()
	if note == nil || note.Name != "482 913" || note.Version != "Allow Anna's phone to edit?" {
		t.Fatalf("the note: %+v", note)
	}
	if !bytes.Equal(frame(), before) {
		t.Error("the code is on a frame")
	}
	if sign := s.main().Sign.Load(); sign.Has() {
		t.Errorf("the code is on the wall's sign: %v", sign.Value)
	}
	s.showEditCode("1", "", "Anna's phone")
	if note := s.note.Now.Load(); note.Name != "Anna's phone" {
		t.Errorf("after that: %+v", note)
	}
}

// The end of a request removes only its own code. The code of a later request stays on the screen, even if the earlier device receives the
// permission.
func TestCodeOfAnotherRequestStays(t *testing.T) {
	t.Chdir(t.TempDir())
	s, _ := quiet(t, files{"conf.yaml": "outputs: [{type: stream}]\n", "widgets.yaml": "widgets:\n  - {widget: text, text: Hall}\n"}, io.Discard)
	defer func() { s.main().Close(); s.builder.Providers.Close() }()
	shows := func(what, want string) {
		t.Helper()
		got := ""
		if n := s.note.Now.Load(); n != nil {
			got = n.Name
		}
		if got != want {
			t.Errorf("%s: the screen shows %q, want %q", what, got, want)
		}
	}
	s.showEditCode("1", "482913", "Anna's phone")
	s.showEditCode("2", "123456", "Tom's Pixel")
	s.showEditCode("1", "", "")
	shows("the first request is refused", "123 456")
	s.showEditCode("1", "", "Anna's phone")
	shows("the first device may edit", "123 456")
	s.showPeerCode("", "")
	shows("the request of a wall ends", "123 456")
	s.showEditCode("2", "", "")
	shows("the second request is refused", "")
	s.showEditCode("2", "", "")
	shows("and again", "")
	s.showEditCode("3", "", "Tablet")
	shows("a device without a code on the screen may edit", "Tablet")
	s.showEditCode("4", "", "")
	shows("a request without a code ends", "Tablet")
}

package output

import (
	"image"
	"testing"
)

// A frame is dropped because there is no consumer. The next stored frame then also contains the changes of the dropped frame.
func TestSkippedFrameIsNotLost(t *testing.T) {
	m := newMailbox()
	src := image.NewRGBA(image.Rect(0, 0, 4, 4))
	m.put(src, nil)
	m.skip()
	m.put(src, nil)
	if m.lost != 0 || m.front == nil {
		t.Errorf("%d frames lost, kept %v; want none lost, and the last one kept", m.lost, m.front != nil)
	}
	if m.put(src, []image.Rectangle{src.Rect}); m.lost != 1 {
		t.Errorf("%d frames lost, want the one that nobody took", m.lost)
	}
}

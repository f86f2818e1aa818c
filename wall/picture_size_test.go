package wall

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
)

// pictureServer serves a red picture, and counts the requests.
func pictureServer(t *testing.T) (url string, asked *atomic.Int64) {
	t.Helper()
	asked = new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		_, _ = w.Write(redPNG())
	}))
	t.Cleanup(s.Close)
	return s.URL + "/red.png", asked
}

// A container builds its children in the size of the container first, and then in the sizes of their places. A picture is requested only
// once, in the size of its place.
func TestPictureIsRequestedOnce(t *testing.T) {
	t.Parallel()
	url, asked := pictureServer(t)
	port := freePort(t)
	p := start(t, port, files{
		"conf.yaml": wallConf(port, ""),
		"widgets.yaml": "theme: calm\nwidgets:\n  - widget: row\n    children:\n      - {widget: column, children: [{widget: image, url: \"" + url + "\", fit: cover}]}\n" +
			"      - {widget: space}\n",
	})
	p.shows(testW/4, testH/2, red)
	if n := asked.Load(); n != 1 {
		t.Errorf("got %d requests for one picture, want 1", n)
	}
}

// If a neighbor is hidden or shown, the places of pictures change their size. The pictures are then shown in their new size.
func TestPicturesFollowTheirPlaces(t *testing.T) {
	t.Parallel()
	url, _ := pictureServer(t)
	port := freePort(t)
	p := start(t, port, files{
		"conf.yaml":       wallConf(port, ""),
		"providers.yaml":  "providers:\n  flag: {type: push}\n",
		"photos/blue.png": bluePNG(),
		"widgets.yaml": "theme: calm\nwidgets:\n  - widget: row\n    children:\n      - {widget: image, url: \"" + url + "\", fit: cover}\n" +
			"      - {widget: photos, path: photos}\n      - {widget: card, title: Flag, value: there, when: !data .flag.on}\n",
	})
	for i, on := range []bool{true, false, true, false} {
		eventually(t, "the value is accepted", func() bool {
			return p.ask("PUT /values/flag", nil, fmt.Sprintf(`{"on":%v}`, on)).status == http.StatusOK
		})
		photo, card := testW/2, testW*5/6
		if !on {
			photo, card = testW*5/8, testW*5/6
		}
		eventually(t, fmt.Sprintf("change %d: the picture, the photo and the card (%v) are in their places", i, on), func() bool {
			at := p.pixel(photo, testH/2)
			beyond := p.pixel(card, testH*3/4)
			return p.pixel(testW/6, testH/2) == red && at.B > 240 && at.R < 15 && (beyond.B > 240) == !on
		})
	}
}

// bluePNG returns a blue picture.
func bluePNG() string {
	m := image.NewRGBA(image.Rect(0, 0, 320, 240))
	draw.Draw(m, m.Rect, image.NewUniform(blue), image.Point{}, draw.Src)
	var b bytes.Buffer
	_ = png.Encode(&b, m) // writing to a buffer never fails
	return b.String()
}

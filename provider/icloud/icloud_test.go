package icloud

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"dashboard/internal/fetch"
	"dashboard/provider/ask"
)

const address = "https://www.icloud.com/sharedalbum/#B0a1b2c3d4e5f6"

// A service answers for all hosts of iCloud. It implements only the requests of the web page of a shared album.
type service struct {
	home    string // server of the album
	photos  string // entries of the album
	content string // answer with the addresses of pictures
	asked   []string
}

// RoundTrip implements http.RoundTripper.
func (s *service) RoundTrip(r *http.Request) (*http.Response, error) {
	s.asked = append(s.asked, r.Method+" "+r.URL.String())
	w := httptest.NewRecorder()
	var body map[string]any
	if r.Body != nil {
		data, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(data, &body)
	}
	switch album := "/B0a1b2c3d4e5f6/sharedstreams/"; {
	case r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, "/S/"):
		fmt.Fprint(w, "bytes of "+r.URL.RequestURI())
	case r.Method == http.MethodGet:
		http.Redirect(w, r, "https://elsewhere.example/x", http.StatusFound)
	case r.Method != http.MethodPost || !strings.HasPrefix(r.URL.Path, album):
		w.WriteHeader(http.StatusNotFound)
	case r.URL.Host != s.home:
		w.WriteHeader(moved)
		fmt.Fprintf(w, `{"X-Apple-MMe-Host": %q}`, s.home)
	case strings.HasSuffix(r.URL.Path, "/webstream") && body["streamCtag"] == nil:
		fmt.Fprintf(w, `{"streamCtag": "c", "streamName": "Trip", "photos": [%s]}`, s.photos)
	case strings.HasSuffix(r.URL.Path, "/webasseturls"):
		fmt.Fprint(w, strings.ReplaceAll(s.content, "GUIDS", fmt.Sprint(body["photoGuids"])))
	}
	return w.Result(), nil
}

func (s *service) CloseIdleConnections() {}

// at() returns a provider of an album. The service s answers the provider's requests.
func at(t *testing.T, s *service) *Provider {
	t.Helper()
	_, v, err := New(&Params{URL: address, UpdateInterval: 3600e9}, ask.Deps{Client: fetch.NewWith(s), Location: time.UTC})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

const (
	beach = `{"photoGuid": "AAAAAAAA-01", "caption": "Beach", "dateCreated": "2024-07-09T10:11:12Z", "derivatives": {
		"342": {"checksum": "01aaaaaaaa", "width": "456", "height": "342"},
		"2049": {"checksum": "01bbbbbbbb", "width": 2732, "height": 2049},
		"9000": {"checksum": "01cccccccc", "width": "12000", "height": "9000"}}}`
	film = `{"photoGuid": "AAAAAAAA-02", "mediaAssetType": "video", "derivatives": {"720p": {"checksum": "01dddddddd", "width": "1280", "height": "720"}}}`
	bare = `{"photoGuid": "AAAAAAAA-03", "dateCreated": "yesterday", "derivatives": {"342": {"checksum": "01eeeeeeee", "width": "342", "height": "342"}}}`
	bad  = `{"photoGuid": "../../x", "derivatives": {"342": {"checksum": "01ffffffff", "width": "342", "height": "342"}}}`
)

// TestAlbum finds the server of an album, lists its photos without videos, and reads the largest picture within the limit.
func TestAlbum(t *testing.T) {
	s := &service{home: "p42-sharedstreams.icloud.com", photos: strings.Join([]string{beach, film, bare, bad}, ","),
		content: `{"items": {"01bbbbbbbb": {"url_expiry": "2024-08-01T00:00:00Z", "url_location": "cvws.icloud-content.com", "url_path": "/S/a?x=GUIDS"}}}`}
	p := at(t, s)
	got, err := p.list(t.Context())
	want := map[string]any{"count": 2, "photos": []any{
		map[string]any{"id": "AAAAAAAA-01/01bbbbbbbb", "name": "Beach", "place": "Trip", "changed": 1720519872},
		map[string]any{"id": "AAAAAAAA-03/01eeeeeeee", "name": "", "place": "Trip"},
	}}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("got %v, %v\nwant %v", got, err, want)
	}
	data, release, err := p.Read(t.Context(), "AAAAAAAA-01/01bbbbbbbb", 100)
	if err != nil || string(data) != "bytes of /S/a?x=[AAAAAAAA-01]" {
		t.Fatalf("got %q, %v", data, err)
	}
	release()
	if _, _, err := p.Read(t.Context(), "AAAAAAAA-01/01bbbbbbbb", 5); err == nil {
		t.Error("a photo over the limit is read")
	}
	const album = "-sharedstreams.icloud.com/B0a1b2c3d4e5f6/sharedstreams/"
	if want := []string{"POST https://p23" + album + "webstream", "POST https://p42" + album + "webstream", "POST https://p42" + album + "webasseturls"}; !slices.Equal(s.asked[:3], want) {
		t.Errorf("requests: %q", s.asked)
	}
}

// TestHostileAlbum: hostile answers cause no request to a host outside of iCloud, and no limit is exceeded. Errors do not contain the
// name of the album.
func TestHostileAlbum(t *testing.T) {
	content := func(host, path string) string {
		return fmt.Sprintf(`{"items": {"01bbbbbbbb": {"url_location": %q, "url_path": %q}}}`, host, path)
	}
	for name, s := range map[string]*service{
		"server elsewhere":    {home: "p1.example.org"},
		"server in a path":    {home: "p1.example.org/.icloud.com"},
		"server with a name":  {home: "me@p1.example.org#.icloud.com"},
		"picture elsewhere":   {home: first, photos: beach, content: content("cvws.example.org", "/S/a")},
		"picture in a name":   {home: first, photos: beach, content: content("cvws.icloud-content.com", "@example.org/S/a")},
		"similar domain":      {home: first, photos: beach, content: content("evilicloud-content.com", "/S/a")},
		"picture is a file":   {home: first, photos: beach, content: content("", "file:///etc/passwd")},
		"picture redirects":   {home: first, photos: beach, content: content("cvws.icloud-content.com", "/moved")},
		"picture not in list": {home: first, photos: beach, content: `{"items": {}}`},
		"no photos":           {home: first},
		"no JSON":             {home: first, photos: `<`},
	} {
		p := at(t, s)
		_, err := p.list(t.Context())
		if s.photos == beach {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			_, _, err = p.Read(t.Context(), "AAAAAAAA-01/01bbbbbbbb", 100)
		}
		if err == nil || strings.Contains(err.Error(), "B0a1b2c3d4e5f6") {
			t.Errorf("%s: got %v", name, err)
		}
		for _, u := range s.asked {
			if host, _, _ := strings.Cut(strings.SplitN(u, "//", 2)[1], "/"); !strings.HasSuffix(host, ".icloud.com") && !strings.HasSuffix(host, ".icloud-content.com") {
				t.Errorf("%s: request to %s", name, u)
			}
		}
	}
	var flood []string
	for i := range maxPhotos + 1 {
		flood = append(flood, fmt.Sprintf(`{"photoGuid": "AAAAAAAA-%d", "derivatives": {"9": {"checksum": "01aaaaaaaa", "width": "9", "height": "9"}}}`, i))
	}
	got, err := at(t, &service{home: first, photos: strings.Join(flood, ",")}).list(t.Context())
	if err != nil || got.(map[string]any)["count"] != maxPhotos {
		t.Errorf("a flood: %v", err)
	}
	for _, id := range []string{"", "AAAAAAAA-01", "../x/01bbbbbbbb", "AAAAAAAA-01/01bbbbbbbb/x"} {
		if _, _, err := at(t, &service{home: first}).Read(t.Context(), id, 100); err == nil || !strings.Contains(err.Error(), "is no photo") {
			t.Errorf("%q: got %v", id, err)
		}
	}
}

// TestAddress accepts the addresses of shared albums and nothing else.
func TestAddress(t *testing.T) {
	for url, want := range map[string]bool{
		address: true, address + ";AAAAAAAA-01": true, "https://share.icloud.com/sharedalbum/de-de/#B0a1b2c3d4e5f6": true,
		"http://www.icloud.com/sharedalbum/#B0a1b2c3d4e5f6": false, "https://icloud.com.example.org/#B0a1b2c3d4e5f6": false,
		"https://www.icloud.com/sharedalbum/": false, "https://www.icloud.com/#../x": false, "file:///x#B0a1b2c3d4e5f6": false,
	} {
		if _, _, err := New(&Params{URL: url, UpdateInterval: 3600e9}, ask.Deps{Client: fetch.New(&fetch.Options{})}); (err == nil) != want || err != nil && !strings.HasPrefix(err.Error(), "url: ") {
			t.Errorf("%s: got %v", url, err)
		}
	}
}

package output

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestPostOverTheWire sends uploads to a real server, and checks the requests that arrive.
func TestPostOverTheWire(t *testing.T) {
	type seen struct {
		method, contentType, auth string
		field, file, partType     string
		body                      []byte
	}
	fr := frame(9, 5, 77)
	tests := []struct {
		name string
		o    PostOptions
		want seen
	}{
		{"raw", PostOptions{}, seen{contentType: "image/png"}},
		{"bearer, jpg", PostOptions{Format: "jpg", Auth: Auth{Bearer: "tok"}}, seen{contentType: "image/jpeg", auth: "Bearer tok"}},
		{"basic, bmp", PostOptions{Format: "bmp", Auth: Auth{Username: "u", Password: "p"}}, seen{contentType: "image/bmp", auth: "Basic dTpw"}},
		{"form", PostOptions{Multipart: &Multipart{}}, seen{contentType: "multipart/form-data", field: "file", file: "image.png", partType: "image/png"}},
		{"named form", PostOptions{Format: "jpeg", Multipart: &Multipart{FieldName: "pic", Filename: `wa"ll.jpg`}},
			seen{contentType: "multipart/form-data", field: "pic", file: `wa"ll.jpg`, partType: "image/jpeg"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, after := make(chan seen, 100), make(chan string, 100) // room for more uploads than expected, because a slow upload may be repeated
			mux := http.NewServeMux()
			mux.HandleFunc("/up", func(w http.ResponseWriter, r *http.Request) {
				ct, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
				s := seen{method: r.Method, contentType: ct, auth: r.Header.Get("Authorization")}
				if tt.o.Multipart == nil {
					s.body, _ = io.ReadAll(r.Body)
					got <- s
					return
				}
				form, err := r.MultipartReader()
				if err != nil {
					t.Error(err)
					return
				}
				part, err := form.NextPart()
				if err != nil {
					t.Error(err)
					return
				}
				s.field, s.file, s.partType = part.FormName(), part.FileName(), part.Header.Get("Content-Type")
				s.body, _ = io.ReadAll(part)
				if _, err := form.NextPart(); err != io.EOF {
					t.Errorf("after the part: got %v, want the end of the form", err)
				}
				got <- s
			})
			mux.HandleFunc("/after", func(_ http.ResponseWriter, r *http.Request) {
				after <- r.Method + " " + r.Header.Get("Authorization")
			})
			server := httptest.NewServer(mux)
			defer server.Close()
			tt.o.URL = server.URL + "/up"
			tt.o.AfterPost = &AfterPost{URL: server.URL + "/after", Method: http.MethodPut}
			p := newPost(t, tt.o)
			defer start(t, p.Run)()
			_ = p.DrawFrame(fr, nil)
			s := <-got
			var want bytes.Buffer
			if err := p.format.encode(&want, fr); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(s.body, want.Bytes()) {
				t.Errorf("got %d bytes, want the %d of the picture", len(s.body), want.Len())
			}
			tt.want.method = http.MethodPost
			s.body = nil
			if s.method != tt.want.method || s.contentType != tt.want.contentType || s.auth != tt.want.auth ||
				s.field != tt.want.field || s.file != tt.want.file || s.partType != tt.want.partType {
				t.Errorf("got %+v, want %+v", s, tt.want)
			}
			if got := <-after; got != "PUT " {
				t.Errorf("after: got %q, want PUT without authorization", got)
			}
		})
	}
}

// TestPostRedirects: if an endpoint has moved, a redirect that would drop the picture is an error. A redirect after a successful upload
// is followed. Another host does not get the credentials.
func TestPostRedirects(t *testing.T) {
	for _, tt := range []struct {
		name, to string
		status   int
		fails    bool
		arrives  string // method and body that arrive at the final address, or ""
	}{
		{"moved for good", "http://other.example/new", 301, true, ""},
		{"to https", "https://panel.example/upload", 302, true, ""},
		{"to a slash", "/upload/", 302, true, ""},
		{"to a page after it", "/thanks", 303, false, "GET false"},
		{"to a page after it, 302", "/thanks", 302, false, "GET false"},
		{"again, there", "http://other.example/new", 307, false, "POST true"},
		{"again, there for good", "http://other.example/new", 308, false, "POST true"},
		{"in a circle", "/upload", 307, true, ""},
		{"to a file", "file:///etc/passwd", 302, true, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				arrived := ""
				transport := roundTripper(func(r *http.Request) (*http.Response, error) {
					if r.URL.String() == "http://panel.example/upload?key=secret" || tt.to == r.URL.Path && tt.status == 307 {
						return &http.Response{StatusCode: tt.status, Status: fmt.Sprint(tt.status), Header: http.Header{"Location": {tt.to}}, Body: http.NoBody, Request: r}, nil
					}
					if r.Header.Get("Referer") != "" || r.URL.Host == "other.example" && r.Header.Get("Authorization") != "" {
						t.Errorf("a key goes on: %v", r.Header)
					}
					arrived = fmt.Sprint(r.Method, " ", r.Body != nil && r.Body != http.NoBody)
					return &http.Response{StatusCode: 200, Status: "200 OK", Body: http.NoBody, Request: r}, nil
				})
				p := newPost(t, PostOptions{Transport: transport, Auth: Auth{Bearer: "tok"}})
				stop := start(t, p.Run)
				_ = p.DrawFrame(frame(4, 4, 1), nil)
				time.Sleep(500 * time.Millisecond)
				synctest.Wait()
				st := p.Stats()
				stop()
				if st.OK() == tt.fails || arrived != tt.arrives || strings.Contains(st.LastError, "secret") {
					t.Errorf("got %+v, arrived %q; want failure %v, %q", st, arrived, tt.fails, tt.arrives)
				}
			})
		})
	}
}

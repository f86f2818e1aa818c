package output

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"

	"dashboard/internal/fetch"
)

// maxAnswer bounds the bytes of a response that are read. A connection can be used again only if the whole response was read. If a
// response is longer than maxAnswer, it is cheaper to open a new connection.
const maxAnswer = 64 << 10

// request returns a request that uploads an encoded picture.
func (p *Post) request(ctx context.Context, picture []byte) (*http.Request, error) {
	body, contentType := picture, p.format.mime
	if p.o.Multipart != nil {
		var err error
		if body, contentType, err = form(*p.o.Multipart, p.format, picture); err != nil {
			return nil, err
		}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.o.URL, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", contentType)
	p.o.Auth.set(req)
	return req, nil
}

// name() sets the header User-Agent.
func (o *PostOptions) name(req *http.Request) {
	if o.UserAgent != "" {
		req.Header.Set("User-Agent", o.UserAgent)
	}
}

// form() returns a form that contains the picture as its only file (RFC 7578).
func form(m Multipart, f format, picture []byte) (body []byte, contentType string, err error) {
	var buf bytes.Buffer
	buf.Grow(len(picture) + 512) // the headers of the form have about 200 bytes
	w := multipart.NewWriter(&buf)
	name, file := cmp.Or(m.FieldName, "file"), cmp.Or(m.Filename, "image."+f.name)
	part, err := w.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {multipart.FileContentDisposition(name, file)},
		"Content-Type":        {f.mime},
	})
	if err != nil {
		return nil, "", err
	}
	if _, err := part.Write(picture); err != nil {
		return nil, "", err
	}
	if err := w.Close(); err != nil {
		return nil, "", err
	}
	return buf.Bytes(), w.FormDataContentType(), nil
}

func (a Auth) set(req *http.Request) {
	switch {
	case a.Bearer != "":
		req.Header.Set("Authorization", "Bearer "+a.Bearer)
	case a.Username != "" || a.Password != "":
		req.SetBasicAuth(a.Username, a.Password)
	}
}

// after() sends the request AfterPost.
func (p *Post) after(ctx context.Context) error {
	a := p.o.AfterPost
	if a == nil || p.skipped {
		return nil
	}
	req, err := http.NewRequestWithContext(ctx, a.Method, a.URL, nil)
	if err != nil {
		return fmt.Errorf("after_post: %w", err)
	}
	if err := p.send(req, a.Secret); err != nil {
		return fmt.Errorf("after_post: %w", err)
	}
	return nil
}

// checkRedirect follows redirects like package fetch, with one exception. If the endpoint has moved, it refuses a redirect that turns the
// upload into a GET (RFC 9110, sections 15.4.2 and 15.4.3). The response to this GET would look like a success, although no picture has
// arrived. The endpoint counts as moved if the status is 301 or the path stays the same. Other redirects to a GET are followed, because
// websites answer a successful upload with such a redirect.
func checkRedirect(req *http.Request, via []*http.Request) error {
	last := via[len(via)-1]
	moved := req.Response != nil && req.Response.StatusCode == http.StatusMovedPermanently || path(req.URL) == path(last.URL)
	if moved && last.Method == http.MethodPost && req.Method != http.MethodPost {
		return fmt.Errorf("%w: answer %s; url has to name the new address", errMoved, req.Response.Status)
	}
	return fetch.CheckRedirect(req, via)
}

// errMoved is returned for a redirect that would turn the upload into a request without the picture.
var errMoved = errors.New("the endpoint has moved")

// path() returns the path of a URL without a slash at its end.
func path(u *url.URL) string { return strings.TrimSuffix(u.Path, "/") }

// send sends a request and checks the response. A status below 400 is a success. The parameter `secret` hides the URL in errors.
func (p *Post) send(req *http.Request, secret bool) error {
	p.o.name(req)
	resp, err := p.client.Do(req)
	if err != nil {
		var wrapped *url.Error
		if errors.As(err, &wrapped) {
			err = wrapped.Err // remove the URL, which may contain a token, because the error becomes public
		}
		if secret {
			err = fetch.Veil(err) // the cause may contain the host
		}
		return err
	}
	defer resp.Body.Close()
	_, _ = io.CopyN(io.Discard, resp.Body, maxAnswer) // read the rest, so that the connection can be used again
	if resp.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("answer %s", resp.Status)
	}
	return nil
}

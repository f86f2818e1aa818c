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

// maxAnswer limits the part of an endpoint's response that is read. Reading the whole response allows reuse of the connection, but
// an endless body is not worth that.
const maxAnswer = 64 << 10

// request builds the request that uploads an encoded picture.
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

// name sets the header User-Agent.
func (o *PostOptions) name(req *http.Request) {
	if o.UserAgent != "" {
		req.Header.Set("User-Agent", o.UserAgent)
	}
}

// form packs a picture into a form with one file (RFC 7578).
func form(m Multipart, f format, picture []byte) (body []byte, contentType string, err error) {
	var buf bytes.Buffer
	buf.Grow(len(picture) + 512) // the headers have some 200 bytes
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

// after sends the request that follows an upload.
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

// checkRedirect follows redirects like fetch, but not those of a moved endpoint. Such a redirect turns the upload into a GET (RFC
// 9110, sections 15.4.2 and 15.4.3), whose response would look like a success although no picture has arrived. A redirect to
// another path is allowed, because websites use it after a successful upload.
func checkRedirect(req *http.Request, via []*http.Request) error {
	last := via[len(via)-1]
	moved := req.Response != nil && req.Response.StatusCode == http.StatusMovedPermanently || path(req.URL) == path(last.URL)
	if moved && last.Method == http.MethodPost && req.Method != http.MethodPost {
		return fmt.Errorf("%w: answer %s; url has to name the new address", errMoved, req.Response.Status)
	}
	return fetch.CheckRedirect(req, via)
}

// errMoved reports a redirected upload.
var errMoved = errors.New("the endpoint has moved")

// path returns the path of an address without a final slash.
func path(u *url.URL) string { return strings.TrimSuffix(u.Path, "/") }

// send sends a request. A status below 400 is a success.
func (p *Post) send(req *http.Request, secret bool) error {
	p.o.name(req)
	resp, err := p.client.Do(req)
	if err != nil {
		var wrapped *url.Error
		if errors.As(err, &wrapped) {
			err = wrapped.Err // remove the address, because it may contain a token, and logs and /healthz show the error
		}
		if secret {
			err = fetch.Veil(err) // the cause may contain a host
		}
		return err
	}
	defer resp.Body.Close()
	_, _ = io.CopyN(io.Discard, resp.Body, maxAnswer) // see maxAnswer
	if resp.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("answer %s", resp.Status)
	}
	return nil
}

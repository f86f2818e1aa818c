// Package pull fetches the files of a wall as an archive from an https address. It stores the archive if its files are correct.
package pull

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dashboard/internal/fetch"
	"dashboard/internal/pull/archive"
	"dashboard/internal/pull/wallcopy"
)

const (
	// `attempts` is the maximum number of requests, and firstPause is the first pause between two requests. When a board starts, the
	// network, the name service and the time may not be available yet. Each pause is twice as long as the previous pause. All pauses
	// together take two and a half minutes.
	attempts   = 6
	firstPause = 5 * time.Second
	fetchTime  = 3 * time.Minute // long enough for wallcopy.MaxZip over a slow line
	maxAfter   = 24 * time.Hour  // maximum pause that a server can request
	quietTime  = 24 * time.Hour  // if there is a copy, a temporary problem is reported only after this time without a response
)

// A Source is the place of a wall's files.
type Source struct {
	Address string // https URL
	Header  string // header with the token. "" means Authorization with a bearer token
	Token   string // "" for no token
	Folder  string // folder in the archive, or "" for the whole archive
}

// id() returns a text that identifies the source in the record of a copy.
func (s *Source) id() string {
	if s.Folder == "" {
		return s.Address
	}
	return s.Address + "\n" + s.Folder
}

// header() returns the header fields of a request.
func (s *Source) header() map[string]string {
	h := map[string]string{"Accept": "application/zip, application/gzip, */*;q=0.1"}
	switch {
	case s.Token == "":
	case s.Header == "":
		h["Authorization"] = "Bearer " + s.Token
	default:
		h[s.Header] = s.Token
	}
	return h
}

// A Puller fetches the files of one wall.
type Puller struct {
	Client *fetch.Client
	Source
	Dir     string // folder of the copy
	Version string // version of the program that checks the files
	// Check returns the problems with the files of a folder.
	Check func(dir string) error
	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error // waits between two attempts. nil means that there is only one attempt
}

// NewClient returns a client that accepts only https addresses, also in redirects. caFile is a file of additional authorities, or "".
func NewClient(caFile string) (*fetch.Client, error) {
	t, err := fetch.NewTransport(&fetch.Options{CAFile: caFile})
	if err != nil {
		return nil, err
	}
	return fetch.NewWith(onlyHTTPS{t}), nil
}

type onlyHTTPS struct{ *http.Transport }

var errPlain = errors.New("it leads to an address that is not https")

// RoundTrip sends a request if its URL begins with https. Otherwise it returns errPlain.
func (o onlyHTTPS) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != "https" {
		return nil, errPlain
	}
	return o.Transport.RoundTrip(r)
}

// Pull requests the files of the wall. After a failure that is probably temporary, it repeats the request. It stores new files if they
// are correct. If there is a problem, Pull returns it and stores it for the screen and the report. While a pause that the server has
// requested lasts, Pull does nothing.
func (p *Puller) Pull(ctx context.Context) error {
	r := p.Record()
	if p.Now().Before(r.After) && r.After.Sub(p.Now()) <= maxAfter {
		return nil
	}
	r.After = time.Time{}
	answer, err := p.ask(ctx, r)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return p.unanswered(r, err)
	}
	defer answer.Release()
	if !answer.NotModified() {
		r = p.judge(answer, r)
	}
	r.Answered = p.Now()
	return p.tell(r, r.Refused)
}

// Record returns the stored record of the source.
func (p *Puller) Record() wallcopy.Record { return wallcopy.Load(p.Dir, p.id()) }

// ask() sends the request. After a failure that is probably temporary, it repeats the request, up to `attempts` times in all.
func (p *Puller) ask(ctx context.Context, r wallcopy.Record) (answer *fetch.Response, err error) {
	q := &fetch.Request{URL: p.Address, Timeout: fetchTime, MaxBytes: wallcopy.MaxZip, Header: p.header()}
	if p.knows(r) {
		q.ETag, q.LastModified = r.ETag, r.LastModified
	}
	pause := firstPause
	for try := 1; ; try++ {
		answer, err = p.Client.Do(ctx, q)
		if err == nil && !answer.NotModified() {
			if err = answer.Check(); err != nil {
				answer.Release()
			}
		}
		if err == nil || p.Sleep == nil || try == attempts || !passing(err) {
			return answer, err
		}
		if err := p.Sleep(ctx, pause); err != nil {
			return nil, err
		}
		pause *= 2
	}
}

// knows() reports whether the server may respond that nothing has changed. This is allowed if the last files are stored, or if this version
// of the program has refused them.
func (p *Puller) knows(r wallcopy.Record) bool {
	if r.Refused != "" {
		return r.Judge == p.Version
	}
	_, ok := wallcopy.Kept(p.Dir, r)
	return ok
}

// passing() reports whether a failure is probably temporary and the request should be repeated.
func passing(err error) bool {
	var status *fetch.StatusError
	if errors.As(err, &status) {
		return status.Code >= http.StatusInternalServerError && status.Wait == 0
	}
	return errors.Is(err, fetch.ErrUnavailable) && !errors.Is(err, errPlain)
}

// unanswered() handles a failed request and returns the error. If there is a copy and the last response is less than a day old, a temporary
// problem is not shown.
func (p *Puller) unanswered(r wallcopy.Record, err error) error {
	var status *fetch.StatusError
	if errors.As(err, &status) && status.Wait > 0 {
		r.After = p.Now().Add(min(status.Wait, maxAfter))
	}
	if now := p.Now(); r.Answered.After(now) {
		r.Answered = now // the clock was set back
	}
	problem := "config_url: " + p.plain(err)
	if _, ok := wallcopy.Kept(p.Dir, r); ok && mayReturn(err) && p.Now().Sub(r.Answered) < quietTime {
		problem = ""
	}
	return errors.Join(errors.New("config_url: "+p.plain(err)), p.tell(r, problem))
}

// mayReturn reports whether a failure comes from the network or the server, and not from the files. The server may then work again later.
func mayReturn(err error) bool {
	var status *fetch.StatusError
	if errors.As(err, &status) {
		return status.Code >= http.StatusInternalServerError || status.Code == http.StatusTooManyRequests
	}
	return errors.Is(err, fetch.ErrUnavailable) && !errors.Is(err, errPlain)
}

// plain() returns the text of an error without the address and the token, because they may be secret.
func (p *Puller) plain(err error) string {
	var status *fetch.StatusError
	if errors.As(err, &status) {
		return fmt.Sprintf("the server answers %d %s", status.Code, http.StatusText(status.Code))
	}
	var failed *fetch.Error
	if errors.As(err, &failed) {
		err = failed.Err
	}
	text := strings.ReplaceAll(err.Error(), p.Address, "it")
	if p.Token != "" {
		text = strings.ReplaceAll(text, p.Token, "…")
	}
	return text
}

// tell() stores the record and the problem. If files were refused because of the problem, tell() returns the problem as an error.
func (p *Puller) tell(r wallcopy.Record, problem string) error {
	err := errors.Join(wallcopy.Save(p.Dir, r), wallcopy.Tell(p.Dir, problem))
	if problem != "" && r.Refused == problem {
		err = errors.Join(errors.New(problem), err)
	}
	return err
}

// judge stores files if they are correct, and otherwise records their problem.
func (p *Puller) judge(answer *fetch.Response, r wallcopy.Record) wallcopy.Record {
	r.ETag, r.LastModified, r.Judge, r.Refused, r.RefusedRevision = answer.ETag, answer.LastModified, p.Version, "", ""
	sum := wallcopy.SumOf(answer.Body)
	if _, ok := wallcopy.Kept(p.Dir, r); ok && sum == r.Sum {
		return r
	}
	commit, err := p.try(answer.Body)
	if err == nil {
		if err = wallcopy.Keep(p.Dir, answer.Body); err == nil {
			r.Sum, r.Commit, r.Taken = sum, commit, p.Now()
			return r
		}
		r.Judge = "" // judge these files again next time, because the disk may have room then
	}
	r.Refused = fmt.Sprintf("config_url: the files were not taken: %v", err)
	r.RefusedRevision = wallcopy.Record{Sum: sum, Commit: commit}.Revision()
	return r
}

// try unpacks an archive into a temporary folder and checks the files. It returns the commit of the archive, or "".
func (p *Puller) try(data []byte) (commit string, err error) {
	dir, err := os.MkdirTemp("", "wall-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	file, wall := filepath.Join(dir, "archive"), filepath.Join(dir, "wall")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		return "", err
	}
	if commit, err = archive.Unpack(file, wall, p.Folder); err != nil {
		return commit, err
	}
	if err := p.Check(wall); err != nil {
		return commit, errors.New(strings.ReplaceAll(err.Error(), wall+"/", ""))
	}
	return commit, nil
}

// ErrAddress is the error for an address that is not allowed.
var ErrAddress = errors.New("an https address, as https://example.org/wall.zip")

// CheckAddress returns an error if a wall cannot be fetched from an address.
func CheckAddress(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" {
		return ErrAddress
	}
	return nil
}

package gtfs

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"time"

	"dashboard/internal/fetch"
	"dashboard/internal/folder"
	"dashboard/provider"
)

const (
	// maxFeed is the maximum size of a feed, in bytes. The feeds of whole countries have 300 MB.
	maxFeed = 2 << 30
	// blockBytes is the number of bytes that one request fetches.
	blockBytes = 1 << 20
	// maxWhole is the maximum size of a feed from a server that cannot send parts, in bytes. The whole feed is then in memory while it is
	// read.
	maxWhole = 16 << 20
	// maxDirectory is the maximum size of the directory in a feed's zip file, in bytes. The directory of a feed has about 20 entries.
	maxDirectory = 1 << 20
)

// errChanged is returned if a feed changes while it is read. The feed is read again later.
var errChanged = errors.New("the feed has changed while it was read")

// An archive is the zip file of a feed. It is read in parts.
type archive struct {
	io.ReaderAt

	size    int64
	version string // "" if the server sends no version
	close   func()
}

// open() opens the archive of the feed. If the feed still has the given version, `same` is true and `a` is nil.
func (p *Provider) open(ctx context.Context, version string) (a *archive, same bool, err error) {
	if path, ok := strings.CutPrefix(p.params.URL, "file://"); ok {
		return openFile(p.deps.Files, path, version)
	}
	r := p.request
	r.MaxBytes, r.Timeout = blockBytes, cmp.Or(r.Timeout, fetch.Timeout)
	head, err := p.part(ctx, &r, 0, 1, "")
	if errors.Is(err, errWhole) {
		return p.openWhole(ctx, version)
	}
	if err != nil {
		return nil, false, err
	}
	v := cmp.Or(head.ETag, head.LastModified, fmt.Sprint(head.Whole))
	if v == version {
		return nil, true, nil
	}
	if head.Whole > maxFeed {
		return nil, false, r.Failure(fmt.Errorf("%w: %d of %d bytes", fetch.ErrTooLarge, head.Whole, int64(maxFeed)))
	}
	parts := &parts{ctx: ctx, p: p, request: r, size: head.Whole, tag: cmp.Or(head.ETag, head.LastModified)}
	return &archive{ReaderAt: parts, size: head.Whole, version: v, close: func() {}}, false, nil
}

// errWhole is returned if a server cannot send parts of a file.
var errWhole = errors.New("the server does not send parts of the file")

// part() requests n bytes of the feed, beginning at the offset `from` (RFC 9110, section 14). `tag` is the ETag or the date of the feed. If
// the feed has another tag now, the server sends the whole feed, and part() returns errWhole.
func (p *Provider) part(ctx context.Context, r *fetch.Request, from, n int64, tag string) (*fetch.Response, error) {
	req := *r
	req.Header = map[string]string{}
	for k, v := range r.Header {
		req.Header[k] = v
	}
	req.Header["Range"] = fmt.Sprintf("bytes=%d-%d", from, from+n-1)
	if tag != "" && !strings.HasPrefix(tag, "W/") {
		req.Header["If-Range"] = tag
	}
	resp, err := p.deps.Client.Do(ctx, &req)
	switch {
	case errors.Is(err, fetch.ErrTooLarge):
		return nil, errWhole
	case err != nil:
		return nil, err
	case resp.Status == http.StatusOK:
		resp.Release()
		return nil, errWhole
	case resp.Status != http.StatusPartialContent || resp.Whole <= 0 || int64(len(resp.Body)) > n:
		resp.Release()
		return nil, r.Failure(cmp.Or(resp.Check(), errWhole))
	}
	return resp, nil
}

// The type parts reads a feed in blocks. It keeps only the block that it fetched last, because the tables are read in order.
type parts struct {
	ctx     context.Context
	p       *Provider
	request fetch.Request
	size    int64
	tag     string

	block []byte
	from  int64
	read  int64 // number of bytes read so far
}

// ReadAt implements io.ReaderAt.
func (r *parts) ReadAt(b []byte, off int64) (n int, err error) {
	for n < len(b) {
		if off >= r.size {
			return n, io.EOF
		}
		if off < r.from || off >= r.from+int64(len(r.block)) {
			if err := r.load(off); err != nil {
				return n, err
			}
		}
		k := copy(b[n:], r.block[off-r.from:])
		n, off = n+k, off+int64(k)
	}
	return n, nil
}

// load fetches the block that begins at `off`. If a request fails for a temporary reason, load repeats it.
func (r *parts) load(off int64) error {
	var err error
	for try := range partTries {
		if try > 0 && !provider.Sleep(r.ctx, time.Duration(try)*partPause) {
			return r.ctx.Err()
		}
		var resp *fetch.Response
		if resp, err = r.p.part(r.ctx, &r.request, off, min(blockBytes, r.size-off), r.tag); err == nil {
			if resp.Whole != r.size || len(resp.Body) == 0 {
				resp.Release()
				return errChanged
			}
			r.block, r.from = append(r.block[:0], resp.Body...), off
			r.read += int64(len(resp.Body))
			resp.Release()
			return nil
		}
		if errors.Is(err, errWhole) {
			return errChanged
		}
		if !errors.Is(err, fetch.ErrUnavailable) {
			break
		}
	}
	return err
}

const (
	partTries = 4
	partPause = 2 * time.Second
)

// openWhole fetches a whole feed from a server that cannot send parts.
func (p *Provider) openWhole(ctx context.Context, version string) (*archive, bool, error) {
	r := p.request
	r.MaxBytes = maxWhole
	resp, err := p.deps.Client.Do(ctx, &r)
	if err == nil {
		err = resp.Check()
	}
	if errors.Is(err, fetch.ErrTooLarge) {
		err = fmt.Errorf("%w; %w: put it on a server with range requests, or next to the wall as a file", err, errWhole)
	}
	if err != nil {
		return nil, false, err
	}
	v := cmp.Or(resp.ETag, resp.LastModified, fmt.Sprint(len(resp.Body)))
	if v == version {
		resp.Release()
		return nil, true, nil
	}
	return &archive{ReaderAt: bytes.NewReader(resp.Body), size: int64(len(resp.Body)), version: v, close: resp.Release}, false, nil
}

// openFile opens a feed in a file of this machine.
func openFile(files fs.FS, path, version string) (*archive, bool, error) {
	if files == nil {
		files = folder.Dir("")
	}
	f, err := files.Open(path)
	if err != nil {
		return nil, false, err
	}
	info, err := f.Stat()
	at, ok := f.(io.ReaderAt)
	if err != nil || !ok || info.Size() > maxFeed {
		f.Close()
		return nil, false, cmp.Or(err, fmt.Errorf("%s: %w", path, errFeed))
	}
	v := fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
	if v == version {
		f.Close()
		return nil, true, nil
	}
	return &archive{ReaderAt: at, size: info.Size(), version: v, close: func() { f.Close() }}, false, nil
}

// The type bounded limits the number of bytes that zip.NewReader reads at the end of an archive. Without this limit, zip.NewReader could
// read an endless directory.
type bounded struct {
	io.ReaderAt

	left int64
}

// ReadAt implements io.ReaderAt.
func (b *bounded) ReadAt(p []byte, off int64) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		return 0, fmt.Errorf("%w: its list of files has more than %d bytes", errFeed, maxDirectory)
	}
	return b.ReaderAt.ReadAt(p, off)
}

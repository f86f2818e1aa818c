package fetch

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"

	"dashboard/internal/folder"
)

const (
	maxCABytes = 4 << 20 // maximum size of certificates in bytes. Mozilla's complete list has 220 kB
	maxCAFiles = 16      // maximum number of different values of Request.CAFile. Each file has its own transport
)

// NewTransport returns a transport that limits the connection time, the headers and the idle connections. The transport uses the
// certificates of o. If o has no guard, the transport uses the proxies of the environment. A nil o means the zero value of Options. The
// caller ends the transport with CloseIdleConnections. If certificates are not valid, the error wraps [ErrRequest].
func NewTransport(o *Options) (*http.Transport, error) {
	if o == nil {
		o = &Options{}
	}
	dialer := &net.Dialer{Timeout: Connect, KeepAlive: 30 * time.Second}
	t := &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            dialer.DialContext,
		MaxIdleConns:           idleTotal,
		MaxIdleConnsPerHost:    idlePerHost,
		IdleConnTimeout:        idleTimeout,
		TLSHandshakeTimeout:    2 * Connect, // a small board needs seconds for a handshake under load
		MaxResponseHeaderBytes: maxHeader,
	}
	if o.Guard != nil {
		t.Proxy = nil
		dialer.Control = func(network, address string, _ syscall.RawConn) error { return o.Guard.Check(network, address) }
	}
	roots, err := o.roots()
	if err != nil {
		return nil, err
	}
	if roots != nil {
		t.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	}
	return t, nil
}

// roots() returns the authorities that may sign the certificates of servers. nil means the system's authorities.
func (o *Options) roots() (*x509.CertPool, error) {
	if o.parsed != nil || o.CABundle == "" && o.CAFile == "" {
		return o.parsed, nil
	}
	pool := x509.NewCertPool()
	if o.CABundle != "" {
		if err := appendBundle(pool, o.CABundle); err != nil {
			return nil, err
		}
	} else if system, err := x509.SystemCertPool(); err == nil {
		pool = system
	}
	if o.CAFile == "" {
		return pool, nil
	}
	return pool, appendCertificates(pool, folder.Dir(""), o.CAFile)
}

// appendBundle reads a file of certificates, or all files of a folder.
func appendBundle(pool *x509.CertPool, path string) error {
	root := folder.Dir("")
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return appendCertificates(pool, root, path)
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return fmt.Errorf("%w: certificates: %w", ErrRequest, err)
	}
	for _, e := range entries { // files without certificates are ignored, because the folders of OpenSSL contain such files
		_ = appendCertificates(pool, root, path+"/"+e.Name())
	}
	return nil
}

var errNoCertificate = errors.New("no certificate in it; PEM is needed, with lines of BEGIN CERTIFICATE")

func appendCertificates(pool *x509.CertPool, fsys fs.FS, path string) error {
	data, err := folder.Read(fsys, path, maxCABytes)
	if err == nil && !pool.AppendCertsFromPEM(data) {
		err = errNoCertificate
	}
	if err != nil {
		return fmt.Errorf("%w: certificates of %s: %w", ErrRequest, path, err)
	}
	return nil
}

// refused is a transport for certificates that are not valid. It returns the reason for every https request. http requests work, because
// they need no certificates.
type refused struct {
	err  error
	next *http.Transport
}

// RoundTrip implements http.RoundTripper.
func (r refused) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Scheme == "https" {
		return nil, r.err
	}
	return r.next.RoundTrip(req)
}

// CloseIdleConnections closes the idle connections of the inner transport. http.Client.CloseIdleConnections calls this method.
func (r refused) CloseIdleConnections() { r.next.CloseIdleConnections() }

// A trusting is the client for the requests with a CAFile.
type trusting struct {
	*http.Client
	size    int64 // size and time of the file from which the client was made
	changed time.Time
}

// root returns the root of the paths of CAFile. It limits the time of a call if the file is on a share that does not answer.
func (c *Client) root() *folder.Root {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.files == nil {
		c.files = folder.Dir("")
	}
	return c.files
}

// connect returns the client for a request. Each CAFile has a separate client, which is made at the first request with this CAFile, and
// made again after the file was replaced. If the new file is missing or not valid, the old client stays.
func (c *Client) connect(caFile string) (*http.Client, error) {
	if caFile == "" {
		return c.http, nil
	}
	if c.hosts != nil {
		return nil, fmt.Errorf("%w: ca_file is not allowed here", ErrRequest)
	}
	var now trusting
	info, err := c.root().Stat(caFile)
	if err == nil {
		now.size, now.changed = info.Size(), info.ModTime()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	old, known := c.special[caFile]
	if known && (err != nil || old.size == now.size && old.changed.Equal(now.changed)) {
		return old.Client, nil
	}
	if !known && len(c.special) >= maxCAFiles {
		return nil, fmt.Errorf("%w: more than %d different ca_file", ErrRequest, maxCAFiles)
	}
	o := c.options
	o.CAFile, o.parsed = caFile, nil
	t, err := NewTransport(&o)
	switch {
	case err != nil && known:
		if errors.Is(err, errNoCertificate) { // read the file again only after another change
			now.Client = old.Client
			c.special[caFile] = now
		}
		return old.Client, nil
	case err != nil:
		return nil, err
	case known:
		old.CloseIdleConnections()
	}
	now.Client = &http.Client{Transport: agentTransport{agent: o.agent(), next: t}, CheckRedirect: CheckRedirect}
	if c.special == nil {
		c.special = make(map[string]trusting)
	}
	c.special[caFile] = now
	return now.Client, nil
}

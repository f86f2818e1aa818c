package main

import (
	"archive/tar"
	"compress/gzip"
	"encoding/pem"
	"os"
	"path/filepath"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

const (
	nobody   = 65532 // id of the user and group that run the program. Other images without root use the same number
	program  = "usr/bin/dashboard"
	wall     = "etc/dashboard"
	state    = "var/lib/dashboard"
	endpoint = "http://127.0.0.1:5000"
)

// config is the configuration of containers. They run the program as the user 65532, who can write only to the state folder and /tmp.
var config = v1.Config{
	User:         "65532:65532",
	Entrypoint:   []string{"/" + program},
	Cmd:          []string{"--config-dir", "/" + wall, "--state-dir", "/" + state, "--listen", ":5000", "--keep-going"},
	WorkingDir:   "/" + wall,
	Env:          []string{"PATH=/usr/bin"},
	ExposedPorts: map[string]struct{}{"5000/tcp": {}},
	Volumes:      map[string]struct{}{"/" + state: {}},
	StopSignal:   "SIGTERM",
	Healthcheck: &v1.HealthConfig{
		Test:     []string{"CMD", "/" + program, "health", "--url", endpoint},
		Interval: 30 * time.Second, Timeout: 10 * time.Second, StartPeriod: 30 * time.Second, Retries: 3,
	},
}

// image returns the image for a board. It consists of the common layer and the program.
func (m *maker) image(b board, base v1.Layer) (v1.Image, error) {
	code, err := os.ReadFile(filepath.Join(m.Programs, "linux-"+b.name, "dashboard"))
	if err != nil {
		return nil, err
	}
	own, err := m.layer([]entry{{name: program, data: code, mode: 0o755}})
	if err != nil {
		return nil, err
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	if image, err = mutate.AppendLayers(image, base, own); err != nil {
		return nil, err
	}
	file, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	file = file.DeepCopy()
	file.OS, file.Architecture, file.Variant, file.Created = b.OS, b.Architecture, b.Variant, v1.Time{Time: m.Date}
	file.Config = config
	file.Config.Labels = map[string]string{
		"org.opencontainers.image.title":       "dashboard",
		"org.opencontainers.image.description": "A wall of widgets, in browsers and on remote screens",
		"org.opencontainers.image.version":     m.Version,
		"org.opencontainers.image.created":     m.Date.Format(time.RFC3339),
	}
	for i := range file.History {
		file.History[i].Created = file.Created
	}
	return mutate.ConfigFile(image, file)
}

// base returns the layer that all images have in common: folders, users, root certificates for https, and a wall. The program itself
// contains the time zones.
func (m *maker) base() (v1.Layer, error) {
	entries := []entry{
		{name: "dev/", mode: 0o755}, {name: "etc/", mode: 0o755}, {name: "etc/ssl/", mode: 0o755}, {name: "etc/ssl/certs/", mode: 0o755},
		{name: "etc/ssl/certs/ca-certificates.crt", data: roots(), mode: 0o644},
		{name: "etc/passwd", data: []byte("root:x:0:0:root:/:/sbin/nologin\ndashboard:x:65532:65532:dashboard:/" + state + ":/sbin/nologin\n"), mode: 0o644},
		{name: "etc/group", data: []byte("root:x:0:\ndashboard:x:65532:\n"), mode: 0o644},
		{name: wall + "/", mode: 0o755},
	}
	for name, from := range map[string]string{
		"conf.yaml": "packaging/container/conf.yaml", "widgets.yaml": "cmd/dashboard/demo/widgets.yaml", "providers.yaml": "cmd/dashboard/demo/providers.yaml",
	} {
		data, err := os.ReadFile(filepath.Join(m.source, from))
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{name: wall + "/" + name, data: data, mode: 0o644})
	}
	entries = append(entries,
		entry{name: "proc/", mode: 0o755}, entry{name: "sys/", mode: 0o755}, entry{name: "tmp/", mode: 0o1777},
		entry{name: "usr/", mode: 0o755}, entry{name: "usr/bin/", mode: 0o755},
		entry{name: "var/", mode: 0o755}, entry{name: "var/lib/", mode: 0o755}, entry{name: state + "/", mode: 0o700, owner: nobody})
	return m.layer(entries)
}

// roots() returns the root certificates that Mozilla trusts without conditions, because a certificate file cannot express conditions.
func roots() []byte {
	var all []byte
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			all = append(all, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate})...)
		}
	}
	return all
}

// An entry is a file of a layer. If its name ends with a slash, it is a folder.
type entry struct {
	name  string
	data  []byte
	mode  int64
	owner int
}

func (e entry) header(date time.Time) *tar.Header {
	kind := byte(tar.TypeReg)
	if e.name[len(e.name)-1] == '/' {
		kind = tar.TypeDir
	}
	return &tar.Header{Typeflag: kind, Name: e.name, Size: int64(len(e.data)), Mode: e.mode, Uid: e.owner, Gid: e.owner, ModTime: date, Format: tar.FormatUSTAR}
}

// layer packs files into a layer. The same files and date always give the same bytes.
func (m *maker) layer(entries []entry) (v1.Layer, error) {
	packed, err := pack(entries, m.Date)
	if err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(opener(packed), tarball.WithMediaType(types.OCILayer), tarball.WithCompressionLevel(gzip.BestCompression), tarball.WithCompressedCaching)
}

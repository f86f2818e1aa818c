// Command oci makes the container image of the service from the programs in bin/, for each processor that containers usually run on. It
// needs no container engine.
//
// For each processor, it writes an archive for `docker load` and `podman load`. For registries, it writes one archive with all images in
// the OCI image layout (https://github.com/opencontainers/image-spec/blob/v1.1.1/image-layout.md).
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"

	"dashboard/tools/files"
)

func main() {
	var m maker
	m.Flags("dist", "bin") // bin contains a folder for each processor
	flag.StringVar(&m.source, "source", ".", "`folder` of the project")
	flag.Parse()
	if err := m.make(); err != nil {
		fmt.Fprintln(os.Stderr, "oci:", err)
		os.Exit(1)
	}
}

// A maker makes the images of one version.
type maker struct {
	files.Release
	source string
}

// A board is a kind of processor for which an image is made.
type board struct {
	name string // name in the target cross of the Makefile, after "linux-"
	v1.Platform
}

var boards = []board{
	{"amd64", v1.Platform{OS: "linux", Architecture: "amd64"}},
	{"arm64", v1.Platform{OS: "linux", Architecture: "arm64", Variant: "v8"}},
	{"armv7", v1.Platform{OS: "linux", Architecture: "arm", Variant: "v7"}},
	{"armv6", v1.Platform{OS: "linux", Architecture: "arm", Variant: "v6"}},
}

// make writes all archives.
func (m *maker) make() error {
	// A tag must not contain ~ or +.
	tag, err := name.NewTag("dashboard:" + strings.NewReplacer("~", "-", "+", "-").Replace(m.Version))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(m.Out, 0o755); err != nil {
		return err
	}
	base, err := m.base()
	if err != nil {
		return err
	}
	images := map[string]v1.Image{}
	for _, b := range boards {
		if images[b.name], err = m.image(b, base); err != nil {
			return fmt.Errorf("%s: %w", b.name, err)
		}
		if err := tarball.WriteToFile(m.path(b.name), tag, images[b.name]); err != nil {
			return err
		}
	}
	return m.writeLayout(images, tag.TagStr())
}

// path returns the path of an archive. `what` is the name of a board, or a word that means all boards.
func (m *maker) path(what string) string {
	return filepath.Join(m.Out, "dashboard_"+m.Version+"_container-"+what+".tar")
}

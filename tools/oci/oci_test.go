package main

import (
	"archive/tar"
	"bytes"
	"crypto/x509"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"gopkg.in/yaml.v3"

	"dashboard/tools/files"
)

// makeIn makes the images of programs that are only short texts.
func makeIn(t *testing.T) *maker {
	t.Helper()
	programs := t.TempDir()
	for _, b := range boards {
		dir := filepath.Join(programs, "linux-"+b.name)
		if err := errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(filepath.Join(dir, "dashboard"), []byte("code for "+b.name), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	m := &maker{files.Release{Out: t.TempDir(), Programs: programs, Version: "1.2.3~4+5", Date: time.Unix(1_700_000_000, 0).UTC()}, "../.."}
	if err := m.make(); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestSameBytesTwice(t *testing.T) {
	one, two := makeIn(t), makeIn(t)
	for _, what := range []string{"amd64", "arm64", "armv7", "armv6", "all"} {
		a, err := os.ReadFile(one.path(what))
		b, err2 := os.ReadFile(two.path(what))
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a, b) {
			t.Errorf("%s: the archive differs when it is made again", what)
		}
	}
}

func TestWhatIsInside(t *testing.T) {
	m := makeIn(t)
	img, err := tarball.ImageFromPath(m.path("armv6"), nil)
	if err != nil {
		t.Fatal(err)
	}
	files := mutate.Extract(img)
	defer files.Close()
	data, owners := map[string]string{}, map[string]int{}
	for r := tar.NewReader(files); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if !h.ModTime.Equal(m.Date) {
			t.Errorf("%s: got the time %v, want %v", h.Name, h.ModTime, m.Date)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		data[filepath.Clean(h.Name)], owners[filepath.Clean(h.Name)] = string(text), h.Uid
	}
	if got := data["usr/bin/dashboard"]; got != "code for armv6" {
		t.Errorf("program: got %q, want that of armv6", got)
	}
	for name, uid := range owners {
		if want := map[bool]int{true: nobody}[name == state]; uid != want {
			t.Errorf("%s: got owner %d, want %d", name, uid, want)
		}
	}
	if pool := x509.NewCertPool(); !pool.AppendCertsFromPEM([]byte(data["etc/ssl/certs/ca-certificates.crt"])) {
		t.Error("no certificate that https can begin from")
	}
	if data["etc/dashboard/conf.yaml"] == "" || data["etc/dashboard/widgets.yaml"] == "" {
		t.Error("no wall")
	}
}

func TestNoProgram(t *testing.T) {
	m := &maker{files.Release{Out: t.TempDir(), Programs: t.TempDir(), Version: "1"}, "../.."}
	if err := m.make(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want that a program is missing", err)
	}
}

// The files in docs/containers, such as compose.yaml, use the paths and the port of the image.
func TestFilesOfTheHandbook(t *testing.T) {
	var compose struct {
		Services map[string]struct {
			ReadOnly       bool `yaml:"read_only"`
			Ports, Volumes []string
		}
	}
	readYAML(t, "../../docs/containers/compose.yaml", &compose)
	s := compose.Services["dashboard"]
	if !s.ReadOnly || !slices.Equal(s.Ports, []string{"5000:5000"}) || !slices.Equal(s.Volumes, []string{"./wall:/" + wall + ":ro", "state:/" + state}) {
		t.Errorf("compose.yaml: got %+v", s)
	}
	var addOn struct {
		Map []struct{ Path string }
	}
	readYAML(t, "../../docs/containers/home-assistant/config.yaml", &addOn)
	if len(addOn.Map) != 1 || addOn.Map[0].Path != "/"+wall {
		t.Errorf("config.yaml: got %+v, want /%s", addOn, wall)
	}
	file, err := os.ReadFile("../../docs/containers/home-assistant/Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	want := `CMD ["` + strings.Replace(strings.Join(config.Cmd, `", "`), "/"+state, "/data", 1) + `"]`
	if !strings.Contains(string(file), want) {
		t.Errorf("Dockerfile: got %s, want %s in it", file, want)
	}
}

func readYAML(t *testing.T, path string, to any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, to); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

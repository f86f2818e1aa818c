package debian

import (
	"bytes"
	"compress/gzip"
	"slices"
	"testing"
	"testing/fstest"
)

// The list contains the version of each unpacked package. A changelog for the architecture has the version of a rebuilt package.
func TestPackagesIn(t *testing.T) {
	packed := func(text string) *fstest.MapFile {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = w.Write([]byte(text)) // a bytes.Buffer has no errors
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return &fstest.MapFile{Data: b.Bytes()}
	}
	const doc = "usr/share/doc/"
	base := fstest.MapFS{
		doc + "busybox/changelog.Debian.gz":       packed("busybox (1:1.37.0-6) unstable; urgency=medium\n"),
		doc + "busybox/changelog.Debian.arm64.gz": packed("busybox (1:1.37.0-6+b9) trixie; urgency=low, binary-only=yes\n"),
		doc + "adduser/changelog.gz":              packed("adduser (3.152) unstable; urgency=medium\n"),
		doc + "wpa_supplicant/changelog.gz":       packed("a name that no package has"),
	}
	want := []string{"adduser 3.152 arm64\n", "busybox 1:1.37.0-6+b9 arm64\n"}
	if got, err := packagesIn(base, "arm64"); err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	for name, file := range map[string]*fstest.MapFile{
		doc + "tar/copyright": {}, doc + "tar/changelog.gz": packed("tar\n"), doc + "tar/changelog.Debian.gz": {Data: []byte("not packed")},
	} {
		if got, err := packagesIn(fstest.MapFS{name: file}, "arm64"); err == nil {
			t.Errorf("%s: got %q, want an error", name, got)
		}
	}
}

package qemu

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestDependsOf(t *testing.T) {
	for name, c := range map[string]struct {
		info string
		want []string
	}{
		"some":   {"license=GPL\x00depends=drm,virtio\x00name=virtio_gpu\x00", []string{"drm", "virtio"}},
		"none":   {"depends=\x00name=drm\x00", nil},
		"absent": {"name=drm\x00", nil},
	} {
		if got := dependsOf([]byte(c.info)); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestOrder(t *testing.T) {
	s := Modules{builtin: map[string]bool{"virtio_pci": true}, files: map[string][]byte{"broken": []byte("no ELF")}}
	if got, err := s.Order("virtio-pci"); err != nil || len(got) != 0 {
		t.Errorf("built in: got %q, %v, want nothing", got, err)
	}
	for _, name := range []string{"absent", "broken"} {
		if _, err := s.Order(name); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v, want an error that names it", name, err)
		}
	}
}

func TestDestination(t *testing.T) {
	for name, want := range map[string]string{
		"./boot/vmlinuz-6.12.1-arm64":                                                          "vmlinuz",
		"./usr/lib/linux-image-6.12.1-arm64/broadcom/bcm2837-rpi-3-b.dtb":                      "rpi-3-b.dtb",
		"./usr/lib/modules/6.12.1-arm64/modules.builtin":                                       "modules.builtin",
		"./usr/lib/modules/6.12.1-arm64/kernel/drivers/gpu/drm/virtio/virtio-gpu.ko.xz":        "modules/virtio_gpu.ko",
		"./lib/modules/6.1.0-arm64/kernel/drivers/virtio/virtio.ko":                            "modules/virtio.ko",
		"./usr/lib/modules/6.12.1-arm64/kernel/drivers/gpu/drm/amd/amdgpu/amdgpu.ko.xz":        "",
		"./usr/share/doc/linux-image-6.12.1-arm64/changelog.gz":                                "",
		"./usr/lib/linux-image-6.12.1-arm64/broadcom/bcm2837-rpi-3-b-plus.dtb":                 "",
		"./usr/lib/modules/6.12.1-arm64/kernel/drivers/virtio/README":                          "",
		"./usr/lib/modules/6.12.1-arm64/kernel/drivers/gpu/drm/virtio/deeper/virtio-gpu.ko.xz": "",
	} {
		got, ok := destination(name)
		if got != want || ok != (want != "") {
			t.Errorf("%s: got %q, %v, want %q", name, got, ok, want)
		}
	}
}

// The kernel of the most recently built image is used.
func TestOfImage(t *testing.T) {
	cache := t.TempDir()
	if _, _, ok := ofImage(cache, "trixie"); ok {
		t.Error("got a kernel without an image")
	}
	for i, dir := range []string{"trixie-x.new", "trixie-new", "trixie-old", "bookworm-x"} {
		path := filepath.Join(cache, dir, "boot", "vmlinuz-6."+dir+"-arm64")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		at := time.Unix(int64(1000-i), 0)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	name, base, ok := ofImage(cache, "trixie")
	if !ok || name != "linux-image-6.trixie-new-arm64" || base != filepath.Join(cache, "trixie-new") {
		t.Errorf("got %q in %q, %v", name, base, ok)
	}
}

func TestSourceLines(t *testing.T) {
	const known = `Debian main - bookworm http://deb.example/debian/
Debian main - bookworm-updates http://deb.example/debian/
Debian main - bookworm-security http://security.example/debian-security/
`
	// Each line has the fields ORIGIN, COMPONENT, CREATED_BY, CODENAME and REPO_URI. The function targets() requests these fields.
	lines := strings.ReplaceAll(known, " - ", " Packages ")
	const signed = "deb [arch=arm64 signed-by=" + keyring + "] "
	for name, c := range map[string]struct{ known, want string }{
		"a mirror and its security updates": {lines, signed + "http://deb.example/debian/ trixie main\n" +
			signed + "http://security.example/debian-security/ trixie-security main"},
		"another system": {strings.ReplaceAll(lines, "Debian", "Ubuntu"), ""},
		"sources only":   {strings.ReplaceAll(lines, "Packages", "Sources"), ""},
		"nothing":        {"", ""},
	} {
		if got := strings.Join(sourceLines(c.known, "arm64", "trixie", "main"), "\n"); got != c.want {
			t.Errorf("%s: got\n%s, want\n%s", name, got, c.want)
		}
	}
}

// Package buildroot_test checks the external tree for Buildroot without running Buildroot. It checks the settings, the layout of the
// card, and the names of files, packages and units.
package buildroot_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dashboard/appliance/card"
)

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// find returns the files that match a pattern. If no file matches, the test fails.
func find(t *testing.T, pattern string) []string {
	t.Helper()
	list, err := filepath.Glob(pattern)
	if err != nil || len(list) == 0 {
		t.Fatalf("%s: no such file (%v)", pattern, err)
	}
	return list
}

// places lists the parts of the tree that contain names of other files. Each entry has the files to search, the pattern of such a name,
// and the folder to which the name is relative.
var places = []struct {
	files string
	name  *regexp.Regexp
	in    string
}{
	{"configs/*", regexp.MustCompile(`\$\(BR2_EXTERNAL_DASHBOARD_PATH\)/([\w./-]+)`), "."},
	{"Config.in", regexp.MustCompile(`\$BR2_EXTERNAL_DASHBOARD_PATH/([\w./-]+)`), "."},
	{"package/*/*.mk", regexp.MustCompile(`\$\(@D\)/((?:cmd|image|systemd)/[\w./-]+)`), ".."},
	{"package/*/*.mk", regexp.MustCompile(`_BUILD_TARGETS = (\S+)`), ".."},
	{"board/dashboard/*.sh", regexp.MustCompile(`\$repository/([\w./-]+)`), ".."},
	{"board/dashboard/*.sh", regexp.MustCompile(`\$board/([\w-]+(?:\.\w+)*)`), "board/dashboard"},
}

func TestNamedFilesExist(t *testing.T) {
	for _, p := range places {
		found := 0
		for _, file := range find(t, p.files) {
			for _, m := range p.name.FindAllStringSubmatch(read(t, file), -1) {
				found++
				if _, err := os.Stat(filepath.Join(p.in, m[1])); err != nil {
					t.Errorf("%s: %v", file, err)
				}
			}
		}
		if found == 0 {
			t.Errorf("%s: nothing looks like %v", p.files, p.name)
		}
	}
}

// Buildroot finds every package. The files and symbols of a package contain the package's name, and Config.in of the tree lists all
// packages in alphabetical order.
func TestPackages(t *testing.T) {
	var menu []string
	for _, dir := range find(t, "package/*") {
		name := filepath.Base(dir)
		symbol := strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
		menu = append(menu, fmt.Sprintf("source \"$BR2_EXTERNAL_DASHBOARD_PATH/package/%s/Config.in\"", name))
		if text := read(t, filepath.Join(dir, "Config.in")); !strings.HasPrefix(text, "config BR2_PACKAGE_"+symbol+"\n") {
			t.Errorf("%s: Config.in does not begin with its symbol", name)
		}
		text := read(t, filepath.Join(dir, name+".mk"))
		for _, m := range regexp.MustCompile(`(?m)^(?:define )?([A-Z_]+?)_(?:VERSION|SITE|SITE_METHOD|GOMOD|BUILD_TARGETS|GO_ENV|LDFLAGS|INSTALL_TARGET_CMDS|INSTALL_INIT_SYSTEMD)\b`).FindAllStringSubmatch(text, -1) {
			if m[1] != symbol && m[1] != symbol+"_PROGRAM" {
				t.Errorf("%s: a variable of %s, which Buildroot does not read here", name, m[1])
			}
		}
		if !strings.HasSuffix(text, "$(eval $(golang-package))\n") || !strings.Contains(text, symbol+"_GO_ENV = CGO_ENABLED=0\n") {
			t.Errorf("%s: not a Go package without cgo", name)
		}
	}
	if got := strings.Fields(strings.ReplaceAll(read(t, "Config.in"), "source ", "")); !slices.Equal(got, strings.Fields(strings.ReplaceAll(strings.Join(menu, "\n"), "source ", ""))) {
		t.Errorf("Config.in: got %v, want %v", got, menu)
	}
}

// The Buildroot packages install exactly the units in systemd/.
func TestUnits(t *testing.T) {
	var want []string
	for _, pattern := range []string{"*.service", "*.timer"} {
		for _, f := range find(t, filepath.Join("../systemd", pattern)) {
			want = append(want, filepath.Base(f))
		}
	}
	var got []string
	for _, mk := range find(t, "package/*/*.mk") {
		if filepath.Base(mk) == "dashboard-appliance.mk" {
			continue // the package dashboard-appliance installs the units of image/ instead
		}
		got = append(got, regexp.MustCompile(`\b[\w-]+\.(?:service|timer)\b`).FindAllString(read(t, mk), -1)...)
	}
	slices.Sort(want)
	slices.Sort(got)
	if got = slices.Compact(got); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// symbols are the Buildroot symbols that the configurations may use. All of them exist in the Buildroot version that README.md names.
var symbols = strings.Fields(`BR2_aarch64 BR2_TOOLCHAIN_EXTERNAL BR2_TOOLCHAIN_EXTERNAL_BOOTLIN
	BR2_TOOLCHAIN_EXTERNAL_BOOTLIN_AARCH64_GLIBC_STABLE BR2_DOWNLOAD_FORCE_CHECK_HASHES BR2_TARGET_GENERIC_HOSTNAME BR2_INIT_SYSTEMD
	BR2_TARGET_ENABLE_ROOT_LOGIN BR2_TARGET_GENERIC_GETTY BR2_TARGET_GENERIC_REMOUNT_ROOTFS_RW BR2_ROOTFS_POST_BUILD_SCRIPT
	BR2_ROOTFS_POST_IMAGE_SCRIPT BR2_LINUX_KERNEL BR2_LINUX_KERNEL_USE_ARCH_DEFAULT_CONFIG BR2_LINUX_KERNEL_CONFIG_FRAGMENT_FILES
	BR2_LINUX_KERNEL_DTS_SUPPORT BR2_LINUX_KERNEL_INTREE_DTS_NAME BR2_PACKAGE_BRCMFMAC_SDIO_FIRMWARE_RPI
	BR2_PACKAGE_BRCMFMAC_SDIO_FIRMWARE_RPI_WIFI BR2_PACKAGE_RPI_FIRMWARE BR2_PACKAGE_RPI_FIRMWARE_BOOTCODE_BIN
	BR2_PACKAGE_RPI_FIRMWARE_VARIANT_PI BR2_PACKAGE_RPI_FIRMWARE_VARIANT_PI4 BR2_PACKAGE_RPI_FIRMWARE_CONFIG_FILE
	BR2_PACKAGE_RPI_FIRMWARE_CMDLINE_FILE BR2_PACKAGE_CA_CERTIFICATES BR2_PACKAGE_WIRELESS_REGDB BR2_PACKAGE_WPA_SUPPLICANT
	BR2_TARGET_ROOTFS_SQUASHFS BR2_TARGET_ROOTFS_SQUASHFS4_ZSTD BR2_TARGET_ROOTFS_TAR BR2_PACKAGE_HOST_DOSFSTOOLS
	BR2_PACKAGE_HOST_GENIMAGE BR2_PACKAGE_HOST_MTOOLS`)

var setting = regexp.MustCompile(`^(?:# )?((?:BR2|CONFIG)_\w+)(?:=(?:y|".*")| is not set)$`)

func TestConfigurations(t *testing.T) {
	known := slices.Clone(symbols)
	for _, file := range find(t, "package/*/Config.in") {
		known = append(known, regexp.MustCompile(`(?m)^config (\w+)$`).FindStringSubmatch(read(t, file))[1])
	}
	for _, file := range find(t, "configs/*_defconfig") {
		list := settings(t, file)
		for _, s := range list {
			if !slices.Contains(known, s) {
				t.Errorf("%s: %s is not known", file, s)
			}
		}
		if !slices.Contains(list, "BR2_PACKAGE_DASHBOARD_APPLIANCE") {
			t.Errorf("%s: without the appliance", file)
		}
	}
	for _, file := range find(t, "board/dashboard/*.fragment") {
		settings(t, file)
	}
}

// settings returns the symbols that a configuration file sets. If a symbol occurs twice, the test fails.
func settings(t *testing.T, file string) (list []string) {
	t.Helper()
	for i, line := range strings.Split(strings.TrimSuffix(read(t, file), "\n"), "\n") {
		m := setting.FindStringSubmatch(line)
		switch {
		case m == nil && !strings.HasPrefix(line, "# "):
			t.Errorf("%s:%d: not a setting: %s", file, i+1, line)
		case m != nil && slices.Contains(list, m[1]):
			t.Errorf("%s:%d: %s stands there twice", file, i+1, m[1])
		case m != nil:
			list = append(list, m[1])
		}
	}
	return list
}

// The SD card has the layout that the appliance expects. The Debian image has the same layout.
func TestCard(t *testing.T) {
	text := read(t, "board/dashboard/genimage.cfg")
	want := []string{fmt.Sprintf("disk-signature = %#08x", card.Signature)}
	for i, p := range card.Layout() {
		if i > 0 {
			want = append(want, fmt.Sprintf("offset = %dM", p.Start>>20))
		}
		if i > card.Boot {
			want = append(want, fmt.Sprintf("size = %dM", p.Size>>20))
		}
	}
	for _, w := range want {
		if !strings.Contains(text, w+"\n") {
			t.Errorf("genimage.cfg: no %q", w)
		}
	}
	size := card.Layout()[card.Boot].Size >> 20
	if w := fmt.Sprintf("-n %s \"$images/boot.vfat\" $((%d * 1024))", card.Label, size); !strings.Contains(read(t, "board/dashboard/post-image.sh"), w) {
		t.Errorf("post-image.sh: no %q", w)
	}
}

// Each Buildroot version contains one fixed Go version. The oldest tested Buildroot version has Go 1.26.3, so go.mod must not require a
// newer Go.
func TestGoIsOldEnough(t *testing.T) {
	m := regexp.MustCompile(`(?m)^go 1\.26(?:\.([0-3]))?$`).FindString(read(t, "../go.mod"))
	if m == "" {
		t.Error("go.mod asks for a newer Go than Buildroot has")
	}
}

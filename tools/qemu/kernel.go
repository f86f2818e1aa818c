package qemu

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dashboard/tools/image/initramfs"
)

// A Kernel contains those parts of Debian's kernel package for arm64 that an emulated machine needs.
type Kernel struct {
	Name    string // name of the package, with its version
	Image   string // path of the kernel for QEMU
	Tree    string // path of the device tree of the Raspberry Pi 3
	Modules Modules
}

// Files of a kernel in the cache. The files in modules/ are decompressed.
const (
	imageFile   = "vmlinuz"
	dtbFile     = "rpi-3-b.dtb"
	builtinFile = "modules.builtin"
	modulesDir  = "modules"
)

// Suites lists the Debian releases whose kernels may be used, best first. The kernel 6.1 of bookworm shows the same pictures, but supports
// fewer requests.
var Suites = []string{"trixie", "bookworm"}

// GetKernel tries the suites in order, and returns the first kernel that it gets. It downloads a kernel if the cache has none of the
// suite, or if `renew` is true. Each kernel takes 45 MB in the user's cache, outside the repository.
func GetKernel(ctx context.Context, suites []string, renew bool, say func(string, ...any)) (*Kernel, error) {
	base, err := os.UserCacheDir() // $XDG_CACHE_HOME or ~/.cache
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(base, "dashboard-rig")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	var problems []string
	for _, suite := range suites {
		at := filepath.Join(dir, suite)
		k, err := readKernel(at)
		if err != nil || renew {
			say("getting the kernel of Debian %s", suite)
			k, err = download(ctx, suite, at, renew)
		}
		if err == nil {
			return k, nil
		}
		problems = append(problems, err.Error())
	}
	return nil, fmt.Errorf("no kernel: %s", strings.Join(problems, "; "))
}

// readKernel reads a kernel in the cache. If a part is missing, it returns an error: an older version of the tool may have left it out.
func readKernel(dir string) (*Kernel, error) {
	name, err := os.ReadFile(filepath.Join(dir, "name"))
	if err != nil {
		return nil, err
	}
	for _, file := range []string{imageFile, dtbFile} {
		if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
			return nil, err
		}
	}
	k := &Kernel{
		Name: string(name), Image: filepath.Join(dir, imageFile), Tree: filepath.Join(dir, dtbFile),
		Modules: Modules{files: map[string][]byte{}, builtin: map[string]bool{}},
	}
	builtin, err := os.ReadFile(filepath.Join(dir, builtinFile))
	if err != nil {
		return nil, err
	}
	for _, path := range strings.Fields(string(builtin)) {
		k.Modules.builtin[initramfs.ModuleName(path)] = true
	}
	paths, err := filepath.Glob(filepath.Join(dir, modulesDir, "*.ko"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		if k.Modules.files[initramfs.ModuleName(path)], err = os.ReadFile(path); err != nil {
			return nil, err
		}
	}
	_, err = k.Modules.Order(modulesWanted...)
	return k, err
}

// download stores a kernel of a suite in the folder with the path `at`. If download() fails, it leaves no files. If `renew` is true, it
// takes the newest kernel. Otherwise, if an image of the card was built, it takes the kernel of this image.
func download(ctx context.Context, suite, at string, renew bool) (*Kernel, error) {
	work, err := os.MkdirTemp(filepath.Dir(at), "new-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	ready := filepath.Join(work, "ready")
	name, base, ok := ofImage(filepath.Join(filepath.Dir(filepath.Dir(at)), "dashboard-image"), suite)
	if ok && !renew {
		err = pick(ctx, base, ready)
	} else {
		name, err = fetch(ctx, suite, work, ready)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := os.WriteFile(filepath.Join(ready, "name"), []byte(name), 0o644); err != nil {
		return nil, err
	}
	if _, err := readKernel(ready); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := os.RemoveAll(at); err != nil {
		return nil, err
	}
	if err := os.Rename(ready, at); err != nil {
		return nil, err
	}
	return readKernel(at)
}

// ofImage finds the kernel of the card's latest image: its name, and the folder of the packages from which the image was built. With this
// kernel, the device test needs no download.
func ofImage(cache, suite string) (name, base string, ok bool) {
	// cannot fail: the pattern is valid
	found, _ := filepath.Glob(filepath.Join(cache, suite+"-*", "boot", "vmlinuz-*-arm64"))
	found = slices.DeleteFunc(found, func(f string) bool { return strings.HasSuffix(filepath.Dir(filepath.Dir(f)), ".new") }) // unfinished
	if len(found) == 0 {
		return "", "", false
	}
	newest := slices.MaxFunc(found, func(a, b string) int { return cmp.Compare(changed(a), changed(b)) })
	return "linux-image-" + strings.TrimPrefix(filepath.Base(newest), "vmlinuz-"), filepath.Dir(filepath.Dir(newest)), true
}

// changed() returns the time of a file's last change in ns since 1970, or 0 if the file is missing.
func changed(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.ModTime().UnixNano()
}

// fetch downloads the kernel package of a suite and puts the needed files into the folder `ready`. It returns the name of the package.
func fetch(ctx context.Context, suite, work, ready string) (name string, err error) {
	name, deb, err := downloadPackage(ctx, suite, work)
	if err != nil {
		return name, err
	}
	return name, unpack(ctx, deb, ready)
}

// downloadPackage downloads the package on which linux-image-arm64 depends. It returns the package's name with its version, and the path
// of the file.
func downloadPackage(ctx context.Context, suite, work string) (name, deb string, err error) {
	apt, err := newApt(ctx, suite, work)
	if err != nil {
		return "", "", err
	}
	if _, err := apt.run(ctx, "apt-get", "update", "-q"); err != nil {
		return "", "", err
	}
	tree, err := apt.run(ctx, "apt-cache", "depends", "linux-image-arm64")
	if err != nil {
		return "", "", err
	}
	words := strings.Fields(tree)
	i := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "linux-image-") && w != "linux-image-arm64" })
	if i < 0 {
		return "", "", fmt.Errorf("no kernel package in what linux-image-arm64 depends on: %q", tree)
	}
	if _, err := apt.run(ctx, "apt-get", "download", "-q", words[i]); err != nil {
		return "", "", err
	}
	debs, err := filepath.Glob(filepath.Join(work, "linux-image-*.deb"))
	if err != nil || len(debs) != 1 {
		return "", "", fmt.Errorf("%d packages were downloaded, want 1: %w", len(debs), err)
	}
	return strings.TrimSuffix(filepath.Base(debs[0]), ".deb"), debs[0], nil
}

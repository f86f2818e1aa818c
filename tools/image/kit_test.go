package main

import (
	"context"
	"embed"
	"fmt"
	"image"
	"image/draw"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"dashboard/appliance/about"
	"dashboard/appliance/card"
	"dashboard/appliance/startscreen"
	"dashboard/internal/qrcode"
	"dashboard/render/text"
	"dashboard/tools/command"
	"dashboard/tools/qemu"
)

//go:embed wall
var wallFiles embed.FS

// screenSize is the size of the machines' screens and of the wall.
var screenSize = image.Pt(1280, 720)

// A kit holds the files of a test run.
type kit struct {
	dir            string
	kernel, initrd string
	tree           string // the device tree of a Raspberry Pi, to which a screen was added
	cmdline        string
	image          string // image that contains the test's wall
	dashboard      string // program for the machine that runs the test
	want           *image.RGBA
	starts         []*image.RGBA     // all correct pictures of the start screen
	note           image.Rectangle   // area of the wall where the note with the address and its code may be
	band           image.Rectangle   // area along the wall's lower edge where text may be, or empty
	mistake        bool              // the wall may show a mistake in its files
	update         string            // file with the update of the image
	version        string            // version of the update, as the machine reports it
	files          map[string]string // the files of the configuration, by their names on the card
}

// settingsText is the settings.txt that the test writes to the card before the first start, as a user does.
const settingsText = "role = dashboard\r\nhostname = cut-test\r\ntimezone = Asia/Tokyo\r\n"

// prepare writes the configuration to the card, as a user does with a laptop. It also copies the kernel from the card, because QEMU
// cannot load the kernel from the card as a board's firmware does.
func (t *tester) prepare(ctx context.Context) (*kit, error) {
	dir, err := os.MkdirTemp("", "image-kit-")
	if err != nil {
		return nil, err
	}
	imageName, _ := results(processor())
	k := &kit{dir: dir, band: timeBand(), update: t.updateFile(), files: map[string]string{card.SettingsFile: settingsText}}
	k.image = filepath.Join(dir, "card.img")
	if _, err := command.Run(ctx, nil, "cp", "--sparse=always", filepath.Join(t.out, imageName), k.image); err != nil {
		return nil, err
	}
	for _, name := range []string{"conf.yaml", "widgets.yaml"} {
		text, err := wallFiles.ReadFile("wall/" + name)
		if err != nil {
			return nil, err
		}
		k.files[card.ConfigFolder+"/"+name] = string(text)
	}
	for name, text := range k.files {
		if err := k.write(ctx, name, []byte(text)); err != nil {
			return nil, err
		}
	}
	if err := k.takeKernel(ctx); err != nil {
		return nil, err
	}
	return k, k.paint(ctx)
}

// timeBand returns the area where a board without a battery-backed clock reports that the time is not set yet.
func timeBand() image.Rectangle {
	if !strings.HasPrefix(*board, "raspi") {
		return image.Rectangle{}
	}
	return image.Rect(0, screenSize.Y*15/16, screenSize.X, screenSize.Y)
}

// updateFile returns the path of the image's update.
func (t *tester) updateFile() string {
	_, name := results(processor())
	return filepath.Join(t.out, name)
}

// firstOf returns the name of an image's first partition in the notation of mtools.
func firstOf(path string) string { return fmt.Sprintf("%s@@%d", path, card.Layout()[card.Boot].Start) }

// write puts a file on the card.
func (k *kit) write(ctx context.Context, name string, content []byte) error {
	temp := filepath.Join(k.dir, "file")
	if err := os.WriteFile(temp, content, 0o644); err != nil {
		return err
	}
	if dir := path.Dir(name); dir != "." && dir != card.ConfigFolder { // card.ConfigFolder already exists on the card
		if _, err := command.Run(ctx, nil, "mmd", "-D", "s", "-i", firstOf(k.image), "::"+dir); err != nil {
			return err
		}
	}
	_, err := command.Run(ctx, nil, "mcopy", "-o", "-i", firstOf(k.image), temp, "::"+name)
	return err
}

// takeKernel copies the files that a board's firmware would load, and adds a screen to the device tree. For a PC it does nothing, because
// the emulated firmware loads the files itself.
func (k *kit) takeKernel(ctx context.Context) error {
	if processor() == amd64 {
		return nil
	}
	pi, tree := qemu.Pi3(), "bcm2837-rpi-3-b.dtb"
	if *board == qemu.Pi4().Machine {
		pi, tree = qemu.Pi4(), "bcm2711-rpi-4-b.dtb"
	}
	if err := k.load(ctx, firstOf(k.image), card.FirmwareFile, tree); err != nil {
		return err
	}
	return pi.ScreenTree(ctx, k.tree, screenSize, 0, 4, "a8r8g8b8")
}

// load uses mtools to read the files that the firmware loads from a first partition. config.txt or tryboot.txt names their folder. If
// this folder has no kernel, load reads the top folder, as the firmware does (config.txt, os_prefix).
func (k *kit) load(ctx context.Context, partition, config, tree string) error {
	text, err := command.Run(ctx, nil, "mtype", "-i", partition, "::"+config)
	if err != nil {
		return err
	}
	folder := prefixOf(text)
	if _, err := command.Run(ctx, nil, "mdir", "-b", "-i", partition, "::"+folder+"vmlinuz"); err != nil {
		folder = ""
	}
	k.kernel, k.initrd, k.tree = filepath.Join(k.dir, "vmlinuz"), filepath.Join(k.dir, "initrd.img"), filepath.Join(k.dir, tree)
	for _, path := range []string{k.kernel, k.initrd, k.tree} {
		if _, err := command.Run(ctx, nil, "mcopy", "-n", "-o", "-i", partition, "::"+folder+filepath.Base(path), path); err != nil {
			return err
		}
	}
	line, err := command.Run(ctx, nil, "mtype", "-i", partition, "::"+folder+card.CommandLine)
	k.cmdline = strings.TrimSpace(line)
	return err
}

// prefixOf returns the prefix that a config.txt sets for the file names of the kernel.
func prefixOf(config string) (prefix string) {
	for line := range strings.Lines(config) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), "os_prefix="); ok {
			prefix = value // the last line with os_prefix counts
		}
	}
	return prefix
}

// paint starts the dashboard without a screen to paint the wall. The machine's picture must be equal to this painted wall.
func (k *kit) paint(ctx context.Context) error {
	k.dashboard = filepath.Join(k.dir, "dashboard")
	if _, err := command.Run(ctx, []string{"CGO_ENABLED=0"}, "go", "build", "-o", k.dashboard, "./cmd/dashboard"); err != nil {
		return err
	}
	if err := os.CopyFS(k.dir, wallFiles); err != nil {
		return err
	}
	var err error
	if k.want, err = k.paintFolder(ctx, filepath.Join(k.dir, "wall")); err != nil {
		return err
	}
	return k.paintStart(ctx)
}

// paintFolder paints the wall whose files are in a folder, in the size of the screen.
func (k *kit) paintFolder(ctx context.Context, folder string) (*image.RGBA, error) {
	out, size := filepath.Join(k.dir, "want.png"), fmt.Sprintf("%dx%d", screenSize.X, screenSize.Y)
	if _, err := command.Run(ctx, nil, k.dashboard, "render", "--config-dir", folder, "--size", size, "-o", out); err != nil {
		return nil, err
	}
	return qemu.ReadPNG(out)
}

// startOf paints the start screen of the test's machine with the given problems. timeSet is true if the machine's clock is set.
func (k *kit) startOf(timeSet bool, problems ...string) *image.RGBA {
	facts := about.Facts{Name: "cut-test", Version: k.version, Problems: problems}
	pic := image.NewRGBA(image.Rectangle{Max: screenSize})
	startscreen.Screen(pic, startscreen.Starting(facts, "cut-test.local:5000", timeSet, nil), text.NewCache(1<<20))
	return pic
}

// paintStart paints the start screen for a clock that is set and for a clock that is not set. It also finds the place of the note.
func (k *kit) paintStart(ctx context.Context) error {
	version, err := command.Run(ctx, nil, "unsquashfs", "-cat", k.update, "etc/dashboard-image")
	if err != nil {
		return err
	}
	k.version = strings.TrimSpace(version)
	cache := text.NewCache(1 << 20)
	k.starts = []*image.RGBA{k.startOf(true), k.startOf(false)}
	code, err := qrcode.Encode("http://10.0.2.15:5000/#token=ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	long := startscreen.Line{Text: strings.Repeat("What the machine tells of itself. ", 4)}
	content := startscreen.Content{Name: "cut-test", Version: "1", Lines: []startscreen.Line{long, long, long}, Code: code}
	_, k.note = startscreen.Note(screenSize, content, true, cache)
	return err
}

// wall returns a copy of a picture without the areas that the note or text may cover.
func (k *kit) wall(pic *image.RGBA) *image.RGBA {
	if pic.Rect != k.want.Rect {
		return pic
	}
	bare := image.NewRGBA(pic.Rect)
	copy(bare.Pix, pic.Pix)
	draw.Draw(bare, k.note, image.Black, image.Point{}, draw.Src)
	if k.mistake { // the note about the mistake is at the upper edge
		top := k.note.Sub(image.Pt(0, k.note.Min.Y+k.note.Max.Y-screenSize.Y))
		draw.Draw(bare, top, image.Black, image.Point{}, draw.Src)
	}
	draw.Draw(bare, k.band, image.Black, image.Point{}, draw.Src)
	return bare
}

// differ() returns the number of pixels whose red, green or blue differs by more than `tolerance`.
func differ(got, want *image.RGBA, tolerance int) (n int) {
	if got.Rect != want.Rect {
		return want.Rect.Dx() * want.Rect.Dy()
	}
	for i := 0; i < len(want.Pix); i += 4 {
		if apart(got.Pix[i:], want.Pix[i:], tolerance) {
			n++
		}
	}
	return n
}

// maxTorn is the number of pixels of a screenshot that may be half written. QEMU stores the bytes of a pixel one after the other, and
// another thread reads them at the same time. A cursor or a letter has more pixels.
const maxTorn = 4

// strayPixels returns the number of pixels that are neither black nor equal to the pixel of a picture in `want`, such as text, a logo or
// a cursor. If the size differs, it returns 0, because before a driver is loaded, the screen is QEMU's own.
func strayPixels(got *image.RGBA, tolerance int, want ...*image.RGBA) (n int) {
	if got.Rect != want[0].Rect {
		return 0
	}
	black := []uint8{0, 0, 0}
	for i := 0; i < len(got.Pix); i += 4 {
		p := got.Pix[i:]
		of := func(w *image.RGBA) bool { return !apart(p, w.Pix[i:], tolerance) }
		if apart(p, black, tolerance) && !slices.ContainsFunc(want, of) {
			n++
		}
	}
	return n
}

// apart() reports whether two pixels differ in red, green or blue.
func apart(a, b []uint8, tolerance int) bool {
	return far(a[0], b[0], tolerance) || far(a[1], b[1], tolerance) || far(a[2], b[2], tolerance)
}

func far(a, b uint8, tolerance int) bool {
	d := int(a) - int(b)
	return d > tolerance || -d > tolerance
}

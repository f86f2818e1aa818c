package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"dashboard/tools/command"
	"dashboard/tools/qemu"
)

var (
	imageIn     = flag.String("image", "", "`folder` of an image to boot, seen from the top of the tree")
	board       = flag.String("machine", "virt", "`name` of QEMU's machine: virt, raspi3b, raspi4b (QEMU 9 and later) or q35, which is a PC")
	pictures    = flag.String("pictures", "", "`folder` for the pictures and logs; without it a new one")
	cuts        = flag.Int("cuts", 4, "`rounds` of the power cut test, each a start")
	pictureEach = flag.Int("picture-each", 5, "one in so `many` rounds of the power cut test comes to its picture")
	running     = flag.Int("running-cuts", 20, "how `often` the power of a machine that shows its picture is cut")
	runningBack = flag.Int("running-back", 5, "one in so `many` of these cuts is started from")
	updatesBack = flag.Int("updates-back", 10, "one in so `many` cuts of an update is started from")
	updates     = flag.Int("updates", 10, "how `often` the power of a machine that writes an update is cut")
	kernelCuts  = flag.Int("kernel-cuts", 4, "how `often` the power is cut while a kernel is written")
	updateCuts  = flag.Int("update-cuts", 1, "how `often` the power is cut while an update is written")
	icount      = flag.Bool("icount", false, "count instructions for the machine's time, two ns each: the same on a busy machine")
	moreLine    = flag.String("append", "", "more `words` of the kernel's command line")
	seed        = flag.Uint64("seed", 1, "of the moments of the cuts")
)

// testNeeds lists the programs that the test needs in addition to the builder.
var testNeeds = []command.Need{
	{Program: "qemu-system-aarch64", Packages: "qemu-system-arm"},
	{Program: "fdtput", Packages: "device-tree-compiler"},
	{Program: "e2fsck", Packages: "e2fsprogs"},
	{Program: "ssh", Packages: "openssh-client"},
}

// processor returns the processor of the machine under test.
func processor() string {
	if *board == "q35" {
		return amd64
	}
	return arm64
}

// emulator returns the QEMU program that emulates the processor of the machine under test.
func emulator() string {
	if processor() == amd64 {
		return "qemu-system-x86_64"
	}
	return "qemu-system-aarch64"
}

// pcNeeds are the programs that a test of a PC needs.
var pcNeeds = []command.Need{{Program: "qemu-system-x86_64", Packages: "qemu-system-x86 ovmf"}}

// A tester holds the data that all cases need.
type tester struct {
	out, dir string // folder of the image, and folder of pictures and logs
	say      func(string, ...any)
	rand     *rand.Rand
	kit      *kit
	forward  string   // options of QEMU's network that make ports of the emulated machine reachable from the host
	more     []string // additional arguments of QEMU
}

// TestImage boots the built image. One case takes between half a minute and a quarter of an hour.
func TestImage(t *testing.T) {
	if *imageIn == "" {
		t.Skip("it boots a built image: make image-test")
	}
	if err := check(needs, testNeeds); err != nil {
		t.Fatal(err)
	}
	if err := check(pcNeeds); processor() == amd64 && err != nil {
		t.Fatal(err)
	}
	if has, err := qemu.HasMachine(t.Context(), emulator(), *board); err != nil {
		t.Fatal(err)
	} else if !has {
		t.Skipf("this %s has no %s", emulator(), *board)
	}
	on := newTester(t)
	defer os.RemoveAll(on.kit.dir)
	for _, c := range []struct {
		name string // name of the case, as in docs/image.md
		do   func(*tester, context.Context) error
	}{
		{"boot", (*tester).testBoot},         // the machine starts and shows its wall
		{"handover", (*tester).testHandover}, // the machine shows the start screen and then the wall, without another picture between them
		{"data", (*tester).testData},         // the machine formats, keeps and repairs the data partition
		{"cuts", (*tester).testCuts},         // the machine starts again after every power cut
		{"running", (*tester).testRunning},   // the power is cut while the machine shows its wall
		{"update", (*tester).testUpdate},
		{"updates", (*tester).testUpdates},       // the power is cut while the machine writes an update
		{"newkernel", (*tester).testNewKernel},   // the machine installs an update with another kernel
		{"unbootable", (*tester).testUnbootable}, // the machine returns to the old kernel if the new kernel does not start
		{"deaf", (*tester).testDeaf},             // the machine keeps the old kernel if the firmware ignores tryboot
		// The power is cut while the machine writes a kernel. A kernel with which no picture appears is not used again.
		{"kernelcuts", (*tester).testKernelCuts},
		{"broken", (*tester).testBroken},   // the machine returns to the old slot if the update does not paint
		{"ssh", (*tester).testSSH},         // the owner of a key can log in
		{"devices", (*tester).testDevices}, // the wall can use a touchscreen, an I2C bus and a GPIO line
		{"words", (*tester).testWords},     // the screen reports mistakes in the files
		{"mistake", (*tester).testMistake}, // a person corrects a line of settings.txt with a phone
		{"recipe", (*tester).testRecipe},   // the wall uses a recipe from the card's drive
		{"signed", (*tester).testSigned},   // the machine refuses bad updates, installs a signed one, and leaves a slot that paints nothing
		{"headless", (*tester).testHeadless},
		{"online", (*tester).testOnline}, // the machine installs a release from a server, and drops a second release that never paints
		{"setup", (*tester).testSetup},   // a person with a phone completes the setup at the first start
		{"pull", (*tester).testPull},     // the machine shows the wall of config_url, over https
		{"client", (*tester).testClient}, // the machine shows another machine's dashboard
	} {
		t.Run(c.name, func(t *testing.T) {
			on.say = t.Logf
			if err := c.do(on, t.Context()); err != nil {
				t.Errorf("%v; pictures and logs are in %s", err, on.dir)
			}
		})
	}
	t.Logf("pictures and logs in %s", on.dir)
}

func newTester(t *testing.T) *tester {
	t.Helper()
	on := &tester{out: *imageIn, dir: *pictures, say: t.Logf, rand: rand.New(rand.NewPCG(*seed, 0))}
	var err error
	if on.dir == "" {
		on.dir, err = os.MkdirTemp("", "image-test-")
	} else if on.dir, err = filepath.Abs(on.dir); err == nil {
		err = os.MkdirAll(on.dir, 0o755)
	}
	if err == nil {
		on.kit, err = on.prepare(t.Context())
	}
	if err != nil {
		t.Fatal(fmt.Errorf("prepare: %w", err))
	}
	return on
}

//go:build linux

package appliance

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"dashboard/appliance/card"
	"dashboard/appliance/settings"
	"dashboard/appliance/state"
	"dashboard/internal/pull/archive"
)

// Places in the initramfs.
const (
	root       = "/new"      // mount point of the new root file system
	volatile   = "/volatile" // tmpfs with the writable layers of /etc and /var
	systemd    = "/usr/lib/systemd/systemd"
	bootFolder = "/boot" // mount point of the card's first partition, in the root file system
)

const (
	volatileOptions = "mode=0755,size=64m" // the size limits the memory that faulty programs can fill. The system writes much less
	restartPause    = 10 * time.Second     // delay before a new attempt, so that a board with a broken card does not restart continuously
)

// Boot runs as the first process. It becomes systemd, or it restarts the board.
func Boot() {
	err := hand()
	say("cannot start: %v", err)
	tellFailure(err)
	time.Sleep(restartPause)
	unix.Sync()
	say("restart: %v", unix.Reboot(unix.LINUX_REBOOT_CMD_RESTART))
	select {} // the kernel would panic if its first process ended
}

// hand() mounts the root file system and replaces this process with systemd. It returns only after an error.
func hand() error {
	if err := mountKernel(); err != nil {
		return err
	}
	loadDrivers(newWatchdog().arm)
	openScreens("/dev")
	c, err := findCard(cardTime)
	if err != nil {
		return err
	}
	if err := mountSlot(c); err != nil {
		return err
	}
	if err := furnish(c); err != nil {
		return err
	}
	startData(c)
	return leave()
}

// say writes a line to the kernel's log. The journal of systemd includes this log.
func say(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	f, err := os.OpenFile("/dev/kmsg", os.O_WRONLY, 0)
	// A process that has stayed in the initramfs finds /dev at another path, because /dev was moved to the new root.
	if err != nil {
		f, err = os.OpenFile(up+"/dev/kmsg", os.O_WRONLY, 0)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "appliance:", text)
		return
	}
	defer f.Close()
	const notice = 5 // level of a message (syslog(3))
	fmt.Fprintf(f, "<%d>appliance: %s\n", notice, text)
}

// A mounting has the arguments of one call of mount(2).
type mounting struct {
	what, where, kind string
	flags             uintptr
	options           string
}

func mountAll(list []mounting) error {
	for _, m := range list {
		if err := os.MkdirAll(m.where, 0o755); err != nil {
			return err
		}
		if err := unix.Mount(m.what, m.where, m.kind, m.flags, m.options); err != nil {
			return fmt.Errorf("mount %s on %s: %w", m.what, m.where, err)
		}
	}
	return nil
}

// mountKernel mounts the file systems of the kernel.
func mountKernel() error {
	const safe = unix.MS_NOSUID | unix.MS_NOEXEC | unix.MS_NODEV
	return mountAll([]mounting{
		{"proc", "/proc", "proc", safe, ""},
		{"sysfs", "/sys", "sysfs", safe, ""},
		{"devtmpfs", "/dev", "devtmpfs", unix.MS_NOSUID, "mode=0755"},
	})
}

// mountSlot mounts the root file system of the slot that the saved state selects.
func mountSlot(c *disk) error {
	store, err := openState(c.partition(card.State))
	if err != nil {
		return err
	}
	defer store.Close()
	r, err := state.Load(store)
	if err != nil {
		return err
	}
	setClock(r.Clock)
	c.fresh = r.Seq == 0
	before := r
	slot, r := choose(store, r, runningFolder())
	if before.Kernel != state.None || !before.Told {
		c.missed = r.Missed
	}
	slot, r, err = mountFirst(store, slot, r, func(s state.Slot) error { return mountRoot(c, s) })
	if err != nil {
		return err
	}
	say("slot %v, tries left %d, trials failed %d", slot, r.Tries, r.Failed)
	if r.Trial == slot {
		startGuard(store, trialLimit())
	} else if hasOther(r) && tellsPainted(root) {
		startGuard(store, parameter("appliance.dark", darkTime))
	}
	return nil
}

// openState opens the partition of the state. If the card is worn out and therefore read-only, the partition cannot be opened for
// writing. openState then opens it for reading, and choose() starts the slot Record.Good.
func openState(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, unix.EROFS) || errors.Is(err, unix.EACCES) {
		say("the card is read-only: %v", err)
		return os.Open(path)
	}
	return f, err
}

// choose returns the slot to boot. `folder` is the folder of the running kernel.
//
// choose() saves the number of remaining tries of a trial before each try. If this number cannot be saved, choose() returns the slot
// Record.Good, because otherwise a trial on a read-only card would never end. If a kernel is not used, choose() sets Record.Told, so that
// only one start shows the reason.
func choose(store state.Store, r state.Record, folder state.Slot) (state.Slot, state.Record) {
	slot, after, _ := r.StartedFrom(folder).Next()
	if after.Missed != state.NotMissed {
		after.Told = true
	}
	if after == r {
		return slot, r
	}
	saved, err := state.Save(store, after)
	if err != nil {
		say("%v", err)
		return r.Good, r
	}
	return slot, saved
}

// mountFirst mounts a slot. If the mount fails, mountFirst mounts the other slot, because any wall is better than an empty screen. If the
// first slot was on trial, its trial ends.
func mountFirst(store state.Store, slot state.Slot, r state.Record, mount func(state.Slot) error) (state.Slot, state.Record, error) {
	err := mount(slot)
	if err == nil {
		return slot, r, nil
	}
	say("slot %v: %v", slot, err)
	if r.Trial == slot {
		if r, err = state.Save(store, r.GiveUp(state.NotMounted)); err != nil {
			say("%v", err)
		}
	}
	return slot.Other(), r, mount(slot.Other())
}

func mountRoot(c *disk, slot state.Slot) error {
	err := mountAll([]mounting{{c.partition(slotPartition(slot)), root, "squashfs", unix.MS_RDONLY, ""}})
	if err != nil {
		return err
	}
	if _, err := os.Stat(root + systemd); err != nil {
		return errors.Join(err, unix.Unmount(root, unix.MNT_DETACH))
	}
	return nil
}

// slotPartition returns the number of a slot's partition.
func slotPartition(s state.Slot) int {
	if s == state.B {
		return card.SlotB
	}
	return card.SlotA
}

// setClock sets the clock to the latest of three times: the clock's present time, the last known
// time, and the time when the image was made. A Raspberry Pi has no battery for its clock.
func setClock(known int64) {
	made, _ := strconv.ParseInt(built, 10, 64) // the linker always sets a number
	at, late := firstTime(time.Now().Unix(), known, made)
	if !late {
		return
	}
	to := unix.NsecToTimespec(at * int64(time.Second)) // the fields have other sizes on 32-bit boards
	if err := unix.ClockSettime(unix.CLOCK_REALTIME, &to); err != nil {
		say("clock: %v", err)
	}
}

// firstTime returns the later of two times, `known` and `made`, in Unix seconds. `late` is true if `now`, the clock's time, is before the
// returned time.
func firstTime(now, known, made int64) (at int64, late bool) {
	at = max(known, made)
	return at, at > now
}

// furnish makes /etc and /var of the root file system writable, adds the kernel's modules, and writes the settings of this appliance.
func furnish(c *disk) error {
	if err := mountAll([]mounting{{"tmpfs", volatile, "tmpfs", unix.MS_NOSUID | unix.MS_NODEV, volatileOptions}}); err != nil {
		return err
	}
	for _, name := range []string{"etc", "var"} {
		if err := overlay(name); err != nil {
			return err
		}
	}
	if err := bindModules(); err != nil {
		say("%v", err) // continue, because the wall can also run without a network
	}
	return configure(c)
}

// overlay makes a folder of the root file system writable. Changes are lost at a restart.
func overlay(name string) error {
	upper, work := filepath.Join(volatile, name), filepath.Join(volatile, name+".work")
	for _, dir := range []string{upper, work} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	at := filepath.Join(root, name)
	options := fmt.Sprintf("lowerdir=%s,upperdir=%s,workdir=%s", at, upper, work)
	return mountAll([]mounting{{"overlay", at, "overlay", unix.MS_NOSUID | unix.MS_NODEV, options}})
}

// bindModules mounts the kernel's modules, which are in the initramfs, at the path where programs look for them. Any root file
// system therefore works with any kernel.
func bindModules() error {
	const folder = "/usr/lib/modules"
	return mountAll([]mounting{{folder, root + folder, "", unix.MS_BIND, ""}})
}

// configure mounts the first partition, reads the settings and writes them into /etc. If the partition cannot be mounted, the built-in
// configuration is used.
func configure(c *disk) error {
	s, problems := settings.Default(), []string(nil)
	if err := reclaim(c.partition(card.Boot)); err != nil {
		say("the first partition: %v", err)
	}
	if err := mountAll([]mounting{{c.partition(card.Boot), root + bootFolder, "vfat", bootFlags | unix.MS_RDONLY, bootOptions}}); err != nil {
		problems = append(problems, fmt.Sprintf("the drive %s cannot be read: %v", card.Label, err))
	} else {
		s, problems = readSettings(root + bootFolder)
	}
	notes, more := useFirmware(root, s.Supplicant() != nil)
	problems = append(problems, more...)
	unpacked, err := unpackWall(root)
	if err != nil {
		problems = append(problems, err.Error())
	}
	if !unpacked && s.ConfigURL == "" {
		problems = append(problems, folderProblems(root+bootFolder, s.Role)...)
	}
	for _, p := range problems {
		say("%s", p)
	}
	facts, err := writeSettings(root, s, problems, machineID(serialFile, uuidFile))
	if err != nil {
		return err
	}
	if facts, err = tellMissed(root, facts, c.missed); err != nil {
		return err
	}
	tellStart(facts, notes)
	folder := filepath.Join(root+bootFolder, card.ConfigFolder)
	if info, err := os.Stat(folder); unpacked || err != nil || !info.IsDir() {
		return nil
	}
	return mountAll([]mounting{{folder, root + "/etc/dashboard", "", unix.MS_BIND, ""}})
}

// unpackedMark is a folder. It exists until the next start if the wall comes from the zip file.
const unpackedMark = "/etc/dashboard.zip"

// unpackWall replaces the built-in configuration with the contents of the zip file on the first partition, if the file exists and is
// complete. If the file is damaged, unpackWall returns an error, and the wall comes from the folder on this partition. After a success,
// the empty folder unpackedMark exists.
func unpackWall(root string) (bool, error) {
	file, dir := filepath.Join(root+bootFolder, card.ConfigZip), root+"/etc/dashboard"
	if _, err := os.Stat(file); err != nil {
		return false, nil // usually there is no zip file
	}
	fresh := root + unpackedMark
	if _, err := archive.Unpack(file, fresh, ""); err != nil {
		return false, errors.Join(fmt.Errorf("%s: %w: the folder %s is used", card.ConfigZip, err, card.ConfigFolder), os.RemoveAll(fresh))
	}
	err := errors.Join(os.RemoveAll(dir), os.Rename(fresh, dir), os.Mkdir(fresh, 0o755))
	return err == nil, err
}

// Only root and the group video, to which the dashboard belongs, can read the files of the first partition, because some files
// contain passwords.
const (
	bootFlags   = unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC | unix.MS_NOATIME
	bootOptions = "gid=44,fmask=0137,dmask=0027,utf8=1"
)

// leave makes the new root file system the root of all paths and becomes systemd. Processes that
// this process has started earlier stay in the initramfs.
func leave() error {
	for _, name := range []string{"/dev", "/sys", "/proc"} {
		if err := unix.Mount(name, root+name, "", unix.MS_MOVE, ""); err != nil {
			return fmt.Errorf("move %s: %w", name, err)
		}
	}
	if err := unix.Chdir(root); err != nil {
		return err
	}
	if err := unix.Mount(root, "/", "", unix.MS_MOVE, ""); err != nil {
		return fmt.Errorf("move the root: %w", err)
	}
	if err := errors.Join(unix.Chroot("."), unix.Chdir("/")); err != nil {
		return err
	}
	return fmt.Errorf("systemd: %w", unix.Exec(systemd, []string{systemd}, []string{"PATH=/usr/sbin:/usr/bin"}))
}

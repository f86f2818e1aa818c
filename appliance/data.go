//go:build linux

package appliance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"dashboard/appliance/card"
	"dashboard/appliance/ext4"
)

// dataFolder is the mount point of the data partition. In this folder, systemd keeps the state folders of units with a StateDirectory and
// a dynamic user (systemd.exec(5), DynamicUser=).
const dataFolder = "/var/lib/private"

const (
	// dataFlags forbid running programs from the partition. With dataOptions, the kernel writes data to the card within seconds. If the
	// kernel finds an error in the file system, it makes the file system read-only.
	dataFlags   = unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC | unix.MS_NOATIME
	dataOptions = "errors=remount-ro,commit=5"
	dataDevice  = "/data" // device file that the first process makes. It is not in /dev, because leave() moves /dev to the new root
	dataTime    = 2 * time.Minute
	dataNice    = 10
	dataModules = "data" // name of the data partition's drivers in the list of modules
	up          = "../../.."
	mounted     = "../private" // path to the mounted partition. "." leads to the folder that the mount covers
)

// States of the data partition at a start.
const (
	known = "known"
	fresh = "fresh" // the card was never started, so files on the partition belong to an earlier image
)

// startData starts a process that mounts the data partition in parallel with the start, because a damaged or slow card must not delay the
// wall. The process stays in the initramfs, which contains the partition's drivers. The working folder of the process is dataFolder in
// the new root file system.
func startData(c *disk) {
	how := known
	if c.fresh {
		how = fresh
	}
	where := filepath.Join(root, dataFolder)
	err := os.MkdirAll(where, 0o700)
	if err == nil {
		err = addData(c)
	}
	if err == nil {
		_, err = os.StartProcess("/init", []string{"appliance", "data", c.partition(card.Data), how, dataLate()}, &os.ProcAttr{
			Dir: where, Env: os.Environ(), Files: []*os.File{os.Stdin, os.Stdout, os.Stderr},
		})
	}
	if err != nil {
		say("data: %v: nothing is kept for the next start", err)
	}
}

// dataLate returns the delay before the data partition is used. A test sets the delay on the kernel's command line to simulate a slow
// card. The first process must call dataLate before leave() moves /proc.
func dataLate() string { return parameter("appliance.data", 0).String() }

// Requests of block devices (include/uapi/linux/blkpg.h and fs.h).
const (
	blkpg             = 0x1269
	blkpgAddPartition = 1
)

// blkpgPartition is struct blkpg_partition.
type blkpgPartition struct {
	start, length int64
	number        int32
	names         [128]byte
	_             int32
}

// addData adds the data partition to the kernel's list of partitions and makes a device file for it.
func addData(c *disk) error {
	f, err := os.OpenFile(c.whole, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	at, ok := card.DataPartition(size)
	if !ok {
		return fmt.Errorf("a card of %d bytes has no room behind the two slots", size)
	}
	p := &blkpgPartition{start: at.Start, length: at.Size, number: card.Data}
	arg := struct {
		op, flags, length int32
		data              unsafe.Pointer
	}{blkpgAddPartition, 0, int32(unsafe.Sizeof(*p)), unsafe.Pointer(p)}
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, f.Fd(), blkpg, uintptr(unsafe.Pointer(&arg))); errno != 0 && errno != unix.EBUSY {
		return fmt.Errorf("partition %d: %w", card.Data, errno)
	}
	// If the name of a disk ends in a digit, the letter p precedes the partition's number, as in mmcblk0p4.
	last := strings.TrimSuffix(c.partition(card.SlotB), strconv.Itoa(card.SlotB))
	c.parts[card.Data] = last + strconv.Itoa(card.Data)
	var st unix.Stat_t
	if err := unix.Stat(c.parts[card.Data], &st); err != nil {
		return err
	}
	return unix.Mknod(dataDevice, unix.S_IFBLK|0o600, int(st.Rdev))
}

// data() mounts the data partition over the working folder of the process. If the partition cannot be mounted, or the kernel has recorded
// an error in the file system, data() repairs the file system first. If the repair fails, or `isFresh` is true, data() formats the
// partition. `device` is the path of the partition's device in the new root file system. `late` is a delay for tests.
func data(device string, isFresh bool, late time.Duration) error {
	// Drawing the wall has priority. Programs that are started here inherit the low priority.
	_ = unix.Setpriority(unix.PRIO_PROCESS, 0, dataNice)
	time.Sleep(late)
	loadModules(map[string]bool{dataModules: true}, func() {})
	if isFresh {
		say("data: formatting the partition of a new card")
		return mountNew(device)
	}
	err := mountSound()
	if err == nil {
		return nil
	}
	say("data: %v: checking the partition", err)
	wholeSuper()
	if err := tool(device, "/usr/sbin/e2fsck", "-f", "-p", device); err != nil && !repaired(err) {
		say("data: %v: formatting the partition again", err)
		return mountNew(device)
	}
	if err := mountSound(); err != nil {
		say("data: %v: formatting the partition again", err)
		return mountNew(device)
	}
	return nil
}

// mountNew formats the partition and mounts it. The journal is small, and no space is reserved for root.
func mountNew(device string) error {
	err := tool(device, "/usr/sbin/mke2fs", "-q", "-F", "-t", "ext4", "-L", card.DataLabel, "-m", "0", "-b", "4096", "-N", "8192", "-J", "size=4",
		"-E", "nodiscard,lazy_itable_init=1", device)
	return saidOf(errors.Join(err, mountSound()))
}

func saidOf(err error) error {
	if err != nil {
		say("data: %v: nothing is kept for the next start", err)
	}
	return err
}

// wholeSuper repairs the superblock if a power cut has left half of the old superblock and half of the new superblock.
func wholeSuper() {
	f, err := os.OpenFile(dataDevice, os.O_RDWR|unix.O_SYNC, 0)
	if err != nil {
		return // no message, because e2fsck reports the problem too
	}
	defer f.Close()
	switch torn, err := ext4.MendSuper(f); {
	case err != nil:
		say("data: %v", err)
	case torn:
		say("data: repaired a half-written superblock")
	}
}

// mountSound mounts the file system. It returns an error if the kernel has recorded an error in the file system. The journal repairs the
// effects of a power cut.
func mountSound() error {
	f, err := os.Open(dataDevice)
	if err != nil {
		return err
	}
	err = ext4.Check(f)
	f.Close()
	if err != nil {
		return err
	}
	if err := unix.Mount(dataDevice, ".", "ext4", dataFlags, dataOptions); err != nil {
		return fmt.Errorf("mount: %w", err)
	}
	at, err := unix.Open(mounted, unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(at)
	say("data: mounted")
	if err := keepEarly(); err != nil {
		say("data: the state so far stays in memory until the next start: %v", err)
	}
	return unix.Fchmod(at, 0o700)
}

// repaired() reports whether e2fsck has repaired all errors (e2fsck(8)).
func repaired(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.ExitCode() == 1
}

// tool runs a program of the new root file system. The working folder is in that file system.
func tool(device, name string, args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), dataTime)
	defer cancel()
	for unix.Access(up+device, unix.R_OK) != nil { // wait until the first process has moved /dev to the new root
		if ctx.Err() != nil {
			return fmt.Errorf("%s: no %s: %w", name, device, ctx.Err())
		}
		time.Sleep(cardPause)
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdin = os.Stdin // the default is /dev/null, which may be missing
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: up}
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", filepath.Base(name), err, strings.TrimSpace(string(out)))
	}
	return nil
}

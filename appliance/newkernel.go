//go:build linux

package appliance

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"dashboard/appliance/about"
	"dashboard/appliance/card"
	"dashboard/appliance/fat"
	"dashboard/appliance/kernels"
	"dashboard/appliance/state"
)

// tryRestart is the argument of a restart after which a Raspberry Pi's firmware reads tryboot.txt once (reboot(2),
// LINUX_REBOOT_CMD_RESTART2). A kernel that does not support this argument restarts as usual.
const tryRestart = "0 tryboot"

// firstPartition returns the card's first partition as a kernels.Partition.
func (d *disk) firstPartition() kernels.Partition {
	return kernels.Partition{
		Dir:   bootFolder,
		Flush: func() error { return flush(d.partition(card.Boot)) },
		Free:  func() (int64, error) { return freeOn(bootFolder) },
	}
}

// flush writes a device's cache to the card, including the tables of the file system.
func flush(device string) error {
	f, err := os.Open(device)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// reclaim frees lost clusters of the first partition before it is mounted. A power cut while a kernel is written can leave lost clusters.
// Without reclaim, there would be no room for a kernel after several power cuts.
func reclaim(device string) error {
	f, err := os.OpenFile(device, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	freed, err := fat.Reclaim(f)
	if freed > 0 {
		say("freed %d lost clusters of the first partition", freed)
	}
	return errors.Join(err, f.Sync(), f.Close())
}

func freeOn(folder string) (int64, error) {
	var st unix.Statfs_t
	err := unix.Statfs(folder, &st)
	return int64(st.Bavail) * int64(st.Bsize), err
}

// runningFolder returns the folder of the running kernel. It returns None if the kernel is in another place.
func runningFolder() state.Slot {
	line, _ := os.ReadFile("/proc/cmdline") // if the file cannot be read, line is empty and the result is None
	return kernels.Running(string(line))
}

// planKernel returns the folder for the kernel of an update. It returns None if the update contains no kernel, or contains the running
// kernel. If the kernel cannot be used, it returns None and the reason. After an error the whole update is refused.
func (k *keeper) planKernel(u contents) (to state.Slot, why state.Missed, err error) {
	if u.kernel == nil {
		return state.None, state.NotMissed, nil
	}
	named, err := k.kernels.Named()
	switch {
	case err != nil || k.folder == state.None:
		return state.None, state.NoFolders, nil
	case named != k.folder:
		return state.None, state.NotKept, nil // the running kernel has passed its trial, but config.txt could not be changed
	}
	same, err := u.kernel.In(filepath.Join(k.kernels.Dir, named.String()))
	if err != nil || same {
		return state.None, state.NotMissed, err
	}
	switch err := k.kernels.Check(*u.kernel, named.Other()); {
	case errors.Is(err, kernels.ErrNoRoom):
		return state.None, state.NoRoom, nil
	case errors.Is(err, kernels.ErrNoFolders):
		return state.None, state.NoFolders, nil
	default:
		return named.Other(), state.NotMissed, err
	}
}

// keepKernel makes the firmware always start the running kernel, if this kernel is on trial. The caller must have seen the first picture.
func (k *keeper) keepKernel() error {
	r, err := state.Load(k.store)
	if err != nil || r.Trial != k.slot || r.Kernel == state.None || r.Kernel != k.folder {
		return err
	}
	if err := k.writable(func() error { return k.kernels.Keep(k.folder) }); err != nil {
		return errors.Join(err, k.change(func(r state.Record) state.Record { return r.Miss(state.NotKept) }))
	}
	fmt.Printf("the kernel in the folder %v is kept\n", k.folder)
	return nil
}

// restartArguments returns systemctl's arguments for the restart into an update.
func restartArguments(r state.Record) []string {
	if r.Kernel == state.None {
		return []string{"systemctl", "reboot"}
	}
	return []string{"systemctl", "reboot", "--reboot-argument=" + tryRestart}
}

// restartCommand returns the command that restarts into an update, as a person types it.
func restartCommand(r state.Record) string {
	words := restartArguments(r)
	for i, w := range words {
		if strings.Contains(w, " ") {
			words[i] = "'" + w + "'"
		}
	}
	return strings.Join(words, " ")
}

// missedText returns a sentence with the reason why an update's kernel is not used, or "".
func missedText(m state.Missed) string {
	if m == state.NotMissed {
		return ""
	}
	return "The update's kernel is not used: " + m.String()
}

// tellMissed adds the sentence of missedText to the start screen and to the note on the wall.
func tellMissed(root string, f about.Facts, m state.Missed) (about.Facts, error) {
	text := missedText(m)
	if text == "" {
		return f, nil
	}
	say("%s", text)
	f.Problems = append(f.Problems[:len(f.Problems):len(f.Problems)], text)
	return f, put(filepath.Join(root, about.FactsFile), func(path string) error { return os.WriteFile(path, f.Encode(), 0o644) })
}

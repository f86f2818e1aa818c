package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"dashboard/appliance/card"
	"dashboard/appliance/state"
	"dashboard/tools/command"
)

// boot returns the path of the first partition's content.
func (b *builder) boot() string { return filepath.Join(b.work, "boot.vfat") }

// firmware lists the files for the first stages of a Raspberry Pi's start.
var firmware = []string{"bootcode.bin", "start.elf", "fixup.dat", "start4.elf", "fixup4.dat"}

// makeBoot makes the partition from which the board starts. If the card is in a laptop, the laptop shows this partition.
func (b *builder) makeBoot(ctx context.Context) error {
	dir := filepath.Join(b.work, "boot")
	kernel, err := one(filepath.Join(b.from, "boot/vmlinuz-*"))
	if err != nil {
		return err
	}
	start := b.raspberry
	if b.arch == amd64 {
		start = b.efi
	}
	if err := start(kernel, dir); err != nil {
		return err
	}
	if err := copyTree("image/boot", dir); err != nil {
		return err
	}
	if err := defaultConfig(filepath.Join(dir, card.ConfigFolder)); err != nil {
		return err
	}
	report := append([]byte("There is a report once the board has been on.\r\n"), bytes.Repeat([]byte("\n"), card.ReportSize)...)
	if err := putFile(filepath.Join(dir, card.ReportFile), report[:card.ReportSize], 0o644); err != nil {
		return err
	}
	return b.formatBoot(ctx, dir)
}

// raspberry adds the files from which a Raspberry Pi starts.
func (b *builder) raspberry(kernel, dir string) error {
	trees, err := b.trees()
	if err != nil {
		return err
	}
	folder := state.A.String()
	files := map[string]string{
		"firmware-licence.txt":              filepath.Join(b.base, "usr/share/doc/raspi-firmware/copyright"),
		filepath.Join(folder, "initrd.img"): b.initrd(),
	}
	for _, f := range firmware {
		files[f] = filepath.Join(b.base, "usr/lib/raspi-firmware", f)
	}
	for _, t := range trees {
		files[filepath.Join(folder, filepath.Base(t))] = t
	}
	for to, from := range files {
		if err := copyFile(from, filepath.Join(dir, to)); err != nil {
			return err
		}
	}
	return errors.Join(compress(kernel, filepath.Join(dir, folder, "vmlinuz")), copyTree("image/raspberry", dir), inFolder(dir), b.ownFirmware(trees, dir))
}

// efi adds systemd-boot under the name that the firmware of a PC looks for on an unknown disk (UEFI specification, section 3.5.1.1).
// systemd-boot loads the kernel that a file in loader/entries names.
func (b *builder) efi(kernel, dir string) error {
	loader := filepath.Join(b.base, "usr/lib/systemd/boot/efi/systemd-bootx64.efi")
	return errors.Join(copyFile(loader, filepath.Join(dir, "EFI/BOOT/BOOTX64.EFI")), copyFile(kernel, filepath.Join(dir, "vmlinuz")),
		copyFile(b.initrd(), filepath.Join(dir, "initrd.img")), copyTree("image/efi", dir))
}

// compress compresses a file with gzip, without a name or time. If the file is compressed with gzip already, it copies the file. The
// firmware of a board accepts a compressed kernel, and reads it from a slow card in a third of the time. The result of libdeflate is a
// megabyte smaller than the result of Go's gzip.
func compress(from, to string) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if bytes.HasPrefix(content, []byte{0x1f, 0x8b}) { // gzip (RFC 1952, section 2.3.1)
		return putFile(to, content, 0o644)
	}
	packed, err := command.Run(context.Background(), nil, "libdeflate-gzip", "-12", "-c", from)
	if err != nil {
		return err
	}
	return putFile(to, []byte(packed), 0o644)
}

// formatBoot makes the file system and copies the files of a folder into it. All files get the same time.
func (b *builder) formatBoot(ctx context.Context, dir string) error {
	if err := truncate(b.boot(), card.Layout()[card.Boot].Size); err != nil {
		return err
	}
	// A cluster of 2 KiB has room for the names of all files of Debian's kernel. So the kernel's folder never needs a second cluster.
	if _, err := command.Run(ctx, nil, "mkfs.vfat", "-F", "32", "-s", "4", "-n", card.Label, "--invariant", b.boot()); err != nil {
		return err
	}
	err := filepath.Walk(dir, func(path string, _ os.FileInfo, err error) error {
		return errors.Join(err, os.Chtimes(path, b.made, b.made))
	})
	if err != nil {
		return err
	}
	entries, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return err
	}
	args := append([]string{"-s", "-m", "-i", b.boot()}, entries...)
	_, err = command.Run(ctx, []string{"TZ=UTC", "MTOOLS_SKIP_CHECK=1"}, "mcopy", append(args, "::")...)
	return err
}

// truncate makes a file of zeros that takes no space on the disk.
func truncate(path string, size int64) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Truncate(size), f.Close())
}

// makeCard writes the partitions one after the other to the image. It also makes the update.
func (b *builder) makeCard(context.Context) error {
	if err := os.MkdirAll(b.out, 0o755); err != nil {
		return err
	}
	path := b.image()
	if err := truncate(path+".new", card.ImageSize()); err != nil {
		return err
	}
	f, err := os.OpenFile(path+".new", os.O_RDWR, 0)
	if err != nil {
		return err
	}
	l := card.Layout()
	err = errors.Join(writeTable(f),
		writeAt(f, b.boot(), l[card.Boot]), writeAt(f, b.root(), l[card.SlotA]), f.Close())
	if err != nil {
		return err
	}
	if err := os.Rename(path+".new", path); err != nil {
		return err
	}
	archive, err := b.kernelArchive()
	if err != nil {
		return err
	}
	return makeUpdate(b.root(), archive, b.update(), b.key)
}

// writeAt copies a file to a partition, which must contain only zeros.
func writeAt(f *os.File, from string, p card.Partition) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	if info.Size() > p.Size {
		return fmt.Errorf("%s has %d bytes, its partition %d", from, info.Size(), p.Size)
	}
	return copySparse(io.NewOffsetWriter(f, p.Start), in)
}

// copySparse copies data to a place that contains only zeros. It does not write blocks of zeros.
func copySparse(to io.WriterAt, from io.Reader) error {
	block, zeros := make([]byte, 1<<20), make([]byte, 1<<20)
	for at := int64(0); ; at += int64(len(block)) {
		n, err := io.ReadFull(from, block)
		if n > 0 && !bytes.Equal(block[:n], zeros[:n]) {
			if _, err := to.WriteAt(block[:n], at); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// makeUpdate writes an update. It consists of a root file system, the archive of a kernel if there is one, and a checksum of everything
// before it. If there is a key, the update also has a signature of the root file system and the archive.
func makeUpdate(root string, archive []byte, to, key string) error {
	content, err := os.ReadFile(root)
	if err != nil {
		return err
	}
	if room := card.Layout()[card.SlotA].Size; int64(len(content)) > room {
		return fmt.Errorf("%s has %d bytes, a slot %d", root, len(content), room)
	}
	if content, err = updateOf(content, archive, key); err != nil {
		return err
	}
	return os.WriteFile(to, content, 0o644)
}

// updateOf returns an update with a root file system and the archive of a kernel.
func updateOf(root, archive []byte, key string) ([]byte, error) {
	content := root[:len(root):len(root)]
	if len(archive) > 0 {
		content = append(content, card.KernelPart(archive)...)
	}
	content, err := signed(content, key)
	return append(content, card.Trailer(sha256.Sum256(content))...), err
}

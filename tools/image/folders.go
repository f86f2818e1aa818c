package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"dashboard/appliance/card"
	"dashboard/appliance/state"
)

// prefixLine is a line of config.txt. It names the folder from which a Raspberry Pi's firmware reads the kernel and its files: the command
// line, the initramfs, device trees and overlays.
const prefixLine = "os_prefix=%v/\n"

// inFolder moves the command line into the kernel's folder, and adds a word with the folder's name to the command line. It also writes this
// name into config.txt, and creates the folder for the next kernel.
func inFolder(dir string) error {
	config, err := os.ReadFile(filepath.Join(dir, card.FirmwareFile))
	if err != nil {
		return err
	}
	line, err := os.ReadFile(filepath.Join(dir, card.CommandLine))
	if err != nil {
		return err
	}
	config = append(config, "# Where the kernel is, and what belongs to it: a or b. An update with another kernel changes the letter.\n"...)
	config = fmt.Appendf(config, prefixLine, state.A)
	line = fmt.Appendf(bytes.TrimSpace(line), " %s%v\n", card.FolderWord, state.A)
	return errors.Join(os.Remove(filepath.Join(dir, card.CommandLine)),
		putFile(filepath.Join(dir, card.FirmwareFile), config, 0o644),
		putFile(filepath.Join(dir, state.A.String(), card.CommandLine), line, 0o644),
		os.MkdirAll(filepath.Join(dir, state.B.String()), 0o755))
}

// kernelArchive returns the part of an update that contains the kernel: the kernel's folder without the command line, which belongs to
// the owner of the card. An update for a PC has no such part.
func (b *builder) kernelArchive() ([]byte, error) {
	if b.arch == amd64 {
		return nil, nil
	}
	return archiveOf(os.DirFS(filepath.Join(b.work, "boot", state.A.String())))
}

// archiveOf packs the files of a kernel's folder, except the command line. A result that a card would refuse is an error.
func archiveOf(folder fs.FS) ([]byte, error) {
	var out bytes.Buffer
	w, files := tar.NewWriter(&out), 0
	err := fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == card.CommandLine {
			return err
		}
		content, err := fs.ReadFile(folder, name)
		if err != nil {
			return err
		}
		files++
		err = w.WriteHeader(&tar.Header{Name: name, Size: int64(len(content)), Mode: 0o644, Format: tar.FormatUSTAR})
		if err == nil {
			_, err = w.Write(content)
		}
		return err
	})
	if err = errors.Join(err, w.Close()); err != nil {
		return nil, err
	}
	if out.Len() > card.MaxKernel || files > card.MaxKernelFiles {
		return nil, fmt.Errorf("a kernel of %d bytes in %d files: the most are %d in %d", out.Len(), files, card.MaxKernel, card.MaxKernelFiles)
	}
	return out.Bytes(), nil
}

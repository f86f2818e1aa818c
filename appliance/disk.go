//go:build linux

package appliance

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"dashboard/appliance/card"
	"dashboard/appliance/state"
)

const (
	cardTime  = 30 * time.Second // time limit for finding a card. Slow cards need 2 s
	cardPause = 20 * time.Millisecond
)

// A disk is a block device with the partition table of an appliance.
type disk struct {
	// parts contains the path of each partition's device. The path of the data partition is "" until the kernel knows that partition.
	parts [card.Data + 1]string
	whole string // device of the whole disk
	fresh bool   // true if the card was never started

	missed state.Missed // reason why an update's kernel is not used, if this start must show the reason
}

// partition returns the path of a partition's device.
func (d *disk) partition(n int) string { return d.parts[n] }

// findCard searches for the appliance's card until it finds the card and all its partitions, or the limit has passed.
func findCard(limit time.Duration) (*disk, error) {
	for end := time.Now().Add(limit); ; time.Sleep(cardPause) {
		d, err := lookForCard("/sys/block", "/dev")
		if err == nil || time.Now().After(end) {
			return d, err
		}
	}
}

func lookForCard(sys, dev string) (*disk, error) {
	names, err := os.ReadDir(sys)
	if err != nil {
		return nil, err
	}
	for _, n := range names {
		if !ours(filepath.Join(dev, n.Name())) {
			continue
		}
		d, err := partitions(filepath.Join(sys, n.Name()), dev)
		if err == nil {
			d.whole = filepath.Join(dev, n.Name())
		}
		return d, err
	}
	return nil, errors.New("no card or disk with this system was found")
}

func ours(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	sector := make([]byte, 512)
	_, err = io.ReadFull(f, sector)
	return err == nil && card.Ours(sector)
}

// partitions() finds the devices of a disk's partitions.
func partitions(sys, dev string) (*disk, error) {
	var d disk
	numbers, err := filepath.Glob(filepath.Join(sys, "*", "partition"))
	if err != nil {
		return nil, err
	}
	for _, path := range numbers {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		n, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil || n < 1 || n > card.Data {
			continue
		}
		d.parts[n] = filepath.Join(dev, filepath.Base(filepath.Dir(path)))
	}
	for n := 1; n <= card.Number; n++ {
		if _, err := os.Stat(d.parts[n]); err == nil {
			continue
		}
		if size := sizeOf(sys); size > 0 && size < card.CardSize() {
			return nil, fmt.Errorf("this card is too small: it has %s, and the system needs %s", gigabytes(size), gigabytes(card.CardSize()))
		}
		return nil, fmt.Errorf("partition %d of the card is missing: write the image to the card again", n)
	}
	return &d, nil
}

// sizeOf returns the size of a disk in bytes, or 0 if it is not known.
func sizeOf(sys string) int64 {
	text, _ := os.ReadFile(filepath.Join(sys, "size"))
	sectors, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64) // the unit is 512 bytes, even if the disk has larger sectors
	if err != nil || sectors < 0 {
		return 0
	}
	return sectors * card.SectorSize
}

func gigabytes(n int64) string { return fmt.Sprintf("%.1f GB", float64(n)/1e9) }

//go:build linux

package main

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"dashboard/tools/command"
)

// fewRuns and moreRuns are the numbers of runs in two measurements of a case. The difference between the two measurements does not
// include the instructions at the start and the end of the program.
const fewRuns, moreRuns = 2, 12

// An armCase is an operation that a benchmark of a package measures. A second benchmark measures a simple peer for comparison.
type armCase struct {
	what, peer   string
	pkg          string
	ours, simple string  // names of our benchmark and of the peer's benchmark
	pixels       float64 // number of pixels that one run reads
	most         float64
}

// armv6 measures row 27: the number of instructions that an ARMv6 processor executes. QEMU counts them, so the
// counts are the same on every machine.
func armv6(l *lab) error {
	if _, err := command.Run(l.ctx, nil, "gcc", "-O2", "-shared", "-fPIC", "-o", l.path("instructions.so"), l.path("peers/instructions.c")); err != nil {
		return fmt.Errorf("the plugin that counts instructions: %w", err)
	}
	for _, c := range []armCase{
		{"dithered RGB565", "a simple loop", "fb", "Dither/ours", "Dither/peer=simple_loop", 800 * 480, 0.7},
		{"800x480 to 320x192 by area", "boxes of whole pixels", "netstream/bilinear", "Boxes/ours", "Boxes/peer=whole_pixels", 800 * 480, 0.85},
		{"the hash of a row", "FNV by words", "netstream", "Hash/32_bits", "Hash/peer=FNV_by_words", width * height, 0.4},
		{"Adler-32", "hash/adler32", "netstream/pngtile", "Adler/ours", "Adler/peer=hash-adler32", width * height, 0.75},
	} {
		if err := l.armRow(c); err != nil {
			return err
		}
	}
	return nil
}

func (l *lab) armRow(c armCase) error {
	env := []string{"GOOS=linux", "GOARCH=arm", "GOARM=6", "CGO_ENABLED=0"}
	if _, err := command.Run(l.ctx, env, "go", "test", "-c", "-o", l.path("armv6"), "./"+c.pkg); err != nil {
		return err
	}
	ours, err := l.instructions(c.ours)
	if err != nil {
		return err
	}
	simple, err := l.instructions(c.simple)
	if err != nil {
		return err
	}
	l.table.add(line{
		number: 27, what: "ARMv6 instructions a source pixel, " + c.what, ours: fmt.Sprintf("%.1f", ours/c.pixels),
		peer: fmt.Sprintf("%s %.1f", c.peer, simple/c.pixels), ratio: fmt.Sprintf("%.2f×", ours/simple),
		target: fmt.Sprintf("≤ %.2f×", c.most), verdict: verdict(ours/simple <= c.most),
	})
	return nil
}

// counted matches the final output line of the QEMU plugin that counts instructions.
var counted = regexp.MustCompile(`instructions (\d+)`)

// instructions() counts the instructions of one run of a benchmark.
func (l *lab) instructions(name string) (float64, error) {
	var all [2]float64
	for i, runs := range []int{fewRuns, moreRuns} {
		out, err := command.Run(l.ctx, nil, "qemu-arm", "-plugin", l.path("instructions.so"), "-d", "plugin", "-D", l.path("counted"), l.path("armv6"),
			"-test.run=^$", fmt.Sprintf("-test.benchtime=%dx", runs), "-test.bench=^Benchmark"+name+"$")
		if err != nil {
			return 0, fmt.Errorf("qemu-arm, of the package qemu-user: %w", err)
		}
		said, err := os.ReadFile(l.path("counted"))
		found := counted.FindSubmatch(said)
		if err != nil || found == nil || !strings.Contains(out, "Benchmark") {
			return 0, fmt.Errorf("qemu-arm counted nothing: %w %.200q", err, out)
		}
		all[i], _ = strconv.ParseFloat(string(found[1]), 64) // cannot fail: counted matches only digits
	}
	return (all[1] - all[0]) / (moreRuns - fewRuns), nil
}

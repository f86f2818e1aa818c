//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// Runs of an armv6 case: what the more of them take above the fewer is no start and no end of a program.
const (
	fewRuns, moreRuns = 2, 12
	armPixels         = 800 * 480 // of the picture that the cases read
)

// An armCase is something done by a program, named by a pattern with room for how often.
type armCase struct {
	what, peer   string
	program      string // beside the others of the lab
	ours, simple string
	most         float64
	pixels       float64
}

// armv6 is row 27: instructions that a processor of ARMv6 executes, counted by a plugin of QEMU. They are no times, but the
// same on every machine. What a package does not show is counted in its own benchmarks.
func armv6(l *lab) error {
	if err := told(exec.CommandContext(l.ctx, "gcc", "-O2", "-shared", "-fPIC", "-o", l.path("instructions.so"), l.path("peers/instructions.c"))); err != nil {
		return fmt.Errorf("the plugin that counts instructions: %w", err)
	}
	for name, build := range map[string][]string{"armv6": {"build", "./tools/bench/armv6"}, "netstream": {"test", "./netstream"}, "pngtile": {"test", "./netstream/pngtile"}} {
		args := []string{build[0], "-o", l.path(name)}
		if build[0] == "test" {
			args = append(args, "-c")
		}
		cmd := exec.CommandContext(l.ctx, "go", append(args, build[1])...)
		cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm", "GOARM=6", "CGO_ENABLED=0")
		if err := told(cmd); err != nil {
			return err
		}
	}
	const bench = "-test.run=^$ -test.benchtime=%dx -test.bench=^Benchmark"
	for _, c := range []armCase{
		{"dithered RGB565", "a simple loop", "armv6", "dither %d", "ditherSimply %d", 0.7, armPixels},
		{"800x480 to 320x192 by area", "boxes of whole pixels", "armv6", "scale %d", "scaleSimply %d", 0.85, armPixels},
		{"the hash of a row", "FNV by words", "netstream", bench + "Hash/32_bits$", bench + "Hash/peer=FNV_by_words$", 0.4, 1920 * 1080},
		{"Adler-32", "hash/adler32", "pngtile", bench + "Adler/ours$", bench + "Adler/peer=hash-adler32$", 0.75, 1920 * 1080},
	} {
		if err := l.armRow(c); err != nil {
			return err
		}
	}
	return nil
}

func (l *lab) armRow(c armCase) error {
	ours, err := l.instructions(c, c.ours)
	if err != nil {
		return err
	}
	simple, err := l.instructions(c, c.simple)
	if err != nil {
		return err
	}
	l.table.add(line{
		number: 27, what: "ARMv6 instructions a source pixel, " + c.what, ours: fmt.Sprintf("%.1f", ours),
		peer: fmt.Sprintf("%s %.1f", c.peer, simple), ratio: fmt.Sprintf("%.2f×", ours/simple),
		target: fmt.Sprintf("≤ %.2f×", c.most), verdict: verdict(ours/simple <= c.most),
	})
	return nil
}

// counted is what the plugin says at the end.
var counted = regexp.MustCompile(`instructions (\d+)`)

// instructions counts those of one run of what a case does, a pixel.
func (l *lab) instructions(c armCase, args string) (float64, error) {
	var all [2]float64
	for i, runs := range []int{fewRuns, moreRuns} {
		var out bytes.Buffer
		words := append([]string{"-plugin", l.path("instructions.so"), "-d", "plugin", l.path(c.program)}, strings.Fields(fmt.Sprintf(args, runs))...)
		cmd := exec.CommandContext(l.ctx, "qemu-arm", words...)
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Run(); err != nil {
			return 0, fmt.Errorf("qemu-arm, of the package qemu-user: %w", err)
		}
		found := counted.FindSubmatch(out.Bytes())
		if found == nil {
			return 0, fmt.Errorf("qemu-arm counted nothing: %.200q", out.String())
		}
		all[i], _ = strconv.ParseFloat(string(found[1]), 64) // digits only
	}
	return (all[1] - all[0]) / (moreRuns - fewRuns) / c.pixels, nil
}

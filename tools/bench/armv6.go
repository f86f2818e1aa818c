//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
)

// Runs of an armv6 case: what the more of them take above the fewer is no start and no end of a program.
const (
	fewRuns, moreRuns = 2, 12
	armPixels         = 800 * 480 // of the picture that the cases read
)

// armv6 is row 27: instructions that a processor of ARMv6 executes, counted by a plugin of QEMU. They are no times, but the
// same on every machine.
func armv6(l *lab) error {
	plugin, program := l.path("instructions.so"), l.path("armv6")
	if err := told(exec.CommandContext(l.ctx, "gcc", "-O2", "-shared", "-fPIC", "-o", plugin, l.path("peers/instructions.c"))); err != nil {
		return fmt.Errorf("the plugin that counts instructions: %w", err)
	}
	build := exec.CommandContext(l.ctx, "go", "build", "-o", program, "./tools/bench/armv6")
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm", "GOARM=6", "CGO_ENABLED=0")
	if err := told(build); err != nil {
		return err
	}
	for _, c := range []struct {
		name, what, peer string
		most             float64
	}{
		{"dither", "dithered RGB565", "a simple loop", 0.7},
		{"scale", "800x480 to 320x192 by area", "boxes of whole pixels", 0.85},
	} {
		ours, err := l.instructions(plugin, program, c.name)
		if err != nil {
			return err
		}
		simple, err := l.instructions(plugin, program, c.name+", simple")
		if err != nil {
			return err
		}
		l.table.add(line{
			number: 27, what: "ARMv6 instructions a source pixel, " + c.what, ours: fmt.Sprintf("%.1f", ours),
			peer: fmt.Sprintf("%s %.1f", c.peer, simple), ratio: fmt.Sprintf("%.2f×", ours/simple),
			target: fmt.Sprintf("≤ %.2f×", c.most), verdict: verdict(ours/simple <= c.most),
		})
	}
	return nil
}

// counted is what the plugin says at the end.
var counted = regexp.MustCompile(`instructions (\d+)`)

// instructions counts those of one run of a case, a pixel.
func (l *lab) instructions(plugin, program, name string) (float64, error) {
	var all [2]float64
	for i, runs := range []int{fewRuns, moreRuns} {
		var out bytes.Buffer
		cmd := exec.CommandContext(l.ctx, "qemu-arm", "-plugin", plugin, "-d", "plugin", program, name, strconv.Itoa(runs))
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
	return (all[1] - all[0]) / (moreRuns - fewRuns) / armPixels, nil
}

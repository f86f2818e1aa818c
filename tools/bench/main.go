//go:build linux

package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"
)

func main() {
	only := flag.String("only", "", "comma-separated `rows`; empty is all")
	patience := flag.Duration("time", contestTime, "`duration` of each contest; longer ones find more quiet moments")
	worker := flag.String("worker", "", "answer measurements with pictures of a `folder`: what the command starts itself as")
	flag.Parse()
	if *worker != "" {
		serveCases(*worker, os.Stdin, os.Stdout)
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *only, *patience); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// A row is a row of the table, identified by the number of its target.
type row struct {
	number  int
	measure func(*lab) error
}

var rows = []row{
	{1, allocations}, {2, scaling}, {3, areaScaling}, {4, quality}, {5, jpegs}, {6, jpegParts}, {7, pngs}, {8, conversions},
	{9, glyphs}, {10, hashes}, {11, frames}, {12, notifications}, {12, fullHouse}, {13, remoteScreen}, {17, listeners}, {18, requests}, {19, paths}, {20, veils}, {21, fades},
	{22, photos}, {23, calendars}, {27, armv6}, {29, inks},
}

func run(ctx context.Context, only string, patience time.Duration) error {
	began := time.Now()
	l, err := newLab(ctx)
	if err != nil {
		return err
	}
	defer l.close()
	l.patience = patience
	wanted := "," + only + ","
	for _, r := range rows {
		if only != "" && !strings.Contains(wanted, fmt.Sprintf(",%d,", r.number)) {
			continue
		}
		if err := r.measure(l); err != nil {
			l.table.remark(r.number, err.Error())
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	l.table.print(os.Stdout)
	fmt.Printf("\n%s; the run took %.0f s.\n", machine(), time.Since(began).Seconds())
	return nil
}

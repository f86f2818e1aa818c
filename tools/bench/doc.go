//go:build linux

// Command bench measures the targets of docs/benchmarks.md beside their peers and prints the table found there.
//
//	go run ./tools/bench            everything, in about five minutes
//	go run ./tools/bench -only 2,5  some rows
//
// The peers are C and Python programs of the folder peers, compiled when it runs; where a library is missing, its
// lines say so. All are measured in turn, sample by sample, so that a busy machine slows them alike; what counts is
// processor time, of which the least of each is shown. Rows about the service start the real program and show the
// time on the wall.
package main

//go:build linux

// Command bench measures the targets of docs/benchmarks.md and prints the table of that page. Each row of the table has a number, and
// compares our code with its peers.
//
//	go run ./tools/bench            everything, in about five minutes
//	go run ./tools/bench -only 2,5  some rows
//
// The peers are C and Python programs in the folder peers, which are compiled when the command runs. If a library is missing, the lines of
// its peer report it. Our code and its peers are measured in turn, sample by sample, so that a busy machine slows all of them equally. The
// measure is processor time, and the smallest of all samples counts. Rows about the service start the real program and show elapsed time.
package main

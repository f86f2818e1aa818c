//go:build linux

// Command bench measures the targets of docs/benchmarks.md next to their peers and prints the table found there.
//
//	go run ./tools/bench            everything, in about five minutes
//	go run ./tools/bench -only 2,5  some rows
//
// The peers are C and Python programs of the folder peers, compiled when it runs. If a library is missing, its lines
// report it. All are measured in turn, sample by sample, so that a busy machine slows them alike. The measure is
// processor time, the least of each. Rows about the service start the real program and show the time on the wall.
package main

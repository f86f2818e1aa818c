// Package soak runs the dashboard for a million frames in accelerated time and measures its memory. Each second of the wall's clock begins
// as soon as the previous second is done. Data arrives, notifications come, the theme changes, the files are read again, and screens of
// many sizes request frames.
//
//	go test -v ./tools/soak -run TestSoak -timeout 0 -frames 1000000
//
// The command prints a table, and fails if memory, goroutines or open files grew.
package soak

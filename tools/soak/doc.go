// Package soak runs the dashboard for a million frames in accelerated time and looks at what it holds on
// to: each second of the wall's clock follows the one before at once. Data arrives, notifications
// come, the theme changes, the files are read again, screens of many sizes ask for frames.
//
//	go test -v ./tools/soak -run TestSoak -timeout 0 -frames 1000000
//
// prints a table, and fails if memory, goroutines or open files grew.
package soak

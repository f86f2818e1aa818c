// Command dashboard-client shows the frames of a dashboard that runs on another machine. It draws
// them on a screen of this machine until it is stopped.
package main

import (
	"dashboard/cmd/shared/viewer"
	"dashboard/wall/daemon"
)

// version is the version of the program. The linker sets it.
var version = "dev"

func main() { daemon.Main(viewer.Run(version)) }

// Command dashboard-client shows the frames of a dashboard on another machine on the framebuffer of this one, until it
// is stopped.
package main

import (
	"dashboard/cmd/shared/viewer"
	"dashboard/wall/daemon"
)

// version is set by the linker.
var version = "dev"

func main() { daemon.Main(viewer.Run(version)) }

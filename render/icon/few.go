//go:build initramfs

package icon

import _ "embed"

// The program in the initramfs paints only the start screen. All icons would enlarge the initramfs by 650 kB.
var (
	//go:embed few.packed
	outlines []byte
	//go:embed few.gz
	packedNames []byte
)

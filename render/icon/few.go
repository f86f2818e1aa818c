//go:build initramfs

package icon

import _ "embed"

// few.packed and few.gz contain only the icons of the start screen, because the program in the initramfs paints nothing else. All icons
// would enlarge the initramfs by 650 kB.
var (
	//go:embed few.packed
	outlines []byte
	//go:embed few.gz
	packedNames []byte
)

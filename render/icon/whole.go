//go:build !initramfs

package icon

import _ "embed"

var (
	//go:embed mdi.packed
	outlines []byte
	//go:embed names.gz
	packedNames []byte
)

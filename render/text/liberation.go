//go:build !initramfs

package text

import _ "embed"

// Liberation Sans, under the SIL Open Font License (fonts/LICENSE).
var (
	//go:embed fonts/LiberationSans-Bold.packed
	boldPacked []byte
	//go:embed fonts/LiberationSans-Regular.packed
	regularPacked []byte
)

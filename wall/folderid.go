package wall

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
)

// FolderID returns a text that identifies a wall's folder on this machine and does not reveal its path. The text has two parts: hashes of
// the path, and of the device and inode. In a container, the same folder may have another path.
func FolderID(dir string) string {
	id := shortHash(dir)
	if info, err := os.Stat(dir); err == nil {
		id += "-" + shortHash(nodeOf(dir, info))
	}
	return id
}

// SameFolder reports whether two results of FolderID identify the same folder: they have the same path, or the same device and inode.
func SameFolder(a, b string) bool {
	path, node, _ := strings.Cut(a, "-")
	otherPath, otherNode, _ := strings.Cut(b, "-")
	return path == otherPath || node != "" && node == otherNode
}

func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// folder() returns the identity of the folder when it was last read, or "" before the first reading. It does not access the folder, because
// a network disk may hang.
func (s *Service) folder() string {
	if id := s.folderID.Load(); id != nil {
		return *id
	}
	return ""
}

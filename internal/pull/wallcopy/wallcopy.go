// Package wallcopy stores a copy of a wall whose files come from a server.
package wallcopy

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"dashboard/internal/folder"
	"dashboard/internal/state"
)

// Files of the folder of the copy.
const (
	zipName     = "wall.zip"
	recordName  = "wall.json"
	problemName = "problem.txt"
)

const (
	// MaxZip bounds the bytes of the copy. The smallest data partition has little more room.
	MaxZip      = 12 << 20
	maxRecord   = 16 << 10
	maxProblem  = 2000 // bytes of a text that fits in a corner of the screen
	maxEndValue = 1000 // bytes of a server's ETag or Last-Modified
)

// A Record describes the kept copy and the server's last answer.
type Record struct {
	Address      string    // checksum of the source's address
	Sum          string    // checksum of the copy, "" for none
	Commit       string    // git commit that the copy names, or ""
	Taken        time.Time // time at which the copy was stored
	Answered     time.Time // time of the server's last answer
	ETag         string    // ETag of the last answer, even if its files were refused
	LastModified string
	Refused      string // why the last files were refused, "" if they were taken
	// RefusedRevision is the revision of the refused files.
	RefusedRevision string
	Judge           string    // version of the program that checked them
	After           time.Time // time before which the server wants no request
}

// revisionSize is the number of characters of a revision, the same as in git's short commits.
const revisionSize = 7

// Revision returns the short name of the copy: its commit, or its checksum. It is "" without a copy.
func (r Record) Revision() string {
	if r.Commit != "" {
		return cut(r.Commit, revisionSize)
	}
	return cut(r.Sum, revisionSize)
}

// SumOf returns the checksum that identifies contents and addresses.
func SumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Load returns the record of an address. It is empty if the folder belongs to another address.
func Load(dir, address string) (r Record) {
	data, err := folder.Read(folder.Dir(dir), recordName, maxRecord)
	if err != nil || json.Unmarshal(data, &r) != nil || r.Address != SumOf([]byte(address)) {
		return Record{Address: SumOf([]byte(address))}
	}
	return r
}

// Save stores a record.
func Save(dir string, r Record) error {
	r.ETag, r.LastModified, r.Refused = cut(r.ETag, maxEndValue), cut(r.LastModified, maxEndValue), cut(r.Refused, maxProblem)
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return state.Replace(filepath.Join(dir, recordName), data)
}

func cut(text string, most int) string { return text[:min(len(text), most)] }

// Keep stores a copy. The copy is valid once a record with its checksum is saved.
func Keep(dir string, data []byte) error { return state.Replace(filepath.Join(dir, zipName), data) }

// Kept returns the path of a record's copy. It returns false if the copy is missing or changed.
func Kept(dir string, r Record) (path string, ok bool) {
	data, err := folder.Read(folder.Dir(dir), zipName, MaxZip)
	return filepath.Join(dir, zipName), err == nil && r.Sum != "" && SumOf(data) == r.Sum
}

// Tell stores a problem for the screen and the report, or removes it if problem is "".
func Tell(dir, problem string) error {
	path := filepath.Join(dir, problemName)
	if problem == "" {
		if err := os.Remove(path); !os.IsNotExist(err) {
			return err
		}
		return nil
	}
	return state.Replace(path, []byte(cut(problem, maxProblem)))
}

// Told returns the stored problem in one line, or "".
func Told(dir string) string {
	data, err := folder.Read(folder.Dir(dir), problemName, maxProblem)
	if err != nil {
		return ""
	}
	return string(bytes.Join(bytes.Fields(data), []byte(" ")))
}

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

// Names of the files in the folder that contains the copy.
const (
	zipName     = "wall.zip"
	recordName  = "wall.json"
	problemName = "problem.txt"
)

const (
	// MaxZip is the maximum size of the copy in bytes. The smallest data partition has only a little more room.
	MaxZip      = 12 << 20
	maxRecord   = 16 << 10
	maxProblem  = 2000 // maximum length of a problem in bytes. A text of this length fits in a corner of the screen
	maxEndValue = 1000 // maximum length of an ETag or a Last-Modified in bytes
)

// A Record describes the stored copy and the server's last response.
type Record struct {
	Address      string    // checksum of the source's address
	Sum          string    // checksum of the copy, or "" without a copy
	Commit       string    // git commit in the archive, or ""
	Taken        time.Time // time at which the copy was stored
	Answered     time.Time // time of the server's last response
	ETag         string    // ETag of the last response, even if its files were refused
	LastModified string
	Refused      string // reason why the last files were refused, or "" if they were accepted
	// RefusedRevision is the revision of the refused files.
	RefusedRevision string
	Judge           string    // version of the program that has checked the last files
	After           time.Time // time before which the server allows no request
}

// revisionSize is the number of characters of a revision, the same as in git's short commits.
const revisionSize = 7

// Revision returns the short name of the copy: the beginning of the copy's commit or checksum. Without a copy, Revision returns "".
func (r Record) Revision() string {
	if r.Commit != "" {
		return cut(r.Commit, revisionSize)
	}
	return cut(r.Sum, revisionSize)
}

// SumOf returns a checksum of data. A Record stores the checksums of the copy and of the address.
func SumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Load returns the record of an address. If the folder has no record of this address, the record is empty.
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

// Keep stores a copy. The copy is valid only after Save has stored a record with the checksum of the copy.
func Keep(dir string, data []byte) error { return state.Replace(filepath.Join(dir, zipName), data) }

// Kept returns the path of the copy that a record describes. It returns false if the copy is missing or changed.
func Kept(dir string, r Record) (path string, ok bool) {
	data, err := folder.Read(folder.Dir(dir), zipName, MaxZip)
	return filepath.Join(dir, zipName), err == nil && r.Sum != "" && SumOf(data) == r.Sum
}

// Tell stores a problem for the screen and the report, or removes it if `problem` is "".
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

// Told returns the stored problem as one line, or "".
func Told(dir string) string {
	data, err := folder.Read(folder.Dir(dir), problemName, maxProblem)
	if err != nil {
		return ""
	}
	return string(bytes.Join(bytes.Fields(data), []byte(" ")))
}

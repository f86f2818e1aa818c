package about

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strconv"
	"time"
)

// DoSave asks the keeper to write files of the wall to the card. A JSON list of CardFile values follows the request's line, and Ask.Value
// is the length of this list in bytes. If the list is empty, the keeper writes nothing and only checks whether the wall comes from the
// card's folder. If the wall comes from another place, the answer is an error.
const DoSave = "save"

const (
	// MaxSave is the maximum size of the list in a request, in bytes.
	MaxSave = 3 << 20
	// MaxSaved is the maximum number of files in a request.
	MaxSaved = 64
	// saveTime is the time limit for writing files to a slow card.
	saveTime = time.Minute
	// lookTime is the time limit for the keeper's answer to an empty list.
	lookTime = 3 * time.Second
)

// A CardFile is a file of the wall to write to the card. It is a new file, or it replaces an existing file.
type CardFile struct {
	Name   string `json:"name"`   // path in the folder of the wall
	Before string `json:"before"` // result of SumOf for the present content, or "" if the file must not exist yet
	Data   []byte `json:"data"`
}

// ErrChanged means that a file on the card does not have the expected content. Nothing was written.
var ErrChanged = errors.New("the files on the card have changed")

// ErrLarge means that the files are too large for one request.
var ErrLarge = errors.New("the changed files are too large for the card: at most 64 files and 2 MiB")

// SumOf returns the SHA-256 sum of a file's bytes in hexadecimal.
func SumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Save asks the keeper at a socket to write files to the card. The keeper replaces the first file only after the new contents of all
// files are on the card. Save returns [ErrChanged] if the sum of a file on the card is not CardFile.Before.
func Save(socket string, files []CardFile) error {
	body, err := json.Marshal(files)
	if err != nil {
		return err
	}
	if len(body) > MaxSave || len(files) > MaxSaved {
		return ErrLarge
	}
	limit := saveTime
	if len(files) == 0 {
		limit = lookTime
	}
	return send(socket, Ask{Do: DoSave, Value: strconv.Itoa(len(body))}, body, limit)
}

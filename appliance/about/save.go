package about

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strconv"
	"time"
)

// DoSave asks the keeper to write files of the wall to the card. Value is the length of their list in JSON, which follows the line.
// An empty list writes nothing, and the answer has the reason why nothing can be written.
const DoSave = "save"

const (
	// MaxSave bounds the list of a request, bytes.
	MaxSave = 3 << 20
	// MaxSaved bounds the files of a request.
	MaxSaved = 64
	// saveTime is how long the keeper may take to write files to a slow card.
	saveTime = time.Minute
	// lookTime is how long it may take for the reason why nothing can be written.
	lookTime = 3 * time.Second
)

// A CardFile is a file of the wall that replaces one on the card.
type CardFile struct {
	Name   string `json:"name"`   // path in the folder of the wall
	Before string `json:"before"` // SumOf the bytes that it must have now, "" if it must not exist
	Data   []byte `json:"data"`
}

// ErrChanged means that a file on the card has other bytes than expected. Nothing was written.
var ErrChanged = errors.New("the files on the card have changed")

// ErrLarge means that files are too large for a request.
var ErrLarge = errors.New("the changed files are too large for the card: at most 64 files and 2 MiB")

// SumOf is the SHA-256 sum of a file's bytes in hexadecimal.
func SumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Save has the keeper that listens at a socket write files to the card: all, or none. It returns [ErrChanged] if a file has other
// bytes than expected.
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

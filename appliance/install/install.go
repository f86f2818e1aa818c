// Package install writes a release from a network into a slot, with limited memory. It continues after interruptions.
package install

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"dashboard/appliance/delta"
	"dashboard/appliance/manifest"
)

// A Source provides the files of releases.
type Source interface {
	// Open returns the content of a file, beginning at an offset. The caller must close the reader.
	Open(ctx context.Context, name string, offset int64) (io.ReadCloser, error)
}

// A Slot is the partition to which the release is written. Sync returns when all data is on the card.
type Slot interface {
	io.WriterAt
	Sync() error
}

// A Mark records the progress of an installation, so that it can continue after a power cut.
type Mark struct {
	Result manifest.Sum `json:"result"` // sum of the new root file system
	File   manifest.Sum `json:"file"`
	Old    int64        `json:"old"`    // size of the running root file system, in bytes
	At     int64        `json:"at"`     // number of bytes of the result that were written to the card
	Offset int64        `json:"offset"` // number of bytes of the delta file that were read for the first At bytes of the result
	Bad    int          `json:"bad"`    // number of wrong results that the file in the field File has produced
}

// Marks stores the mark. If a mark is lost, work is repeated. If a mark is wrong, the final
// checksum of the result is wrong too, so the result is not used.
type Marks interface {
	Load() Mark
	Save(Mark)
}

const (
	// maxBad is the number of wrong results after which a file is not tried again, because each try wears the card.
	maxBad = 2
	// markEvery is the number of bytes of the result between two marks.
	markEvery = 2 * delta.Step
)

// Errors of a release that cannot be written.
var (
	ErrFile   = errors.New("the file is not the one that the manifest describes")
	ErrResult = errors.New("the written release is damaged")
	ErrBad    = errors.New("the file has produced a damaged release twice and is not fetched again")
)

// A Job is the installation of one release.
type Job struct {
	Source  Source
	Release manifest.Slot
	File    manifest.File
	Old     io.ReaderAt // root file system that is running
	To      Slot
	// ReadBack returns the checksum of the first `size` bytes of To, read from the card.
	ReadBack func(size int64) (manifest.Sum, error)
	Marks    Marks
	Again    bool                                       // true to try again a file that has produced damaged releases
	Wrote    func(bytes int64)                          // called with the number of bytes of the result written so far
	Pause    func(context.Context, time.Duration) error // waits between two requests
}

// Run writes the release and verifies the data on the card. After an interruption it continues at the stored Mark. If the result of a
// continued installation is wrong, Run writes the whole release again. The result can be wrong because a card may lose data although it
// has confirmed the write.
func (j *Job) Run(ctx context.Context) error {
	mark := j.Marks.Load()
	if mark.Result != j.Release.Sum || mark.File != j.File.Sum {
		mark = Mark{Result: j.Release.Sum, File: j.File.Sum}
	}
	if mark.Bad >= maxBad && !j.Again {
		return ErrBad
	}
	for {
		resumed := mark.At > 0
		if err := j.write(ctx, mark); err != nil {
			return err
		}
		got, err := j.ReadBack(j.Release.Size)
		if err != nil {
			return err
		}
		if got == j.Release.Sum {
			return nil
		}
		mark = Mark{Result: mark.Result, File: mark.File, Bad: mark.Bad + 1}
		j.Marks.Save(mark)
		if !resumed {
			return ErrResult
		}
	}
}

// write writes the release, beginning at a mark.
func (j *Job) write(ctx context.Context, mark Mark) error {
	in := &stream{ctx: ctx, job: j, offset: mark.Offset}
	defer in.close()
	info := delta.Info{Size: j.Release.Size, Old: mark.Old, OldSum: j.File.From, NewSum: j.Release.Sum}
	if mark.At == 0 {
		var err error
		if info, err = j.begin(in); err != nil {
			return err
		}
		mark.Old = info.Old
	}
	saved := mark.At
	for piece, err := range delta.Pieces(info, mark.At, in, j.Old) {
		if err != nil {
			return err
		}
		if _, err := j.To.WriteAt(piece, mark.At); err != nil {
			return fmt.Errorf("write: %w", err)
		}
		mark.At, mark.Offset = mark.At+int64(len(piece)), in.offset
		j.Wrote(mark.At)
		if mark.At < info.Size && mark.At-saved < markEvery {
			continue
		}
		if err := j.To.Sync(); err != nil {
			return fmt.Errorf("write: %w", err)
		}
		if saved = mark.At; mark.At < info.Size {
			j.Marks.Save(mark)
		}
	}
	return nil
}

// begin reads the header of the file. If the header differs from the manifest, nothing is written.
func (j *Job) begin(in io.Reader) (delta.Info, error) {
	info, err := delta.Read(in)
	if err != nil {
		return info, err
	}
	whole := j.File.From.IsZero()
	if info.Size != j.Release.Size || info.NewSum != j.Release.Sum || !whole && info.OldSum != j.File.From || whole && info.Old != 0 {
		return info, ErrFile
	}
	return info, nil
}

package netstream

import "time"

// Stats contains a stream's counters since its start and its present state, for health pages and monitoring.
type Stats struct {
	Published   uint64    // number of published frames
	Unchanged   uint64    // number of drawn frames that changed no pixel
	PublishedAt time.Time // time of the newest frame, or zero before the first frame
	Subscribers int
	Lost        uint64        // frames that subscribers missed because a newer frame came first, added over all subscribers
	Encodes     uint64        // number of encodes, of the whole picture or of some tiles
	EncodeTime  time.Duration // time for all encodes, including scaling
	Whole       uint64        // number of responses with a whole picture
	Partial     uint64        // number of responses with a delta
	NotModified uint64        // number of responses with status 304
	SentBytes   uint64        // bytes of all bodies, except bodies that are encoded while the client reads
	Revoked     uint64        // number of responses that ended because their clients read too slowly
	PinnedBytes int           // bytes of old files that only slow clients still hold
	CacheBytes  int           // bytes of the kept sizes
	Sizes       []SizeStats   // the kept sizes
}

// SizeStats are the statistics of one kept size.
type SizeStats struct {
	W, H      int       // in pixels
	LastAsked time.Time // time of the latest request
	Bytes     int       // memory in bytes, or an estimate before the first encode
	Encodes   uint64
	Took      time.Duration // time for the latest scaling and encoding
}

// counts are the counters of Stats. Stream.mu guards them.
type counts struct {
	published, unchanged, lost, encodes    uint64
	whole, partial, notModified, sentBytes uint64
	encodeTime                             time.Duration
}

// countAnswer counts a response with the given status and length of the body.
func (s *Stream) countAnswer(status, bytes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.countAnswerLocked(status, bytes)
}

func (s *Stream) countAnswerLocked(status, bytes int) {
	switch status {
	case statusNotModified:
		s.counts.notModified++
	case statusIMUsed:
		s.counts.partial++
	default:
		s.counts.whole++
	}
	s.counts.sentBytes += uint64(bytes)
}

// Stats returns the counters since the start and the present state.
func (s *Stream) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropIdleLocked(s.now())
	c := s.counts
	st := Stats{
		Published: c.published, Unchanged: c.unchanged, PublishedAt: s.cur.at,
		Subscribers: len(s.subs), Lost: c.lost,
		Encodes: c.encodes, EncodeTime: c.encodeTime,
		Whole: c.whole, Partial: c.partial, NotModified: c.notModified, SentBytes: c.sentBytes,
		CacheBytes: s.bytesLocked(), Sizes: make([]SizeStats, 0, len(s.sizes)),
	}
	for _, z := range s.sizes {
		st.Sizes = append(st.Sizes, SizeStats{
			W: z.w, H: z.h, LastAsked: z.asked, Bytes: z.bytes, Encodes: z.encodes, Took: z.took,
		})
	}
	st.Revoked, st.PinnedBytes = s.files.stats()
	return st
}

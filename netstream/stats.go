package netstream

import "time"

// Stats are numbers about a stream since its start, for display and monitoring.
type Stats struct {
	Published   uint64    // frames
	Unchanged   uint64    // number of drawn frames that changed no pixel
	PublishedAt time.Time // time of the newest frame (zero before the first)
	Subscribers int
	Lost        uint64        // frames that subscribers missed because a newer one came first, summed over all subscribers
	Encodes     uint64        // number of encodes of any size, whole or partial
	EncodeTime  time.Duration // time for all encodes, with scaling
	Whole       uint64        // answers with a file
	Partial     uint64        // answers with a delta
	NotModified uint64        // answers without a body
	SentBytes   uint64        // bytes in the bodies of whole and partial answers, without strips
	Revoked     uint64        // answers ended because their clients read too slowly
	PinnedBytes int           // bytes of old files that only slow clients hold
	CacheBytes  int           // held by the kept sizes
	Sizes       []SizeStats   // the kept sizes
}

// SizeStats describes one kept size.
type SizeStats struct {
	W, H      int       // pixels
	LastAsked time.Time // time of the latest request
	Bytes     int       // memory. An estimate before the first encode
	Encodes   uint64
	Took      time.Duration // duration of the latest scale and encode
}

// counts are the counters in Stats, guarded by Stream.mu.
type counts struct {
	published, unchanged, lost, encodes    uint64
	whole, partial, notModified, sentBytes uint64
	encodeTime                             time.Duration
}

// countAnswer counts an answer.
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

// Stats returns the counts.
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

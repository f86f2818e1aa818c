package netstream

import "time"

// Stats are what a stream has done so far, for people and monitors.
type Stats struct {
	Published   uint64 // frames
	Subscribers int
	Lost        uint64 // frames that some subscriber did not take before a newer one came
	Encodes     uint64
	EncodeTime  time.Duration // of all encodes
	CacheBytes  int           // held by the kept sizes
	Sizes       []SizeStats
}

// SizeStats tell of one kept size.
type SizeStats struct {
	W, H      int
	LastAsked time.Time
	Bytes     int // held
	FileBytes int // of the newest encoded file
	Encodes   uint64
	Took      time.Duration // the newest scale and encode
}

// Stats returns the figures.
func (s *Stream) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.stats
	st.Subscribers = len(s.subs)
	return st
}

// Package mdns announces services by name in the local network and finds services there: multicast DNS (RFC 6762) and DNS-based
// service discovery (RFC 6763).
package mdns

import (
	"net/netip"
	"time"
)

// Addresses and limits of the protocol, RFC 6762.
const (
	port = 5353
	// hostTTL and otherTTL are the lifetimes of records, in seconds. hostTTL is for records that contain a host's name or address, and
	// otherTTL is for all other records. Section 10.
	hostTTL, otherTTL = 120, 4500
	// legacyTTL is the maximum lifetime, in seconds, of an answer to a caller that sends plain DNS questions. Section 6.7.
	legacyTTL = 10
	// maxPacket is the maximum size of a message in bytes. Section 17.
	maxPacket = 9000
)

// Limits of this package.
const (
	// maxQuestions and maxRecords are the maximum numbers of questions and records that are read from one message. Real messages have about
	// a dozen questions and records.
	maxQuestions, maxRecords = 64, 256
	// maxLinks is the maximum number of network interfaces. On Linux a socket can join 20 groups.
	maxLinks = 16
	// maxAddresses is the maximum number of announced addresses of one network interface.
	maxAddresses = 8
	// maxText is the maximum size of all texts of a service together, in bytes. An answer with this many bytes of texts fits in one
	// packet.
	maxText = 800
	// packetsPerSecond and packetBurst limit the rate of processed messages. A busy network has tens of messages in a second.
	packetsPerSecond, packetBurst = 200, 400
	// repliesPerSecond and replyBurst limit the rate of answers that are sent to a single address instead of multicast.
	repliesPerSecond, replyBurst = 20, 40
	// `queued` is the maximum number of received messages that wait to be processed. Further messages are dropped.
	queued = 64
	// lookEvery is the time between two checks of the network interfaces.
	lookEvery = 5 * time.Second
	// maxFound is the maximum number of services in a search, and maxKept is the maximum number of records.
	maxFound, maxKept = 64, 512
)

var (
	group4 = netip.MustParseAddr("224.0.0.251")
	group6 = netip.MustParseAddr("ff02::fb")
)

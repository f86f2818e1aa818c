// Package mdns announces services by name in the local network and finds services there: multicast DNS (RFC 6762) and DNS-based
// service discovery (RFC 6763).
package mdns

import (
	"net/netip"
	"time"
)

// Addresses and bounds of the protocol, RFC 6762.
const (
	port = 5353
	// hostTTL and otherTTL are the lifetimes of records, in seconds. hostTTL is for records that contain a host's name or address,
	// and otherTTL for all others. Section 10.
	hostTTL, otherTTL = 120, 4500
	// legacyTTL bounds, in seconds, the lifetime of answers to a caller that does not follow the protocol. Section 6.7.
	legacyTTL = 10
	// maxPacket is the largest message. Section 17.
	maxPacket = 9000
)

// Bounds of this package.
const (
	// maxQuestions and maxRecords bound the parts of one message that are read. Real messages have a dozen.
	maxQuestions, maxRecords = 64, 256
	// maxLinks bounds the network interfaces. Linux lets one socket join 20 groups.
	maxLinks = 16
	// maxAddresses bounds the announced addresses of one network interface.
	maxAddresses = 8
	// maxText bounds the bytes of all texts of a service together, so that an answer fits in one packet.
	maxText = 800
	// packetsPerSecond and packetBurst bound the messages that are processed. A busy network has tens in a second.
	packetsPerSecond, packetBurst = 200, 400
	// repliesPerSecond and replyBurst bound the answers that are sent to one address instead of multicast.
	repliesPerSecond, replyBurst = 20, 40
	// queued is the number of messages that may wait. Further messages are dropped.
	queued = 64
	// lookEvery is the interval at which the network interfaces are read.
	lookEvery = 5 * time.Second
	// maxFound bounds the services that a search keeps, and maxKept bounds its records.
	maxFound, maxKept = 64, 512
)

var (
	group4 = netip.MustParseAddr("224.0.0.251")
	group6 = netip.MustParseAddr("ff02::fb")
)

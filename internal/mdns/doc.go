// Package mdns announces services to the local network by name and finds them there: multicast DNS (RFC 6762) and DNS-based
// service discovery (RFC 6763).
package mdns

import (
	"net/netip"
	"time"
)

// Addresses and bounds of the protocol, RFC 6762.
const (
	port = 5353
	// hostTTL and otherTTL are how long, in seconds, records may be kept: records with a host's name or address, and all
	// others. Section 10.
	hostTTL, otherTTL = 120, 4500
	// legacyTTL bounds, in seconds, the lifetime of answers to a caller that does not follow the protocol. Section 6.7.
	legacyTTL = 10
	// maxPacket is the largest message. Section 17.
	maxPacket = 9000
)

// Bounds of this package.
const (
	// maxQuestions and maxRecords bound the read part of one message: real ones have a dozen.
	maxQuestions, maxRecords = 64, 256
	// maxLinks bounds the network interfaces. Linux lets one socket join 20 groups.
	maxLinks = 16
	// maxAddresses bounds the addresses that are announced on one of them.
	maxAddresses = 8
	// maxText bounds all texts of a service together, bytes, so that an answer goes into one packet.
	maxText = 800
	// packetsPerSecond and packetBurst bound the messages that are looked at. A busy network has tens.
	packetsPerSecond, packetBurst = 200, 400
	// repliesPerSecond and replyBurst bound the answers that go to one address instead of to all.
	repliesPerSecond, replyBurst = 20, 40
	// queued is how many messages wait. More are dropped, as a network would.
	queued = 64
	// lookEvery is how often the network interfaces are looked at.
	lookEvery = 5 * time.Second
	// maxFound bounds the services that a search keeps, and maxKept the records.
	maxFound, maxKept = 64, 512
)

var (
	group4 = netip.MustParseAddr("224.0.0.251")
	group6 = netip.MustParseAddr("ff02::fb")
)

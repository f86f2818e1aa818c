package cec

// The structures and numbers in this file come from include/uapi/linux/cec.h. They have the kernel's names, without CEC_. Where C pads a
// structure to eight bytes, the padding is a field here.

// Requests of ioctl(2).
const (
	getCaps      = 0xc04c6100
	getPhysAddr  = 0x80026101
	getLogAddrs  = 0x805c6103
	setLogAddrs  = 0xc05c6104
	transmit     = 0xc0386105
	receive      = 0xc0386106
	setMode      = 0x40046109
	getConnector = 0x8044610a
)

const (
	modeInitiatorFollower = 0x11 // CEC_MODE_INITIATOR | CEC_MODE_FOLLOWER
	version14             = 5
	vendorNone            = 0xffffffff
	allowUnregistered     = 1
	deviceTypePlayback    = 4
	logAddrTypePlayback   = 3
	allDevicePlayback     = 0x10
	connectorDRM          = 1
	capTransmit           = 1 << 2
	capLogAddrs           = 1 << 1

	txOK    = 1
	rxOK    = 1
	rxAbort = 4

	invalidAddr = 0xffff // f.f.f.f
)

// Opcodes of HDMI CEC 1.4, section 17.
const (
	opImageViewOn         = 0x04
	opStandby             = 0x36
	opActiveSource        = 0x82
	opRequestActiveSource = 0x85
	opSetStreamPath       = 0x86
	opGivePower           = 0x8f
	opReportPower         = 0x90

	tv          = 0
	unregisted  = 15
	everybody   = 15
	powerIsOn   = 0
	powerToOn   = 2
	osdNameSize = 15
)

// caps is struct cec_caps.
type caps struct {
	driver, name               [32]byte
	available, bits, apiNumber uint32
}

// logAddrs is struct cec_log_addrs.
type logAddrs struct {
	addr       [4]uint8
	mask       uint16
	version    uint8
	num        uint8
	vendor     uint32
	flags      uint32
	osd        [osdNameSize]byte
	primary    [4]uint8
	kind       [4]uint8
	all        [4]uint8
	features   [4][12]uint8
	unusedByte uint8
}

// message is struct cec_msg.
type message struct {
	sent, received             uint64
	length, timeout            uint32
	sequence, flags            uint32
	bytes                      [16]byte
	reply                      uint8
	rxStatus, txStatus         uint8
	lost, nacks, low, failures uint8
	unused                     uint8
}

// connector is struct cec_connector_info.
type connector struct {
	kind       uint32
	card, id   uint32
	unusedTail [14]uint32
}

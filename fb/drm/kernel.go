package drm

// The structures and numbers in this file come from include/uapi/drm/drm.h and drm_mode.h. They have the kernel's names, without
// DRM_IOCTL_ and drm_mode_. Pointers are passed as 64-bit numbers. Where C pads a structure to eight bytes, the padding is a field here.
// This is necessary because Go aligns a uint64 to only four bytes on 32-bit ARM.

// Requests of ioctl(2).
const (
	getCap         = 0xc010640c
	setMaster      = 0x0000641e
	dropMaster     = 0x0000641f
	getResources   = 0xc04064a0
	getCRTC        = 0xc06864a1
	setCRTC        = 0xc06864a2
	setGamma       = 0xc02064a5
	getEncoder     = 0xc01464a6
	getConnector   = 0xc05064a7
	getProperty    = 0xc04064aa
	setProperty    = 0xc01064ab
	getPropBlob    = 0xc01064ac
	rmFB           = 0xc00464af
	dirtyFB        = 0xc01864b1
	createDumb     = 0xc02064b2
	mapDumb        = 0xc01064b3
	destroyDumb    = 0xc00464b4
	addFB2         = 0xc06864b8
	addFB          = 0xc01c64ae
	getFB2         = 0xc06864ce
	gemClose       = 0x40086409
	capDumb        = 1
	formatXR24     = 0x34325258 // fourcc code of XRGB8888
	formatRG16     = 0x36314752 // fourcc code of RGB565
	connected      = 1
	disconnected   = 2
	typePreferred  = 8
	flagInterlace  = 0x10
	typeWriteback  = 18
	dpmsOn         = 0
	dpmsOff        = 3
	linkBad        = 1   // DRM_MODE_LINK_STATUS_BAD
	maxClips       = 256 // DRM_MODE_FB_DIRTY_MAX_CLIPS
	propertyEnum   = 1 << 3
	maxObjects     = 256 // greatest accepted length of a list, except for modes. Cards have a dozen connectors
	maxModes       = 1024
	maxBlob        = 1 << 16
	maxBufferBytes = 1 << 30
)

// cardRes is struct drm_mode_card_res.
type cardRes struct {
	fbs, crtcs, connectors, encoders                     uint64
	countFBs, countCRTCs, countConnectors, countEncoders uint32
	minWidth, maxWidth, minHeight, maxHeight             uint32
}

// modeInfo is struct drm_mode_modeinfo, 68 bytes.
type modeInfo struct {
	clock                                         uint32 // in kHz
	hDisplay, hSyncStart, hSyncEnd, hTotal, hSkew uint16
	vDisplay, vSyncStart, vSyncEnd, vTotal, vScan uint16
	vRefresh, flags, kind                         uint32
	name                                          [32]byte
}

// connectorReply is struct drm_mode_get_connector.
type connectorReply struct {
	encoders, modes, props, values                         uint64
	countModes, countProps, countEncoders                  uint32
	encoder, connector, kind, kindID                       uint32
	connection, widthMM, heightMM, subpixel, unusedPadding uint32
}

// encoderReply is struct drm_mode_get_encoder.
type encoderReply struct {
	encoder, kind, crtc, possibleCRTCs, possibleClones uint32
}

// crtcRequest is struct drm_mode_crtc.
type crtcRequest struct {
	connectors              uint64
	countConnectors         uint32
	crtc, fb, x, y          uint32
	gammaSize, modeIsPassed uint32
	mode                    modeInfo
}

// gammaRequest is struct drm_mode_crtc_lut.
type gammaRequest struct {
	crtc, size       uint32
	red, green, blue uint64
}

// dumbRequest is struct drm_mode_create_dumb.
type dumbRequest struct {
	height, width, bpp, flags, handle, pitch uint32
	size                                     uint64
}

// mapRequest is struct drm_mode_map_dumb.
type mapRequest struct {
	handle, pad uint32
	offset      uint64
}

// fbRequest2 is struct drm_mode_fb_cmd2.
type fbRequest2 struct {
	fb, width, height, format, flags uint32
	handles, pitches, offsets        [4]uint32
	pad                              uint32
	modifiers                        [4]uint64
}

// fbRequest is struct drm_mode_fb_cmd.
type fbRequest struct {
	fb, width, height, pitch, bpp, depth, handle uint32
}

// clip is struct drm_clip_rect. x2 and y2 are exclusive.
type clip struct{ x1, y1, x2, y2 uint16 }

// dirtyRequest is struct drm_mode_fb_dirty_cmd.
type dirtyRequest struct {
	fb, flags, color, countClips uint32
	clips                        uint64
}

// propertyReply is struct drm_mode_get_property.
type propertyReply struct {
	values, enums           uint64
	property, flags         uint32
	name                    [32]byte
	countValues, countEnums uint32
}

// propertyName is struct drm_mode_property_enum.
type propertyName struct {
	value uint64
	name  [32]byte
}

// propertyRequest is struct drm_mode_connector_set_property.
type propertyRequest struct {
	value               uint64
	property, connector uint32
}

// blobRequest is struct drm_mode_get_blob.
type blobRequest struct {
	blob, length uint32
	data         uint64
}

// capRequest is struct drm_get_cap.
type capRequest struct{ capability, value uint64 }

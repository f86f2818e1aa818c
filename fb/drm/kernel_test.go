package drm

import (
	"testing"
	"unsafe"
)

// TestLayout compares fields of the structures with their offsets in the kernel's headers. It runs as 64-bit code. For every
// architecture, the constants below TestLayout compare the sizes: with a wrong size, they do not compile.
func TestLayout(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want uintptr
	}{
		{"modeinfo.name", unsafe.Offsetof(modeInfo{}.name), 36},
		{"card_res.count_fbs", unsafe.Offsetof(cardRes{}.countFBs), 32},
		{"get_connector.connection", unsafe.Offsetof(connectorReply{}.connection), 60},
		{"get_connector.encoder_id", unsafe.Offsetof(connectorReply{}.encoder), 44},
		{"get_connector.connector_id", unsafe.Offsetof(connectorReply{}.connector), 48},
		{"crtc.mode", unsafe.Offsetof(crtcRequest{}.mode), 36},
		{"crtc.mode_valid", unsafe.Offsetof(crtcRequest{}.modeIsPassed), 32},
		{"create_dumb.size", unsafe.Offsetof(dumbRequest{}.size), 24},
		{"fb_cmd2.handles", unsafe.Offsetof(fbRequest2{}.handles), 20},
		{"fb_cmd2.modifier", unsafe.Offsetof(fbRequest2{}.modifiers), 72},
		{"fb_dirty_cmd.clips_ptr", unsafe.Offsetof(dirtyRequest{}.clips), 16},
		{"get_property.count_values", unsafe.Offsetof(propertyReply{}.countValues), 56},
	} {
		if c.got != c.want {
			t.Errorf("%s: got offset %d, want %d", c.name, c.got, c.want)
		}
	}
}

// Bits 16 to 29 of a request's number contain the size of its structure (include/uapi/asm-generic/ioctl.h). If a structure has another
// size, its line does not compile. So `GOARCH=arm go vet` is the test for ARM.
var (
	_ = [68]byte([unsafe.Sizeof(modeInfo{})]byte{})
	_ = [getResources >> 16 & 0x3fff]byte([unsafe.Sizeof(cardRes{})]byte{})
	_ = [getCRTC >> 16 & 0x3fff]byte([unsafe.Sizeof(crtcRequest{})]byte{})
	_ = [getFB2 >> 16 & 0x3fff]byte([unsafe.Sizeof(fbRequest2{})]byte{})
	_ = [gemClose >> 16 & 0x3fff]byte([unsafe.Sizeof([2]uint32{})]byte{})
	_ = [setCRTC >> 16 & 0x3fff]byte([unsafe.Sizeof(crtcRequest{})]byte{})
	_ = [setGamma >> 16 & 0x3fff]byte([unsafe.Sizeof(gammaRequest{})]byte{})
	_ = [getEncoder >> 16 & 0x3fff]byte([unsafe.Sizeof(encoderReply{})]byte{})
	_ = [getConnector >> 16 & 0x3fff]byte([unsafe.Sizeof(connectorReply{})]byte{})
	_ = [getProperty >> 16 & 0x3fff]byte([unsafe.Sizeof(propertyReply{})]byte{})
	_ = [setProperty >> 16 & 0x3fff]byte([unsafe.Sizeof(propertyRequest{})]byte{})
	_ = [getPropBlob >> 16 & 0x3fff]byte([unsafe.Sizeof(blobRequest{})]byte{})
	_ = [dirtyFB >> 16 & 0x3fff]byte([unsafe.Sizeof(dirtyRequest{})]byte{})
	_ = [createDumb >> 16 & 0x3fff]byte([unsafe.Sizeof(dumbRequest{})]byte{})
	_ = [mapDumb >> 16 & 0x3fff]byte([unsafe.Sizeof(mapRequest{})]byte{})
	_ = [addFB2 >> 16 & 0x3fff]byte([unsafe.Sizeof(fbRequest2{})]byte{})
	_ = [addFB >> 16 & 0x3fff]byte([unsafe.Sizeof(fbRequest{})]byte{})
	_ = [getCap >> 16 & 0x3fff]byte([unsafe.Sizeof(capRequest{})]byte{})
	_ = [40]byte([unsafe.Sizeof(propertyName{})]byte{})
	_ = [8]byte([unsafe.Sizeof(clip{})]byte{})
)

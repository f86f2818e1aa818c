package drmtest

import (
	"encoding/binary"
	"image"
	"syscall"
)

func (k *Kernel) set(property uint32, v uint64) {
	if k.Properties == nil {
		k.Properties = map[uint32]uint64{}
	}
	k.Properties[property] = v
}

// Gamma returns the last entry of each of the CRTC's curves: red, green and blue. It returns nil if no curves were set.
func (k *Kernel) Gamma() []uint16 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return append([]uint16(nil), k.gamma...)
}

func (k *Kernel) setGamma(m message) error {
	if n := int(m.u32(4)); n == 0 || n != k.GammaSize || m.u32(0) != crtcID {
		return syscall.EINVAL
	}
	k.gamma = nil
	for at := 8; at < 32; at += 8 {
		curve := m.array(at, 2*k.GammaSize)
		for i := 2; i < len(curve); i += 2 {
			if binary.NativeEndian.Uint16(curve[i:]) < binary.NativeEndian.Uint16(curve[i-2:]) {
				return syscall.EINVAL // the curve decreases
			}
		}
		k.gamma = append(k.gamma, binary.NativeEndian.Uint16(curve[len(curve)-2:]))
	}
	return nil
}

// ConnectorName is the name of the connector.
const ConnectorName = "HDMI-A-1"

func (k *Kernel) connector(m message) error {
	if m.u32(48) != connectorID {
		return syscall.ENOENT
	}
	if m.u32(32) == 0 && k.OnProbe != nil {
		k.OnProbe(k.Plugged)
	}
	var modes []image.Point
	if k.Plugged {
		modes = k.Modes
	}
	if n := int(m.u32(32)); n >= len(modes) && n > 0 {
		to := m.array(8, n*68)
		for i, size := range modes {
			k.modeInfo(to[i*68:], size, i == 0)
		}
	}
	if n := int(m.u32(36)); n >= 4 {
		k.properties(m.array(16, 16), m.array(24, 32))
	}
	if m.u32(40) > 0 {
		m.array(0, 4).put32(0, encoderID)
	}
	m.put32(32, uint32(len(modes)))
	m.put32(36, 4)
	m.put32(40, 1)
	m.put32(44, encoderID)
	m.put32(52, 11)
	m.put32(56, 1)
	m.put32(60, 2)
	if k.Plugged {
		m.put32(60, 1)
	}
	return nil
}

// properties() answers a request for the connector's four properties: it writes their ids and values.
func (k *Kernel) properties(ids, values message) {
	edid, link := uint64(0), uint64(0)
	if len(k.EDID) > 0 && k.Plugged {
		edid = edidBlob
	}
	if k.LinkBad {
		link = 1
	}
	for i, v := range []uint64{edid, k.Properties[propDPMS], k.Properties[propRange], link} {
		ids.put32(4*i, propEDID+uint32(i))
		values.put64(8*i, v)
	}
}

func (k *Kernel) modeInfo(to message, size image.Point, preferred bool) {
	w, h := size.X, size.Y
	to.put32(0, uint32((w+160)*(h+30)*60/1000))
	binary.NativeEndian.PutUint16(to[4:], uint16(w))
	binary.NativeEndian.PutUint16(to[10:], uint16(w+160))
	binary.NativeEndian.PutUint16(to[14:], uint16(h))
	binary.NativeEndian.PutUint16(to[20:], uint16(h+30))
	to.put32(24, 60)
	to.put32(32, 0)
	if preferred {
		to.put32(32, 8)
	}
}

func (k *Kernel) property(m message) error {
	label := map[uint32]string{propEDID: "EDID", propDPMS: "DPMS", propRange: "Broadcast RGB", propLink: "link-status"}[m.u32(16)]
	if label == "" {
		return syscall.ENOENT
	}
	clear(m[24:56])
	copy(m[24:56], label)
	if label != "Broadcast RGB" {
		return nil
	}
	names := []string{"Automatic", "Full", "Limited 16:235"}
	m.put32(20, 8)
	if int(m.u32(60)) >= len(names) {
		to := m.array(8, 40*len(names))
		for i, n := range names {
			to.put64(40*i, uint64(i))
			copy(to[40*i+8:], n)
		}
	}
	m.put32(60, uint32(len(names)))
	return nil
}

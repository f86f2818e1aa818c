package drm

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"
)

// A Connector is a connector of a card, with the screen on it.
type Connector struct {
	ID        uint32
	Name      string // as in sysfs, such as "HDMI-A-1"
	Connected bool   // also true if the driver cannot detect screens
	Modes     []Mode // in the kernel's order, best mode first
	WidthMM   int    // width of the visible picture, 0 if unknown
	HeightMM  int    // height of the visible picture, 0 if unknown
	EDID      []byte // the EDID of the screen, or nil

	encoder    uint32
	encoders   []uint32
	properties map[string]property
}

// A property is one property of a connector and its value.
type property struct {
	id    uint32
	value uint64
	enums map[string]uint64 // values by their names, for an enumeration
}

// typeNames are the kernel's names for types of connectors, by number (drivers/gpu/drm/drm_connector.c).
var typeNames = [...]string{
	"Unknown", "VGA", "DVI-I", "DVI-D", "DVI-A", "Composite", "SVIDEO", "LVDS", "Component", "DIN", "DP", "HDMI-A", "HDMI-B",
	"TV", "eDP", "Virtual", "DSI", "DPI", "Writeback", "SPI", "USB",
}

// Connectors returns all connectors of the card. If `probe` is true, the kernel probes each cable, which takes up to 0.2 s for each cable.
// Otherwise it returns the result of the kernel's last probe.
func (c *Card) Connectors(probe bool) ([]*Connector, error) {
	_, ids, err := c.objects()
	if err != nil {
		return nil, err
	}
	var all []*Connector
	for _, id := range ids {
		k, err := c.connector(id, probe)
		if err != nil {
			return nil, err
		}
		if k.Name != "" {
			all = append(all, k)
		}
	}
	return all, nil
}

// Connector returns the connector with the given name. The argument `probe` has the same effect as in Connectors.
func (c *Card) Connector(name string, probe bool) (*Connector, error) {
	_, ids, err := c.objects()
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		k, err := c.connector(id, false)
		if err != nil {
			return nil, err
		}
		if k.Name == name && probe {
			return c.connector(id, true)
		}
		if k.Name == name {
			return k, nil
		}
	}
	return nil, fmt.Errorf("%s has no connector %s", c.path, name)
}

// connector reads one connector. Its Name is empty if the connector is not for screens.
func (c *Card) connector(id uint32, probe bool) (*Connector, error) {
	// If the request has space for a mode, the kernel does not probe the cable (drm_mode_getconnector).
	q := &connectorReply{connector: id, countModes: 1}
	var one [1]modeInfo
	var pins runtime.Pinner
	defer pins.Unpin()
	if probe {
		q.countModes = 0
	} else {
		q.modes = address(&pins, one[:])
	}
	if err := c.call("MODE_GETCONNECTOR", getConnector, unsafe.Pointer(q)); err != nil {
		return nil, err
	}
	k := &Connector{ID: id, encoder: q.encoder, Connected: q.connection != disconnected, WidthMM: int(q.widthMM), HeightMM: int(q.heightMM)}
	if q.kind == typeWriteback || int(q.kind) >= len(typeNames) {
		return k, nil
	}
	k.Name = fmt.Sprintf("%s-%d", typeNames[q.kind], q.kindID)
	return k, c.details(k, q)
}

// details() requests the lists of a connector. n is the answer to the first request, which contains the lengths of the lists.
func (c *Card) details(k *Connector, n *connectorReply) error {
	modes := make([]modeInfo, min(max(n.countModes, 1), maxModes)) // at least one, so that the kernel does not probe the cable
	props, values := make([]uint32, min(n.countProps, maxObjects)), make([]uint64, min(n.countProps, maxObjects))
	encoders := make([]uint32, min(n.countEncoders, maxObjects))
	var pins runtime.Pinner
	defer pins.Unpin()
	q := &connectorReply{
		connector: k.ID, modes: address(&pins, modes), countModes: uint32(len(modes)),
		props: address(&pins, props), values: address(&pins, values), countProps: uint32(len(props)),
		encoders: address(&pins, encoders), countEncoders: uint32(len(encoders)),
	}
	if err := c.call("MODE_GETCONNECTOR", getConnector, unsafe.Pointer(q)); err != nil {
		return err
	}
	for _, m := range modes[:min(len(modes), int(q.countModes))] {
		k.Modes = append(k.Modes, newMode(m))
	}
	k.encoders = encoders[:min(len(encoders), int(q.countEncoders))]
	k.properties = map[string]property{}
	for i, id := range props[:min(len(props), int(q.countProps))] {
		label, p, err := c.property(id)
		if err != nil {
			return err
		}
		p.value = values[i]
		k.properties[label] = p
	}
	if p, ok := k.properties["EDID"]; ok && p.value != 0 {
		k.EDID, _ = c.blob(uint32(p.value)) // ignore an EDID that has disappeared in the meantime
	}
	return nil
}

// property asks the kernel for a property's name, and for the names of its values.
func (c *Card) property(id uint32) (string, property, error) {
	q := &propertyReply{property: id}
	if err := c.call("MODE_GETPROPERTY", getProperty, unsafe.Pointer(q)); err != nil {
		return "", property{}, err
	}
	p := property{id: id}
	label := name(q.name)
	if q.flags&propertyEnum == 0 || q.countEnums == 0 {
		return label, p, nil
	}
	names := make([]propertyName, min(q.countEnums, maxObjects))
	var pins runtime.Pinner
	defer pins.Unpin()
	q = &propertyReply{property: id, enums: address(&pins, names), countEnums: uint32(len(names))}
	if err := c.call("MODE_GETPROPERTY", getProperty, unsafe.Pointer(q)); err != nil {
		return "", property{}, err
	}
	p.enums = map[string]uint64{}
	for _, e := range names[:min(len(names), int(q.countEnums))] {
		p.enums[name(e.name)] = e.value
	}
	return label, p, nil
}

// blob returns the content of a blob. It returns an error if the blob is empty or longer than maxBlob.
func (c *Card) blob(id uint32) ([]byte, error) {
	q := &blobRequest{blob: id}
	if err := c.call("MODE_GETPROPBLOB", getPropBlob, unsafe.Pointer(q)); err != nil {
		return nil, err
	}
	if q.length == 0 || q.length > maxBlob {
		return nil, fmt.Errorf("%s: a blob of %d bytes", c.path, q.length)
	}
	data := make([]byte, q.length)
	var pins runtime.Pinner
	defer pins.Unpin()
	q.data = address(&pins, data)
	return data, c.call("MODE_GETPROPBLOB", getPropBlob, unsafe.Pointer(q))
}

var errNoProperty = errors.New("the driver does not offer it")

// CanPower reports whether the screen can be switched off.
func (k *Connector) CanPower() bool { _, ok := k.properties["DPMS"]; return ok }

// IsOn reports whether the driver considers the screen as on.
func (k *Connector) IsOn() bool { return k.properties["DPMS"].value == dpmsOn }

// LinkBad reports whether the driver marks the link to the screen as failed. After such a failure, the mode has to be set again
// ("link-status" in drm_connector.c).
func (k *Connector) LinkBad() bool { return k.properties["link-status"].value == linkBad }

// Ranges returns the color ranges that the driver supports: "auto", and perhaps "full" and "limited".
func (k *Connector) Ranges() []string {
	list := []string{"auto"}
	for _, r := range [][2]string{{"full", "Full"}, {"limited", "Limited 16:235"}} {
		if _, ok := k.properties["Broadcast RGB"].enums[r[1]]; ok {
			list = append(list, r[0])
		}
	}
	return list
}

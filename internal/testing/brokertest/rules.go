package brokertest

import (
	mqtt "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"
)

// rules accept all topics. If users is not nil, they accept only clients with one of these users and its password.
type rules struct {
	mqtt.HookBase
	users map[string]string
}

func (*rules) ID() string { return "rules" }

func (*rules) Provides(b byte) bool {
	return b == mqtt.OnConnect || b == mqtt.OnConnectAuthenticate || b == mqtt.OnACLCheck
}

// OnConnect removes the client's limit of unacknowledged messages. With a limit, the library calls NextImmediate after each
// acknowledgment. NextImmediate locks an RWMutex twice for reading. If Publish is called between the two locks, the broker is blocked
// forever.
func (*rules) OnConnect(c *mqtt.Client, _ packets.Packet) error {
	c.Properties.Props.ReceiveMaximum = 0
	c.State.Inflight.ResetSendQuota(0)
	return nil
}

func (r *rules) OnConnectAuthenticate(_ *mqtt.Client, p packets.Packet) bool {
	password, known := r.users[string(p.Connect.Username)]
	return r.users == nil || known && password == string(p.Connect.Password)
}

func (*rules) OnACLCheck(*mqtt.Client, string, bool) bool { return true }

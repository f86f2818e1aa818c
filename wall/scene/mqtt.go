package scene

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"dashboard/config"
	"dashboard/control"
	"dashboard/control/bridge"
	"dashboard/control/device"
	"dashboard/control/verb"
	"dashboard/provider"
	"dashboard/provider/mqtt"
	"dashboard/widgets/kit"
)

// broker returns the broker of conf.yaml, or nil if there is none. It reports errors in the broker's settings.
func (l *loading) broker() *mqtt.Broker {
	if l.Conf == nil || l.Conf.MQTT == nil {
		return nil
	}
	c := l.Conf.MQTT
	b := &mqtt.Broker{URL: c.URL, Secret: c.URLSecret, Username: c.Username, Password: c.Password, CAFile: c.CAFile}
	if b.CAFile != "" {
		b.CAFile = l.files.Path(b.CAFile)
	}
	at := l.Conf.Get("mqtt")
	if err := b.Check(); err != nil && c.URL != "" {
		l.report.Errorf(at.At("url"), "%v", err)
	}
	if c.ID == "" {
		c.ID = machineID()
	}
	if strings.Trim(c.ID, idLetters) != "" || len(c.ID) > maxWallID {
		l.report.Errorf(at.At("id"), "must be at most %d letters, digits, - and _", maxWallID)
	}
	if c.Name == "" {
		c.Name, _ = os.Hostname()
	}
	b.ClientID = "dashboard-" + c.ID + "-" + l.mark
	if l.shown {
		b.Will = wallTopic(c.ID) + "/status"
	}
	return b
}

// addDevice adds the wall as a device to the broker b. It does nothing if there is no valid broker, if the wall is only inspected, or if
// Screenless is set.
func (l *loading) addDevice(b *mqtt.Broker) {
	if b == nil || !l.shown || l.from.Screenless || b.Check() != nil {
		return
	}
	c := l.Conf.MQTT
	d := device.Config{
		ID: c.ID, Name: c.Name, Version: l.Version, Model: machineModel(), Base: wallTopic(c.ID), Discovery: c.Discovery,
	}
	key := fmt.Sprintf("device %s %+v", b.Key(), d)
	l.Sources.Place(key, provider.Place{At: l.Conf.At("mqtt").Pos()})
	l.Sources.Add(key, device.New(d, *b, l.Providers.Sessions(), l.Serving.Doer, l.Serving.OnBroker, l.Log))
}

// addTopic makes a view show the messages of the topic over.MQTT as notifications. `written` is the view's key `notifications`. Without
// this key, only the view main shows them, and its `over` comes from conf.yaml.
func (l *loading) addTopic(view string, written *config.Node, over *kit.Notices) {
	if over == nil || over.MQTT == "" || written.Kind() == config.Null && view != config.MainView {
		return
	}
	at := l.Conf.Get("notifications")
	if written.Kind() != config.Null {
		at = written
	}
	at = at.At("mqtt")
	b := l.Generation.Broker
	if err := mqtt.CheckFilter(over.MQTT); err != nil {
		l.report.Errorf(at, "%v", err)
		return
	}
	if b == nil {
		l.report.Errorf(at, "needs a broker: write its address under 'mqtt' in conf.yaml, such as mqtt: {url: \"mqtt://broker.lan\"}")
		return
	}
	if !l.shown || b.Check() != nil {
		return
	}
	key := fmt.Sprintf("notifications %s %s %q", b.Key(), view, over.MQTT)
	doer, by := l.Serving.Doer, control.Caller{Via: "mqtt", From: over.MQTT}
	l.Sources.Place(key, provider.Place{At: at.Pos()})
	l.Sources.Add(key, &bridge.Topic{Filter: over.MQTT, Broker: *b, Sessions: l.Providers.Sessions(), Log: l.Log, Post: func(ctx context.Context, body []byte) error {
		_, err := doer.Do(ctx, control.Action{By: by, View: view, Verb: "notify", Args: verb.Args{"body": json.RawMessage(body)}})
		return err
	}})
}

// Limits of the wall's id on a broker. The id is a part of topics and of names in Home Assistant.
const (
	idLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	maxWallID = 64
)

// wallTopic returns the prefix of all topics of a wall.
func wallTopic(id string) string { return "dashboard/" + id }

// machineModel returns the name of the machine's model, or "" if the firmware contains no name
// (Linux: Documentation/devicetree/usage-model.rst).
func machineModel() string {
	const most = 100 // maximum length in bytes
	model, err := os.ReadFile("/proc/device-tree/model")
	if err != nil || len(model) > most {
		return ""
	}
	return strings.ToValidUTF8(strings.TrimRight(string(model), "\x00\n"), "")
}

// machineID returns an id that distinguishes this machine from others. It is the beginning of a
// hash of /etc/machine-id, or of the host name if this file is missing. The hash does not reveal
// its input, because machine-id(5) asks programs not to publish the content of /etc/machine-id.
func machineID() string {
	id, err := os.ReadFile("/etc/machine-id")
	if err != nil || len(strings.TrimSpace(string(id))) == 0 {
		name, _ := os.Hostname()
		id = []byte(name)
	}
	sum := sha256.Sum256(append([]byte("dashboard mqtt "), id...))
	return hex.EncodeToString(sum[:4])
}

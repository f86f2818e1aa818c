package bridge

import (
	"context"
	"log/slog"
	"time"

	"dashboard/control/notify"
	"dashboard/provider"
	"dashboard/provider/mqtt"
)

// Limits for messages from a broker: the number of waiting messages, the messages shown per second, and the messages shown at once.
const (
	maxQueued  = 16
	topicRate  = 5
	topicBurst = 20
)

// A Topic shows messages from an MQTT topic. Each message is a body of POST /notify or a plain text. A Topic ignores retained messages,
// because they are old. It runs as a provider, so that it starts and stops with its definition.
type Topic struct {
	Filter   string
	Broker   mqtt.Broker
	Sessions *provider.Sessions
	Post     func(ctx context.Context, body []byte) error // posts a body, like POST /notify
	Log      *slog.Logger
}

var _ provider.Provider = (*Topic)(nil)

// Kind is "mqtt notifications".
func (*Topic) Kind() string { return "mqtt notifications" }

// Run listens until ctx ends.
func (p *Topic) Run(ctx context.Context, cell *provider.Cell) error {
	conn, release, err := mqtt.Connect(ctx, p.Sessions, p.Broker)
	if err != nil {
		return err
	}
	defer release()
	queue := make(chan []byte, maxQueued)
	defer conn.Subscribe(p.Filter, func(m mqtt.Message) {
		if m.Retained || len(m.Payload) == 0 || len(m.Payload) > MaxMessage {
			return
		}
		select {
		case queue <- m.Payload:
		default: // the queue is full, so the message is dropped
		}
	}, func(err error) {
		if err != nil {
			cell.Fail(&provider.Upstream{Err: err}, time.Now())
			return
		}
		cell.Publish(nil, time.Now())
	})()
	flow := newFlow(topicRate, topicBurst, p.Log)
	for {
		select {
		case <-ctx.Done():
			return nil
		case payload := <-queue:
			now := time.Now()
			if !flow.lets(now, p.Filter) {
				continue
			}
			if err := p.Post(ctx, notify.Message(payload)); err != nil {
				flow.warn(now, "cannot show a message", "topic", p.Filter, "reason", err)
			}
		}
	}
}

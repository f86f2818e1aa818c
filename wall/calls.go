package wall

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"dashboard/control"
	"dashboard/control/verb"
	"dashboard/internal/fetch"
	"dashboard/provider/mqtt"
	"dashboard/wall/scene"
	"dashboard/wall/view"
)

const (
	urlTime  = 10 * time.Second // timeout of a request
	urlBytes = 64 << 10         // maximum size of the answer in bytes. The answer itself is not used
)

// call performs the verbs that send a request to another host.
func (s *Service) call(ctx context.Context, a control.Action) error {
	var err error
	switch a.Verb {
	case "action":
		err = s.callHome(ctx, a.Args)
	case "mqtt":
		err = s.callBroker(ctx, a.Args)
	case "url":
		err = s.callURL(ctx, a.Args)
	default:
		err = control.ErrNothing
	}
	return s.elsewhere(err)
}

// elsewhere() logs an error that another system caused, and replaces it by an error for the caller without details.
func (s *Service) elsewhere(err error) error {
	if err == nil || errors.Is(err, control.ErrNoCall) || errors.Is(err, control.ErrNothing) {
		return err
	}
	s.log.Warn("another system did not carry out an action", "error", err)
	return control.ErrElsewhere
}

// A caller is a provider with actions: Home Assistant, or a music player.
type caller interface {
	Call(ctx context.Context, action, entity string, data map[string]any) error
}

// ready() returns control.ErrNoCall if the files do not configure the system that an action calls.
func (s *Service) ready(a control.Action) error {
	ok, shown := true, s.main().Shown.Load()
	switch a.Verb {
	case "action":
		p, _ := s.builder.Providers.Find(homeName(a.Args.Text("provider")))
		_, ok = p.(caller)
	case "mqtt":
		ok = shown != nil && shown.Gen.Broker != nil
	}
	if !ok {
		return control.ErrNoCall
	}
	return nil
}

// callHome runs an action of Home Assistant or of another provider.
func (s *Service) callHome(ctx context.Context, args verb.Args) error {
	p, _ := s.builder.Providers.Find(homeName(args.Text("provider")))
	to, ok := p.(caller)
	if !ok {
		return control.ErrNoCall
	}
	var data map[string]any
	if raw := args.JSON("data"); raw != nil {
		if err := json.Unmarshal(raw, &data); err != nil {
			return err
		}
	}
	return to.Call(ctx, args.Text("action"), args.Text("entity"), data)
}

// callBroker sends a message to the broker of conf.yaml.
func (s *Service) callBroker(ctx context.Context, args verb.Args) error {
	shown := s.main().Shown.Load()
	if shown == nil || shown.Gen.Broker == nil {
		return control.ErrNoCall
	}
	if err := mqtt.CheckTopic(args.Text("topic")); err != nil {
		return fmt.Errorf("the topic %w", err)
	}
	conn, release, err := mqtt.Connect(ctx, s.builder.Providers.Sessions(), *shown.Gen.Broker)
	if err != nil {
		return err
	}
	defer release()
	return conn.Publish(ctx, args.Text("topic"), []byte(args.Text("payload")), false)
}

// callURL sends a request. The setting server.notify.allow limits the request's address, as it limits the addresses of pictures, because
// the author of a notification may choose the address.
func (s *Service) callURL(ctx context.Context, args verb.Args) error {
	shown := s.main().Shown.Load()
	if shown == nil {
		return control.ErrNoCall
	}
	client := view.Guarded(scene.UserAgent(s.opts.Version), scene.Allowed(shown.Gen.Conf.Server.Notify))
	defer client.CloseIdle()
	resp, err := client.Do(ctx, &fetch.Request{
		Method: http.MethodPost, URL: args.Text("url"), Body: []byte(args.Text("body")), Timeout: urlTime, MaxBytes: urlBytes,
	})
	if err != nil {
		return err
	}
	defer resp.Release()
	return resp.Check()
}

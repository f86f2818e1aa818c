package mpd

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// The actions of Call.
const (
	Previous = "mpd.previous"
	Toggle   = "mpd.toggle"
	Next     = "mpd.next"
)

// Call runs an action on the player. It ignores the entity and the data.
func (p *Provider) Call(ctx context.Context, action, _ string, _ map[string]any) error {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	c, err := p.dial(ctx)
	if err != nil {
		return p.named(err)
	}
	defer c.close()
	switch action {
	case Previous:
		_, err = c.ask("previous")
	case Next:
		_, err = c.ask("next")
	case Toggle:
		err = c.toggle()
	default:
		return fmt.Errorf("%.80q is not an action of MPD: there are %s, %s, %s", action, Previous, Toggle, Next)
	}
	if err != nil {
		return p.named(err)
	}
	return nil
}

// toggle pauses, continues or starts the player.
func (c *conn) toggle() error {
	status, err := c.ask("status")
	if err != nil {
		return err
	}
	switch status["state"] {
	case "play":
		_, err = c.ask("pause", "1")
	case "pause":
		_, err = c.ask("pause", "0")
	default:
		_, err = c.ask("play")
	}
	return err
}

// coverTime is the maximum time for reading one cover.
const coverTime = 30 * time.Second

// Cover returns the cover of a song: the picture in its file, otherwise the picture in its folder. A cover with more than `most` bytes is
// an error. If the song has no cover, Cover returns no bytes.
func (p *Provider) Cover(ctx context.Context, file string, most int64) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, coverTime)
	defer cancel()
	c, err := p.dial(ctx)
	if err != nil {
		return nil, p.named(err)
	}
	defer c.close()
	if _, err := c.ask("binarylimit", strconv.Itoa(maxChunk)); err != nil && !errors.As(err, new(*refusal)) {
		return nil, p.named(err)
	}
	for _, command := range []string{"readpicture", "albumart"} {
		data, err := c.picture(command, file, most)
		switch {
		case errors.As(err, new(*refusal)): // the file has no picture, or the server does not know the command
		case err != nil:
			return nil, p.named(err)
		case len(data) > 0:
			return data, nil
		}
	}
	return nil, nil
}

// picture() reads a picture, which the server sends in parts.
func (c *conn) picture(command, file string, most int64) (data []byte, err error) {
	for {
		_ = c.SetDeadline(time.Now().Add(askTime))
		if err := c.send(command, file, strconv.Itoa(len(data))); err != nil {
			return nil, err
		}
		got, part, err := c.answer(maxChunk)
		if err != nil {
			return nil, err
		}
		size, _ := strconv.ParseInt(got["size"], 10, 64)
		switch {
		case size > most:
			return nil, fmt.Errorf("the picture of the song has %d bytes: more than %d", size, most)
		case len(part) == 0 || size <= 0:
			return data, nil
		case data == nil:
			data = make([]byte, 0, size)
		}
		data = append(data, part[:min(int64(len(part)), max(0, size-int64(len(data))))]...)
		if int64(len(data)) >= size {
			return data, nil
		}
	}
}

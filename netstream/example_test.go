package netstream_test

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"regexp"
	"time"

	"dashboard/netstream"
)

// A frame is published, and a screen of another size shows it. Then a clock changes, and the screen gets only the changed tiles.
func Example() {
	frame := image.NewRGBA(image.Rect(0, 0, 640, 400))
	draw.Draw(frame, frame.Rect, image.NewUniform(color.RGBA{20, 30, 40, 255}), image.Point{}, draw.Src)

	s := netstream.New(func() time.Time { return time.Unix(1795235340, 354578000) })
	s.Configure(netstream.Options{Format: "png"})
	s.DrawFrame(frame, []image.Rectangle{frame.Rect})
	current, _ := s.Current()
	tag := regexp.MustCompile("[0-9a-f]{16}") // the tag differs between 32-bit and 64-bit processors
	fmt.Print(tag.ReplaceAllString(string(current.AppendEvent(nil)), "TAG"))

	ask := netstream.Request{W: 320, H: 200, Delta: true}
	for range 3 {
		answer, err := s.Get(context.Background(), ask)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(answer.Status, tag.ReplaceAllString(answer.ETag, "TAG"), answer.ContentType)
		if answer.Body != nil {
			answer.Body.Close()
		}
		if ask.IfNoneMatch != "" {
			ask.IfNoneMatch = answer.ETag
			continue
		}
		ask.IfNoneMatch = answer.ETag
		clock := image.Rect(300, 180, 340, 200)
		draw.Draw(frame, clock, image.White, image.Point{}, draw.Src)
		s.DrawFrame(frame, []image.Rectangle{clock})
	}
	// Output:
	// data: {"etag": "TAG", "published_at": 1795235340.354578}
	//
	// 200 "TAG-320x200" image/png
	// 226 "TAG-320x200" application/vnd.dashboard.tiles
	// 304 "TAG-320x200"
}

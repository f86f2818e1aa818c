package piece

import (
	"image/color"

	"dashboard/render"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
)

// SkyInk identifies a color of the weather icons.
type SkyInk uint8

// Colors of weather icons. A theme may set them under the names in skyNames.
const (
	InkSun SkyInk = iota
	InkMoon
	InkCloud
	InkDark
	InkRain
	InkSnow
	InkBolt
	InkMist
	SkyInks
)

var skyNames = [SkyInks]string{"sun", "moon", "cloud", "dark_cloud", "rain", "snow", "bolt", "mist"}

// ownSun is the color of the sun in the built-in theme by day. It is dark enough for lines and figures. Weather icons use a brighter
// color, because a text next to the icon gives the same information.
var ownSun = look.Calm(false).Colors["sun"]

// LightSurface reports whether cards have a light background.
func LightSurface(b *kit.Builder) bool {
	s := b.Look.Colors["surface"]
	return int(s.R)+int(s.G)+int(s.B) > 3*128
}

// SkyColors returns the colors of weather icons in this theme. If the theme does not set a color, the default depends on whether cards
// are light.
func SkyColors(b *kit.Builder) (all [SkyInks]color.RGBA) {
	usual := skyDarkInks
	if LightSurface(b) {
		usual = skyLightInks
	}
	for i, v := range usual {
		all[i] = color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}
		if c, ok := b.Look.Colors[skyNames[i]]; ok && (SkyInk(i) != InkSun || c != ownSun) {
			all[i] = render.Premultiply(c)
		}
	}
	return all
}

var skyDarkInks = [SkyInks]uint32{0xf7c04f, 0xd9dfec, 0xc2cddd, 0x8594aa, 0x6ea8fe, 0xeaf3ff, 0xf7c04f, 0x95a1b3}

var skyLightInks = [SkyInks]uint32{0xf0a61c, 0x66738f, 0x8fa1ba, 0x5f6f87, 0x2f78e0, 0x6db1ec, 0xe8960a, 0x7f8b9c}

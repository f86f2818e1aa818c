// Package media contains the widgets for pictures and music: photos, cameras, files, players.
package media

import "dashboard/widgets/kit"

// Kinds returns the kinds of this package for the catalog of widgets.
func Kinds() []kit.Kind {
	return []kit.Kind{
		kit.Modern("photos", "The photos of a folder, one after another.", 0, 0, kit.Framing{Bleed: true, Round: true}, func(p *PhotosParams) *kit.Framed { return &p.Framed }, buildPhotos),
		kit.Modern("camera", "Pictures of a camera. If no new picture arrives, the last picture stays, with its age.", 0, 0, kit.Framing{Bleed: true, Round: true}, func(p *CameraParams) *kit.Framed { return &p.Framed }, buildCamera),
		kit.Modern("nowplaying", "The song that a player plays, with its cover and buttons.", 0, 0, kit.Framing{Card: true},
			func(p *NowPlayingParams) *kit.Framed { return &p.Framed }, buildNowPlaying),
		kit.Define("image", "A picture from a file.", 0, 0, buildImage),
	}
}

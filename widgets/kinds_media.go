package widgets

// mediaKinds is the part of the catalog with kinds for pictures.
func mediaKinds() []Kind {
	return []Kind{
		modern("photos", "The photos of a folder, one after another.", 0, 0, framing{bleed: true, round: true}, func(p *PhotosParams) *Framed { return &p.Framed }, buildPhotos),
		modern("camera", "The pictures of a camera; the last one stays, with its age.", 0, 0, framing{bleed: true, round: true}, func(p *CameraParams) *Framed { return &p.Framed }, buildCamera),
		define("image", "A picture from a file.", 0, 0, buildImage),
	}
}

package main

import (
	"fmt"
	"path/filepath"

	"dashboard/appliance/about"
)

// Folders of the walls that the setup offers, and of their pictures, which a test of package wall/scene draws.
const (
	samplesFolder  = "samples"
	picturesFolder = "docs/pictures/walls"
)

// gallery lists the walls that a person can choose on a phone. These walls show something without an account.
var gallery = []string{"agenda", "energy", "family", "frame", "home", "kitchen", "month", "news", "office", "transit", "weather"}

// hangGallery copies each wall and its picture to a folder.
func hangGallery(to string) error {
	for _, name := range gallery {
		dir := filepath.Join(to, name)
		if err := copyTree(filepath.Join(samplesFolder, name), dir); err != nil {
			return err
		}
		picture, err := pictureOf(name)
		if err != nil {
			return err
		}
		if err := copyFile(picture, filepath.Join(dir, about.GalleryPicture)); err != nil {
			return err
		}
	}
	return nil
}

// pictureOf returns the picture of a wall at night. If there is no such picture, it returns the picture by day.
func pictureOf(name string) (string, error) {
	found, err := filepath.Glob(filepath.Join(picturesFolder, name+"-[dn]*.png"))
	if err != nil || len(found) == 0 {
		return "", fmt.Errorf("there is no picture of the wall %s: %w", name, err)
	}
	return found[len(found)-1], nil
}

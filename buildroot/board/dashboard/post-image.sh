#!/bin/sh
# Creates the image of the card. The first argument is BINARIES_DIR. Buildroot
# sets HOST_DIR, TARGET_DIR and BUILD_DIR.
set -eu

images=$1
board=$(dirname "$0")
repository=$board/../../..
boot=$images/boot
scratch=$BUILD_DIR/dashboard-image

rm -rf "$boot" "$scratch"
mkdir -p "$boot" "$scratch/init" "$scratch/root"

# The initramfs is one static program.
install -m 0755 "$TARGET_DIR/usr/lib/dashboard/appliance" "$scratch/init/init"
(cd "$scratch/init" && find . | cpio --quiet -o -H newc -R 0:0 | gzip -9n) > "$boot/initrd.img"

cp "$images/Image" "$boot/vmlinuz"
cp -r "$repository/image/boot/." "$boot/"
mkdir -p "$boot/dashboard"
cp -rn "$repository/cmd/dashboard/demo/." "$boot/dashboard/"
for file in "$images"/*.dtb "$images"/rpi-firmware/*.bin "$images"/rpi-firmware/*.elf \
	"$images"/rpi-firmware/*.dat; do
	if [ -e "$file" ]; then
		cp "$file" "$boot/"
	fi
done

rm -f "$images/boot.vfat"
mkfs.vfat -C -F 32 -n DASHBOARD "$images/boot.vfat" $((192 * 1024))
mcopy -s -i "$images/boot.vfat" "$boot"/* ::

genimage --rootpath "$scratch/root" --tmppath "$scratch/tmp" \
	--inputpath "$images" --outputpath "$images" --config "$board/genimage.cfg"

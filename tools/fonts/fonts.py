#!/usr/bin/python3
"""Makes the embedded font files: Inter as a variable TrueType font with some scripts, the icons and their names, and the fonts of
classic walls, which are only packed.

Needs Debian's libdeflate-tools, python3-fonttools and python3-brotli, and unpacked packages of npm: `inter-ui` 4.1.1
(InterVariable.woff2, SIL OFL 1.1), `@mdi/font` 7.4.47 and `@mdi/svg` 7.4.47 (Apache-2.0):

    npm pack inter-ui@4.1.1 @mdi/font@7.4.47 @mdi/svg@7.4.47
    tools/fonts/fonts.py INTER-UI MDI-FONT MDI-SVG LiberationSans-Bold.ttf LiberationSans-Regular.ttf

Without arguments it makes only the few icons of the start screen, from the packed icons.

The files are in the repository. The same packages always give the same bytes.
"""
import gzip
import json
import io
import shutil
import struct
import subprocess
import sys
import zlib
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

ROOT = Path(__file__).resolve().parents[2] / "render"

# Characters for walls in European languages and in Vietnamese, and symbols.
RANGES = [
    (0x20, 0x24F),      # Latin
    (0x2B0, 0x36F),     # modifier letters, combining marks
    (0x370, 0x52F),     # Greek, Cyrillic
    (0x1E00, 0x1EFF),   # Latin with marks: Vietnamese
    (0x2000, 0x209F),   # punctuation, superiors and inferiors
    (0x20A0, 0x20CF),   # currency
    (0x2100, 0x218F),   # letterlike signs, fractions
    (0x2190, 0x21FF),   # arrows
    (0x2200, 0x22FF),   # mathematics
    (0x2300, 0x23FF),   # technical signs
    (0x25A0, 0x27BF),   # geometric shapes, symbols
]

FEATURES = "kern mark mkmk ccmp locl calt liga case tnum pnum zero frac sups subs ordn".split()
FEATURES += [f"ss{n:02}" for n in range(1, 9)] + [f"cv{n:02}" for n in range(1, 15)]

# Icons of the start screen. The program in the initramfs has only these.
FEW = """alert alert-circle alert-outline cellphone clock-alert-outline clock-check-outline file-alert-outline information-outline
    laptop restart""".split()

BLOCK = 16 << 10  # size of a block in package internal/packed


def deflate(data):
    """Returns compressed data (RFC 1951), 3 % smaller than with zlib."""
    return gzipped(data)[10:-8]  # without the header and the checksum of gzip


def gzipped(data):
    """Returns compressed data (RFC 1952), 3 % smaller than with zlib. Names are 7 % smaller."""
    return subprocess.run(["libdeflate-gzip", "-12", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout


def pack(data, path):
    """Writes data in compressed blocks, in the form that package internal/packed reads."""
    blocks, ends, end = [], [], 0
    for i in range(0, len(data), BLOCK):
        blocks.append(deflate(data[i:i + BLOCK]))
        end += len(blocks[-1])
        ends.append(end)
    path.write_bytes(struct.pack(f"<I{len(ends)}I", len(data), *ends) + b"".join(blocks))


def unpack(path):
    """Returns the data of a file that pack has written."""
    data = path.read_bytes()
    size, = struct.unpack_from("<I", data)
    ends = struct.unpack_from(f"<{-(-size // BLOCK)}I", data, 4)
    blocks = data[4 + 4 * len(ends):]
    return b"".join(zlib.decompress(blocks[a:b], -15) for a, b in zip((0, *ends), ends))


def file_of(font):
    file = io.BytesIO()
    font.save(file, reorderTables=True)
    return file.getvalue()


def inter(package):
    font = TTFont(package / "variable" / "InterVariable.woff2", recalcTimestamp=False)
    options = subset.Options(hinting=False, glyph_names=False, notdef_outline=True, layout_features=FEATURES,
                             name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14], drop_tables=["STAT", "DSIG", "meta", "gasp"])
    s = subset.Subsetter(options)
    s.populate(unicodes=[u for a, b in RANGES for u in range(a, b + 1)])
    s.subset(font)
    font.flavor = None
    pack(file_of(font), ROOT / "text" / "fonts" / "Inter.packed")
    shutil.copy(package / "LICENSE.txt", ROOT / "text" / "fonts" / "LICENSE.Inter")


def icons(font, svg):
    drawn = TTFont(font / "fonts" / "materialdesignicons-webfont.ttf", recalcTimestamp=False)
    has = drawn.getBestCmap()
    drawn["post"].formatType = 3.0  # the names of the glyphs are in names.gz
    pack(file_of(drawn), ROOT / "icon" / "mdi.packed")
    shutil.copy(font / "LICENSE", ROOT / "icon" / "LICENSE")
    lines = []
    for icon in json.loads((svg / "meta.json").read_text()):
        code = int(icon["codepoint"], 16)
        if code in has:
            lines.append(" ".join([icon["name"], f"{code:x}", *sorted(set(icon["aliases"]))]))
    text = "".join(line + "\n" for line in sorted(lines))
    (ROOT / "icon" / "names.gz").write_bytes(gzipped(text.encode()))


def few():
    lines = gzip.decompress((ROOT / "icon" / "names.gz").read_bytes()).decode().splitlines()
    codes = {name: code for name, code in (line.split()[:2] for line in lines) if name in FEW}
    font = TTFont(io.BytesIO(unpack(ROOT / "icon" / "mdi.packed")), recalcTimestamp=False)
    s = subset.Subsetter(subset.Options(hinting=False, glyph_names=False, notdef_outline=True, drop_tables=["GSUB"]))
    s.populate(unicodes=[int(codes[name], 16) for name in FEW])
    s.subset(font)
    pack(file_of(font), ROOT / "icon" / "few.packed")
    text = "".join(f"{name} {codes[name]}\n" for name in sorted(FEW))
    (ROOT / "icon" / "few.gz").write_bytes(gzipped(text.encode()))


if __name__ == "__main__":
    where = [Path(a) for a in sys.argv[1:4]]
    if where:
        inter(where[0])
        icons(where[1], where[2])
    for font in map(Path, sys.argv[4:6]):
        pack(font.read_bytes(), ROOT / "text" / "fonts" / f"{font.stem}.packed")
    few()

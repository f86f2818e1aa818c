"""pygame: smoothscale, 16-bit surfaces and text. The answers have the form that peer.h describes."""
import os
import sys
import time

os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
os.environ["SDL_VIDEODRIVER"] = "dummy"
import pygame  # noqa: E402

SIZE = (1920, 1080)
TEXT = "Saturday November twentyfirst"
pygame.font.init()


def picture():
    with open(os.path.join(sys.argv[1], "dashboard.rgba"), "rb") as f:
        return pygame.image.frombuffer(f.read(), SIZE, "RGBA").copy()


def find(name):
    kind, _, rest = name.partition(" ")
    if kind == "smoothscale":
        size = tuple(int(n) for n in rest.split("x"))
        src, dst = picture(), pygame.Surface(size, pygame.SRCALPHA, 32)
        return lambda: pygame.transform.smoothscale(src, size, dst) and 0
    if name == "rgb565":
        src = picture()
        flat = pygame.Surface(SIZE, 0, 32)
        flat.blit(src, (0, 0))
        dst = pygame.Surface(SIZE, 0, 16)
        return lambda: dst.blit(flat, (0, 0)) and 0
    if name == "text":
        font, dst = pygame.font.Font(None, 22), pygame.Surface((600, 40), 0, 32)
        return lambda: dst.blit(font.render(TEXT, True, (255, 255, 255)), (5, 5)) and 0
    return None


def main():
    last, case = None, None
    for line in sys.stdin:
        name = line.rstrip("\n")
        if name != last:
            last, case = name, find(name)
        if not case:
            print("-", flush=True)
            continue
        case()
        n, start = 0, time.process_time_ns()
        while True:
            figure = case()
            n += 1
            took = time.process_time_ns() - start
            if took >= 5_000_000:
                break
        print(took // n, int(figure), flush=True)


main()

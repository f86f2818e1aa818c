// The moment at which a page draws itself.

/** A hidden tab has no frames, so it is drawn after this time in ms. Its title then stays correct. */
const longest = 1000;

/** nextFrame calls run once: before the next frame, or after the longest time if the browser draws no frame. */
export function nextFrame(run: () => void): void {
  const once = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    run();
  };
  const frame = requestAnimationFrame(once), timer = setTimeout(once, longest);
}

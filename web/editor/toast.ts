// The message at the bottom of the page.

/** A message. With `revision`, it belongs to the last change, and the next change removes it. */
export interface Toast { text: string; label?: string; run?: () => void; bad?: boolean; revision?: number }

/** The page that shows the message. */
interface Page { toast: Toast | null; readonly redraw: () => void }

const toastTime = 6000, undoToastTime = 10000; // ms

let timer: ReturnType<typeof setTimeout> | undefined;

/** closeToast removes a message without a button, because it belongs to the previous screen. */
export function closeToast(m: Page): void { if (!m.toast?.label) m.toast = null; }

/** holdToast starts the time of the toast again. The toast stays while it has the focus. */
export function holdToast(m: Page): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (document.querySelector('.toast')?.contains(document.activeElement)) { holdToast(m); return; }
    m.toast = null;
    m.redraw();
  }, m.toast?.label ? undoToastTime : toastTime);
}

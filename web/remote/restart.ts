// The restart of the card during an update: its begin, and the time for which the page waits.
import type { Update } from '../shared/api';
import { newer } from '../shared/newer';

const longest = 240000; // time in ms for which the page waits: for a trial without a picture, and for the return to the old version
const begins = 60000; // maximum time in ms from a request to the restart
export const restartPause = 2000; // maximum time in ms between attempts to connect

export class Restart {
  at = 0; // time when the last restart began or was requested, in ms, or 0
  outdated = false; // true if the wall serves a newer version of this page

  /** waits() is true until the wall counts as lost. */
  waits(): boolean { return this.at > 0 && Date.now() - this.at < longest; }

  /** live notes a report of the wall. `first` is true for the first report of a connection. */
  live(u: Update | null, first: boolean): void {
    if (first) {
      this.at = 0;
      void newer().then((is) => { this.outdated ||= is; }, () => {}); // if the connection is lost, the next one asks again
    }
    if (u?.phase === 'trial') this.at ||= Date.now();
  }

  /**
   * lost notes the end of a connection. After the phase check the card restarts at once, often before the page receives the phase trial. In
   * the earlier phases, a lost connection has other reasons.
   */
  lost(u: Update | null | undefined): void {
    if (u?.phase === 'check' || u?.phase === 'trial') this.at ||= Date.now();
    else if (Date.now() - this.at > begins) this.at = 0;
  }
}

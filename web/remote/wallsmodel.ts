// The walls of the page at /walls, and the actions on them.
import { ask, Refusal, Tokens } from '../shared/api';
import { newer } from '../shared/newer';

export interface Reader { name: string; seconds_since_picture: number | null; silent: boolean; battery: number | null; low: boolean; charging: boolean }
export interface Wall {
  id: string; name: string; url: string; listed: boolean; added: boolean; keyed: boolean; paired: boolean; locked: boolean; version: string | null;
  silent: boolean; restarting: boolean; stale: number; update: { to: string; percent: number } | null; readers: Reader[]; problem: string | null; picture: string | null;
  seconds_since_answer: number | null; seconds_since_picture: number | null;
}
export interface Result { id: string; name: string; success: boolean; error: string | null; at: string }
/** A wall that may control this wall. */
export interface Peer { id: string; name: string; address: string; seen_at: string | null }
export type Filter = 'all' | 'silent' | 'updating' | 'stale' | 'battery';

const pause = 5000; // time in ms between requests
const noAnswer = 'This wall does not answer.';

const isLow = (w: Wall) => w.readers.some((r) => r.low);

/** `shows` contains a function for each filter. The function returns true for the walls that the filter shows. */
export const shows: Record<Filter, (w: Wall) => boolean> = {
  all: () => true, silent: (w) => w.silent, updating: (w) => !w.silent && w.update !== null, stale: (w) => !w.silent && w.stale > 0, battery: isLow,
};

/** A Fleet is the state of the page. It calls `changed` to draw the page. */
export class Fleet {
  readonly tokens = new Tokens();
  readonly pictures = new Map<string, { of: string; url: string }>(); // pictures by the wall's id
  readonly chosen = new Set<string>();
  walls: Wall[] = [];
  peers: Peer[] = [];
  known = false;
  locked = false;
  problem = '';
  filter: Filter = 'all';
  find = '';
  busy = false;
  loaded = 0; // time of the last answer, at which the ages were correct
  results: Result[] | null = null;
  last: { action: string; value: string } | null = null;

  constructor(readonly changed: () => void) {}

  /** load requests the walls and new pictures. Walls keep their places on the page, because a wall should not move under a pointer. */
  async load(): Promise<void> {
    try {
      const { walls } = await ask<{ walls: Wall[] }>(this.tokens, 'GET', 'walls');
      const place = new Map(this.walls.map((w, n) => [w.id, n]));
      this.walls = place.size ? walls.sort((a, b) => (place.get(a.id) ?? place.size) - (place.get(b.id) ?? place.size)) : walls;
      this.known = true;
      this.locked = false;
      this.problem = '';
      this.loaded = Date.now();
      for (const id of this.chosen) if (!walls.some((w) => w.id === id)) this.chosen.delete(id);
      this.changed();
      await Promise.all(walls.filter((w) => w.picture && this.pictures.get(w.id)?.of !== w.picture).map((w) => this.picture(w)));
    } catch (reason) {
      this.locked = reason instanceof Refusal && reason.status === 401;
      this.problem = this.locked ? '' : words(reason);
    }
    this.changed();
  }

  private async picture(w: Wall): Promise<void> {
    const headers: Record<string, string> = this.tokens.control ? { Authorization: `Bearer ${this.tokens.control}` } : {};
    const answer = await fetch(`walls/${w.id}/picture`, { headers, cache: 'no-store' });
    if (!answer.ok) return;
    const old = this.pictures.get(w.id);
    this.pictures.set(w.id, { of: w.picture!, url: URL.createObjectURL(await answer.blob()) });
    if (old) setTimeout(() => URL.revokeObjectURL(old.url), 1000); // after this time the page shows the new picture
  }

  /** sort puts the walls in the server's order: first the walls with problems, then the others by name. */
  sort(filter: Filter): void {
    this.filter = filter;
    const rank = (w: Wall) => (['silent', 'updating', 'stale', 'battery', 'all'] as Filter[]).findIndex((f) => shows[f](w));
    this.walls = [...this.walls].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
    this.changed();
  }

  toggle(id: string): void {
    if (!this.chosen.delete(id)) this.chosen.add(id);
    this.results = null;
    this.changed();
  }

  /** act runs the same action on several walls and stores the result of each. */
  async act(action: string, value = '', ids = [...this.chosen]): Promise<boolean> {
    if (this.busy || !ids.length) return false;
    this.busy = true;
    this.last = { action, value };
    this.changed();
    const done = await this.try(async () => {
      const earlier = new Map((this.results ?? []).map((r) => [r.id, r]));
      const { results } = await ask<{ results: Result[] }>(this.tokens, 'POST', 'walls', value ? { walls: ids, action, value } : { walls: ids, action });
      for (const r of results) earlier.set(r.id, r);
      this.results = [...earlier.values()];
    });
    this.busy = false;
    this.changed();
    return done === '';
  }

  /** try runs a function. It returns the reason if the function fails, and otherwise "". */
  async try(run: () => Promise<unknown>): Promise<string> {
    try {
      await run();
      return '';
    } catch (reason) {
      return this.problem = words(reason);
    }
  }

  /** run loads the walls again and again. While the wall serves a newer version of the page, it calls `renew`. */
  async run(renew: () => void): Promise<never> {
    for (;;) {
      if (document.visibilityState === 'visible' && !this.locked) {
        await this.load();
        if (!this.problem && await newer().catch(() => false)) renew();
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/** words() returns the reason of a failure. */
export function words(reason: unknown): string {
  const text = reason instanceof Refusal ? reason.message : noAnswer;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

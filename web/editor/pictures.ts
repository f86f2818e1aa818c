// The pictures of the draft and of the gallery. They are requested with the token of this browser, only a few at a time.
import type { Client } from './api';

const kept = 80; // number of pictures in memory
const together = 3;

interface Kept { url: string; ms: number; at: number; failed: boolean }

export class Pictures {
  private readonly all = new Map<string, Kept>();
  private readonly slots = new Map<string, string>(); // last good picture of each slot, which is a place on the page
  private readonly waiting: string[] = [];
  private running = 0;

  constructor(private readonly client: Client, private readonly redraw: () => void) {}

  /** of() returns the object URL of a picture. While a new picture loads, it returns the last picture of the slot. */
  of(slot: string, path: string): { url: string; ms: number; at: number; fresh: boolean; failed: boolean } {
    const have = this.all.get(path);
    if (have && !have.failed) {
      this.all.delete(path);
      this.all.set(path, have);
      this.slots.set(slot, path);
      return { ...have, fresh: true };
    }
    if (!have && !this.waiting.includes(path)) {
      this.waiting.push(path);
      void this.next();
    }
    const last = this.all.get(this.slots.get(slot) ?? '');
    return { url: last?.url ?? '', ms: last?.ms ?? 0, at: last?.at ?? 0, fresh: false, failed: !!have?.failed };
  }

  private async next(): Promise<void> {
    if (this.running >= together) return;
    const path = this.waiting.find((one) => !this.all.has(one) && !this.loading.has(one));
    if (!path) return;
    this.running++;
    this.loading.add(path);
    const from = performance.now();
    try {
      const blob = await this.client.blob(path);
      this.keep(path, { url: URL.createObjectURL(blob), ms: Math.round(performance.now() - from), at: Date.now(), failed: false });
    } catch {
      this.keep(path, { url: '', ms: 0, at: Date.now(), failed: true });
      setTimeout(() => this.all.get(path)?.failed && this.all.delete(path), 3000);
    }
    this.loading.delete(path);
    this.waiting.splice(this.waiting.indexOf(path), 1);
    this.running--;
    this.redraw();
    void this.next();
  }

  private readonly loading = new Set<string>();

  private keep(path: string, one: Kept): void {
    this.all.set(path, one);
    const used = new Set(this.slots.values());
    for (const [key, old] of this.all) {
      if (this.all.size <= kept) break;
      if (used.has(key)) continue;
      if (old.url) URL.revokeObjectURL(old.url);
      this.all.delete(key);
    }
  }
}

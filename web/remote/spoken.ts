// The wall as text. The answer of GET /text becomes content for screen readers, and changes are announced.
import { html, nothing, type TemplateResult } from 'lit';
import { view, type Tokens } from '../shared/api';

/** A part of the wall in words. */
export interface Part { tone: 'heading' | 'sentence' | 'item' | 'aside' | 'alert' | 'choice'; level?: number; text: string; notice?: string; widget?: string }

/** The answer of GET /text. */
export interface Words {
  name: string; language: string; direction: 'ltr' | 'rtl'; when: string; as_of: string; pages: string | null; picture: string; dismiss: string;
  announce: 'notifications' | 'all' | 'none'; parts: Part[];
}

const pause = 2000; // time in ms between requests. The answer is 304 if nothing changed
const quiet = 10000; // time in ms between announcements
const longest = 300; // number of characters in an announcement

/** Kinds of widgets whose text changes only with the time. Their changes are not announced. */
const clocks = new Set(['clock', 'dateclock', 'timer', 'countdown', 'sunpath', 'moon', 'chart', 'heatmap', 'photos', 'camera']);

export class Spoken {
  words: Words | null = null;
  locked = false; // true if the wall requires a token
  polite = ''; // text of an announcement, which waits until the screen reader is silent
  urgent = ''; // text of an alert, which is read at once
  private waiting: string[] = [];
  private said = 0; // time of the last announcement, in ms
  private etag = '';

  constructor(private tokens: Tokens, private changed: () => void) {}

  /** run requests the text again and again until the page is closed. While the page is hidden, it sends no requests. */
  async run(): Promise<void> {
    for (;;) {
      if (document.visibilityState === 'visible') await this.load().catch(() => {});
      this.speak();
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** load requests the words once. */
  async load(): Promise<void> {
    const headers: Record<string, string> = { Accept: 'application/json' };
    const token = this.tokens.stream || this.tokens.control;
    if (token) headers.Authorization = `Bearer ${token}`;
    if (this.etag) headers['If-None-Match'] = this.etag;
    const answer = await fetch(view ? `text?view=${encodeURIComponent(view)}` : 'text', { headers, cache: 'no-store' });
    if (this.locked !== (answer.status === 401)) {
      this.locked = answer.status === 401;
      this.changed();
    }
    if (answer.status !== 200) return;
    this.etag = answer.headers.get('ETag') ?? '';
    const now = await answer.json() as Words;
    if (this.words) this.compare(this.words, now);
    this.words = now;
    this.changed();
  }

  /** compare finds the new parts. Alerts are read at once, and all other parts are in the next announcement. */
  private compare(old: Words, now: Words): void {
    if (now.announce === 'none') return;
    const known = new Set(old.parts.map(line)), alerts: string[] = [];
    for (const [at, part] of now.parts.entries()) {
      if (known.has(line(part)) || part.tone === 'heading' || part.tone === 'choice') continue;
      if (part.tone === 'alert' && !part.notice) alerts.push(named(now.parts, at));
      else if (part.notice) this.waiting.push(part.text);
      else if (now.announce === 'all' && !clocks.has(part.widget ?? '')) this.waiting.push(named(now.parts, at));
    }
    if (alerts.length) this.urgent = short(alerts);
  }

  /** speak announces the waiting parts, at most once in ten seconds. */
  private speak(): void {
    if (!this.waiting.length || Date.now() - this.said < quiet) return;
    this.said = Date.now();
    this.polite = short(this.waiting);
    this.waiting = [];
    this.changed();
  }
}

/** line() returns a text that identifies a part. Only equal parts have the same text. */
function line(p: Part): string { return `${p.notice ?? ''} ${p.widget ?? ''} ${p.tone} ${p.text}`; }

/** named() returns the text of a part after the text of its heading. */
function named(parts: Part[], at: number): string {
  for (let i = at - 1; i >= 0; i--) if (parts[i].tone === 'heading') return `${parts[i].text}: ${parts[at].text}`;
  return parts[at].text;
}

function short(all: string[]): string {
  const text = all.join(' ');
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** live() returns the regions that a screen reader follows. They must be in the page before they get their first text. */
export function live(s: Spoken): TemplateResult {
  const lang = s.words?.language ?? 'en';
  return html`<div class="unseen" role="status" lang=${lang}>${s.polite}</div><div class="unseen" role="alert" lang=${lang}>${s.urgent}</div>`;
}

/** Buttons contains the functions that act on a notification, and the label of the button that dismisses it. */
export interface Buttons { label: string; choose(notice: string, choice: number): unknown; dismiss(notice: string): unknown }

/** content() shows the wall as headings, paragraphs and lists. The level of the headings begins below `base`. */
export function content(parts: Part[], base: number, buttons?: Buttons): TemplateResult[] {
  const all: TemplateResult[] = [];
  for (let i = 0; i < parts.length;) {
    const from = i, card = parts[i].widget === 'notification' ? parts[i].notice : undefined;
    if (card !== undefined) {
      while (i < parts.length && parts[i].notice === card && (i === from || parts[i].tone !== 'heading')) i++;
      all.push(notice(parts.slice(from, i), base, card, buttons));
      continue;
    }
    i++;
    while (i < parts.length && parts[i].widget !== 'notification') i++;
    all.push(...blocks(parts.slice(from, i), base));
  }
  return all;
}

function notice(parts: Part[], base: number, id: string, buttons?: Buttons): TemplateResult {
  if (!buttons) return html`<section class="card notice">${blocks(parts, base)}</section>`;
  const choices = parts.filter((p) => p.tone === 'choice');
  return html`<section class="card notice">${blocks(parts.filter((p) => p.tone !== 'choice'), base)}
    <div class="buttons">${choices.map((one, at) => html`<button @click=${() => buttons.choose(id, at + 1)}>${one.text}</button>`)}
      <button @click=${() => buttons.dismiss(id)}>${buttons.label}</button></div></section>`;
}

function blocks(parts: Part[], base: number): TemplateResult[] {
  const all: TemplateResult[] = [];
  for (let i = 0; i < parts.length; i++) {
    const p = parts[i], from = i;
    if (p.tone === 'item' || p.tone === 'choice') {
      while (parts[i + 1]?.tone === p.tone) i++;
      all.push(html`<ul>${parts.slice(from, i + 1).map((one) => html`<li>${one.text}</li>`)}</ul>`);
    } else all.push(p.tone === 'heading' ? heading((p.level ?? 2) + base, p.text) : html`<p class=${p.tone}>${p.text}</p>`);
  }
  return all;
}

function heading(level: number, text: string): TemplateResult {
  switch (level) {
    case 2: return html`<h2>${text}</h2>`;
    case 3: return html`<h3>${text}</h3>`;
    case 4: return html`<h4>${text}</h4>`;
    case 5: return html`<h5>${text}</h5>`;
  }
  return html`<h6>${text}</h6>`;
}

/** beside() shows the text of the wall next to its picture, because screen readers cannot read the picture. */
export function beside(s: Spoken): TemplateResult {
  const w = s.words;
  return html`<section class="unseen" aria-label="The wall" lang=${w?.language ?? nothing} dir=${w?.direction ?? nothing}>
    ${w ? html`<h2>${w.name}</h2><p>${w.when}.${w.pages ? ` ${w.pages}.` : ''}</p>${content(w.parts, 1)}` : nothing}</section>`;
}

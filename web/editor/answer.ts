// The answer of a source: its state in one line, and the result of a test.
import { html, nothing, type TemplateResult } from 'lit';
import type { Node, TestResult } from './api';
import { colorsOf, stateWords } from './live';
import type { Model } from './model';
import { wrong } from './parts';
import { failed } from './sourcerow';

/** answerOf describes the last test of a source in one line, or otherwise the age of its value. bad is true after an error. */
export function answerOf(m: Model, p: Node): { words: string; bad: boolean } {
  const t = m.tests.get(p.name ?? '');
  if (t === 'busy') return { words: 'asking…', bad: false };
  if (!t) return stateWords(m, p.name ?? '');
  const size = t.size ?? t.excerpt?.length, s = Math.round((Date.now() - (t.at ?? Date.now())) / 1000);
  const words = [t.status ? `${t.status}${t.status_text ? ` ${t.status_text}` : ''}` : failed(t) ? 'failed' : 'works', t.seconds ? `${t.seconds.toFixed(1)} s` : '', size ? bytes(size) : '', s < 60 ? `${s} s ago` : `${Math.floor(s / 60)} min ago`];
  return { words: words.filter(Boolean).join(', '), bad: failed(t) };
}

const bytes = (n: number) => (n < 1000 ? `${n} bytes` : n < 9950 ? `${(n / 1000).toFixed(1)} KB` : `${Math.round(n / 1000)} KB`);

/** result shows the answer to a test, and its meaning in words. */
export function result(m: Model, p: Node, t: TestResult): TemplateResult {
  const say = t.words || t.error, size = t.size ?? t.excerpt?.length, shades = colorsOf(m, p);
  const type = t.headers?.find((h) => h.name.toLowerCase() === 'content-type')?.value;
  return html`${say ? (failed(t) ? wrong('test-wrong', say) : html`<p class="muted">${say}</p>`) : nothing}
    ${t.events?.length ? html`<h3>Next three events</h3>${t.events.slice(0, 3).map((e) => html`<div class="row event" .style=${`--calendar: ${shades.get(e.calendar ?? '') ?? 'var(--accent)'}`}><div class="name"><p>${e.title}</p><p class="muted">${when(e.start, !!e.all_day)}</p></div></div>`)}` : nothing}
    ${t.status ? html`<dl><div class="value"><dt class="muted">Status</dt><dd>${t.status}${t.status_text ? ` ${t.status_text}` : ''}${t.seconds ? `, ${t.seconds.toFixed(1)} s` : ''}</dd></div>
      ${type ? html`<div class="value"><dt class="muted">Type</dt><dd>${type}</dd></div>` : nothing}${size ? html`<div class="value"><dt class="muted">Size</dt><dd>${bytes(size)}${size > excerptBytes ? ', first 4 KiB below' : ''}</dd></div>` : nothing}</dl>` : nothing}
    ${t.headers?.length ? html`<details><summary>${t.headers.length === 1 ? '1 header' : `${t.headers.length} headers`}</summary><dl>${t.headers.map((h) => html`<div class="value"><dt class="muted">${h.name}</dt><dd>${h.value}</dd></div>`)}</dl></details>` : nothing}
    ${t.excerpt ? html`<pre class="excerpt" role="group" tabindex="0" aria-label="What came back">${t.excerpt}</pre>` : nothing}`;
}

const excerptBytes = 4096; // the server sends this much of an answer

/** when returns the day and the time of an event as text. */
function when(start: string, allDay: boolean): string {
  const at = new Date(start);
  return at.toLocaleString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', ...(allDay ? {} : { hour: '2-digit', minute: '2-digit' }) });
}

// The answer of a source: its state in one line, and the result of a test.
import { html, nothing, type TemplateResult } from 'lit';
import type { Answer, Event, Node, TestResult } from './api';
import * as i from './icons';
import { colorsOf, plural, stateWords } from './live';
import type { Model } from './model';
import { wrong, type Part } from './parts';
import { failed, testMark } from './sourcerow';
import { testSource, useLink } from './sources';

/** answerOf describes the last test of a source in one line, or otherwise the age of its value. `bad` is true after an error. */
export function answerOf(m: Model, p: Node): { words: string; bad: boolean } {
  const t = m.tests.get(p.name ?? '');
  if (t === 'busy') return { words: 'asking…', bad: false };
  if (!t) return stateWords(m, p.name ?? '');
  const s = Math.round((Date.now() - (t.at ?? Date.now())) / 1000);
  return { words: [line(t), s < 60 ? `${s} s ago` : `${Math.floor(s / 60)} min ago`].join(', '), bad: failed(t) };
}

/** line() describes an answer: its status, duration, size and number of events. */
function line(t: Answer): string {
  const size = t.size ?? t.excerpt?.length;
  return [status(t) || (failed(t) ? 'failed' : 'works'), size ? bytes(size) : '', t.count === undefined ? '' : plural(t.count, 'coming event', 'coming events')].filter(Boolean).join(', ');
}

const status = (t: Answer) => (t.status ? `${t.status}${t.status_text ? ` ${t.status_text}` : ''}${t.seconds ? `, ${t.seconds.toFixed(1)} s` : ''}` : '');

const bytes = (n: number) => (n < 1000 ? `${n} bytes` : n < 9950 ? `${(n / 1000).toFixed(1)} KB` : `${Math.round(n / 1000)} KB`);

/** result() shows the answer to a test, and its meaning in words. The cards of calendars show their own answers. */
export function result(m: Model, p: Node, t: TestResult): TemplateResult {
  const say = t.words || t.error;
  if (t.calendars && Object.keys(t.calendars).length) { // without an entry, the source has failed before it asked a calendar
    const all = Object.values(t.calendars), good = all.filter((one) => !failed(one)).length;
    return html`<p class="muted" role="status">${all.length === 1 && !good ? 'The calendar fails.' : good === all.length ? `${plural(good, 'calendar works', 'calendars work')}.` : `${good} of ${all.length} calendars ${good === 1 ? 'works' : 'work'}.`}</p>`;
  }
  return html`${say ? (failed(t) ? html`${wrong('test-wrong', say)}${t.details ? html`<p class="muted help"><small>${t.details}</small></p>` : nothing}` : html`<p class="muted">${say}</p>`) : nothing}${nextEvents(t.events, colorsOf(m, p))}${facts(t)}`;
}

/** calendarAnswer shows the result of a test for one calendar. k is the position of the calendar in the list. */
export function calendarAnswer(m: Model, p: Node, name: string, k: number): Part {
  const t = m.tests.get(m.provider), one = t && t !== 'busy' ? t.calendars?.[name] : undefined;
  if (!t || t === 'busy' || !one) return nothing;
  const bad = failed(one), linked = t.link && t.link_key === `calendars.${k}.url`;
  return html`${bad && one.words ? wrong(`c-test-${k}`, sentence(one.words)) : nothing}
    <div class="buttons tested">${linked ? html`<button class="main" @click=${() => void useLink(m, p, t)}>Use the link found: ${t.link}</button>` : nothing}<button @click=${() => void testSource(m, m.provider)}>${i.icon(i.mdiRefresh, 20)}Test again</button>${bad ? nothing : html`<span class="muted name">${line(one)}</span>`}</div>
    ${bad ? facts(one, 'text/calendar') : nextEvents(one.events, colorsOf(m, p))}`;
}

/** calendarMark shows whether the last test could read a calendar. */
export function calendarMark(m: Model, name: string): Part {
  const t = m.tests.get(m.provider);
  return t && t !== 'busy' ? testMark(t.calendars?.[name]) : testMark(t);
}

/** sentence() begins with a capital letter. It omits the address, because the field above shows it. */
const sentence = (words: string) => words.replace(/^(\(secret address\)|https?:\/\/\S+): (.)/, '$2').replace(/^./, (first) => first.toUpperCase()).replace(/(not a calendar): l/, '$1. L');

function nextEvents(all: Event[] | undefined, shades: Map<string, string>): Part {
  if (!all?.length) return nothing;
  return html`<h3>${all.length === 1 ? 'Next event' : `Next ${all.length === 2 ? 'two' : 'three'} events`}</h3>${all.slice(0, 3).map((e) => html`<div class="row event" .style=${`--calendar: ${shades.get(e.calendar ?? '') ?? 'var(--accent)'}`}><div class="name"><p>${e.title}${e.now ? html` <span class="now">now</span>` : nothing}</p><p class="muted">${when(e)}</p></div></div>`)}`;
}

/** facts() shows the status, the type, the size and the beginning of an answer. `expected` is the type that the answer should have. */
function facts(t: Answer, expected = ''): Part {
  const size = t.size ?? t.excerpt?.length, type = t.headers?.find((h) => h.name.toLowerCase() === 'content-type')?.value, other = expected && type && !type.includes(expected);
  return html`${t.status ? html`${expected ? html`<h3>What came back</h3>` : nothing}<dl><div class="value"><dt class="muted">Status</dt><dd>${status(t)}</dd></div>
      ${type ? html`<div class="value"><dt class="muted">Type</dt><dd>${other ? html`<span class="bad">${type}</span> <span class="muted">expected ${expected}</span>` : type}</dd></div>` : nothing}${size ? html`<div class="value"><dt class="muted">Size</dt><dd>${bytes(size)}${size > excerptBytes ? ', first 4 KiB below' : ''}</dd></div>` : nothing}</dl>` : nothing}
    ${t.headers?.length ? html`<details><summary>${plural(t.headers.length, 'header', 'headers')}</summary><dl>${t.headers.map((h) => html`<div class="value"><dt class="muted">${h.name}</dt><dd>${h.value}</dd></div>`)}</dl></details>` : nothing}
    ${t.excerpt ? html`<pre class="excerpt" role="group" tabindex="0" aria-label="What came back">${t.excerpt}</pre>` : nothing}`;
}

const excerptBytes = 4096; // number of bytes of an answer that the server sends

/** when() returns the day and the time of an event as text. */
function when(e: Event): string {
  const start = new Date(e.start), end = e.end ? new Date(e.end) : start, day = (d: Date) => d.toDateString(), time = (d: Date) => d.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  const name = day(start) === day(new Date()) ? 'Today' : day(start) === day(new Date(Date.now() + 864e5)) ? 'Tomorrow' : start.toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });
  return e.all_day ? name : `${name}, ${time(start)}${end > start && day(end) === day(start) ? ` – ${time(end)}` : ''}`;
}

// The row of a provider: on the list of sources, and in the form of a widget that uses it.
import { html, nothing, type TemplateResult } from 'lit';
import type { Answer, Node } from './api';
import * as i from './icons';
import type { Model } from './model';
import type { Part } from './parts';
import { plain, read } from './yaml';

/** sourceRow shows a provider with its kind or its newest value, and with the result of its test. A tap opens the provider. */
export function sourceRow(m: Model, p: Node, now: Part = nothing): TemplateResult {
  return html`<button class="row plain-row" @click=${() => open(m, p)}>${i.icon(i.sourceIcon(typeOf(m, p)))}<span class="name">${p.name ?? p.title}<small>${now === nothing ? about(m, p) : now}</small></span>${testMark(m.tests.get(p.name ?? ''))}${i.icon(i.mdiChevronRight)}</button>`;
}

function open(m: Model, p: Node): void {
  m.provider = p.name ?? p.id;
  m.go('provider');
}

export const typeOf = (m: Model, p: Node): string => plain(m.param(p, 'type')?.value ?? 'rest');

function about(m: Model, p: Node): string {
  const address = shortAddress(m, p), calendars = m.param(p, 'calendars') ? read(m.param(p, 'calendars')!.value) : null;
  if (Array.isArray(calendars)) return `${typeOf(m, p)}, ${calendars.length === 1 ? '1 calendar' : `${calendars.length} calendars`}`;
  return address ? `${typeOf(m, p)}, ${address}` : typeOf(m, p);
}

/** shortAddress returns the address of a source without its scheme and its query. For a secret address it returns "". */
export function shortAddress(m: Model, p: Node): string {
  const url = m.param(p, 'url')?.value ?? '';
  return url.includes('!secret') ? '' : plain(url).replace(/^https?:\/\//, '').split('?')[0];
}

export function testMark(t: Answer | 'busy' | undefined): Part {
  if (!t) return nothing;
  if (t === 'busy') return html`<span class="muted">asking…</span>`;
  return failed(t) ? html`<span class="mark-bad">${i.icon(i.mdiAlertCircle, 20)}failed</span>` : html`<span class="mark-good">${i.icon(i.mdiCheckCircle, 20)}works</span>`;
}

export const failed = (t: Answer) => (t.works === undefined ? !!(t.error || t.words) : !t.works);

// The widgets of the wall: their places, the lines of the files that define them, and the values that they show.
import { html, nothing, type TemplateResult } from 'lit';
import type { Survey, Widget } from '../shared/api';
import * as i from '../shared/icons';
import type { Model } from './model';
import { ago } from './words';

const title = (w: Widget) => w.name === w.kind ? w.kind : `${w.kind} “${w.name}”`;
const lines = (w: Widget) => `${w.file}, ${w.first_line === w.last_line ? `line ${w.first_line}` : `lines ${w.first_line} to ${w.last_line}`}`;

/** under() returns the innermost widget at a point of the picture, or -1 for none. x and y are shares of the width and height. */
export function under(s: Survey, x: number, y: number): number {
  const within = (w: Widget) => x * s.width >= w.x && x * s.width < w.x + w.width && y * s.height >= w.y && y * s.height < w.y + w.height;
  let at = s.widgets.length - 1;
  while (at >= 0 && !within(s.widgets[at])) at--;
  return at;
}

/** outline() marks the chosen widget on the picture. */
export function outline(m: Model): TemplateResult | typeof nothing {
  const s = m.survey, w = s?.widgets[m.inspected];
  if (m.sheet !== 'inspect' || !s || !w) return nothing;
  const share = (part: number, whole: number) => `${part / whole * 100}%`;
  return html`<i class="outline" .style=${`left: ${share(w.x, s.width)}; top: ${share(w.y, s.height)}; width: ${share(w.width, s.width)}; height: ${share(w.height, s.height)}`}></i>`;
}

/** inspect is the page about the widgets. */
export function inspect(m: Model, redraw: () => void): TemplateResult {
  const choose = (at: number) => { m.inspected = at; redraw(); };
  const s = m.survey, chosen = s?.widgets[m.inspected];
  if (!s) return html`<p class="card muted">The wall lists no widgets.</p>`;
  return html`${m.inks === null ? nothing : html`<section class="card"><button class="row toggle" role="switch" aria-checked=${m.inks} @click=${() => { m.inks = !m.inks; m.repaint(); redraw(); }}>
      ${i.icon(i.mdiPalette)}<span class="name">In the colors of the panel</span><span class="muted">${m.inks ? 'on' : 'off'}</span><span class="switch"></span></button></section>`}
    ${chosen ? about(chosen) : html`<p class="note">Tap a widget in the picture or in the list.</p>`}
    <ul class="card list" aria-label="Widgets">${s.widgets.map((w, at) => html`<li><button class="plain" aria-current=${at === m.inspected} @click=${() => choose(at)}>
      <span class="name">${title(w)}<small>${lines(w)}</small></span>${at === m.inspected ? i.icon(i.mdiCheck) : nothing}</button></li>`)}</ul>`;
}

function about(w: Widget): TemplateResult {
  return html`<section class="card about" aria-label="Chosen widget"><h2>${title(w)}</h2><p class="muted">${lines(w)}</p>
    ${w.providers.map((p) => html`<p>${p.name}: ${p.seconds_since_value === null ? 'no value yet' : ago(p.seconds_since_value)}${p.stale ? ', out of date' : ''}</p>
      ${[p.error, ...p.warnings ?? []].map((text) => text ? html`<p class="error">${text}</p>` : nothing)}
      ${p.value ? html`<code>${p.value}</code>` : nothing}`)}</section>`;
}

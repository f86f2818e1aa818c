// One wall on the page of all walls: a tile on a desktop, a row on a phone.
import { html, nothing, type TemplateResult } from 'lit';
import * as i from '../shared/icons';
import { ago } from './words';
import type { Fleet, Reader, Wall } from './wallsmodel';

type Part = TemplateResult | typeof nothing;

const hold = 500; // minimum time in ms of a long press

/** tile() shows a wall. A tap opens its remote. A tap on the circle, or a long press, chooses the wall. */
export function tile(f: Fleet, w: Wall, pair: (w: Wall) => void): TemplateResult {
  const chosen = f.chosen.has(w.id), picture = f.pictures.get(w.id);
  let timer = 0, held = false;
  const end = () => clearTimeout(timer);
  const begin = (e: PointerEvent) => {
    held = false;
    if (e.pointerType === 'touch') timer = setTimeout(() => { held = true; f.toggle(w.id); }, hold);
  };
  const open = (e: Event) => { if (held) e.preventDefault(); };
  return html`<li class="tile ${w.silent ? 'silent' : ''} ${chosen ? 'chosen' : ''}" @pointerdown=${begin} @pointerup=${end} @pointercancel=${end} @pointermove=${end}>
    ${picture ? html`<img alt="" src=${picture.url}>` : html`<span class="empty">${w.locked ? i.icon(i.mdiLockOutline, 28) : nothing}</span>`}
    <b class="title"><bdi>${w.name}</bdi></b><a class="open" href="${w.url}/" aria-label=${w.name} @click=${open}></a>
    <span class="meta"><span class="age ${w.silent ? 'bad' : ''}">${w.silent ? 'silent' : age(f, w.seconds_since_picture)}</span>${w.version ? html`<span class="version">${w.version}</span>` : nothing}</span>
    <button class="check" role="checkbox" aria-checked=${chosen} aria-label="Choose ${w.name}" @click=${() => f.toggle(w.id)}>${i.icon(i.mdiCheck, 18)}</button>
    <span class="state">${state(f, w, pair)}</span>
    ${w.update && !w.silent ? html`<progress max="100" value=${w.update.percent} aria-label="Update of ${w.name}"></progress>` : nothing}</li>
    ${w.readers.map((r) => reader(f, w, r))}`;
}

/** state() shows the most important fact about a wall. */
function state(f: Fleet, w: Wall, pair: (w: Wall) => void): Part {
  if (w.silent) return html`<span class="bad">${i.icon(i.mdiLanDisconnect, 20)}${w.seconds_since_answer === null ? w.problem ?? 'no answer' : `since ${since(f, w.seconds_since_answer)}`}</span>`;
  if (w.restarting) return html`<span class="info">${i.icon(i.mdiRestart, 20)}restarts</span>`;
  if (w.locked) return html`<button class="quiet" @click=${() => pair(w)}>Pair</button>`;
  if (w.update) return html`<span class="info">${i.icon(i.mdiProgressDownload, 20)}<span><span class="long">to </span>${w.update.to}, ${w.update.percent} %</span></span>`;
  if (w.stale) return html`<span class="warn">${i.icon(i.mdiClockAlertOutline, 20)}<span>${w.stale} stale<span class="long"> ${w.stale === 1 ? 'source' : 'sources'}</span></span></span>`;
  return nothing;
}

/** reader() shows an e-reader of a wall. It is normal that its picture is hours old. */
function reader(f: Fleet, w: Wall, r: Reader): TemplateResult {
  return html`<li class="tile reader ${r.silent ? 'silent' : ''}"><span class="empty">${i.icon(i.mdiTabletDashboard, 28)}</span>
    <b class="title"><bdi>${r.name}</bdi></b><a class="open" href="${w.url}/" aria-label=${r.name}></a>
    <span class="meta"><span class="age ${r.silent ? 'bad' : ''}">${r.silent ? 'silent' : age(f, r.seconds_since_picture)}</span><span class="version"><bdi>${w.name}</bdi></span></span>
    <span class="state">${r.battery === null ? nothing : html`<span class=${r.low ? 'warn' : 'muted'}>${i.icon(r.low ? i.mdiBatteryLow : i.mdiBattery, 20)}${r.battery} %</span>`}</span></li>`;
}

function age(f: Fleet, seconds: number | null): string {
  if (seconds === null) return 'no picture';
  const s = seconds + Math.floor((Date.now() - f.loaded) / 1000);
  if (s < 60) return `${s} s ago`;
  return s < 3600 ? `${Math.floor(s / 60)} min ago` : ago(s);
}

function since(f: Fleet, seconds: number): string {
  return new Date(f.loaded - seconds * 1000).toLocaleTimeString('en-GB', { hour: 'numeric', minute: '2-digit' });
}

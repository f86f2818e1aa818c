// Choosing a place: the highlighted places for a widget that moves or is added, and the gallery that comes before.
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Item } from './api';
import * as i from './icons';
import type { Model } from './model';
import { arrows, head, lostLine, search, type Part } from './parts';
import { placeAt, wordsOf } from './placing';
import { askPlaces, chooseItem, shelfOf } from './shelf';
import { picture } from './wall';
import { scalar } from './yaml';

/** placesScreen highlights the places. A tap on a place, in the picture or in the list, moves the widget at once. */
export function placesScreen(m: Model): TemplateResult {
  const p = m.places;
  if (!p) return html`${nothing}`;
  const able = p.list.filter((one) => !one.why_not), not = p.list.filter((one) => one.why_not);
  const cancel = () => { m.places = null; m.adding = null; m.go('wall'); };
  const wide = innerWidth >= 1100;
  const hint = html`<div class="looks">${i.icon(i.mdiGestureTap)}<span class="name">${able.length ? 'Tap a place on the wall or in the list.' : 'There is no place for it yet.'}</span>
    <button class="iconic plainly" aria-label=${m.lens ? 'Smaller picture' : 'Larger picture'} aria-pressed=${!!m.lens} @click=${() => { m.lens = m.lens ? null : [0, 0]; m.redraw(); }}>${i.icon(m.lens ? i.mdiMagnifyMinusOutline : i.mdiMagnifyPlusOutline)}</button></div>`;
  const list = html`${able.length ? html`<div class="card places" role="group" aria-label="Places" @keydown=${(e: KeyboardEvent) => arrows(e, 'button')}>${able.map((one, k) => html`<button class="row" tabindex=${k ? -1 : 0} @click=${() => void placeAt(m, one)}><b class="num">${one.number}</b><span class="name">${wordsOf(m, one)}</span></button>`)}</div>` : nothing}
    ${not.length ? html`<h2 class="group-name">No room</h2>${not.map((one) => html`<div class="row no-room">${i.icon(i.mdiCancel)}<div class="name"><p>${wordsOf(m, one)}</p><p class="muted">${one.why_not}</p>
      <button class="quiet" @click=${() => { m.places = null; m.go('layout'); }}>Size of this row${i.icon(i.mdiChevronRight, 20)}</button></div></div>`)}` : nothing}`;
  const top = html`<header><div class="name"><h1 tabindex="-1" data-start>${p.title}</h1>${lostLine(m)}</div><button class="quiet" @click=${cancel}>Cancel</button></header>`;
  if (wide) return html`${top}<main class="desk three"><div class="side"></div><div class="middle">${hint}${picture(m, p.list)}</div><div class="panel-form">${list}</div></main>`;
  return html`${top}<main class="one choose"><div class="stuck">${picture(m, p.list)}</div>${hint}${list}</main>`;
}

/** shelfStep is the number of pictures that are requested at once. It is small, because the wall draws each picture on request. */
export const shelfStep = 24;

/** galleryScreen shows a picture of every widget and recipe. */
export function galleryScreen(m: Model): TemplateResult {
  const g = shelfOf(m), find = m.find.trim().toLowerCase();
  const fits = (one: Item) => (!m.category || one.category === m.category) && (!find || `${one.title} ${one.kind} ${one.text} ${one.category}`.toLowerCase().includes(find));
  const all = g?.items.filter(fits) ?? [];
  return html`${head(m, `Add to ${m.name}`, '', nothing)}<main class="one wide-page">
    ${search('Find a widget or a recipe', m.find, (v) => { m.find = v; m.shelfSize = shelfStep; m.redraw(); })}
    <div class="chips" role="group" aria-label="Categories">${['', ...(g?.categories ?? [])].map((c) => html`<button class="chip" aria-pressed=${m.category === c} @click=${() => { m.category = c; m.shelfSize = shelfStep; m.redraw(); }}>${c || 'All'}</button>`)}</div>
    ${!g ? html`<p class="muted empty">Reading the gallery…</p>` : nothing}
    ${g && !all.length ? html`<p class="empty">Nothing has this name. <button class="quiet" @click=${() => { m.find = ''; m.category = ''; m.redraw(); }}>Show all</button></p>` : nothing}
    <ul class="gallery">${all.slice(0, m.shelfSize).map((one) => tile(m, one))}</ul>
    ${all.length > m.shelfSize ? html`<button @click=${() => { m.shelfSize += shelfStep; m.redraw(); }}>${Math.min(shelfStep, all.length - m.shelfSize)} more</button>` : nothing}</main>`;
}

/** mode() returns a parameter for pictures in the theme of the wall. */
const mode = (m: Model) => (m.draft?.theme === 'day' ? '?theme=day' : '?theme=night');

function tile(m: Model, one: Item): TemplateResult {
  const shot = one.picture ? m.pictures.of(`gallery ${one.id}`, `..${one.picture}${mode(m)}`) : { url: '' };
  return html`<li><button @click=${() => void chooseItem(m, one)}><span class="shot">${shot.url ? html`<img alt="" src=${shot.url}>` : i.icon(i.kindIcon(one.kind), 40)}</span><b>${one.title}</b><span class="muted">${one.text}</span></button></li>`;
}

/** needScreen asks only for the required keys of a new widget. */
export function needScreen(m: Model): TemplateResult {
  const a = m.adding;
  if (!a) return html`${nothing}`;
  const shot = a.item.picture ? m.pictures.of(`gallery ${a.item.id}`, `..${a.item.picture}${mode(m)}`) : { url: '' };
  const ready = (a.item.required ?? []).every((r) => a.given[r.key]);
  const submit = (e: Event) => { e.preventDefault(); if (ready) void askPlaces(m); };
  return html`${head(m, `Add ${a.item.title}`, a.item.text, nothing)}<main class="one"><span class="shot large" aria-hidden="true">${shot.url ? html`<img alt="" src=${shot.url}>` : nothing}</span>
    <form class="card" @submit=${submit}>${(a.item.required ?? []).map((r) => html`<div class="field-block"><label for="n-${r.key}">${r.key}</label>${needed(m, r.key, r.type, r.example)}<p class="muted help">${r.help}</p></div>`)}
      <button class="main large" aria-disabled=${!ready}>Choose its place</button>${ready ? nothing : html`<p class="muted help">Fill in what is needed first.</p>`}</form></main>`;
}

function needed(m: Model, key: string, type: string, example?: string): Part {
  const a = m.adding!, put = (v: string) => { a.given[key] = v; m.redraw(); };
  const of = (t: string) => (type === 'secret' ? t : /number|integer|boolean/.test(type) || /^[[{!]/.test(t) || (type === 'any' && /^-?\d+(\.\d+)?$/.test(t)) ? t : t ? scalar(t) : '');
  return html`<input id="n-${key}" type=${type === 'secret' ? 'password' : 'text'} autocomplete="off" autocapitalize="off" placeholder=${type === 'secret' ? 'kept in secrets.yaml' : example ?? ''} .value=${live(m.typed.get(`need ${key}`) ?? '')} @input=${(e: Event) => { const t = (e.currentTarget as HTMLInputElement).value; m.typed.set(`need ${key}`, t); put(of(t)); }}>`;
}

// The picture of the draft with the selection and the highlighted places. Next to it are the tree, the bar and the YAML.
import { html, nothing, type TemplateResult } from 'lit';
import type { Node, Place } from './api';
import { glyphOf } from './glyphs';
import * as i from './icons';
import { nowOf, plural } from './live';
import type { Model } from './model';
import { code, coded, said, lostWords, select, type Part } from './parts';
import { copyHere, divideWall, duplicateWidget, placeAt, removeWidget, startMove } from './placing';
import { fillIn } from './templates';
import { fileText, openText } from './texts';
import { changes } from './words';
import { plain, short } from './yaml';

/** iconOf returns the outline of a node's own icon. If the node has no icon, iconOf returns the icon of its kind. */
export function iconOf(m: Model, n: Node): string {
  const own = m.param(n, 'icon')?.value;
  const glyph = own && !own.startsWith('!') ? glyphOf(m, plain(own)) : '';
  return glyph || (n.kind === 'provider' ? i.sourceIcon(plain(m.param(n, 'type')?.value ?? '')) : i.kindIcon(n.widget));
}

/** picturePath returns the address of the draft's picture for the chosen size, theme and data. */
export function picturePath(m: Model, change: Partial<Model['look']> = {}): string {
  const look = { ...m.look, ...change }, q = new URLSearchParams({ revision: String(m.draft!.revision) });
  if (look.theme) q.set('theme', look.theme);
  if (look.size) { q.set('width', String(look.size[0])); q.set('height', String(look.size[1])); }
  if (look.effect) q.set('effect', look.effect);
  if (look.data === 'sample') q.set('data', 'sample');
  return m.at(`/picture?${q}`);
}

/** box() returns the style of a rectangle of the wall, in percent of its picture. */
function box(m: Model, r: readonly number[], inset = 0): string {
  const d = m.draft!, x = (v: number) => `${(v / d.width) * 100}%`, y = (v: number) => `${(v / d.height) * 100}%`;
  return `left: calc(${x(r[0])} + ${inset}px); top: calc(${y(r[1])} + ${inset}px); width: calc(${x(r[2])} - ${2 * inset}px); height: calc(${y(r[3])} - ${2 * inset}px)`;
}

const smallest = 44; // size in px below which a place cannot be tapped on the picture

/** picture() shows the draft. A tap selects the innermost widget. Another tap at the same place selects the widget around it. */
export function picture(m: Model, lit?: Place[]): TemplateResult {
  const d = m.draft!, path = picturePath(m), none = d.drawn === -1, shot = none ? { url: '', fresh: false, failed: false } : m.pictures.of('wall', path), foreign = !!m.look.size;
  const size = m.look.size ?? [d.width, d.height];
  const errors = m.problems('error'), sel = m.selected;
  const tap = (e: MouseEvent) => {
    const b = (e.currentTarget as HTMLElement).getBoundingClientRect();
    if (foreign) return;
    pick(m, ((e.clientX - b.left) / b.width) * d.width, ((e.clientY - b.top) / b.height) * d.height);
  };
  const big = m.lens ? 2 : 1, at = m.lens ?? [0, 0];
  return html`<figure class="picture draft ${size[1] > size[0] ? 'upright' : ''}" aria-hidden="true" .style=${`aspect-ratio: ${size[0]} / ${size[1]}; --ratio: ${size[0] / size[1]}`}>
    <div class="canvas" .style=${`transform: scale(${big}) translate(${-at[0] * 100}%, ${-at[1] * 100}%)`} @click=${lit ? nothing : tap} @pointerdown=${lit ? nothing : (e: PointerEvent) => drag(m, e)}>
      ${shot.url ? html`<img alt="" src=${shot.url} draggable="false" data-fresh=${shot.fresh}>` : html`<span class="muted waiting">${none ? (m.widgets().length ? 'Nothing can be drawn yet.' : 'Nothing is on this wall yet.') : shot.failed ? 'The picture could not be drawn.' : 'Drawing…'}</span>`}
      ${foreign ? nothing : html`
        ${errors.map((p) => { const n = p.node ? m.node(p.node) : undefined; return n?.rect ? html`<div class="locked" .style=${box(m, n.rect)}></div>` : nothing; })}
        ${lit ? nothing : m.widgets().filter((n) => n.widget === 'space' && n.area && n.rect).map((n) => html`<div class="free-place" .style=${box(m, n.rect!, 3)}><span>${n.area}</span></div>`)}
        ${sel?.rect && !lit ? html`<div class="ring" .style=${box(m, sel.rect, 2)}></div>` : nothing}
        ${lit && m.places?.moving && m.node(m.places.moving)?.rect ? html`<div class="from" .style=${box(m, m.node(m.places.moving)!.rect!, 2)}></div>` : nothing}
        ${lit?.filter((p) => p.rect && p.why_not).map((p) => html`<div class="unlit" .style=${box(m, p.rect!, 2)} @click=${() => m.say({ text: p.why_not!, bad: true })}></div>`)}
        ${lit?.filter((p) => p.rect && !p.why_not && !thin(m, p)).map((p) => html`<div class="lit" .style=${box(m, p.rect!, 2)} @click=${() => void placeAt(m, p)}><b>${p.number}</b></div>`)}`}
    </div>
    ${(shot.failed && shot.url) || isOld(m) ? html`<figcaption>${i.icon(i.mdiAlertCircleOutline, 20)}the last good draft</figcaption>` : nothing}
  </figure>`;
}

/** isOld reports whether the picture shows an earlier revision of the draft, because the newest revision has errors. */
export const isOld = (m: Model) => (m.draft!.drawn ?? -1) >= 0 && m.draft!.drawn! < m.draft!.revision && m.problems('error').length > 0;

/** thin() reports whether a place is too small for a finger. Such a place is only in the list. */
function thin(m: Model, p: Place): boolean {
  const shown = document.querySelector('.picture')?.clientWidth ?? innerWidth, scale = (shown / m.draft!.width) * (m.lens ? 2 : 1);
  return p.rect![2] * scale < smallest || p.rect![3] * scale < smallest;
}

const dragFrom = 8; // distance, in px, from which a movement of the mouse is a drag

/** drag moves a widget with the mouse. Like Move, it highlights the places. The widget moves to the place under the pointer. */
function drag(m: Model, e: PointerEvent): void {
  const n = m.selected, from = e.currentTarget as HTMLElement, b = from.getBoundingClientRect(), d = m.draft!;
  const x = ((e.clientX - b.left) / b.width) * d.width, y = ((e.clientY - b.top) / b.height) * d.height, r = n?.rect;
  if (e.pointerType !== 'mouse' || e.button !== 0 || !n || !r || !m.parent(n.id) || x < r[0] || y < r[1] || x > r[0] + r[2] || y > r[1] + r[3]) return;
  let begun = false;
  const end = new AbortController();
  addEventListener('pointermove', (to) => {
    if (begun || Math.hypot(to.clientX - e.clientX, to.clientY - e.clientY) < dragFrom) return;
    begun = true;
    void startMove(m, n.id);
  }, { signal: end.signal });
  addEventListener('pointerup', (to) => {
    end.abort();
    if (begun) (document.elementFromPoint(to.clientX, to.clientY)?.closest('.lit') as HTMLElement | null)?.click();
  }, { signal: end.signal });
}

let lastTap: { x: number; y: number; depth: number } | null = null;

function pick(m: Model, x: number, y: number): void {
  const chain: Node[] = [];
  const walk = (n: Node) => {
    if (n.kind === 'widget' && n.rect && x >= n.rect[0] && y >= n.rect[1] && x < n.rect[0] + n.rect[2] && y < n.rect[1] + n.rect[3]) chain.unshift(n);
    n.children?.forEach(walk);
  };
  walk(m.draft!.tree);
  if (!chain.length) { m.select(''); return; }
  const near = 24 * (m.draft!.width / 390), same = lastTap && Math.abs(lastTap.x - x) < near && Math.abs(lastTap.y - y) < near && chain[lastTap.depth]?.id === m.chosen;
  const depth = same ? (lastTap!.depth + 1) % chain.length : 0;
  lastTap = { x, y, depth };
  m.select(chain[depth].id);
}

const sizes: [string, string][] = [['', 'the wall'], ['800x480', '800 × 480'], ['480x320', '480 × 320'], ['1920x1080', '1920 × 1080'], ['1080x1920', 'Portrait'], ['390x844', 'Phone']];
/** effects lists the simulated screens and eyes for which the editor can show the picture. */
export const effects = [['', 'Normal colors'], ['eink', 'E-paper'], ['rgb565', '16-bit colors'], ['protan', 'Red-blind'], ['deutan', 'Green-blind'], ['tritan', 'Blue-blind'], ['dim', 'Dim light']].map(([value, label]) => ({ value, label }));

/** yet() returns whether the wall differs from the draft, in words. */
export const yet = (m: Model) => (m.draft!.changes ? 'not on the wall yet' : 'as on the wall');

/** looks() returns the lists above the picture: size, theme, effect and data. */
export function looks(m: Model): TemplateResult {
  const set = (change: Partial<Model['look']>) => { Object.assign(m.look, change); m.redraw(); };
  const d = m.draft!, size = m.look.size ? m.look.size.join('x') : '';
  const shot = d.drawn === -1 ? { fresh: false, ms: 0 } : m.pictures.of('wall', picturePath(m));
  return html`<div class="looks"><span class="mark">Draft</span><span class="muted narrow">${yet(m)}</span>
    <span class="wide-only">${select('Size of the picture', 'look-size', sizes.map(([value, l]) => ({ value, label: value ? l : `${d.width} × ${d.height}` })), size, (v) => set({ size: v ? v.split('x').map(Number) as [number, number] : null }), true)}</span>
    <span class="wide-only">${select('Theme of the picture', 'look-theme', [{ value: '', label: 'Theme now' }, { value: 'day', label: 'Day' }, { value: 'night', label: 'Night' }], m.look.theme, (v) => set({ theme: v as Model['look']['theme'] }), true)}</span>
    ${select('Data of the picture', 'look-data', [{ value: 'live', label: 'Live data' }, { value: 'sample', label: 'Sample data' }], m.look.data, (v) => set({ data: v as 'live' | 'sample' }), true)}
    <span class="wide-only full">${select('Preview as', 'look-effect', effects, m.look.effect, (v) => set({ effect: v }), true)}</span>
    <span class="grow"></span>${shot.fresh ? html`<span class="muted wide-only full">drawn in ${shot.ms} ms</span>` : nothing}
    <button class="iconic plainly narrow" aria-label=${m.lens ? 'Smaller picture' : 'Larger picture'} aria-pressed=${!!m.lens} @click=${() => { m.lens = m.lens ? null : [0, 0]; m.redraw(); }}>${i.icon(m.lens ? i.mdiMagnifyMinusOutline : i.mdiMagnifyPlusOutline)}</button></div>
    ${m.lens ? lensButtons(m) : nothing}`;
}

/** previews() shows the same lists on a phone, where they are on the screen More. */
export function previews(m: Model): TemplateResult {
  const set = (change: Partial<Model['look']>) => { Object.assign(m.look, change); m.go('wall'); };
  const size = m.look.size ? m.look.size.join('x') : '';
  return html`<section class="card" aria-label="Preview"><h2 class="label">Preview</h2>
    <label for="pre-size">Size</label>${select('Size of the picture', 'pre-size', sizes.map(([value, label]) => ({ value, label })), size, (v) => set({ size: v ? v.split('x').map(Number) as [number, number] : null }))}
    <label for="pre-theme">Theme</label>${select('Theme of the picture', 'pre-theme', [{ value: '', label: 'as on the wall' }, { value: 'day', label: 'Day' }, { value: 'night', label: 'Night' }], m.look.theme, (v) => set({ theme: v as Model['look']['theme'] }))}
    <label for="pre-effect">Preview as</label>${select('Preview as', 'pre-effect', effects, m.look.effect, (v) => set({ effect: v }))}</section>`;
}

function lensButtons(m: Model): TemplateResult {
  const by = (x: number, y: number) => { const l = m.lens!; m.lens = [Math.min(0.5, Math.max(0, l[0] + x)), Math.min(0.5, Math.max(0, l[1] + y))]; m.redraw(); };
  return html`<div class="lens" role="group" aria-label="Move the larger picture">
    <button class="iconic" aria-label="Left" @click=${() => by(-0.25, 0)}>${i.icon(i.mdiArrowLeft)}</button><button class="iconic" aria-label="Up" @click=${() => by(0, -0.25)}>${i.icon(i.mdiArrowUp)}</button>
    <button class="iconic" aria-label="Down" @click=${() => by(0, 0.25)}>${i.icon(i.mdiArrowDown)}</button><button class="iconic" aria-label="Right" @click=${() => by(0.25, 0)}>${i.icon(i.mdiArrowRight)}</button></div>`;
}

/** tree() lists the widgets of the wall. It has one tab stop. */
export function tree(m: Model): TemplateResult {
  const roots = m.draft!.tree.kind === 'widget' ? [m.draft!.tree] : m.draft!.tree.children ?? [];
  const rows: { n: Node; depth: number }[] = [];
  const walk = (n: Node, depth: number) => {
    rows.push({ n, depth });
    if (!m.closed.has(n.id)) n.children?.forEach((c) => walk(c, depth + 1));
  };
  roots.forEach((n) => walk(n, 1));
  const held = rows.some((r) => r.n.id === m.chosen) ? m.chosen : rows[0]?.n.id;
  return html`<div class="tree-head"><h2 class="label name">On this wall</h2><button class="quiet" @click=${() => m.go('gallery')}>${i.icon(i.mdiPlus)}Add</button></div>
    ${rows.length ? html`<div class="tree" role="tree" aria-label="Widgets of this wall" @keydown=${(e: KeyboardEvent) => treeKey(m, e, rows)}>${rows.map(({ n, depth }) => row(m, n, depth, n.id === held))}</div>`
      : html`<p class="empty muted">Nothing is on this wall yet.</p>`}`;
}

function row(m: Model, n: Node, depth: number, stop: boolean): TemplateResult {
  const open = !m.closed.has(n.id), parent = !!n.children?.length, bad = m.problems('error').some((p) => p.node === n.id);
  return html`<div role="treeitem" data-node=${n.id} aria-level=${depth} aria-selected=${n.id === m.chosen} aria-expanded=${parent ? String(open) : nothing} tabindex=${stop ? 0 : -1}
    .style=${`--depth: ${Math.min(depth - 1, 4)}`} @click=${() => m.select(n.id)}>
    ${parent ? html`<span class="fold" @click=${(e: Event) => { e.stopPropagation(); fold(m, n.id); }}>${i.icon(open ? i.mdiChevronDown : i.mdiChevronRight, 20)}</span>` : html`<span class="fold"></span>`}
    ${i.icon(iconOf(m, n))}<span class="name">${n.title}</span>${bad ? html`<span class="bad">${i.icon(i.mdiAlertCircle, 20)}<span class="unseen">error</span></span>` : n.id === m.chosen ? html`<span class="chosen-mark">${i.icon(i.mdiCheck)}</span>` : nothing}</div>`;
}

function fold(m: Model, id: string): void {
  if (!m.closed.delete(id)) m.closed.add(id);
  m.redraw();
}

/** treeKey handles the keys of the tree: up and down select, right and left open and close. */
function treeKey(m: Model, e: KeyboardEvent, rows: { n: Node; depth: number }[]): void {
  if (e.altKey || e.ctrlKey || e.metaKey) return;
  const at = Math.max(0, rows.findIndex((r) => r.n.id === (document.activeElement as HTMLElement).dataset.node)), here = rows[at]?.n;
  if (!here) return;
  let to = at;
  if (e.key === 'ArrowDown') to = m.chosen ? at + 1 : at;
  else if (e.key === 'ArrowUp') to = at - 1;
  else if (e.key === 'Home') to = 0;
  else if (e.key === 'End') to = rows.length - 1;
  else if (e.key === 'ArrowRight') { if (m.closed.has(here.id)) fold(m, here.id); else if (here.children?.length) to = at + 1; } else if (e.key === 'ArrowLeft') {
    if (here.children?.length && !m.closed.has(here.id)) fold(m, here.id);
    else to = Math.max(0, rows.findIndex((r) => r.n.id === m.parent(here.id)?.id));
  } else if (e.key === ' ') to = at;
  else return;
  e.preventDefault();
  const next = rows[Math.min(rows.length - 1, Math.max(0, to))].n.id;
  m.select(next);
  focusRow(next);
}

/** focusRow gives the focus to a row of the tree after it was drawn. */
export function focusRow(id: string): void {
  requestAnimationFrame(() => (document.querySelector(`[data-node="${CSS.escape(id)}"]`) as HTMLElement | null)?.focus());
}

/** The plans that are offered for an empty wall. Every part of a plan can be changed later. */
const beginnings: { name: string; areas: string[]; columns?: string; rows?: string }[] = [
  { name: 'Family', areas: ['clock weather weather', 'calendar weather weather', 'calendar photos more'], columns: '[1.4, 1, 1]', rows: '[4, 4, 5]' },
  { name: 'Two side by side', areas: ['left right'] },
  { name: 'One large, two small', areas: ['main top', 'main bottom'], columns: '[2, 1]' },
  { name: 'A head and three below', areas: ['head head head', 'left middle right'], rows: '[1, 2]' },
];

function planText(b: (typeof beginnings)[number]): string {
  const names = [...new Set(b.areas.flatMap((row) => row.split(' ')))];
  return `widget: layout\nareas: [${b.areas.map((row) => `"${row}"`).join(', ')}]\n${b.columns ? `columns: ${b.columns}\n` : ''}${b.rows ? `rows: ${b.rows}\n` : ''}children:\n${names.map((name) => `  - {widget: space, area: ${name}}\n`).join('')}`;
}

/** beginning() lets a person choose the areas of an empty wall. */
export function beginning(m: Model): Part {
  if (m.widgets().length) return nothing;
  return html`<section class="card" aria-label="First"><h2>How is the wall divided?</h2><p class="muted">Choose a plan. Then fill its places. All of it can be changed later.</p>
    <ul class="gallery plans-list">${beginnings.map((b) => html`<li><button @click=${() => void divideWall(m, planText(b)).then(() => focusRow(m.chosen))}><span class="mini" aria-hidden="true" .style=${`grid-template-areas: ${b.areas.map((row) => `"${row}"`).join(' ')}`}>${[...new Set(b.areas.flatMap((row) => row.split(' ')))].map((name) => html`<i .style=${`grid-area: ${name}`}></i>`)}</span><b>${b.name}</b></button></li>`)}</ul>
    <button class="quiet" @click=${() => m.go('gallery')}>One widget for the whole wall</button></section>`;
}

/** summary() shows a card about the selection, on a phone. */
export function summary(m: Model): Part {
  const n = m.selected;
  if (!n) return nothing;
  const where = n.area ? `${n.widget}, in area “${n.area}”` : n.widget ?? n.kind;
  const shown = (n.params ?? []).filter((p) => !['widget', 'area', 'title', 'icon', 'children', 'portrait'].includes(p.key)).slice(0, 4), now = nowOf(m, n);
  return html`<section class="card" aria-label="Selection"><div class="row selected">${i.icon(iconOf(m, n), 28)}<div class="name"><h2>${n.title}</h2><p class="muted">${where}</p></div>
      <button class="iconic plainly" aria-label="Previous widget" @click=${() => m.step(-1)}>${i.icon(i.mdiChevronLeft)}</button>
      <button class="iconic plainly" aria-label="Next widget" @click=${() => m.step(1)}>${i.icon(i.mdiChevronRight)}</button>
      <button class="iconic plainly" aria-label="Choose nothing" @click=${() => m.select('')}>${i.icon(i.mdiClose, 20)}</button></div>
    ${n.used && n.used > 1 ? html`<p class="hint">${i.icon(i.mdiLinkVariant, 20)}Used ${n.used} times. A change is seen at all of them.</p>${n.of ? html`<button @click=${() => void copyHere(m, n.id)}>Edit a copy</button>` : nothing}` : nothing}
    ${shown.length || now !== nothing ? html`<dl>${shown.map((p) => html`<div class="value"><dt class="muted">${p.key}</dt><dd>${short(p.value)}</dd></div>`)}${now === nothing ? nothing : html`<div class="value"><dt class="muted">now</dt><dd>${now}</dd></div>`}</dl>` : nothing}
    ${nodeProblems(m, n)}</section>`;
}

export function nodeProblems(m: Model, n: Node): Part {
  if (n.locked) return mistake(m, n);
  const all = m.problems().filter((p) => p.node === n.id);
  return all.length ? html`${all.map((p) => html`<div class="problem"><p class=${p.severity === 'error' ? 'wrong' : 'warned'}><b>Line ${p.line}:</b> ${said(p.text)}</p>${addSource(m, p.text)}</div>`)}` : nothing;
}

/** mistake() shows the mistake in the text that must be corrected before a node can be changed. */
function mistake(m: Model, n: Node): TemplateResult {
  const p = m.problems('error').find((one) => one.file === n.file);
  return html`<div class="wrong mistake" role="status"><p><b>${n.file}, line ${n.locked}: correct this text first.</b></p><p>${coded(p?.text ?? '')}</p><p class="muted">Until then, the last good values stay here.</p>
    <button @click=${() => openText(m, n.file, n.locked!)}>Go to line ${n.locked}</button></div>`;
}

/** addSource offers the form for a source that a widget needs and the wall does not have. */
function addSource(m: Model, problem: string): Part {
  const kind = /^needs a provider of type (calendar|weather|homeassistant),/.exec(problem)?.[1];
  return kind ? html`<button @click=${() => fillIn(m, kind)}>${i.icon(i.mdiPlus, 20)}Add the source</button>` : nothing;
}

let pressed = 0; // time until which a press counts as the second press of a double press

/** single runs an action once for a double press, because after the first press another widget is selected. */
function single(run: () => Promise<unknown>): void {
  if (Date.now() < pressed) return;
  pressed = Infinity;
  const doublePress = 500; // in ms
  void run().finally(() => { pressed = Date.now() + doublePress; });
}

/** actions() returns the actions that are possible with the selection. */
export function actions(m: Model): { word: string; icon: string; run: () => void; remove?: boolean; off?: boolean }[] {
  const n = m.selected, around = n && m.parent(n.id), whole = n && (!around || around.kind !== 'widget');
  return [
    { word: 'Move', icon: i.mdiArrowAll, run: () => void startMove(m, m.chosen), off: !!whole || !!n?.locked },
    { word: 'Size', icon: i.mdiArrowExpandAll, run: () => m.go('layout'), off: !m.layoutOf(m.chosen) || !!m.layoutOf(m.chosen)?.locked },
    ...(n?.widget === 'space' ? [] : [{ word: 'Duplicate', icon: i.mdiContentDuplicate, run: () => single(() => duplicateWidget(m, m.chosen)), off: !!whole || !!n?.locked }]),
    { word: 'Delete', icon: i.mdiTrashCanOutline, run: () => single(() => removeWidget(m, m.chosen)), remove: true, off: !!n?.locked },
  ];
}

/** isFree reports whether a widget is a free place of a layout. */
export function isFree(m: Model, n: Node): boolean { return n.widget === 'space' && !!n.area && m.parent(n.id)?.widget === 'layout'; }

/** fill opens the gallery to fill the chosen free place. */
export function fill(m: Model): void {
  m.filling = m.chosen;
  m.go('gallery');
}

export function actionButtons(m: Model): Part {
  if (!m.selected) return nothing;
  return html`<div class="actions" role="group" aria-label="Selection">${isFree(m, m.selected) ? html`<button class="main" @click=${() => fill(m)}>${i.icon(i.mdiPlus, 20)}Fill</button>` : nothing}${actions(m).map((a) => html`<button class=${a.remove ? 'removes' : ''} aria-disabled=${!!a.off} @click=${() => a.off || a.run()}>${i.icon(a.icon, 20)}${a.word}</button>`)}</div>`;
}

/** bar() returns the bar at the bottom of the page on a phone. */
export function bar(m: Model): TemplateResult {
  const go = (word: string, path: string, run: () => void, kind = '') => html`<button class="${kind}" @click=${run}>${i.icon(path)}<span>${word}</span></button>`;
  if (!m.selected) {
    return html`<nav class="foot" aria-label="Parts">${go('Add', i.mdiPlus, () => m.go('gallery'), 'chosen')}${go('Layout', i.mdiViewSplitVertical, () => m.go('layout'))}${go('Data', i.mdiDatabaseOutline, () => m.go('data'))}
      ${go('Theme', i.mdiPaletteOutline, () => m.go('theme'))}${go('More', i.mdiDotsHorizontal, () => m.go('more'))}</nav>`;
  }
  return html`<nav class="foot" aria-label="Selection">${actions(m).map((a) => html`<button class=${a.remove ? 'removes' : ''} aria-disabled=${!!a.off} @click=${() => a.off || a.run()}>${i.icon(a.icon)}<span>${a.word}</span></button>`)}
    ${isFree(m, m.selected) ? go('Fill', i.mdiPlus, () => fill(m), 'chosen') : go('Edit', i.mdiPencil, () => m.go('form'), 'chosen')}</nav>`;
}

const around = 3; // number of lines shown before and after the selection

/** source() shows the part of the file around the selection. */
export function source(m: Model): Part {
  const n = m.selected;
  if (!n) return nothing;
  const text = fileText(m, n.file);
  if (text === null) return html`<section class="card lines" aria-label="File"><p class="muted">Reading ${n.file}…</p></section>`;
  const bytes = new TextEncoder().encode(text), count = (to: number) => { let k = 0; for (let b = 0; b < Math.min(to, bytes.length); b++) if (bytes[b] === 10) k++; return k; };
  const from = count(n.start), to = count(Math.max(n.start, n.end - 1)), lines = text.split('\n');
  const a = Math.max(0, from - around), z = Math.min(lines.length - 1, Math.min(to, from + 12) + around);
  const changed = m.draft!.files.find((f) => f.name === n.file)?.changed;
  return html`<section class="card lines" aria-label="File"><div class="row"><h2 class="name">${n.file} <small>${from === to ? `line ${from + 1}` : `lines ${from + 1} to ${to + 1}`}${changed ? ', all else stays byte for byte' : ''}</small></h2>
      <button class="quiet" @click=${() => openText(m, n.file, from + 1)}>Open file</button></div>
    <pre role="group" tabindex="0" aria-label="Lines of ${n.file}">${lines.slice(a, z + 1).map((line, k) => html`<span class="ln ${a + k >= from && a + k <= to ? 'on' : ''}" .style=${`--indent: ${line.search(/\S|$/) + 2}ch`}><i>${a + k + 1}</i><code>${code(line)}</code></span>`)}</pre></section>`;
}

/** status() shows the state of the draft in the header. */
export function status(m: Model): TemplateResult {
  const d = m.draft!, errors = m.problems('error'), warnings = m.problems('warning');
  if (m.lost) return lostWords(20);
  if (errors.length || warnings.length) return html`<button class="state ${errors.length ? 'bad' : 'warn'}" @click=${() => m.go('problems')}>${i.icon(errors.length ? i.mdiAlertCircleOutline : i.mdiAlertOutline, 20)}${errors.length ? plural(errors.length, 'error', 'errors') : plural(warnings.length, 'warning', 'warnings')}</button>`;
  return html`<span class="state">${d.changes ? html`<span class="good">${i.icon(i.mdiCheckCircleOutline, 20)}</span>` : nothing}${d.changes ? `${changes(d.changes)}, check is clean` : 'No changes'}</span>`;
}

// The plan of a layout: its areas, and the shares of its columns and rows, one plan for landscape and one for portrait.
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Node } from './api';
import * as i from './icons';
import type { Model } from './model';
import { head, segment, tabs, applyButton, undoButtons, type Part } from './parts';
import { startMove } from './placing';
import { iconOf, status } from './wall';
import { list, number, read, type Value } from './yaml';

/** A Plan is a grid of area names with the sizes of its columns and rows. '.' is a free cell. */
export interface Plan { cells: string[][]; columns: string[]; rows: string[] }

interface Area { name: string; x: number; y: number; w: number; h: number }

function planOf(areas: string[], columns: string[], rows: string[]): Plan {
  const cells = areas.map((line) => line.trim().split(/\s+/)), wide = Math.max(1, ...cells.map((r) => r.length));
  for (const r of cells) while (r.length < wide) r.push('.');
  const fill = (given: string[], n: number) => Array.from({ length: n }, (_, k) => given[k] ?? '1');
  return { cells, columns: fill(columns, wide), rows: fill(rows, cells.length) };
}

/** plans() returns both plans of a layout. */
export function plans(m: Model, n: Node): { landscape: Plan; portrait: Plan | null } {
  const of = (key: string) => list(m.param(n, key)?.value);
  const up = m.param(n, 'portrait') ? read(m.param(n, 'portrait')!.value) : null;
  const texts = (v: Value | undefined) => (Array.isArray(v) ? v.map(String) : []);
  const part = up && typeof up === 'object' && !Array.isArray(up) ? planOf(texts(up.areas), texts(up.columns), texts(up.rows)) : null;
  return { landscape: planOf(of('areas'), of('columns'), of('rows')), portrait: part && part.cells.length ? part : null };
}

function areasOf(p: Plan): Area[] {
  const all = new Map<string, Area>();
  p.cells.forEach((row, y) => row.forEach((name, x) => {
    if (name === '.') return;
    const a = all.get(name);
    if (!a) all.set(name, { name, x, y, w: 1, h: 1 });
    else { a.w = Math.max(a.w, x - a.x + 1); a.h = Math.max(a.h, y - a.y + 1); }
  }));
  return [...all.values()];
}

const copy = (p: Plan): Plan => ({ cells: p.cells.map((r) => [...r]), columns: [...p.columns], rows: [...p.rows] });
interface Written { areas?: string[]; columns?: string[]; rows?: string[] }

/** difference() returns what a plan changes in the files. Parts that stay the same are not sent. */
function difference(before: Plan | null, after: Plan): Written {
  const areas = (p: Plan) => p.cells.map((r) => r.join(' ')), same = (a: string[] | undefined, b: string[]) => a?.join('|') === b.join('|');
  return {
    ...(same(before && areas(before) || undefined, areas(after)) ? {} : { areas: areas(after) }),
    ...(same(before?.columns, after.columns) ? {} : { columns: after.columns }), ...(same(before?.rows, after.rows) ? {} : { rows: after.rows }),
  };
}

/** put changes a plan of a layout and sends the change. */
function put(m: Model, n: Node, change: (p: Plan) => void, portrait: boolean): void {
  void m.ops(() => {
    const now = m.node(n.id);
    if (!now) return null;
    const both = plans(m, now), land = copy(both.landscape), up = both.portrait ? copy(both.portrait) : portrait ? copy(both.landscape) : null;
    change(portrait ? up! : land);
    return [{ op: 'layout', node: n.id, hash: now.hash, ...(portrait ? { portrait: difference(both.portrait, up!) } : difference(both.landscape, land)) }];
  }).then(() => m.redraw());
}

/** stepped() makes a share one step larger or smaller: by 0.1 below 2, otherwise by 1. Lengths in px change by 10. */
function stepped(text: string, by: number): string {
  const m = /^([\d.]+)(px|%)?$/.exec(text.trim());
  if (!m) return text;
  const v = +m[1], step = m[2] ? (m[2] === '%' ? 5 : 10) : by > 0 ? (v < 2 ? 0.1 : 1) : v <= 2 ? 0.1 : 1;
  return number(Math.max(m[2] ? step : 0.1, v + by * step)) + (m[2] ?? '');
}

export function layoutScreen(m: Model): TemplateResult {
  const n = m.layoutOf(m.chosen), phone = innerWidth < 720;
  if (!n) {
    return html`${top(m, phone)}<main class="one"><p class="empty">This wall has no layout. ${m.widgets().length ? 'Its widgets stand in rows and columns: their size is the key grow of each.' : 'Add the first widget.'}</p>
      <button @click=${() => m.go('gallery')}>${i.icon(i.mdiPlus, 20)}Add</button></main>`;
  }
  const both = plans(m, n), missing = children(n).filter((c) => both.portrait && c.area && areasOf(both.landscape).some((a) => a.name === c.area) && !areasOf(both.portrait).some((a) => a.name === c.area) && !m.accepted.has(`out ${c.id}`));
  return html`${top(m, phone)}<main class="plans">${phone ? html`<div class="switcher">${segment('Plan', [
      { value: 'l', label: 'Landscape', icon: i.mdiMonitor }, { value: 'p', label: missing.length ? html`Portrait<b class="badge">${missing.length}</b>` : 'Portrait', icon: i.mdiCellphone },
    ], m.portrait ? 'p' : 'l', (v) => { m.portrait = v === 'p'; m.redraw(); })}</div>` : nothing}
    ${phone && m.portrait ? nothing : planCard(m, n, both.landscape, false)}
    ${phone && !m.portrait ? nothing : both.portrait ? planCard(m, n, both.portrait, true) : noPortrait(m, n)}
    <div class="plan-side">${chosenCard(m, n, m.portrait && both.portrait ? both.portrait : both.landscape, m.portrait && !!both.portrait)}${missing.map((c) => missingCard(m, n, c))}</div></main>`;
}

function top(m: Model, phone: boolean): TemplateResult {
  if (phone) return head(m, 'Layout', '', html`${undoButtons(m, false)}<button class="main" @click=${() => m.go('wall')}>Done</button>`);
  return html`<header><button class="iconic back" aria-label="Close" @click=${() => m.go('close')}>${i.icon(i.mdiClose)}</button><h1 tabindex="-1" data-start>${m.name}</h1>${tabs(m)}<span class="grow"></span>${status(m)}${undoButtons(m)}${applyButton(m)}</header>`;
}

const children = (n: Node) => n.children ?? [];
const childAt = (n: Node, area: string) => children(n).find((c) => c.area === area);

function noPortrait(m: Model, n: Node): TemplateResult {
  return html`<section class="card plan" aria-label="Portrait"><div class="row">${i.icon(i.mdiCellphone)}<h2 class="name">Portrait</h2></div><p class="muted">An upright screen takes the landscape plan.</p>
    <button @click=${() => put(m, n, (p) => upright(p), true)}>Make a plan for upright screens</button></section>`;
}

/** upright() stacks the areas of a plan in one column. */
function upright(p: Plan): void {
  const all = areasOf(p);
  p.cells = all.map((a) => [a.name]);
  p.columns = ['1'];
  p.rows = all.map((a) => String(a.h));
}

function planCard(m: Model, n: Node, p: Plan, portrait: boolean): TemplateResult {
  const phone = innerWidth < 720, d = m.draft!;
  const add = (row: boolean) => put(m, n, (q) => {
    if (row) { q.cells.push(q.columns.map(() => '.')); q.rows.push('1'); } else { q.cells.forEach((r) => r.push('.')); q.columns.push('1'); }
  }, portrait);
  const areas = areasOf(p), free: [number, number][] = [];
  p.cells.forEach((r, y) => r.forEach((c, x) => { if (c === '.') free.push([x, y]); }));
  const share = (all: string[]) => all.map((s) => { const v = parseFloat(s); return /px|%|fit/.test(s) || !v ? 'minmax(48px, 1fr)' : `minmax(44px, ${v}fr)`; }).join(' ');
  const stepsOf = (all: string[], column: boolean) => all.map((s, k) => html`<div class="share" .style=${column ? `grid-column: ${k + 2}; grid-row: 1` : `grid-row: ${k + 2}; grid-column: 1`}>${sizeStep(m, n, s, column, k, portrait)}</div>`);
  const grid = html`<div class="plan-grid ${phone ? 'small' : ''}" .style=${phone ? `grid-template-columns: ${share(p.columns)}; grid-template-rows: ${share(p.rows)}; aspect-ratio: ${portrait ? '3 / 4' : '16 / 9'}`
    : `grid-template-columns: 136px ${share(p.columns)}; grid-template-rows: 44px ${share(p.rows)}; min-height: ${portrait ? 620 : 380}px`}>
    ${phone ? nothing : html`${stepsOf(p.columns, true)}${stepsOf(p.rows, false)}`}
    ${areas.map((a) => areaButton(m, n, a, phone ? 1 : 2, portrait))}
    ${free.map(([x, y]) => html`<span class="free" .style=${`grid-column: ${x + (phone ? 1 : 2)}; grid-row: ${y + (phone ? 1 : 2)}`}></span>`)}</div>`;
  if (!phone) {
    return html`<section class="card plan ${portrait ? 'up' : ''}" aria-label=${portrait ? 'Portrait' : 'Landscape'}><div class="row wraps">${i.icon(portrait ? i.mdiCellphone : i.mdiMonitor)}<h2 class="name">${portrait ? 'Portrait' : 'Landscape'} <small class="inline">${portrait === d.height > d.width ? `the wall, ${d.width} × ${d.height}` : portrait ? '1080 × 1920' : '1920 × 1080'}</small></h2>
        <button @click=${() => add(true)}>${i.icon(i.mdiPlus, 20)}Row</button><button @click=${() => add(false)}>${i.icon(i.mdiPlus, 20)}Column</button></div>
      ${grid}${portrait ? nothing : html`<p class="muted help">Numbers are shares of the width and of the height. Tap a number to type it.</p>`}</section>`;
  }
  const rowsOf = (all: string[], column: boolean) => all.map((s, k) => html`<div class="row share-row"><span class="name">${k + 1} <span class="muted">${namesIn(n, p, column, k)}</span></span>${sizeStep(m, n, s, column, k, portrait)}</div>`);
  return html`${grid}<div class="plan-numbers">
    <section class="card" aria-label="Columns"><div class="row"><h2 class="name">Columns</h2><span class="muted">shares of the width</span><button class="iconic plainly" aria-label="Add a column" @click=${() => add(false)}>${i.icon(i.mdiPlus)}</button></div>${rowsOf(p.columns, true)}</section>
    <section class="card" aria-label="Rows"><div class="row"><h2 class="name">Rows</h2><span class="muted">shares of the height</span><button class="iconic plainly" aria-label="Add a row" @click=${() => add(true)}>${i.icon(i.mdiPlus)}</button></div>${rowsOf(p.rows, false)}</section></div>`;
}

function namesIn(n: Node, p: Plan, column: boolean, k: number): string {
  const names = new Set(column ? p.cells.map((r) => r[k]) : p.cells[k]);
  names.delete('.');
  return [...names].map((a) => childAt(n, a)?.title ?? a).join(', ') || 'free';
}

/** sizeStep shows the size of a column or row between − and +. If the column or row is free, a button removes it. */
function sizeStep(m: Model, n: Node, s: string, column: boolean, k: number, portrait: boolean): TemplateResult {
  const name = `${column ? 'Column' : 'Row'} ${k + 1}${portrait ? ', portrait' : ''}`, of = (p: Plan) => (column ? p.columns : p.rows);
  const set = (v: string) => put(m, n, (p) => { of(p)[k] = v; }, portrait);
  const typed = (e: Event) => {
    const t = (e.currentTarget as HTMLInputElement).value.trim().replace(',', '.');
    if (/^(\d+(\.\d+)?(px|%)?|fit)$/.test(t) && t !== s) set(t);
    else (e.currentTarget as HTMLInputElement).value = s;
  };
  const both = plans(m, m.node(n.id) ?? n), p = portrait ? both.portrait ?? both.landscape : both.landscape;
  const empty = (column ? p.cells.every((r) => r[k] === '.') : p.cells[k]?.every((c) => c === '.')) && of(p).length > 1;
  const less = () => (empty && parseFloat(s) <= 1 ? put(m, n, (q) => {
    if (column) { q.cells.forEach((r) => r.splice(k, 1)); q.columns.splice(k, 1); } else { q.cells.splice(k, 1); q.rows.splice(k, 1); }
  }, portrait) : set(stepped(s, -1)));
  return html`<div class="tiny-step"><button class="iconic" aria-label=${empty ? `Remove ${name}` : `${name}, less`} @click=${less}>${i.icon(empty ? i.mdiTrashCanOutline : i.mdiMinus)}</button>
    <input aria-label=${name} .value=${live(s)} @change=${typed} inputmode="decimal"><button class="iconic" aria-label="${name}, more" @click=${() => set(stepped(s, 1))}>${i.icon(i.mdiPlus)}</button></div>`;
}

function areaButton(m: Model, n: Node, a: Area, off: number, portrait: boolean): TemplateResult {
  const c = childAt(n, a.name), inner = c && children(c).length ? children(c).map((x) => x.title).join(', ') : '';
  return html`<button class="area" aria-pressed=${!!c && c.id === m.chosen} .style=${`grid-column: ${a.x + off} / span ${a.w}; grid-row: ${a.y + off} / span ${a.h}`}
    @click=${() => { m.portrait = portrait; if (c) m.select(c.id); }}>${c ? i.icon(iconOf(m, c)) : nothing}<span>${c?.title ?? `“${a.name}” is free`}</span>${inner && innerWidth >= 720 ? html`<small>${inner}</small>` : nothing}</button>`;
}

/** chosenCard makes the area of the selection wider, narrower, taller or lower. An area can only grow into free cells. */
function chosenCard(m: Model, n: Node, p: Plan, portrait: boolean): Part {
  const c = children(n).find((one) => one.id === m.chosen) ?? children(n).find((one) => children(one).some((x) => x.id === m.chosen));
  const a = c?.area ? areasOf(p).find((one) => one.name === c.area) : undefined;
  if (!c || !a) return html`<section class="card" aria-label="Area"><p class="muted">Tap an area to change it.</p></section>`;
  const wide = p.columns.length, high = p.rows.length, cells = (x: number, y: number, w: number, h: number) => Array.from({ length: w * h }, (_, k) => p.cells[y + Math.floor(k / w)]?.[x + (k % w)]);
  const free = (x: number, y: number, w: number, h: number) => x >= 0 && y >= 0 && x + w <= wide && y + h <= high && cells(x, y, w, h).every((v) => v === '.');
  const right = free(a.x + a.w, a.y, 1, a.h), left = free(a.x - 1, a.y, 1, a.h), down = free(a.x, a.y + a.h, a.w, 1), up = free(a.x, a.y - 1, a.w, 1);
  const fill = (x: number, y: number, w: number, h: number, v: string) => put(m, n, (q) => { for (let yy = y; yy < y + h; yy++) for (let xx = x; xx < x + w; xx++) q.cells[yy][xx] = v; }, portrait);
  const around = [...new Set([...cells(a.x + a.w, a.y, 1, a.h), ...cells(a.x, a.y + a.h, a.w, 1), ...cells(a.x, a.y - 1, a.w, 1), ...cells(a.x - 1, a.y, 1, a.h)])].filter((v) => v && v !== '.' && v !== a.name);
  const named = around.map((v) => childAt(n, v!)?.title ?? v).join(', ').replace(/, ([^,]*)$/, ' and $1');
  const words = `column${a.w > 1 ? `s ${a.x + 1} to ${a.x + a.w}` : ` ${a.x + 1}`}, row${a.h > 1 ? `s ${a.y + 1} to ${a.y + a.h}` : ` ${a.y + 1}`}`;
  const button = (word: string, able: boolean, run: () => void) => html`<button aria-disabled=${!able} @click=${() => able && run()}>${word}</button>`;
  return html`<section class="card" aria-label="Area"><div class="row wraps">${i.icon(iconOf(m, c))}<h2 class="name">${c.title} <small class="inline">${words}</small></h2></div>
    <div class="buttons">${button('Wider', right || left, () => fill(right ? a.x + a.w : a.x - 1, a.y, 1, a.h, a.name))}${button('Narrower', a.w > 1, () => fill(a.x + a.w - 1, a.y, 1, a.h, '.'))}
      ${button('Taller', down || up, () => fill(a.x, down ? a.y + a.h : a.y - 1, a.w, 1, a.name))}${button('Flatter', a.h > 1, () => fill(a.x, a.y + a.h - 1, a.w, 1, '.'))}
      <button @click=${() => { m.select(c.id); void startMove(m, c.id); }}>${i.icon(i.mdiArrowAll, 20)}Move</button></div>
    ${right || left || down || up ? nothing : html`<p class="muted help">${named ? `${named} ${around.length > 1 ? 'leave' : 'leaves'} no room to grow.` : 'There is no room to grow.'}</p>`}</section>`;
}

function missingCard(m: Model, n: Node, c: Node): TemplateResult {
  const give = () => put(m, n, (p) => { p.cells.push(p.columns.map(() => c.area!)); p.rows.push('3'); }, true);
  return html`<section class="card warn" aria-label="Without a place"><div class="row">${i.icon(i.mdiAlertOutline)}<h2 class="name">${c.title} has no place upright</h2></div>
    <div class="row wraps"><p class="name muted">It is in the landscape plan only. An upright screen leaves it out.</p><button @click=${give}>Give it a place</button>
    <button class="quiet" @click=${() => { m.accepted.add(`out ${c.id}`); m.redraw(); }}>Leave it out</button></div></section>`;
}

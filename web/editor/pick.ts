// The screen that picks a value: the tree of a source's values, and a formula with its present result.
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Node, Value } from './api';
import { answerOf } from './answer';
import * as i from './icons';
import type { Model } from './model';
import { arrows, code, head, search, select, wrong, type Part } from './parts';
import { label } from './schema';
import { askPlaces } from './shelf';
import { shortAddress, typeOf } from './sourcerow';
import { evaluate, loadValues, testSource } from './sources';
import { suggestions, suggestKeys, suggestList } from './suggest';
import { plain, scalar } from './yaml';

const chips = [['/ 1000', '/ 1000'], ['round', '| round'], ['* 100', '* 100'], ['two decimals', '| . * 100 | round / 100'], ['length', '| length']];

/** pickScreen shows the tree of values, and a formula with its present result. */
export function pickScreen(m: Model): TemplateResult {
  const p = m.picked, say = (change: Partial<Model['picked']>) => { m.picked = { ...m.picked, ...change }; evaluatePicked(m); m.redraw(); };
  const done = () => { void use(m); };
  const find = m.find.toLowerCase(), take = (text: string) => { say({ formula: text.slice(p.path.length + 3) }); document.getElementById('v-formula')?.focus(); };
  const all = p.path && /[a-z_]{2,}$/.test(p.formula) ? suggestions(m, `${p.path} | ${p.formula}`) : [];
  const ready = p.path && !p.error, phone = innerWidth < 720;
  const useIt = (kind: string) => html`<button class="main ${kind}" aria-disabled=${!ready} @click=${() => ready && done()}>Use this value</button>`;
  const from = (m.draft!.providers ?? []).find((one) => (one.name ?? one.id) === m.provider), busy = m.tests.get(m.provider) === 'busy';
  const again = () => { if (!busy) void testSource(m, m.provider).then(() => { m.values.clear(); return loadValues(m, `.${m.provider}`); }); };
  const finder = search('Find a name or a value', m.find, (v) => { m.find = v; m.redraw(); });
  return html`${head(m, `${m.provider}: pick a value`, phone && from ? answerOf(m, from).words : '', phone ? html`<button class="iconic plainly" aria-label="Test again" aria-disabled=${busy} aria-busy=${busy} @click=${again}>${i.icon(i.mdiRefresh)}</button>` : html`<button class="quiet" @click=${() => m.go('provider')}>Cancel</button>${useIt('')}`)}
    <main class="pair-page"><div class="column">${phone ? html`${finder}<div class="card values">${valueTree(m, find, say, again)}</div>` : html`<section class="card values" aria-label="Values of ${m.provider}">${from ? answerHead(m, from, busy, again) : nothing}${finder}${valueTree(m, find, say, again)}</section>`}</div>
    <div class="column"><section class="card" aria-label="Value"><div class="field-block"><label for="v-path">Value</label><input id="v-path" class="mono" autocomplete="off" autocapitalize="off" spellcheck="false" .value=${live(p.path)} @input=${(e: Event) => say({ path: (e.currentTarget as HTMLInputElement).value })}></div>
      <div class="field-block"><div class="caption"><label for="v-formula">Formula</label><span class="muted">jq, optional</span></div><input id="v-formula" class="mono" autocomplete="off" autocapitalize="off" spellcheck="false" role="combobox" aria-expanded=${all.length > 0} aria-controls="v-s" aria-invalid=${!!p.error} aria-describedby="v-error" .value=${live(p.formula)}
        @input=${(e: Event) => { m.suggested = 0; say({ formula: (e.currentTarget as HTMLInputElement).value }); }} @keydown=${(e: KeyboardEvent) => suggestKeys(m, e, all, take)}>${suggestList(m, 'v-s', all, take)}</div>
      <div class="chips" role="group" aria-label="Formulas">${chips.map(([word, add]) => html`<button class="chip mono" @click=${() => say({ formula: `${p.formula || '.'} ${add}` })}>${word}</button>`)}</div>
      ${wrong('v-error', p.error)}
      <div class="result-row"><div class="grow"><p class="caption muted">Result now</p><p class="figure ${p.error ? 'stale' : ''}" aria-live="off">${p.result || '—'} <span class="unit-word">${p.unit}</span></p></div>
      <div class="field-block"><label for="v-unit">Unit</label><input id="v-unit" autocomplete="off" .value=${live(p.unit)} @input=${(e: Event) => { say({ unit: (e.currentTarget as HTMLInputElement).value }); }}></div>${interval(m)}</div>
      ${phone ? useIt('large') : nothing}</section>${ready ? onTheWall(m) : nothing}</div></main>`;
}

/** answerHead shows the address of the source, and the state of the last answer that the tree is from. */
function answerHead(m: Model, from: Node, busy: boolean, again: () => void): TemplateResult {
  const got = answerOf(m, from), mark = got.bad ? html`<span class="bad">${i.icon(i.mdiAlertCircle)}</span>` : got.words ? html`<span class="good">${i.icon(i.mdiCheckCircle)}</span>` : nothing;
  return html`<div class="row answer">${mark}<div class="name"><h2>${shortAddress(m, from) || typeOf(m, from)}</h2><p class="muted">${got.words || 'not asked yet'}</p></div>
    <button aria-disabled=${busy} aria-busy=${busy} @click=${again}>${m.tests.has(m.provider) ? 'Test again' : 'Test'}</button></div>`;
}

const pauses = ['10s', '30s', '1m', '5m', '15m', '30m', '1h', '6h', '1d'];

/** interval() lets a person choose how often the source is asked. It shows nothing if the source is asked at times of day, or has no interval. */
function interval(m: Model): Part {
  const p = (m.draft!.providers ?? []).find((one) => (one.name ?? one.id) === m.provider);
  const key = 'update_interval', f = p && m.schemas.fields(typeOf(m, p), true).find((one) => one.key === key);
  if (!p || !f || m.param(p, 'at')) return nothing;
  const now = m.param(p, key)?.value ?? '', first = f.fallback ? `Default: ${spoken(f.fallback)}` : 'Default';
  const all = now && !pauses.includes(now) ? [now, ...pauses] : pauses;
  return html`<fieldset ?disabled=${!!p.locked}><div class="field-block"><label for="v-every">Ask again every</label>${select('Ask again every', 'v-every', [{ value: '', label: first }, ...all.map((v) => ({ value: v, label: spoken(v) }))], now, (v) => m.set(p.id, key, v))}
    ${wrong('v-every-error', m.refused.get(`${p.id} ${key}`))}</div></fieldset>`;
}

/** spoken() returns a duration of a file as words: "30s" is "30 s", and "600" is "600 s". */
const spoken = (v: string) => plain(v).replace(/^([\d.]+)$/, '$1s').replace(/([\d.]+)([a-z]+)/g, (_, n: string, unit: string) => `${n} ${unit === 'm' ? 'min' : unit} `).trim();

/** cardLines returns the lines of the card with the chosen value. */
function cardLines(m: Model): string[] {
  const p = m.picked, unit = p.unit ? [`unit: ${scalar(p.unit)}`] : [];
  return ['widget: card', `title: ${scalar(label(p.path.split('.').pop() ?? m.provider))}`, `value: !data ${scalar(program(p))}`, ...unit];
}

/** onTheWall shows the card with the chosen value as the wall draws it, and the new lines of the files. */
function onTheWall(m: Model): Part {
  const lines = cardLines(m), q = new URLSearchParams({ revision: String(m.draft!.revision), width: '480', height: '288', widget: m.card || `{${lines.join(', ')}}` });
  const shot = m.pictures.of('pick', m.at(`/picture?${q}`)), source = m.diff?.files.find((f) => f.name === 'providers.yaml')?.lines.filter((l) => l.kind === '+').map((l) => l.text) ?? [];
  const list = (file: string, all: string[]) => (all.length ? html`<section class="card" aria-label="New lines of ${file}"><div class="row">${i.icon(i.mdiTextBoxOutline)}<h2 class="name">${file}</h2><span class="muted">${all.length} new lines</span></div>
    <pre class="diff" role="group" tabindex="0" aria-label=${file}>${all.map((l) => html`<span class="ln plus"><b>+</b><code>${code(l)}</code></span>`)}</pre></section>` : nothing);
  return html`<div class="on-wall"><section class="card" aria-label="On the wall"><div class="row">${i.icon(i.mdiEyeOutline)}<h2 class="name">On the wall</h2></div>${shot.url ? html`<img alt="" src=${shot.url}>` : nothing}</section>
    <div class="column">${list('providers.yaml', source)}${list('widgets.yaml', lines.map((l, k) => (k ? '  ' : '- ') + l))}</div></div>`;
}

/** valueTree draws the values of the source. A tree needs an item, so an empty list is a paragraph. Without values, a button calls `test`. */
function valueTree(m: Model, find: string, say: (c: Partial<Model['picked']>) => void, test: () => void): TemplateResult {
  const root = `.${m.provider}`, all = m.values.get(root), busy = m.tests.get(m.provider) === 'busy';
  if (all && !all.length) return html`<p class="muted empty">There are no values yet.</p><button aria-disabled=${busy} aria-busy=${busy} @click=${test}>${i.icon(i.mdiRefresh, 20)}Ask the source now</button>`;
  if (!all?.some((v) => !find || matches(m, v, find))) return html`<p class="muted empty">${all ? `No value has “${find}” in its name or text.` : 'Reading…'}</p>`;
  return html`<div class="value-tree" role="tree" aria-label="Values" @keydown=${(e: KeyboardEvent) => arrows(e, '[role=treeitem]')}>${branch(m, root, 0, find, say)}</div>`;
}

function branch(m: Model, path: string, depth: number, find: string, say: (c: Partial<Model['picked']>) => void): Part {
  const all = m.values.get(path);
  if (!all) return html`<p class="muted">Reading…</p>`;
  return html`${all.filter((v) => !find || matches(m, v, find)).map((v, k) => {
    const inner = v.kind === 'list' || v.kind === 'mapping', openNow = m.values.has(v.path) && !m.closed.has(v.path);
    const tap = () => {
      if (!inner) { say({ path: v.path.startsWith('.') ? v.path : `.${v.path}` }); return; }
      if (openNow) m.closed.add(v.path);
      else { m.closed.delete(v.path); if (!m.values.has(v.path)) void loadValues(m, v.path); }
      m.redraw();
    };
    const on = m.picked.path.replace(/^\./, '') === v.path.replace(/^\./, '');
    return html`<div role="treeitem" aria-level=${depth + 1} aria-selected=${on} aria-expanded=${inner ? String(openNow) : nothing} tabindex=${k === 0 && !depth ? 0 : -1} .style=${`--depth: ${depth}`}
      @click=${tap} @keydown=${(e: KeyboardEvent) => { if (e.key === 'Enter' || e.key === ' ') { e.preventDefault(); e.stopPropagation(); tap(); } }}>
      <span class="fold">${inner ? i.icon(openNow ? i.mdiChevronDown : i.mdiChevronRight, 20) : nothing}</span><code class="name">${v.name}</code><code class=${v.kind === 'number' ? 'y-number' : v.kind === 'text' ? 'y-string' : 'muted'}>${v.value}</code>${on ? i.icon(i.mdiCheck, 20) : nothing}</div>
      ${inner && openNow ? branch(m, v.path, depth + 1, find, say) : nothing}`;
  })}`;
}

function matches(m: Model, v: Value, find: string): boolean {
  return `${v.name} ${v.value}`.toLowerCase().includes(find) || !!m.values.get(v.path)?.some((c) => matches(m, c, find));
}

/** program() returns the chosen path with the formula after it. */
function program(p: Model['picked']): string {
  const f = p.formula.trim();
  return f && f !== '.' ? `${p.path} | ${f.replace(/^\s*\|\s*/, '')}` : p.path;
}

function evaluatePicked(m: Model): void {
  m.later('pick', 300, () => { m.card = `{${cardLines(m).join(', ')}}`; void evaluate(m, program(m.picked)).then((got) => {
    m.picked = { ...m.picked, ...(got.error ? { error: got.error } : { error: '', result: typeof got.result === 'string' ? got.result : JSON.stringify(got.result) ?? '' }) };
    m.redraw();
  }); });
}

/** use adds a card with the chosen value to the wall. The next screen asks for its place. */
async function use(m: Model): Promise<void> {
  const name = m.picked.path.split('.').pop() ?? m.provider, yaml = `${cardLines(m).join('\n')}\n`;
  m.adding = { item: { id: 'picked', kind: 'card', title: label(name), text: '', category: '', required: null, yaml, picture: '' }, given: {} };
  await askPlaces(m);
}


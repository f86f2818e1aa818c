// Data: the providers, tests of them, a value chosen from an answer, and new providers from templates.
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Node, TestResult, Value } from './api';
import { connections } from './connecting';
import { fields } from './form';
import { colorsOf } from './live';
import * as i from './icons';
import type { Model } from './model';
import { arrows, code, head, search, select, tabs, applyButton, undoButtons, wrong, type Part } from './parts';
import { label } from './schema';
import { askPlaces } from './shelf';
import { failed, sourceRow, testMark, typeOf } from './sourcerow';
import { evaluate, loadHomes, loadValues, setSecret, testSource, useLink } from './sources';
import { suggestions, suggestKeys, suggestList } from './suggest';
import { colorOf } from './theming';
import { status } from './wall';
import { plain, read, scalar } from './yaml';

export function dataScreen(m: Model): TemplateResult {
  const all = m.draft!.providers ?? [], phone = innerWidth < 720;
  const top = phone ? head(m, 'Data', '', undoButtons(m, false)) : html`<header><button class="iconic back" aria-label="Close" @click=${() => m.go('close')}>${i.icon(i.mdiClose)}</button><h1 tabindex="-1" data-start>${m.name}</h1>${tabs(m)}<span class="grow"></span>${status(m)}${undoButtons(m)}${applyButton(m)}</header>`;
  return html`${top}<main class="one wide-page"><section class="card" aria-label="Sources"><div class="tree-head"><h2 class="label name">Sources of this wall</h2><button class="quiet" @click=${() => m.go('newdata')}>${i.icon(i.mdiPlus)}Add</button></div>
    ${all.length ? all.map((p) => sourceRow(m, p))
      : html`<p class="empty muted">This wall has no sources. Clocks and photos need none. Add one for calendars, the weather or values.</p>`}</section>${connections(m)}</main>`;
}

/** providerScreen shows the test of a provider, its keys and its secrets. */
export function providerScreen(m: Model): TemplateResult {
  const p = (m.draft!.providers ?? []).find((one) => (one.name ?? one.id) === m.provider);
  if (!p) return html`${head(m, 'Data', '', nothing)}<main class="one"><p class="empty">This source is not in the files any more.</p></main>`;
  const t = m.tests.get(m.provider), type = typeOf(m, p), secrets = secretsOf(p);
  return html`${head(m, p.name ?? p.title, type, html`${undoButtons(m, false)}<button class="main" @click=${() => m.go('data')}>Done</button>`)}
    <main class="pair-page"><div class="column"><section class="card" aria-label="Test"><div class="row"><h2 class="name">Test</h2>${testMark(t)}</div>
        ${t && t !== 'busy' ? result(m, p, t) : html`<p class="muted">Asks the source once, now, and shows what comes back.</p>`}
        <div class="buttons">${t && t !== 'busy' && t.link ? html`<button class="main" @click=${() => void useLink(m, p, t)}>Use the link found: ${t.link}</button>` : nothing}<button aria-disabled=${t === 'busy'} aria-busy=${t === 'busy'} @click=${() => t === 'busy' || void testSource(m, m.provider)}>${i.icon(i.mdiRefresh, 20)}${t ? 'Test again' : 'Test'}</button>
          <button @click=${() => { m.picked = { path: '', formula: '', result: '', error: '', unit: '' }; m.card = ''; m.go('pick'); }}>Pick a value</button></div></section>
      ${secrets.length ? html`<section class="card" aria-label="Secrets"><h2>Secrets</h2>${secrets.map((s) => secretRow(m, s))}</section>` : nothing}
      <button class="removes" @click=${() => void m.ops(() => [{ op: 'remove', node: p.id, hash: m.node(p.id)?.hash ?? p.hash }]).then((ok) => ok && m.go('data'))}>${i.icon(i.mdiTrashCanOutline, 20)}Delete this source</button></div>
    <div class="column">${type === 'calendar' ? calendars(m, p) : nothing}${fields(m, p, true)}</div></main>`;
}

/** result shows the answer to a test, and its meaning in words. */
function result(m: Model, p: Node, t: TestResult): TemplateResult {
  const say = t.words || t.error, size = t.size ?? t.excerpt?.length, shades = colorsOf(m, p);
  const type = t.headers?.find((h) => h.name.toLowerCase() === 'content-type')?.value;
  return html`${say ? (failed(t) ? wrong('test-wrong', say) : html`<p class="muted">${say}</p>`) : nothing}
    ${t.events?.length ? html`<h3>Next three events</h3>${t.events.slice(0, 3).map((e) => html`<div class="row event" .style=${`--calendar: ${shades.get(e.calendar ?? '') ?? 'var(--accent)'}`}><div class="name"><p>${e.title}</p><p class="muted">${when(e.start, !!e.all_day)}</p></div></div>`)}` : nothing}
    ${t.status ? html`<dl><div class="value"><dt class="muted">Status</dt><dd>${t.status}${t.status_text ? ` ${t.status_text}` : ''}${t.seconds ? `, ${t.seconds.toFixed(1)} s` : ''}</dd></div>
      ${type ? html`<div class="value"><dt class="muted">Type</dt><dd>${type}</dd></div>` : nothing}${size ? html`<div class="value"><dt class="muted">Size</dt><dd>${size > 1000 ? `${Math.round(size / 1000)} KB` : `${size} bytes`}${size > excerptBytes ? ', first 4 KiB below' : ''}</dd></div>` : nothing}</dl>` : nothing}
    ${t.headers?.length ? html`<details><summary>${t.headers.length === 1 ? '1 header' : `${t.headers.length} headers`}</summary><dl>${t.headers.map((h) => html`<div class="value"><dt class="muted">${h.name}</dt><dd>${h.value}</dd></div>`)}</dl></details>` : nothing}
    ${t.excerpt ? html`<pre class="excerpt" role="group" tabindex="0" aria-label="What came back">${t.excerpt}</pre>` : nothing}`;
}

const excerptBytes = 4096; // the server sends this much of an answer

const shades = ['series1', 'series2', 'series3', 'series4', 'warn', 'good', 'bad', 'accent'];

/** calendars shows the entries of a calendar source, each with name, address, color and reminder. */
function calendars(m: Model, p: Node): Part {
  const raw = m.param(p, 'calendars')?.value, all = raw ? read(raw) : [];
  if (!Array.isArray(all)) return nothing;
  const hex = (name: string) => colorOf(m, name);
  return html`${all.map((c, k) => {
    if (typeof c !== 'object' || Array.isArray(c)) return nothing;
    const text = (key: string) => (typeof c[key] === 'string' ? c[key] as string : ''), at = (key: string) => `calendars.${k}.${key}`, url = text('url');
    const put = (key: string, v: string) => m.typing.type(p.id, at(key), v, () => (v.trim() ? scalar(v.trim()) : ''));
    const value = (key: string) => m.typed.get(`${p.id} ${at(key)}`) ?? text(key);
    return html`<section class="card calendar" aria-label=${text('name') || `Calendar ${k + 1}`}><div class="row"><h2 class="name">${text('name') || `Calendar ${k + 1}`}</h2><button class="quiet removes" @click=${() => m.set(p.id, `calendars.${k}`, '')}>Remove</button></div>
      <div class="field-block"><label for="c-name-${k}">Name</label><input id="c-name-${k}" autocomplete="off" .value=${live(value('name'))} @input=${(e: Event) => put('name', (e.currentTarget as HTMLInputElement).value)}></div>
      <div class="field-block"><div class="caption"><label for="c-url-${k}">Private address</label><span class="muted">ends in .ics</span></div>${url.startsWith('!secret') ? secretRow(m, url.slice(8).trim())
        : html`<input id="c-url-${k}" autocomplete="off" autocapitalize="off" spellcheck="false" .value=${live(value('url'))} @input=${(e: Event) => put('url', (e.currentTarget as HTMLInputElement).value)}>`}${wrong(`c-w-${k}`, m.refused.get(`${p.id} ${at('url')}`))}</div>
      <div class="field-block"><span class="label-like">Color</span><div class="swatches" role="group" aria-label="Color of ${text('name')}">${shades.map((s) => html`<button class="swatch" aria-label=${s} title=${s} aria-pressed=${text('color') === s} .style=${`--swatch: ${hex(s)}`} @click=${() => m.set(p.id, at('color'), s)}></button>`)}</div></div>
      <div class="remind"><label for="c-remind-${k}">Remind before an event</label><input id="c-remind-${k}" autocomplete="off" placeholder="15m" .value=${live(value('remind'))} @input=${(e: Event) => put('remind', (e.currentTarget as HTMLInputElement).value)}></div></section>`;
  })}<button @click=${() => { m.template = { kind: 'calendar', given: {}, into: p.id }; m.go('newdata'); focusFirst(templates[0]); }}>${i.icon(i.mdiPlus, 20)}Add a calendar</button>`;
}

/** when returns the day and the time of an event as text. */
function when(start: string, allDay: boolean): string {
  const at = new Date(start);
  return at.toLocaleString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', ...(allDay ? {} : { hour: '2-digit', minute: '2-digit' }) });
}

/** secretsOf returns the names of the secrets that a provider uses, except in its list of calendars. */
function secretsOf(p: Node): string[] {
  const all = (p.params ?? []).filter((x) => x.key !== 'calendars').flatMap((x) => [...x.value.matchAll(/!secret\s+([\w.-]+)/g)].map((found) => found[1]));
  return [...new Set(all)];
}

function secretRow(m: Model, name: string): TemplateResult {
  const at = `secret ${name}`, openNow = m.typed.has(at), known = m.secrets.find((s) => s.name === name);
  const save = (e: Event) => {
    e.preventDefault();
    const v = m.typed.get(at);
    if (v) void setSecret(m, name, v).then((ok) => { if (ok) { m.typed.delete(at); m.redraw(); } });
  };
  if (!openNow) {
    return html`<div class="row wraps"><span class="shown">${i.icon(i.mdiLockOutline, 20)}<span class="name">${name}, ${known && !known.set ? 'not set yet' : 'kept in secrets.yaml'}</span></span><button @click=${() => { m.typed.set(at, ''); m.redraw(); }}>${known && !known.set ? 'Set' : 'Replace'}</button></div>`;
  }
  return html`<form class="field-block" @submit=${save}><label for="s-${name}">New value of ${name}</label><input id="s-${name}" type="password" autocomplete="off" .value=${live(m.typed.get(at)!)} @input=${(e: Event) => m.typed.set(at, (e.currentTarget as HTMLInputElement).value)}>
    <div class="buttons"><button type="button" @click=${() => { m.typed.delete(at); m.redraw(); }}>Cancel</button><button class="main">Keep it</button></div></form>`;
}

const chips = [['/ 1000', '/ 1000'], ['round', '| round'], ['* 100', '* 100'], ['two decimals', '| . * 100 | round / 100'], ['length', '| length']];

/** pickScreen shows the tree of values, and a formula with its present result. */
export function pickScreen(m: Model): TemplateResult {
  const p = m.picked, say = (change: Partial<Model['picked']>) => { m.picked = { ...m.picked, ...change }; evaluatePicked(m); m.redraw(); };
  const done = () => { void use(m); };
  const find = m.find.toLowerCase(), take = (text: string) => { say({ formula: text.slice(p.path.length + 3) }); document.getElementById('v-formula')?.focus(); };
  const all = p.path && /[a-z_]{2,}$/.test(p.formula) ? suggestions(m, `${p.path} | ${p.formula}`) : [];
  const ready = p.path && !p.error, phone = innerWidth < 720;
  const useIt = (kind: string) => html`<button class="main ${kind}" aria-disabled=${!ready} @click=${() => ready && done()}>Use this value</button>`;
  return html`${head(m, `${m.provider}: pick a value`, '', html`<button class="iconic plainly" aria-label="Read the values again" @click=${() => { m.values.clear(); void loadValues(m, `.${m.provider}`); }}>${i.icon(i.mdiRefresh)}</button>${phone ? nothing : html`<button class="quiet" @click=${() => m.go('provider')}>Cancel</button>${useIt('')}`}`)}
    <main class="pair-page"><div class="column">${search('Find a name or a value', m.find, (v) => { m.find = v; m.redraw(); })}
      ${valueTree(m, find, say)}</div>
    <div class="column"><section class="card" aria-label="Value"><div class="field-block"><label for="v-path">Value</label><input id="v-path" class="mono" autocomplete="off" autocapitalize="off" spellcheck="false" .value=${live(p.path)} @input=${(e: Event) => say({ path: (e.currentTarget as HTMLInputElement).value })}></div>
      <div class="field-block"><div class="caption"><label for="v-formula">Formula</label><span class="muted">jq, optional</span></div><input id="v-formula" class="mono" autocomplete="off" autocapitalize="off" spellcheck="false" role="combobox" aria-expanded=${all.length > 0} aria-controls="v-s" aria-invalid=${!!p.error} aria-describedby="v-error" .value=${live(p.formula)}
        @input=${(e: Event) => { m.suggested = 0; say({ formula: (e.currentTarget as HTMLInputElement).value }); }} @keydown=${(e: KeyboardEvent) => suggestKeys(m, e, all, take)}>${suggestList(m, 'v-s', all, take)}</div>
      <div class="chips" role="group" aria-label="Formulas">${chips.map(([word, add]) => html`<button class="chip mono" @click=${() => say({ formula: `${p.formula || '.'} ${add}` })}>${word}</button>`)}</div>
      ${wrong('v-error', p.error)}
      <div class="result-row"><div class="grow"><p class="caption muted">Result now</p><p class="figure ${p.error ? 'stale' : ''}" aria-live="off">${p.result || '—'} <span class="unit-word">${p.unit}</span></p></div>
      <div class="field-block"><label for="v-unit">Unit</label><input id="v-unit" autocomplete="off" .value=${live(p.unit)} @input=${(e: Event) => { say({ unit: (e.currentTarget as HTMLInputElement).value }); }}></div>${interval(m)}</div>
      ${phone ? useIt('large') : nothing}</section>${ready ? onTheWall(m) : nothing}</div></main>`;
}

const pauses = ['10s', '30s', '1m', '5m', '15m', '30m', '1h', '6h', '1d'];

/** interval shows how often the source is asked. A source with times of day, or without this key, has no list. */
function interval(m: Model): Part {
  const p = (m.draft!.providers ?? []).find((one) => (one.name ?? one.id) === m.provider);
  const key = 'update_interval', f = p && m.schemas.fields(typeOf(m, p), true).find((one) => one.key === key);
  if (!p || !f || m.param(p, 'at')) return nothing;
  const now = m.param(p, key)?.value ?? '', first = f.fallback ? `Default: ${spoken(f.fallback)}` : 'Default';
  const all = now && !pauses.includes(now) ? [now, ...pauses] : pauses;
  return html`<div class="field-block"><label for="v-every">Ask again every</label>${select('Ask again every', 'v-every', [{ value: '', label: first }, ...all.map((v) => ({ value: v, label: spoken(v) }))], now, (v) => m.set(p.id, key, v))}
    ${wrong('v-every-error', m.refused.get(`${p.id} ${key}`))}</div>`;
}

/** spoken returns a duration of a file as words: "30s" is "30 s", and "600" is "600 s". */
const spoken = (v: string) => plain(v).replace(/^([\d.]+)$/, '$1s').replace(/([\d.]+)([a-z]+)/g, (_, n: string, unit: string) => `${n} ${unit === 'm' ? 'min' : unit} `).trim();

/** cardLines returns the lines of the card with the chosen value. */
function cardLines(m: Model): string[] {
  const p = m.picked, unit = p.unit ? [`unit: ${scalar(p.unit)}`] : [];
  return ['widget: card', `title: ${scalar(label(p.path.split('.').pop() ?? m.provider))}`, `value: !data '${program(p).replace(/'/g, "''")}'`, ...unit];
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

/** valueTree draws the values of the source. A tree needs an item, so an empty list is a paragraph. */
function valueTree(m: Model, find: string, say: (c: Partial<Model['picked']>) => void): TemplateResult {
  const root = `.${m.provider}`, all = m.values.get(root);
  if (!all?.some((v) => !find || matches(m, v, find))) return html`<div class="card values"><p class="muted empty">${emptyTree(all, find)}</p></div>`;
  return html`<div class="card values" role="tree" aria-label="Values" @keydown=${(e: KeyboardEvent) => arrows(e, '[role=treeitem]')}>${branch(m, root, 0, find, say)}</div>`;
}

function emptyTree(all: Value[] | undefined, find: string): string {
  if (!all) return 'Reading…';
  return all.length ? `No value has “${find}” in its name or text.` : 'There are no values yet. Test the source, then read them again.';
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

/** program returns the chosen path with the formula after it. */
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

interface Template { kind: string; title: string; text: string; icon: string; ask: { key: string; title: string; hint: string; secret?: boolean }[]; yaml: (g: Record<string, string>) => string }

const slug = (s: string) => s.trim().toLowerCase().replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '') || 'source';

const templates: Template[] = [
  { kind: 'calendar', title: 'Calendar', text: 'a private address that ends in .ics', icon: i.sourceIcon('calendar'), ask: [{ key: 'name', title: 'Name', hint: 'Anna' }, { key: 'secret', title: 'Private address', hint: 'ends in .ics', secret: true }],
    yaml: (g) => `${slug(g.name)}_calendar:\n  type: calendar\n  calendars:\n    - {name: ${scalar(g.name)}, url: !secret ${slug(g.name)}_ics}\n` },
  { kind: 'weather', title: 'Weather', text: 'of a town, needs no key', icon: i.sourceIcon('weather'), ask: [{ key: 'town', title: 'Town', hint: 'Without it: the location of the wall' }], yaml: (g) => `weather:\n  type: weather\n${g.town ? `  location: ${scalar(g.town)}\n` : ''}` },
  { kind: 'homeassistant', title: 'Home Assistant', text: 'its entities and switches', icon: i.sourceIcon('homeassistant'), ask: [{ key: 'url', title: 'Address', hint: 'http://192.168.1.5:8123' }, { key: 'secret', title: 'Token', hint: 'from your profile, Security', secret: true }],
    yaml: (g) => `home:\n  type: homeassistant\n  url: ${g.url}\n  token: !secret home_token\n` },
  { kind: 'rest', title: 'JSON address', text: 'pick values from its answer', icon: i.sourceIcon('rest'), ask: [{ key: 'name', title: 'Name', hint: 'solar' }, { key: 'url', title: 'Address', hint: 'as in your browser' }], yaml: (g) => `${slug(g.name)}:\n  type: rest\n  url: ${scalar(g.url)}\n` },
];

const secretName = (t: Template, g: Record<string, string>) => (t.kind === 'homeassistant' ? 'home_token' : `${slug(g.name)}_ics`);

/** newDataScreen adds a source from a template. */
export function newDataScreen(m: Model): TemplateResult {
  const t = m.template && templates.find((one) => one.kind === m.template!.kind);
  if (!t) {
    return html`${head(m, 'Add a source', '', nothing)}<main class="one"><section class="card" aria-label="Templates">${templates.map((one) => html`<button class="row plain-row" @click=${() => { m.template = { kind: one.kind, given: {} }; if (one.kind === 'homeassistant') void loadHomes(m); m.redraw(); focusFirst(one); }}>${i.icon(one.icon)}<span class="name">${one.title}<small>${one.text}</small></span>${i.icon(i.mdiChevronRight)}</button>`)}</section></main>`;
  }
  const g = m.template!.given, ready = t.kind === 'weather' || t.ask.every((a) => g[a.key]?.trim());
  const submit = (e: Event) => { e.preventDefault(); if (ready) void add(m, t, g); };
  return html`${head(m, t.title, t.text, nothing, () => { m.template = null; m.redraw(); })}<main class="one"><form class="card" @submit=${submit}>${t.kind === 'homeassistant' ? homes(m, g) : nothing}${t.ask.map((a) => html`<div class="field-block"><label for="t-${a.key}">${a.title}</label>
      <input id="t-${a.key}" type=${a.secret ? 'password' : 'text'} autocomplete="off" autocapitalize="off" spellcheck="false" placeholder=${a.hint} .value=${live(g[a.key] ?? '')} @input=${(e: Event) => { g[a.key] = (e.currentTarget as HTMLInputElement).value; m.redraw(); }}>
      ${a.secret ? html`<p class="muted help">Kept in secrets.yaml. It is never shown again.</p>` : nothing}</div>`)}
    <button class="main large" aria-disabled=${!ready}>Add and test</button></form></main>`;
}

/** homes lists the Home Assistants that answer in the network. A tap on one fills in its address. */
function homes(m: Model, g: Record<string, string>): Part {
  if (!m.homes) return html`<p class="muted" role="status">Looking for Home Assistant in this network…</p>`;
  if (!m.homes.length) return html`<p class="muted" role="status">No Home Assistant answers in this network. Type its address.</p>`;
  return html`<div role="group" aria-label="In this network">${m.homes.map((one) => html`<button type="button" class="row plain-row" aria-pressed=${g.url === one.url} @click=${() => { g.url = one.url; m.redraw(); }}>${i.icon(i.sourceIcon('homeassistant'))}<span class="name">${one.name}<small>${one.url}</small></span>${g.url === one.url ? i.icon(i.mdiCheck, 20) : nothing}</button>`)}</div>`;
}

function focusFirst(t: Template): void {
  requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById(`t-${t.ask[0].key}`)?.focus()));
}

async function add(m: Model, t: Template, g: Record<string, string>): Promise<void> {
  const into = m.template?.into && m.node(m.template.into);
  if (into) {
    const all = m.param(into, 'calendars') ? read(m.param(into, 'calendars')!.value) : [];
    if (!await setSecret(m, secretName(t, g), g.secret)) return;
    if (!await m.set(into.id, `calendars.${Array.isArray(all) ? all.length : 0}`, `{name: ${scalar(g.name)}, url: !secret ${secretName(t, g)}}`)) return;
    m.template = null;
    m.go('provider', true);
    await testSource(m, m.provider);
    return;
  }
  const before = new Set((m.draft!.providers ?? []).map((p) => p.id));
  const secret = g.secret ? { secret: { name: secretName(t, g), value: g.secret } } : {};
  if (!await m.ops(() => [{ op: 'provider', yaml: t.yaml(g), ...secret }])) return;
  m.template = null;
  const made = (m.draft!.providers ?? []).find((p) => !before.has(p.id));
  if (!made) { m.go('data'); return; }
  m.provider = made.name ?? made.id;
  m.go('provider', true);
  await testSource(m, m.provider);
}

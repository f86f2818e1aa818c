// The form of a widget or provider, made from its JSON Schema, and the YAML of the selection beside it.
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Node } from './api';
import { glyphOf, loadIcons } from './glyphs';
import * as i from './icons';
import { calendarsOf, entitiesLike, entityNow, liveWords, sourceOf } from './live';
import type { Model } from './model';
import { check, code, head, search, select, stepper, toggle, undoButtons, wrong, type Part } from './parts';
import { copyHere } from './placing';
import { label, type Field } from './schema';
import { sourceRow } from './sourcerow';
import { evaluateLater, resultNow } from './sources';
import { suggestions, suggestKeys, suggestList } from './suggest';
import { yamlOf } from './texts';
import { wantTheme } from './theming';
import { iconOf, isOld, nodeProblems, picture, picturePath, source, yet } from './wall';
import { flow, list, number, plain, scalar } from './yaml';

/** `tokens` are the names of the theme's colors, as the files write them. */
const tokens = ['text', 'muted', 'faint', 'accent', 'warn', 'good', 'bad', 'surface', 'background', 'series1', 'series2', 'series3', 'series4'];

/** formScreen shows the form as a page of its own, on a phone. */
export function formScreen(m: Model): TemplateResult {
  const n = m.selected;
  if (!n) return html`${head(m, 'Nothing is chosen', '', nothing)}<main class="one"><p class="empty">Tap a widget on the wall first.</p></main>`;
  const crop = n.rect ? cropOf(m, n) : nothing;
  return html`${head(m, n.title, n.widget ?? n.kind, html`${undoButtons(m, false)}<button class="main" @click=${() => m.go('wall')}>Done</button>`)}
    <main class="one form"><div class="stuck">${crop}<div class="looks"><span class="mark">Draft</span><span class="muted name drawn">${drawnAgo(m)}</span><button class="quiet" @click=${() => m.go('wall')}>Whole wall</button></div></div>
    ${fields(m, n)}${yamlCard(m, n)}</main>`;
}

/** drawnAgo returns the age of the draft's picture as text, or reports that the picture is older. The page updates this text every second. */
function drawnAgo(m: Model): string {
  if (isOld(m)) return 'the last good draft';
  const shot = m.draft!.drawn === -1 ? { fresh: false, at: 0 } : m.pictures.of('wall', picturePath(m)), s = Math.max(0.1, (Date.now() - shot.at) / 1000);
  return shot.fresh ? `drawn ${s < 10 ? `${s.toFixed(1)} s` : s < 60 ? `${Math.round(s)} s` : `${Math.floor(s / 60)} min`} ago` : yet(m);
}

/** cropOf shows the part of the picture that the widget covers. An upright widget is smaller, so that all of it is visible. */
function cropOf(m: Model, n: Node): Part {
  const d = m.draft!, [x, y, w, h] = n.rect!;
  if (w <= 0 || h <= 0) return nothing;
  return html`<div class="crop" aria-hidden="true" .style=${`aspect-ratio: ${w} / ${h};${h > w ? ` width: max(30%, min(100%, 34vh * ${w / h}));` : ''} --w: ${(d.width / w) * 100}%; --x: ${(-x / d.width) * 100}%; --y: ${(-y / d.height) * 100}%`}>${picture(m, [])}</div>`;
}

/** formPanel shows the form next to the wall, on a computer. */
export function formPanel(m: Model): TemplateResult {
  const n = m.selected;
  if (!n) {
    return html`<aside class="card panel-form" aria-label="Form"><p class="muted empty">Tap a widget on the wall or in the tree. Its keys are here then.</p></aside>`;
  }
  return html`<aside class="panel-form" aria-label="Form"><div class="card"><div class="row selected">${i.icon(iconOf(m, n), 28)}<div class="name"><h2>${n.title}</h2><p class="muted">${n.widget ?? n.kind}</p></div></div>
    <p class="muted summary">${m.schemas.description(n.widget ?? '')}</p></div>${fields(m, n)}${yamlCard(m, n)}</aside>`;
}

/** fields() shows the fields of a node: first the usual keys, then a button for the others. */
export function fields(m: Model, n: Node, provider = false): TemplateResult {
  const kind = provider ? plain(m.param(n, 'type')?.value ?? 'rest') : n.widget ?? '';
  const all = m.schemas.fields(kind, provider).filter((f) => !(provider ? f.key === 'calendars' : f.key === 'provider' && !m.param(n, f.key) && !sourcesFor(m, f).length)), open = m.more.has(n.id);
  const usual = usualOf(m, n, all, open, provider);
  const from = provider ? undefined : sourceOf(m, n);
  const own = (f: Field) => !from || !['provider', 'calendars'].includes(f.key);
  const rest = all.filter((f) => !usual.includes(f) && own(f)), mine = usual.filter(own), top = from ? mine.filter((f) => m.shape.keys.indexOf(f.key) < m.shape.top) : mine, below = mine.filter((f) => !top.includes(f));
  const unknown = (n.params ?? []).filter((p) => !['widget', 'children', 'type', ...(provider ? ['calendars'] : [])].includes(p.key) && !all.some((f) => f.key === p.key) && all.length > 0 && !['area', 'areas', 'columns', 'rows', 'portrait'].includes(p.key));
  const about = html`${n.used && n.used > 1 ? html`<p class="hint">${i.icon(i.mdiLinkVariant, 20)}Used ${n.used} times. A change is seen at all of them.</p>${n.of ? html`<button @click=${() => void copyHere(m, n.id)}>Edit a copy</button>` : nothing}` : nothing}`;
  const last = html`${below.map((f) => field(m, n, f))}
    ${open ? rest.map((f) => field(m, n, f)) : nothing}
    ${unknown.map((p) => field(m, n, { key: p.key, kind: 'code', help: 'A key of its own.', needed: false, program: false, old: false }))}
    ${rest.length ? html`<button class="quiet more" aria-expanded=${open} @click=${() => { if (open) m.more.delete(n.id); else m.more.add(n.id); m.redraw(); }}>${i.icon(open ? i.mdiMinus : i.mdiChevronDown, 20)}${open ? 'Fewer' : `${rest.length} more: ${rest.slice(0, 3).map((f) => (provider ? label(f.key).replace(/^[A-Z](?![A-Z])/, (c) => c.toLowerCase()) : f.key)).join(', ')}…`}</button>` : nothing}`;
  const trouble = nodeProblems(m, n), first = html`${about}${n.locked ? nothing : trouble}${all.length ? nothing : html`<p class="muted">Reading what can be set…</p>`}${top.map((f) => field(m, n, f))}`;
  const keys = from ? html`${top.length || trouble !== nothing ? html`<section class="card fields" aria-label="Keys">${first}</section>` : nothing}${fromCard(m, n, from, all.filter((f) => !own(f)))}<section class="card fields" aria-label="More keys">${last}</section>`
    : html`<section class="card fields" aria-label="Keys">${first}${last}</section>`;
  return n.locked ? html`${provider ? nothing : trouble}<fieldset disabled>${keys}</fieldset>` : keys;
}

/** usualOf returns the fields above the button for more fields: first those with a value. While a form is open, no field changes its place. */
function usualOf(m: Model, n: Node, all: Field[], open: boolean, provider: boolean): Field[] {
  const given = all.filter((f) => f.needed || n.params?.some((p) => p.key === f.key));
  if (m.shape.id !== n.id && all.length) m.shape = { id: n.id, top: given.length, keys: [...given, ...all.filter((f) => !given.includes(f) && !m.schemas.isRare(f.key, provider) && !['checks', 'list', 'code'].includes(f.kind)).slice(0, 5)].map((f) => f.key) };
  const keys = m.shape.keys;
  if (!open) keys.push(...given.map((f) => f.key).filter((k) => !keys.includes(k)));
  return keys.flatMap((k) => all.filter((f) => f.key === k));
}

/** typeOf returns the type of the providers that a field can name, or undefined for any type. */
const typeOf = (f: Field) => /type (\w+)/.exec(f.help)?.[1];

/** sourcesFor returns the names of the providers that a field can name. */
function sourcesFor(m: Model, f: Field): string[] {
  const type = typeOf(f);
  return (m.draft!.providers ?? []).filter((s) => !type || plain(m.param(s, 'type')?.value ?? '') === type).map((s) => s.name ?? s.title);
}

/** fromCard shows the source of a widget, with the keys that select something from its value. */
function fromCard(m: Model, n: Node, from: Node, keys: Field[]): TemplateResult {
  return html`<section class="card fields" aria-label="From"><div class="row"><h2 class="name">From</h2><span class="muted">provider</span></div>
    ${sourceRow(m, from, liveWords(m, from.name ?? '', n))}
    ${keys.filter((f) => f.key !== 'provider' || m.param(n, 'provider') || sourcesFor(m, f).length > 1).map((f) => field(m, n, f))}</section>`;
}

/** limits() describes the values that a field accepts. */
function limits(f: Field): string {
  const range = f.min !== undefined && f.max !== undefined ? `${f.min} to ${f.max}` : f.min !== undefined && f.min > 0 ? `from ${f.min}` : f.max !== undefined ? `up to ${f.max}` : '';
  const without = f.fallback !== undefined && f.kind !== 'switch' ? `without it ${f.fallback}` : '';
  return [range, without].filter(Boolean).join(', ');
}

function field(m: Model, n: Node, f: Field): TemplateResult {
  const at = `${n.id} ${f.key}`, p = m.param(n, f.key), raw = p?.value ?? '', bad = m.refused.get(at);
  const formula = raw.trim().startsWith('!data');
  const id = `f-${f.key}`, name = label(f.key), note = limits(f);
  if (!formula && f.kind === 'switch') return html`<div class="field-row">${toggle(name, raw ? raw.trim() === 'true' : f.fallback === 'true', f.help, (on) => m.set(n.id, f.key, String(on) === f.fallback && !raw ? '' : String(on)))}${wrong(`${id}-w`, bad)}</div>`;
  const control = formula || m.typed.get(at)?.startsWith('!data') ? formulaField(m, n, f, id, raw) : one(m, n, f, id, name, raw, !!bad);
  return html`<div class="field-block"><div class="caption"><label for=${id}>${name}${f.needed ? html` <small class="inline">needed</small>` : nothing}</label><span class="muted">${note}</span></div>
    ${control}${wrong(`${id}-w`, bad)}<p class="muted help">${f.help}${f.program && !formula ? html` <button class="quiet small" @click=${() => { m.typed.set(at, '!data '); m.redraw(); focusField(id); }}>${i.icon(i.mdiFunctionVariant, 18)}Formula</button>` : nothing}</p></div>`;
}

function focusField(id: string): void {
  requestAnimationFrame(() => document.getElementById(id)?.focus());
}

/** one() shows the control that suits the kind of a field. */
function one(m: Model, n: Node, f: Field, id: string, name: string, raw: string, bad: boolean): TemplateResult {
  const at = `${n.id} ${f.key}`, value = m.typed.get(at) ?? plain(raw);
  const put = (text: string, write: (t: string, left: boolean) => string | { error: string }) => m.typing.type(n.id, f.key, text, (left) => write(text, left));
  switch (f.kind) {
    case 'choice': return choice(m, n, f, id, name, plain(raw));
    case 'number': case 'length': return stepper(name, id, value, /^(days|hours|minutes|weeks)$/.test(f.key) ? f.key : '', (t) => put(t, (x) => asNumber(x, f)), (by) => {
      const now = parseFloat(m.typed.get(at) ?? value), from = Number.isFinite(now) ? now : parseFloat(f.fallback ?? '') || f.min || 0;
      const size = f.whole || f.kind === 'length' || from >= 2 ? 1 : 0.1, next = number(Math.min(f.max ?? Infinity, Math.max(f.min ?? -Infinity, from + by * size)));
      m.typed.set(at, next);
      put(next, () => next);
      m.redraw();
    }, bad, bad ? `${id}-w` : '');
    case 'icon': return iconField(m, n, f, id, value);
    case 'color': return colorField(m, n, f, id, value, put);
    case 'checks': return checks(m, n, f, raw, f.choices!.map((c) => ({ name: c, note: '', color: '' })));
    case 'list': return listField(m, n, f, id, name, raw, put, bad);
    case 'code': {
      const text = m.typed.get(at) ?? raw;
      return html`<textarea id=${id} class="mono" rows=${Math.min(8, text.split('\n').length + 1)} spellcheck="false" autocapitalize="off" aria-invalid=${bad} .value=${live(text)} @input=${(e: Event) => put((e.currentTarget as HTMLTextAreaElement).value, (t) => t.trim())}></textarea>`;
    }
  }
  const sources = sourcesFor(m, f);
  if (f.key === 'provider' && sources.length) return select(name, id, [{ value: '', label: sources.length === 1 ? `${sources[0]}, the only one` : 'not set' }, ...sources.map((s) => ({ value: s, label: s }))], plain(raw), (v) => m.set(n.id, f.key, v));
  const write = f.kind === 'duration' ? (t: string) => asDuration(t) : (t: string, left: boolean) => (t.trim() ? scalar(left ? t : t.trimEnd()) : ''); // while a person types, a blank at the end is removed, because YAML would need quotes for it
  if (f.key === 'entity') return entityField(m, n, id, value, (t) => put(t, write), bad);
  const clear = value && !f.needed ? html`<button class="iconic plainly clear" aria-label="Clear ${name}" @click=${() => { m.typed.set(at, ''); void m.set(n.id, f.key, ''); focusField(id); }}>${i.icon(i.mdiCloseCircle, 20)}</button>` : nothing;
  return html`<span class="field-in"><input id=${id} autocomplete="off" autocapitalize="off" aria-invalid=${bad} aria-describedby=${bad ? `${id}-w` : nothing} placeholder=${f.fallback ?? ''} .value=${live(value)} @input=${(e: Event) => put((e.currentTarget as HTMLInputElement).value, write)}>${clear}</span>`;
}

/** entityField is a field for an entity of Home Assistant, with completion and the present state. */
function entityField(m: Model, n: Node, id: string, value: string, put: (t: string) => void, bad: boolean): TemplateResult {
  const all = m.typed.has(`${n.id} entity`) ? entitiesLike(m, n, value) : [], take = (t: string) => { put(t); m.redraw(); focusField(id); };
  return html`<span class="field-in"><input id=${id} autocomplete="off" autocapitalize="off" spellcheck="false" role="combobox" aria-expanded=${all.length > 0} aria-controls="${id}-s" aria-invalid=${bad} aria-describedby=${bad ? `${id}-w` : nothing} placeholder=${/such as (\w+\.\w+)/.exec(m.schemas.fields(n.widget ?? '', n.kind === 'provider').find((f) => f.key === 'entity')?.help ?? '')?.[1] ?? 'sensor.bedroom'} .value=${live(value)}
      @input=${(e: Event) => { m.suggested = 0; put((e.currentTarget as HTMLInputElement).value); m.redraw(); }} @keydown=${(e: KeyboardEvent) => suggestKeys(m, e, all, take)}></span>
    ${suggestList(m, `${id}-s`, all, take)}${entityNow(m, n, value)}`;
}

function asNumber(text: string, f: Field): string | { error: string } {
  const t = text.trim().replace(',', '.');
  if (!t) return '';
  const n = Number(t.replace(/px$/, ''));
  if (Number.isNaN(n)) return { error: `“${text}” is not a number. ${limits(f)}` };
  if (f.min !== undefined && n < f.min) return { error: `${t} is too small. ${label(f.key)} goes from ${f.min}${f.max !== undefined ? ` to ${f.max}` : ''}.` };
  if (f.max !== undefined && n > f.max) return { error: `${t} is too large. ${label(f.key)} goes${f.min !== undefined ? ` from ${f.min}` : ''} to ${f.max}.` };
  return t;
}

export function asDuration(text: string): string | { error: string } {
  const t = text.trim();
  if (!t || /^([0-9.]+|([0-9.]+ *(ms|s|m|h|d|w) *)+)$/.test(t)) return t;
  return { error: `“${t}” is not a time. Write seconds, or 30s, 5m, 1h30m.` };
}

const inSegment = 4;

function choice(m: Model, n: Node, f: Field, id: string, name: string, value: string): TemplateResult {
  const all = f.choices!, set = (v: string) => m.set(n.id, f.key, v);
  const now = value || '';
  if (all.length <= inSegment && all.join('').length < 28) {
    const shown = now || f.fallback || '';
    return html`<div class="segment" role="radiogroup" aria-label=${name}>${all.map((v, k) => html`<button id=${k ? nothing : id} role="radio" aria-checked=${v === shown} tabindex=${v === shown || (!all.includes(shown) && k === 0) ? 0 : -1}
      @click=${() => set(v)} @keydown=${(e: KeyboardEvent) => choiceKey(e, k, all, set)}>${v}</button>`)}</div>`;
  }
  return select(name, id, [{ value: '', label: f.fallback ? `${f.fallback}, as without it` : 'not set' }, ...all.map((v) => ({ value: v, label: v }))], now, set);
}

function choiceKey(e: KeyboardEvent, at: number, all: string[], set: (v: string) => unknown): void {
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[e.key];
  if (!by || e.altKey) return;
  e.preventDefault();
  const to = (at + by + all.length) % all.length;
  set(all[to]);
  ((e.currentTarget as HTMLElement).parentElement!.children[to] as HTMLElement).focus();
}

function iconField(m: Model, n: Node, f: Field, id: string, value: string): TemplateResult {
  const glyph = value ? glyphOf(m, value) : '';
  return html`<div class="pair"><span class="shown">${glyph ? i.icon(glyph) : nothing}<span class="name">${value.replace(/^mdi:/, '') || 'none'}</span></span>
    <button id=${id} @click=${() => openIcons(m, n.id, f.key)}>Change</button></div>`;
}

function openIcons(m: Model, node: string, key: string): void {
  m.icons = { for: node, key, find: '', list: [] };
  m.go('icons');
  void loadIcons(m, '');
}

/** iconsScreen searches an icon by a word. */
export function iconsScreen(m: Model): TemplateResult {
  const s = m.icons;
  if (!s) return html`${nothing}`;
  const done = () => { m.icons = null; m.go(innerWidth < 720 ? 'form' : 'wall'); };
  const put = (v: string) => { s.find = v; m.later('icons', 300, () => void loadIcons(m, v)); m.redraw(); };
  const choose = (name: string) => { void m.set(s.for, s.key, name ? `mdi:${name}` : ''); done(); };
  return html`${head(m, 'Choose an icon', '', nothing, done)}<main class="one wide-page">${search('Find an icon', s.find, put)}
    <div class="glyphs">${s.list.map((one) => html`<button @click=${() => choose(one.name)}>${i.icon(one.path, 28)}<span>${one.name}</span></button>`)}</div>
    ${s.list.length ? nothing : html`<p class="empty muted">${s.find ? 'No icon has this word. Try another, in English.' : 'Type a word, such as lamp.'}</p>`}
    <button @click=${() => choose('')}>Without an icon</button></main>`;
}

function colorField(m: Model, n: Node, f: Field, id: string, value: string, put: (t: string, write: (t: string) => string | { error: string }) => void): TemplateResult {
  const write = (t: string) => (t.trim() ? (/^[\w]+$/.test(t.trim()) ? t.trim() : /^[[{!]/.test(t.trim()) ? t.trim() : scalar(t.trim())) : '');
  const roles = m.theme?.roles ?? [];
  wantTheme(m);
  const mode = m.look.theme === 'day' || (m.look.theme === '' && m.draft!.theme === 'day') ? 'day' : 'night';
  return html`<div class="swatches" role="group" aria-label="Colors of the theme">${(roles.length ? roles.map((r) => ({ name: r.name, hex: r[mode] })) : tokens.map((name) => ({ name, hex: '' }))).slice(0, 13).map((t) => html`
      <button class="swatch" aria-pressed=${value === t.name} aria-label=${t.name} title=${t.name} .style=${t.hex ? `--swatch: ${t.hex}` : `--swatch: var(--${t.name}, var(--muted))`} @click=${() => m.set(n.id, f.key, t.name)}></button>`)}</div>
    <span class="field-in"><input id=${id} autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="accent, #6ea8fe" .value=${live(value)} @input=${(e: Event) => put((e.currentTarget as HTMLInputElement).value, write)}></span>`;
}

/** checks() shows a list in which several entries may be chosen. The file gets the chosen entries in the order of the list. */
function checks(m: Model, n: Node, f: Field, raw: string, all: { name: string; note: string; color: string }[]): TemplateResult {
  const whole = f.key === 'calendars', on = raw || !whole ? list(raw) : all.map((a) => a.name); // without a list, the widget shows all calendars
  const put = (name: string, yes: boolean) => {
    const next = all.map((a) => a.name).filter((a) => (a === name ? yes : on.includes(a)));
    if (whole && !next.length) { m.say({ text: 'One calendar stays. Choose another one first.', bad: true }); return; }
    if (whole && next.length === all.length) { void m.set(n.id, f.key, ''); return; }
    void m.set(n.id, f.key, next.length ? flow([...next, ...on.filter((o) => !all.some((a) => a.name === o))]) : '');
  };
  return html`<div class="checks" id=${`f-${f.key}`}>${all.map((a) => check(a.name, on.includes(a.name), a.note, (yes) => put(a.name, yes), a.color ? html`<span class="dot-color" .style=${`--swatch: ${a.color}`}></span>` : nothing))}</div>`;
}

function listField(m: Model, n: Node, f: Field, id: string, name: string, raw: string, put: (t: string, write: (t: string) => string) => void, bad: boolean): TemplateResult {
  if (f.key === 'calendars') {
    const known = calendarsOf(m, n);
    if (known.length) return checks(m, n, f, raw, known);
  }
  const v = m.typed.get(`${n.id} ${f.key}`) ?? list(raw).join(', ');
  return html`<input id=${id} autocomplete="off" aria-label="${name}, separated by commas" aria-invalid=${bad} placeholder="separated by commas" .value=${live(v)}
    @input=${(e: Event) => put((e.currentTarget as HTMLInputElement).value, (t) => { const all = t.split(',').map((s) => s.trim()).filter(Boolean); return all.length ? flow(all) : ''; })}>`;
}

/** formulaField shows a jq program with its present result. */
function formulaField(m: Model, n: Node, f: Field, id: string, raw: string): TemplateResult {
  const at = `${n.id} ${f.key}`, typed = m.typed.get(at), text = typed === undefined ? plain(raw.replace(/^!data\s*/, '')) : typed.replace(/^!data ?/, '');
  const result = resultNow(m, at, text);
  const put = (t: string) => {
    evaluateLater(m, at, t);
    m.typing.type(n.id, f.key, `!data ${t}`, () => (t.trim() ? `!data ${scalar(t.trim())}` : ''));
  };
  const typing = m.typed.has(at), all = typing ? suggestions(m, text) : [], take = (next: string) => { put(next); m.redraw(); focusField(id); };
  return html`<span class="field-in"><input id=${id} class="mono" autocomplete="off" autocapitalize="off" spellcheck="false" role="combobox" aria-expanded=${all.length > 0} aria-controls="${id}-s" aria-describedby="${id}-r" .value=${live(text)}
      @input=${(e: Event) => { m.suggested = 0; put((e.currentTarget as HTMLInputElement).value); m.redraw(); }} @keydown=${(e: KeyboardEvent) => suggestKeys(m, e, all, take)}></span>
    ${suggestList(m, `${id}-s`, all, take)}
    <p class="result" id="${id}-r">${result?.error ? html`<span class="bad">${i.icon(i.mdiAlertCircleOutline, 18)}</span>${result.error}` : result ? html`<b>${typeof result.result === 'string' ? result.result : JSON.stringify(result.result)}</b> <span class="muted">now</span>` : html`<span class="muted">Start with a dot, such as .machine.cpu_percent</span>`}</p>
    <button class="quiet small" @click=${() => { m.typed.delete(at); m.results.delete(at); void m.set(n.id, f.key, ''); m.redraw(); }}>Without a formula</button>`;
}

/** yamlCard shows the YAML of the selection. A person can edit it as text. */
export function yamlCard(m: Model, n: Node): TemplateResult {
  const at = `${n.id} yaml`, open = m.typed.has(at) && !n.locked, text = yamlOf(m, n), bad = m.refused.get(at);
  const edit = () => { if (text !== null) { m.typed.set(at, text); m.redraw(); focusField('f-yaml'); } };
  const put = (e: Event) => {
    const t = (e.currentTarget as HTMLTextAreaElement).value;
    m.typed.set(at, t);
    m.later(at, 600, () => void m.ops(() => { const now = m.node(n.id); return now ? [{ op: 'text', node: n.id, hash: now.hash, yaml: t }] : null; }, at));
  };
  return html`<section class="card yaml" aria-label="YAML"><div class="caption"><h2>YAML</h2>${n.locked ? nothing : open ? html`<button class="quiet" @click=${() => { m.typed.delete(at); m.refused.delete(at); m.redraw(); }}>Done</button>` : html`<button class="quiet" @click=${edit}>Edit as text</button>`}</div>
    ${open ? html`<textarea id="f-yaml" class="mono" aria-label="YAML of ${n.title}" spellcheck="false" autocapitalize="off" rows=${Math.min(16, (m.typed.get(at) ?? '').split('\n').length + 2)} aria-invalid=${!!bad} .value=${live(m.typed.get(at)!)} @input=${put}></textarea>`
      : html`<pre role="group" tabindex="0" aria-label="YAML of ${n.title}">${text === null ? 'Reading…' : text.replace(/\n$/, '').split('\n').map((line) => html`<span class="wrap">${code(line)}</span>`)}</pre>`}
    ${wrong(`${at}-w`, bad)}<p class="muted">${n.file}, line ${n.line}</p></section>`;
}

/** sideSource shows the part of the file around the selection, below the wall on a computer. */
export const sideSource = source;

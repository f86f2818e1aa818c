// Data: the providers, tests of them, and new providers from templates.
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { calendarAnswer, calendarMark, result } from './answer';
import type { Node } from './api';
import { connections } from './connecting';
import { colorsOf } from './live';
import { asDuration, fields } from './form';
import * as i from './icons';
import type { Model } from './model';
import { head, select, tabs, applyButton, undoButtons, wrong, type Part } from './parts';
import { sourceRow, testMark, typeOf } from './sourcerow';
import { setSecret, testSource, useLink } from './sources';
import { fillIn, hasPlace, secretName, templates, type Template } from './templates';
import { contrast } from './theme';
import { colorOf } from './theming';
import { nodeProblems, status } from './wall';
import { read, scalar } from './yaml';

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
  const known = t && t !== 'busy', of = type === 'calendar';
  const gone = () => void m.ops(() => [{ op: 'remove', node: p.id, hash: m.node(p.id)?.hash ?? p.hash }]).then((ok) => ok && m.go('data'));
  const test = html`${p.locked ? nodeProblems(m, p) : nothing}<section class="card" aria-label="Test"><div class="row"><h2 class="name">Test</h2>${testMark(t)}</div>
        ${known ? result(m, p, t) : html`<p class="muted">Asks ${of ? 'each calendar' : 'the source'} once, now, and shows what comes back.</p>`}
        <div class="buttons">${known && t.link && !(of && t.link_key?.startsWith('calendars.')) ? html`<button class="main" ?disabled=${!!p.locked} @click=${() => void useLink(m, p, t)}>Use the link found: ${t.link}</button>` : nothing}<button aria-disabled=${t === 'busy'} aria-busy=${t === 'busy'} @click=${() => t === 'busy' || void testSource(m, m.provider)}>${i.icon(i.mdiRefresh, 20)}${t ? 'Test again' : 'Test'}</button>
          <button @click=${() => { m.picked = { path: '', formula: '', result: '', error: '', unit: '' }; m.card = ''; m.go('pick'); }}>Pick a value</button></div></section>`;
  const kept = secrets.length ? html`<section class="card" aria-label="Secrets"><h2>Secrets</h2>${secrets.map((s) => secretRow(m, s))}</section>` : nothing;
  return html`${head(m, p.name ?? p.title, type, html`${undoButtons(m, false)}<button class="main" @click=${() => m.go('data')}>Done</button>`)}
    <main class="pair-page">${of ? html`<div class="column whole">${test}</div>${p.locked ? html`<fieldset disabled>${calendars(m, p)}</fieldset>` : calendars(m, p)}<div class="column">${kept}${fields(m, p, true)}</div>` : html`<div class="column">${test}${kept}</div><div class="column">${fields(m, p, true)}</div>`}
      <button class="removes whole" ?disabled=${!!p.locked} @click=${gone}>${i.icon(i.mdiTrashCanOutline, 20)}Delete this source</button></main>`;
}

const shades = ['series1', 'series2', 'series3', 'series4', 'warn', 'good', 'bad', 'accent'];

/** clarity() returns the contrast of a color to the surface of cards, as text after the color's name. */
const clarity = (color: string, surface: string) => (color.startsWith('#') && surface.startsWith('#') ? `, ${contrast(color, surface).toFixed(1)} : 1` : '');

/** calendars() shows the entries of a calendar source, each with name, address, color and reminder. */
function calendars(m: Model, p: Node): Part {
  const raw = m.param(p, 'calendars')?.value, all = raw ? read(raw) : [];
  if (!Array.isArray(all)) return nothing;
  const hex = (name: string) => colorOf(m, name);
  return html`${all.map((c, k) => {
    if (typeof c !== 'object' || Array.isArray(c)) return nothing;
    const text = (key: string) => (typeof c[key] === 'string' ? c[key] as string : ''), at = (key: string) => `calendars.${k}.${key}`, url = text('url');
    const put = (key: string, v: string) => m.typing.type(p.id, at(key), v, () => (v.trim() ? scalar(v.trim()) : ''));
    const value = (key: string) => m.typed.get(`${p.id} ${at(key)}`) ?? text(key);
    const name = text('name') || `Calendar ${k + 1}`, open = !url.startsWith('!secret'), other = ['path', 'caldav', 'entity'].find((key) => text(key)), t = m.tests.get(m.provider), bad = t && t !== 'busy' && t.calendars?.[text('name')]?.works === false;
    return html`<section class="card calendar" aria-label=${name}><div class="row"><span class="dot-color" .style=${`--swatch: ${colorsOf(m, p).get(text('name')) ?? 'var(--accent)'}`}></span><h2 class="name">${name}</h2>${calendarMark(m, text('name'))}</div>
      <div class="field-block"><label for="c-name-${k}">Name</label><input id="c-name-${k}" autocomplete="off" .value=${live(value('name'))} @input=${(e: Event) => put('name', (e.currentTarget as HTMLInputElement).value)}></div>
      ${other ? html`<p class="muted help">${other}: ${text(other)}</p>` : html`<div class="field-block"><div class="caption"><label for="c-url-${k}">Private address</label><span class="muted">ends in .ics</span></div>${open ? html`<input id="c-url-${k}" autocomplete="off" autocapitalize="off" spellcheck="false" aria-invalid=${!!bad} aria-describedby="c-test-${k}" .value=${live(value('url'))} @input=${(e: Event) => put('url', (e.currentTarget as HTMLInputElement).value)}>`
        : secretRow(m, url.slice(8).trim())}${wrong(`c-w-${k}`, m.refused.get(`${p.id} ${at('url')}`))}</div>`}
      ${calendarAnswer(m, p, text('name'), k)}
      <div class="field-block"><span class="label-like">Color</span><div class="swatches" role="group" aria-label="Color of ${text('name')}">${shades.map((s) => html`<button class="swatch" aria-label=${s} title=${s} aria-pressed=${text('color') === s} .style=${`--swatch: ${hex(s)}`} @click=${() => m.set(p.id, at('color'), s)}></button>`)}<span class="muted">${text('color') ? text('color') + clarity(hex(text('color')), hex('surface')) : 'chosen by the wall'}</span></div></div>
      ${reminder(m, p.id, at('remind'), k, text('remind'))}
      <button class="quiet removes" @click=${() => m.set(p.id, `calendars.${k}`, '')}>Remove</button></section>`;
  })}<button class="whole" @click=${() => fillIn(m, 'calendar', p.id)}>${i.icon(i.mdiPlus, 20)}Add a calendar</button>`;
}

/** The times before an event that the list of reminders offers. */
const remindTimes: [string, string][] = [['', 'no reminder'], ['5m', '5 minutes'], ['10m', '10 minutes'], ['15m', '15 minutes'], ['30m', '30 minutes'], ['1h', '1 hour'], ['2h', '2 hours'], ['1d', '1 day']];

/** reminder() lets a person choose the time before an event, or type another time. */
function reminder(m: Model, id: string, key: string, k: number, now: string): TemplateResult {
  const at = `${id} ${key}`, typed = m.typed.get(at), value = now === '0' ? '' : now, bad = m.refused.get(at);
  const known = remindTimes.some(([v]) => v === value), all = [...remindTimes, ...(known ? [] : [[value, value] as [string, string]]), ['other', 'another time'] as [string, string]];
  const set = (v: string) => {
    if (v === 'other') { m.typed.set(at, value); m.redraw(); m.focusLater(`c-other-${k}`); return; }
    m.typed.delete(at);
    m.refused.delete(at);
    void m.set(id, key, v);
  };
  return html`<div class="remind"><label for="c-remind-${k}">Remind before an event</label>${select('Remind before an event', `c-remind-${k}`, all.map(([v, l]) => ({ value: v, label: l })), typed === undefined ? value : 'other', set)}</div>
    ${typed === undefined ? nothing : html`<div class="field-block"><label for="c-other-${k}">Time, such as 45m or 1h30m</label><input id="c-other-${k}" autocomplete="off" aria-invalid=${!!bad} aria-describedby="c-remind-w-${k}" .value=${live(typed)} @input=${(e: Event) => m.typing.type(id, key, (e.currentTarget as HTMLInputElement).value, () => asDuration(m.typed.get(at) ?? ''))}></div>`}${wrong(`c-remind-w-${k}`, bad)}`;
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
    if (v) void setSecret(m, name, v).then((ok) => ok && close());
  };
  const close = () => { m.typed.delete(at); m.redraw(); m.focusLater(`r-${name}`); };
  if (!openNow) {
    return html`<div class="row wraps"><span class="shown">${i.icon(i.mdiLockOutline, 20)}<span class="name">${name}, ${known && !known.set ? 'not set yet' : 'kept in secrets.yaml'}</span></span><button id="r-${name}" @click=${() => { m.typed.set(at, ''); m.redraw(); m.focusLater(`s-${name}`); }}>${known && !known.set ? 'Set' : 'Replace'}</button></div>`;
  }
  return html`<form class="field-block" @submit=${save}><label for="s-${name}">New value of ${name}</label><input id="s-${name}" type="password" autocomplete="off" .value=${live(m.typed.get(at)!)} @input=${(e: Event) => { m.typed.set(at, (e.currentTarget as HTMLInputElement).value); m.redraw(); }}>
    <div class="buttons"><button type="button" @click=${close}>Cancel</button><button class="main" aria-disabled=${!m.typed.get(at)}>Keep it</button></div></form>`;
}

/** newDataScreen adds a source from a template. */
export function newDataScreen(m: Model): TemplateResult {
  const t = m.template && templates.find((one) => one.kind === m.template!.kind);
  if (!t) {
    return html`${head(m, 'Add a source', '', nothing)}<main class="one"><section class="card" aria-label="Templates">${templates.map((one) => html`<button class="row plain-row" @click=${() => fillIn(m, one.kind)}>${i.icon(one.icon)}<span class="name">${one.title}<small>${one.text}</small></span>${i.icon(i.mdiChevronRight)}</button>`)}</section></main>`;
  }
  const g = m.template!.given, placed = t.kind === 'weather' && hasPlace(m), ready = placed || t.ask.every((a) => g[a.key]?.trim());
  const submit = (e: Event) => { e.preventDefault(); if (ready) void add(m, t, g); };
  return html`${head(m, t.title, t.text, nothing, () => { m.template = null; m.redraw(); })}<main class="one"><form class="card" @submit=${submit}>${t.kind === 'homeassistant' ? homes(m, g) : nothing}${t.ask.map((a) => html`<div class="field-block"><label for="t-${a.key}">${a.title}</label>
      <input id="t-${a.key}" type=${a.secret ? 'password' : 'text'} autocomplete="off" autocapitalize="off" spellcheck="false" placeholder=${placed ? 'Without it: the location of the wall' : a.hint} .value=${live(g[a.key] ?? '')} @input=${(e: Event) => { g[a.key] = (e.currentTarget as HTMLInputElement).value; m.redraw(); }}>
      ${a.secret ? html`<p class="muted help">Kept in secrets.yaml. It is never shown again.</p>` : nothing}</div>`)}
    <button class="main large" aria-disabled=${!ready}>Add and test</button>${ready ? nothing : html`<p class="muted help">Fill in what is needed first.</p>`}</form></main>`;
}

/** homes() lists the Home Assistants that answer in the network. A tap on a Home Assistant fills in its address. */
function homes(m: Model, g: Record<string, string>): Part {
  if (!m.homes) return html`<p class="muted" role="status">Looking for Home Assistant in this network…</p>`;
  if (!m.homes.length) return html`<p class="muted" role="status">No Home Assistant answers in this network. Type its address.</p>`;
  return html`<div role="group" aria-label="In this network">${m.homes.map((one) => html`<button type="button" class="row plain-row" aria-pressed=${g.url === one.url} @click=${() => { g.url = one.url; m.redraw(); }}>${i.icon(i.sourceIcon('homeassistant'))}<span class="name">${one.name}<small>${one.url}</small></span>${g.url === one.url ? i.icon(i.mdiCheck, 20) : nothing}</button>`)}</div>`;
}

async function add(m: Model, t: Template, g: Record<string, string>): Promise<void> {
  const into = m.template?.into && m.node(m.template.into);
  if (into) {
    const all = m.param(into, 'calendars') ? read(m.param(into, 'calendars')!.value) : [];
    const name = secretName(t, g), set = { op: 'set' as const, node: into.id, key: `calendars.${Array.isArray(all) ? all.length : 0}`, value: `{name: ${scalar(g.name)}, url: !secret ${name}}`, secret: { name, value: g.secret } };
    if (!await m.ops(() => [{ ...set, hash: m.node(into.id)?.hash ?? into.hash }])) return;
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

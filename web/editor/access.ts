// The screens before the editor: one asks for the token, one asks for the code on the wall, and one is for a wall that has neither. This
// file also contains the screen More and the list of keys.
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import { ago } from '../remote/words';
import { tokenForm } from '../shared/token';
import { allowDevice, answerAsking, askCode, askToAllow, guestDays, removeDevice, removeOthers, setDigits } from './allowing';
import type { Asking, Device } from './api';
import * as i from './icons';
import type { Model } from './model';
import { head, lostLine, toggle, type Part } from './parts';
import { discard } from './saving';
import { previews } from './wall';
import { changes, device } from './words';

const plainHead = html`<header><a class="iconic back" href="../" aria-label="Back to the wall">${i.icon(i.mdiClose)}</a><span class="name"></span></header>`;

/** lockedScreen explains why a person cannot edit the wall from here, and what to do instead. */
export function lockedScreen(m: Model): TemplateResult {
  const a = m.access!;
  if (a.why === 'code') return codeScreen(m);
  if (a.why === 'token') return tokenScreen(m);
  const words = a.why === 'machine' ? 'This wall is edited on its own machine' : a.why === 'lost' ? 'The wall does not answer' : 'This wall cannot be edited from here';
  return html`${plainHead}<main class="one ask"><h1 class="headline" tabindex="-1" data-start>${words}</h1><p class="muted">${a.error ?? ''}</p>
    ${a.why === 'machine' ? html`<section class="card"><p>Open this page there, or set <code>config_token</code> in <code>conf.yaml</code> and use it here.</p></section>` : nothing}
    <button @click=${() => void m.start()}>${i.icon(i.mdiRefresh, 20)}Try now</button></main>`;
}

function tokenScreen(m: Model): TemplateResult {
  const take = (token: string) => {
    m.client.keep(token);
    void m.start().then(() => { if (!m.access?.may) { m.client.keep(''); m.refused.set('token', 'This is not the token for editing. It is in secrets.yaml or conf.yaml.'); } m.redraw(); });
  };
  return html`${plainHead}<main class="one ask"><h1 class="headline" tabindex="-1" data-start>Edit this wall</h1><p class="muted">Editing needs the wall’s <code>config_token</code>. This browser keeps it.</p>
    ${tokenForm({ label: 'Token', button: 'Open the editor', wrong: m.refused.get('token') ?? '', redraw: () => m.redraw(), take })}</main>`;
}

/** codeScreen asks for the code that the wall shows. The sixth digit sends the code, like the button Allow. */
function codeScreen(m: Model): TemplateResult {
  const c = m.code, rest = Math.max(0, Math.ceil((c.ends - Date.now()) / 1000)), on = c.asked > 0 && rest > 0;
  if (!c.name) c.name = device();
  const put = (e: Event) => {
    c.digits = (e.currentTarget as HTMLInputElement).value.replace(/\D/g, '').slice(0, 6);
    m.redraw();
    if (c.digits.length === 6) void allowDevice(m);
  };
  return html`${plainHead}<main class="one ask"><h1 class="headline" tabindex="-1" data-start>Edit this wall</h1>
    <p class="muted">${on ? 'Type the code that the wall shows now. This is asked once for this device.' : 'The wall shows a code. It is asked once for this device.'}</p>
    ${on ? html`<form @submit=${(e: Event) => { e.preventDefault(); void allowDevice(m); }}><label class="unseen" for="digits">Code on the wall, six digits</label>
      <div class="digits"><input id="digits" inputmode="numeric" autocomplete="one-time-code" maxlength="7" aria-invalid=${!!c.wrong} aria-describedby="code-w" .value=${live(c.digits)} @input=${put}>
        <div aria-hidden="true">${[0, 1, 2, 3, 4, 5].map((k) => html`<span class="digit ${k === c.digits.length ? 'now' : ''}">${c.digits[k] ?? ''}</span>`)}</div></div>
      <p class="muted">${rest >= 60 ? `${Math.floor(rest / 60)} min ${rest % 60} s left` : `${rest} s left`}</p></form>` : nothing}
    <div class="field-block"><label for="device">Name of this device</label><input id="device" autocomplete="off" maxlength="40" .value=${live(c.name)} @input=${(e: Event) => { c.name = (e.currentTarget as HTMLInputElement).value; }}></div>
    ${c.wrong ? html`<p class="wrong" id="code-w"><b>${c.wrong}</b></p>` : nothing}
    ${on ? html`<button class="main large" aria-disabled=${c.digits.length !== 6} @click=${() => void allowDevice(m)}>Allow</button><button class="quiet" @click=${() => void askCode(m)}>Show the code again</button>`
      : html`<button class="main large" @click=${() => void askCode(m).then(() => requestAnimationFrame(() => document.getElementById('digits')?.focus()))}>Show the code</button>`}
    <details><summary>I do not see the wall</summary><p class="muted">A device that may edit can allow this one under More, Devices. Or set <code>config_token</code> in <code>conf.yaml</code> on the machine that draws the wall. Then this page asks for it instead.</p></details></main>`;
}

/** moreScreen contains the commands for which the bar of a phone has no room. */
export function moreScreen(m: Model): TemplateResult {
  const row = (word: string, hint: string, path: string, run: () => void) => html`<button class="row plain-row" @click=${run}>${i.icon(path)}<span class="name">${word}<small>${hint}</small></span>${i.icon(i.mdiChevronRight)}</button>`;
  const views = m.access?.views ?? [];
  return html`${head(m, 'More', '', nothing)}<main class="one"><section class="card" aria-label="More">${row('Files', 'the YAML as text', i.mdiTextBoxOutline, () => m.go('files'))}
      ${row('Versions', 'the last 50 saves', i.mdiHistory, () => m.go('versions'))}${row('Devices', 'which may edit this wall', i.mdiDevices, () => m.go('devices'))}${row('Keys', 'of the keyboard', i.mdiKeyboardOutline, () => m.go('keys'))}</section>
    ${previews(m)}
    ${views.length > 1 ? html`<section class="card" aria-label="Views"><h2 class="label">Views</h2>${views.map((v) => html`<button class="row plain-row" aria-current=${v.name === m.draft?.view} @click=${() => void m.switchView(v.name)}>${i.icon(i.mdiMonitor)}<span class="name">${v.name}<small>${v.width} × ${v.height}</small></span>${v.name === m.draft?.view ? i.icon(i.mdiCheck) : nothing}</button>`)}</section>` : nothing}</main>`;
}

/** devicesScreen lists the devices that may edit, this device first, and the requests of other devices. */
export function devicesScreen(m: Model): TemplateResult {
  const waiting = m.asking.list.filter((d) => !d.allowed), allowed = m.asking.list.filter((d) => d.allowed);
  const own = m.devices?.filter((d) => d.own) ?? [], others = [...m.devices?.filter((d) => !d.own) ?? [], ...allowed], all = [...own, ...others];
  return html`<header><button class="iconic back" aria-label="Back" @click=${() => m.back()}>${i.icon(i.mdiArrowLeft)}</button><div class="name">${lostLine(m)}</div></header>
    <main class="one who"><div class="intro"><h1 class="headline" tabindex="-1" data-start>Who may edit</h1><p class="muted">Everybody at home can look. These can change the wall.</p></div>
    ${repeat(waiting, (d) => d.id, (d) => request(m, d))}
    <section class="card devices" aria-label="Devices">${!m.devices ? html`<p class="muted">Reading…</p>` : all.length ? repeat(all, (d) => d.id, (d) => deviceRow(m, d))
      : html`<p class="muted empty">No device was allowed with a code. The wall’s own machine and its token need none.</p>`}</section>
    ${m.asking.digits === undefined ? nothing : html`<section class="card" aria-label="New devices">${toggle('Ask with six digits', m.asking.digits, 'The wall shows them. Off: only by the card.', (on) => void setDigits(m, on))}</section>`}
    ${others.length > 1 ? html`<button class="removes large" @click=${() => void removeOthers(m, others)}>${i.icon(i.mdiCellphoneRemove)}${own.length ? 'Revoke all others' : 'Revoke all'}</button>` : nothing}</main>`;
}

function deviceRow(m: Model, d: Device | Asking): TemplateResult {
  const kind = `${d.name} ${d.browser ?? ''}`, icon = /tablet|iPad/i.test(kind) ? i.mdiTablet : /phone|Android/i.test(kind) ? i.mdiCellphone : i.mdiLaptop;
  return html`<div class="row">${i.icon(icon)}<span class="name">${d.name}<small>${'allowed' in d ? 'allowed, waits for its page' : seen(d)}</small></span>
    ${'own' in d && d.own ? html`<span class="muted">this one</span>` : html`<button class="removes" aria-label="Revoke ${d.name}" @click=${() => void removeDevice(m, d)}>Revoke</button>`}</div>`;
}

/** from() returns the browser and the address of a device that waits. */
const from = (d: Asking): string => [d.browser, d.address].filter(Boolean).join(' · ');

/** request shows a device that waits. The button Allow asks first, so that no tap allows a device whose name was not read. */
function request(m: Model, d: Asking): TemplateResult {
  const asks = m.asking.chosen === d.id, drop = () => { m.asking.chosen = ''; m.redraw(); };
  return html`<section class="card asks" aria-label="Request of ${d.name}"><div class="row">${i.icon(i.mdiCellphoneKey)}<span class="name">${asks ? `Allow ${d.name}?` : `${d.name} asks now`}<small>${asks ? `${d.address} can then change the wall` : from(d)}</small></span></div>
    ${asks ? toggle('As a guest', m.asking.guest, `ends after ${guestDays} days`, (on) => { m.asking.guest = on; m.redraw(); }) : nothing}
    <div class="buttons"><button @click=${() => (asks ? drop() : void answerAsking(m, d, false))}>${asks ? 'Cancel' : 'Refuse'}</button>
      <button class="main" @click=${() => (asks ? void answerAsking(m, d, true) : askToAllow(m, d))}>${asks ? 'Yes, allow' : 'Allow'}</button></div></section>`;
}

/** left() returns a remaining time in ms as text: in days, or in hours on the last day. */
function left(ms: number): string {
  const hours = Math.max(1, Math.ceil(ms / 36e5)), days = Math.ceil(hours / 24);
  return hours > 24 ? `${days} days` : hours === 1 ? '1 hour' : `${hours} hours`;
}

/** seen() returns when the permission of a guest ends, or when a device was last used, and its browser. */
function seen(d: Device): string {
  if (d.ends_at) return `ends in ${left(Date.parse(d.ends_at) - Date.now())}`;
  const day = (at: string) => `allowed ${new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'long' })}`;
  const at = d.seen_at && !d.own ? ago(Math.max(0, Date.now() - Date.parse(d.seen_at)) / 1000) : d.allowed_at ? day(d.allowed_at) : d.address;
  return [at, d.browser].filter(Boolean).join(' · ');
}

const keyList: [string, string][] = [['Select', '↑ ↓ in the tree'], ['Open the form', 'Enter'], ['Back to the tree', 'Esc'], ['Move among neighbors', 'Alt + arrows'], ['Choose a place', 'M, then 1 – 9'], ['Add', 'A'], ['Duplicate', 'Ctrl + D'], ['Delete', 'Del'], ['Undo', 'Ctrl + Z'], ['Redo', 'Ctrl + Shift + Z'], ['Apply', 'Ctrl + S'], ['All keys', '?']];

export function keysScreen(m: Model): TemplateResult {
  return html`${head(m, 'Keys', '', nothing)}<main class="one"><section class="card"><dl>${keyList.map(([word, key]) => html`<div class="value"><dt class="muted">${word}</dt><dd>${key}</dd></div>`)}</dl></section></main>`;
}

/** keyHints lists the keys of the editor below the tree, on a computer. */
export function keyHints(m: Model): Part {
  return html`<dl class="key-hints">${[['Move', 'Alt + arrows'], keyList[1], keyList[7]].map(([word, key]) => html`<div><dt class="muted">${word}</dt><dd>${key}</dd></div>`)}</dl><button class="quiet all-keys" @click=${() => m.go('keys')}>All keys<b aria-hidden="true">?</b></button>`;
}

/** closeScreen asks what to do with the changes before the editor closes. */
export function closeScreen(m: Model): TemplateResult {
  return html`${head(m, 'Close the editor', '', nothing)}<main class="one"><p>${changes(m.draft!.changes)} ${m.draft!.changes === 1 ? 'is' : 'are'} not on the wall yet.</p>
    <button class="main large" @click=${() => location.assign('../')}>Keep as draft</button><button class="removes" @click=${() => void discard(m)}>Throw away</button>
    <p class="muted">A draft is kept for ten minutes.</p></main>`;
}

// The updates of a card: the available update, the time of its installation, and the way back.
import { html, nothing, type TemplateResult } from 'lit';
import type { Update } from '../shared/api';
import * as i from '../shared/icons';
import type { Model } from './model';
import { segment } from './controls';
import { ago, clock, length } from './words';

type Part = TemplateResult | typeof nothing;

/** updates() returns the page about the updates of the card. */
export function updates(m: Model, u: Update, redraw: () => void): TemplateResult {
  return html`${offer(m, u)}${problems(u)}${when(m, u, redraw)}${undo(m, u, redraw)}${asked(m, u)}`;
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;

/** offer() shows the running update, the available update, or only the version. */
function offer(m: Model, u: Update): TemplateResult {
  if (u.phase) return progress(u);
  if (!u.source) return html`<section class="card" aria-label="Update">${head(i.mdiCheckCircle, `This wall has ${u.version}`, '', 'good')}
    <p class="muted">To get updates from a server, write its address into <code>update_url</code> in settings.txt.</p></section>`;
  if (!u.latest) return html`<section class="card" aria-label="Update">${head(i.mdiCheckCircle, `This wall has ${u.version}`, u.asked && !u.problem ? 'It is the newest.' : '', 'good')}</section>`;
  const again = u.failed === u.latest;
  return html`<section class="card" aria-label="Update">
    ${head(i.mdiUpdate, `${u.latest} is here`, `${u.size ? `${megabytes(u.size)} · ` : ''}this wall has ${u.version}`, 'accent',
      html`<span class="signed">${i.icon(i.mdiShieldCheckOutline, 22)}signed</span>`)}
    ${u.notes?.length ? html`<ul class="changes">${u.notes.map((line) => html`<li>${line}</li>`)}</ul>` : nothing}
    <button class="${again ? '' : 'main '}large" aria-busy=${m.busy.has('update')} @click=${() => m.update('install')}>${again ? 'Try it once more' : 'Update now'}</button>
    <p class="note">About ${length(120)}, black for 10 s. If it shows no picture, ${u.version} comes back by itself.</p>
    ${u.waits ? html`<p class="note">By itself not yet: ${u.waits}.</p>` : nothing}</section>`;
}

function head(path: string, title: string, below: string, role: string, more: Part = nothing): TemplateResult {
  return html`<div class="row top"><span class=${role}>${i.icon(path, 28)}</span><div class="name"><h2>${title}</h2>${below ? html`<p class="muted">${below}</p>` : nothing}</div>${more}</div>`;
}

/** restart() shows how long the card has been restarting. */
export function restart(m: Model): TemplateResult {
  return html`<section class="card" aria-label="Restart">${head(i.mdiRestart, 'Restarting', 'This page goes on by itself when the wall is back. That takes up to 4 min.', 'accent',
    html`<b>${clock((Date.now() - m.restart.at) / 1000)}</b>`)}</section>`;
}

const phases = { fetch: 'asks for it', write: 'fetches and writes it', check: 'checks what it wrote', trial: 'restarts into it' };

function progress(u: Update): TemplateResult {
  const percent = u.percent ?? 0;
  return html`<section class="card" aria-label="Update" aria-live="polite">
    ${head(i.mdiProgressDownload, u.latest ? `Updating to ${u.latest}` : 'Looking for an update', `The wall keeps running, and ${phases[u.phase!]}.`, 'accent', html`<b>${percent} %</b>`)}
    <div class="bar" role="progressbar" aria-label="Progress" aria-valuenow=${percent} aria-valuemin="0" aria-valuemax="100"><i .style=${`width: ${percent}%`}></i></div></section>`;
}

/** problems() shows the reason why an update was refused or has failed, and what a person should check. */
function problems(u: Update): Part {
  const card = (role: string, path: string, title: string, text: string) => html`<section class="card ${role}"><div class="row top">${i.icon(path, 28)}
    <div class="name"><h2>${title}</h2><p class="muted">${text}</p></div></div></section>`;
  const sentence = (text: string) => text[0].toUpperCase() + text.slice(1) + (text.endsWith('.') ? '' : '.');
  return html`${u.problem ? card('bad', i.mdiAlertCircleOutline, 'Not taken', sentence(u.problem)) : nothing}
    ${u.failed ? card('warn', i.mdiBackupRestore, `Still on ${u.version}`, `${u.failed} ${u.why}, so ${u.version} came back. Nothing was lost.`) : nothing}
    ${u.warning ? card('warn', i.mdiAlertCircleOutline, 'Look at this', sentence(u.warning)) : nothing}`;
}

let editing = false;

/** when() shows the channel, and the hours of installations. */
function when(m: Model, u: Update, redraw: () => void): Part {
  if (!u.source) return nothing;
  const [from, to] = u.window.split('-'), short = (time: string) => time.replace(/^0/, '');
  const edit = (on: boolean) => { editing = on; redraw(); };
  const save = (e: Event) => {
    e.preventDefault();
    const form = e.currentTarget as HTMLFormElement, value = (name: string) => (form.elements.namedItem(name) as HTMLInputElement).value;
    void m.updateWindow(`${value('from')}-${value('to')}`);
    edit(false);
  };
  const off = u.channel === 'off';
  return html`<section class="card" aria-label="When"><h2 class="label">When</h2>
    ${segment('Channel', [{ value: 'stable', label: 'Stable' }, { value: 'beta', label: 'Beta' }, { value: 'off', label: 'Off' }], u.channel, (channel) => m.update(channel))}
    ${off ? html`<p class="note">Nothing is fetched.</p>` : editing
      ? html`<form class="hours" @submit=${save}><label>From<input name="from" type="time" required value=${from}></label><label>To<input name="to" type="time" required value=${to}></label>
        <button class="main">Save</button></form>`
      : html`<button class="row plain" @click=${() => edit(true)}><span class="name">By itself, ${short(from)} – ${short(to)}<small>${u.ready ? 'the next time' : 'when there is an update'}</small></span>${i.icon(i.mdiChevronRight)}</button>`}
  </section>`;
}

let sure = false;

/** undo offers the return to the previous version. It asks for a confirmation. */
function undo(m: Model, u: Update, redraw: () => void): Part {
  if (!u.back || u.phase) return nothing;
  const ask = (on: boolean) => { sure = on; redraw(); };
  const back = () => { void m.update('back'); ask(false); };
  return html`<section class="card" aria-label="Undo"><h2 class="label">Undo</h2>${sure
    ? html`<p>${u.back} for good? Updates are off until you turn them on.</p><div class="buttons"><button @click=${() => ask(false)}>Keep ${u.version}</button><button class="main" @click=${back}>${i.icon(i.mdiUndoVariant, 20)}Go back</button></div>`
    : html`<div class="row"><span class="name">${u.back}<small>until the next update</small></span><button aria-busy=${m.busy.has('update')} @click=${() => ask(true)}>${i.icon(i.mdiUndoVariant, 20)}Go back</button></div>`}</section>`;
}

/** asked() shows the times of the last and of the next request to the server. */
function asked(m: Model, u: Update): Part {
  if (!u.source || u.channel === 'off' || u.phase) return nothing;
  const seconds = (at: string) => Math.max(0, (m.now() - Date.parse(at)) / 1000);
  const next = u.next ? ` Next in about ${length(Math.max(60, -(m.now() - Date.parse(u.next)) / 1000)).replace(/ \d+ min$/, '')}.` : '';
  return html`<p class="note">${u.asked ? `Asked ${ago(seconds(u.asked))}.` : 'Not asked yet.'}${next} <button class="quiet" aria-busy=${m.busy.has('update')} @click=${() => m.update('check')}>Ask now</button></p>`;
}

/** updating() returns a card for the remote while an update runs or is available, or after an update was refused. */
export function updating(u: Update | null, go: (sheet: 'updates') => void): Part {
  const says = !u ? '' : u.phase && u.latest ? `Updating to ${u.latest}, ${u.percent ?? 0} %` : u.ready ? `${u.latest} is here` : u.failed && !u.seen ? `Still on ${u.version}` : '';
  return says ? html`<button class="card row plain" @click=${() => go('updates')}>${i.icon(i.mdiUpdate)}<span class="name">${says}</span>${i.icon(i.mdiChevronRight)}</button>` : nothing;
}

// Permissions of other services (OAuth 2): the sources that need a permission, and the steps to give it.
import { html, nothing } from 'lit';
import type { Connection } from './api';
import * as i from './icons';
import type { Model } from './model';
import type { Part } from './parts';

const states = { none: 'not connected', connected: 'connected', revoked: 'the permission was withdrawn or has expired' };

const localPage = 'http://localhost'; // the service sends the browser to this address if it accepts no address of this wall

export async function loadConnections(m: Model): Promise<void> {
  const got = await m.run(() => m.client.get<{ connections?: Connection[] }>('../edit/connections'), true);
  const begun = new Map(m.connections.map((c) => [c.provider, c]));
  m.connections = (got?.connections ?? []).map((c) => (c.state === 'connected' && begun.get(c.provider)?.state !== 'connected' ? c : { ...begun.get(c.provider), ...c }));
  m.redraw();
}

/** watchConnections loads the states again when the user comes back from the page of a service. */
export function watchConnections(m: Model): void {
  addEventListener('focus', () => { if (m.connections.some((c) => c.url)) void loadConnections(m); });
}

async function begin(m: Model, c: Connection): Promise<void> {
  const got = await m.run(() => m.client.post<{ url: string; redirect: string }>(`../edit/connections/${encodeURIComponent(c.provider)}`));
  if (got) Object.assign(c, { url: got.url, redirect: got.redirect, pasted: '' });
  m.redraw();
}

async function paste(m: Model, c: Connection): Promise<void> {
  const got = await m.run(() => m.client.post(`../edit/connections/${encodeURIComponent(c.provider)}/paste`, { address: c.pasted?.trim() }));
  if (!got) return;
  c.url = undefined;
  m.say({ text: `${c.provider} is connected` });
  await loadConnections(m);
}

/** connections() lists the sources that need a permission. */
export function connections(m: Model): Part {
  if (!m.connections.length) return nothing;
  return html`<section class="card" aria-label="Connections"><h2>Connections</h2>${m.connections.map((c, n) => { const word = c.state === 'none' ? 'Connect' : 'Connect again'; return html`
    <div class="row"><span class="name">${c.provider}${c.state === 'revoked' ? html`<small class="warn-words">${i.icon(i.mdiAlert, 20)}${states[c.state]}</small>` : html`<small>${states[c.state]}</small>`}</span>
      <button aria-label="${word}: ${c.provider}" @click=${() => void begin(m, c)}>${i.icon(i.mdiLinkVariant, 20)}${word}</button></div>
    ${c.url ? steps(m, c, `pasted-${n}`) : nothing}`; })}</section>`;
}

function steps(m: Model, c: Connection, id: string): Part {
  const local = c.redirect === localPage;
  return html`<p>1. Open this page and allow the access:</p><a class="edit" href=${c.url!} target="_blank" rel="noopener noreferrer">${i.icon(i.mdiLinkVariant, 20)}Page of the service</a>
    ${local ? html`<p><label for=${id}>2. The browser then cannot show a page. Copy its address and paste it here:</label></p>
      <div class="buttons pasted"><input id=${id} autocomplete="off" spellcheck="false" .value=${c.pasted ?? ''} @input=${(e: Event) => { c.pasted = (e.target as HTMLInputElement).value; }}>
        <button class="main" @click=${() => void paste(m, c)}>Finish</button></div>`
      : html`<p>2. The service leads back to this wall. It must list the address <code>${c.redirect}</code> for your app.</p>`}`;
}

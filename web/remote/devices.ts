// The screens and e-readers that show the wall, and the screens that ask for permission to show it.
import { html, nothing, type TemplateResult } from 'lit';
import type { Reader, Readers, Screens } from '../shared/api';
import * as i from '../shared/icons';
import type { Model } from './model';
import { ago } from './words';

/** devices() is the page about the devices of the wall. */
export function devices(m: Model): TemplateResult {
  return html`${m.screens ? screens(m, m.screens) : nothing}${m.readers ? readers(m, m.readers) : nothing}
    ${m.screens || m.readers ? nothing : html`<p class="card muted">No other device shows this wall. A screen needs <code>stream_token</code>, an e-reader an output <code>trmnl</code>.</p>`}`;
}

function screens(m: Model, all: Screens): TemplateResult {
  return html`<section class="card" aria-label="Screens"><h2 class="label">${i.icon(i.mdiMonitor, 22)}Screens</h2>
    ${all.waiting.map((one) => html`<div class="row device asks"><div class="name"><b class="code">${one.code.slice(0, 3)} ${one.code.slice(3)}</b><small>${one.name}, ${one.address}</small></div>
      ${views(all, '', `View of ${one.name}`, (view) => { m.viewOf.set(one.id, view); })}
      <div class="buttons"><button class="main" @click=${() => m.allow(one, all.devices.length)}>Allow</button>
      <button class="remove" @click=${() => m.decide('DELETE', `devices/${encodeURIComponent(one.id)}`)}>Refuse</button></div></div>`)}
    ${all.devices.map((one) => html`<div class="row device"><div class="name">${one.name}<small>${seen(one.seen_at)}</small></div>
      ${views(all, one.view, `View of ${one.name}`, (view) => m.decide('POST', `devices/${encodeURIComponent(one.id)}`, { view }))}
      <div class="buttons"><button class="remove" aria-label="Remove ${one.name}" @click=${() => m.decide('DELETE', `devices/${encodeURIComponent(one.id)}`)}>Remove</button></div></div>`)}
    <p class="rule">${m.joining ? `${m.joining} is allowed. It connects in a few seconds.` : all.waiting.length ? 'Allow a screen if it shows the same digits.' : all.devices.length ? '' : 'No screen is paired, and none asks.'}</p></section>`;
}

/** views() lets a person choose which view a screen shows, if there are several. */
function views(all: Screens, shown: string, name: string, choose: (view: string) => unknown): TemplateResult | typeof nothing {
  if (all.views.length < 2) return nothing;
  return html`<select aria-label=${name} @change=${(e: Event) => choose((e.currentTarget as HTMLSelectElement).value)}>
    ${all.views.map((view) => html`<option value=${view} ?selected=${view === (shown || all.views[0])}>${view}</option>`)}</select>`;
}

function readers(m: Model, all: Readers): TemplateResult {
  return html`<section class="card" aria-label="E-readers"><h2 class="label">${i.icon(i.mdiTabletDashboard, 22)}E-readers</h2>
    ${all.waiting.map((one) => html`<div class="row device asks"><div class="name"><b class="code">${one.friendly_id}</b><small>${one.id}</small></div>
      <div class="buttons"><button class="main" @click=${() => m.decide('POST', 'readers', { id: one.id })}>Allow</button>
      <button class="remove" @click=${() => m.decide('DELETE', `readers/${encodeURIComponent(one.id)}`)}>Refuse</button></div></div>`)}
    ${all.readers.map((one) => html`<div class="row device"><div class="name">${one.friendly_id}<small>${one.id}</small><small>${[seen(one.seen_at), ...power(one)].join(', ')}</small></div>
      ${one.listed ? nothing : html`<div class="buttons"><button class="remove" aria-label="Remove ${one.friendly_id}" @click=${() => m.decide('DELETE', `readers/${encodeURIComponent(one.id)}`)}>Remove</button></div>`}</div>`)}
    <p class="rule">${all.waiting.length ? 'Allow an e-reader if it shows the same name.' : all.readers.length ? '' : 'No e-reader shows the wall, and none asks.'}</p></section>`;
}

const seen = (at: string | null) => at ? ago((Date.now() - Date.parse(at)) / 1000) : 'not seen since the start';

/** power() returns the battery and the signal that an e-reader has reported last. */
function power(one: Reader): string[] {
  const says: string[] = [];
  if (one.battery_percent !== null) says.push(`battery ${Math.round(one.battery_percent)} %`);
  else if (one.battery_volts !== null) says.push(`battery ${one.battery_volts.toFixed(2)} V`);
  if (one.charging) says.push('charging');
  if (one.signal_dbm !== null) says.push(`signal ${Math.round(one.signal_dbm)} dBm`);
  return says;
}

/** asking() returns a card for the remote while a device waits for permission. */
export function asking(m: Model, go: (sheet: 'devices') => void): TemplateResult | typeof nothing {
  const n = m.state?.waiting ?? 0;
  if (!n) return nothing;
  return html`<section class="card notice" aria-label="Devices"><div class="row top">${i.icon(i.mdiMonitorCellphone, 28)}<div class="name">
    <h2>${n === 1 ? 'A device asks' : `${n} devices ask`} to show this wall</h2></div></div>
    <div class="buttons"><button class="main" @click=${() => go('devices')}>Look</button></div></section>`;
}


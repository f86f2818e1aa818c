// The switches, buttons and sliders of the shown page.
import { html, nothing, type TemplateResult } from 'lit';
import type { Survey, Tap } from '../shared/api';
import * as i from '../shared/icons';
import { slider, toggle } from './controls';
import type { Model } from './model';

/** taps() shows a control for each area of the shown page that reacts to taps. */
export function taps(m: Model): TemplateResult | typeof nothing {
  const s = m.survey;
  if (!s?.taps.length || !m.state?.touch) return nothing;
  return html`<section class="card taps" aria-label="On this page"><h2 class="label">${i.icon(i.mdiHomeOutline, 22)}${m.state.pages?.page ?? 'On the wall'}</h2>
    ${s.taps.map((tap) => html`${head(m, s, tap)}${tap.slider ? slider(tap.label, tap.slider.value, tap.slider, (v) => m.adjust(tap, v)) : nothing}`)}</section>`;
}

/** head() shows the row of such an area: a switch, a button, or the number of the slider below. */
function head(m: Model, s: Survey, tap: Tap): TemplateResult {
  const act = tap.toggles ? i.mdiPower : i.mdiGestureTap, path = tap.icon_path ?? act, lead = i.icon(path);
  const press = () => m.touch(tap.x / s.width, tap.y / s.height), n = tap.slider;
  const number = n ? `${+n.value.toFixed(2)}${n.unit ? ` ${n.unit}` : ''}` : '';
  if (tap.toggles && (tap.state === 'on' || tap.state === 'off')) return toggle(tap.label, tap.state === 'on', false, press, path, n && tap.state === 'on' ? number : '');
  if (n) return html`<div class="row">${lead}<span class="name">${tap.label}</span><span class="muted">${number}</span>${tap.toggles ? html`<button class="iconic" aria-label="${tap.label}, switch" @click=${press}>${i.icon(i.mdiPower)}</button>` : nothing}</div>`;
  return html`<button class="row plain" @click=${press}>${lead}<span class="name">${tap.label}</span>${tap.state ? html`<span class="muted">${tap.state}</span>` : nothing}${tap.icon_path ? i.icon(act) : nothing}</button>`;
}

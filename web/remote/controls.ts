// Controls that several parts of the remote use.
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import * as i from '../shared/icons';

/** segment() is a group of choices of which exactly one is chosen. It has one tab stop, and the arrow keys move inside the group. */
export function segment(name: string, all: { value: string; label: string; icon?: string }[], chosen: string, choose: (value: string) => unknown): TemplateResult {
  const key = (e: KeyboardEvent, at: number) => {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[e.key];
    if (!step) return;
    e.preventDefault();
    e.stopPropagation();
    const to = (at + step + all.length) % all.length;
    choose(all[to].value);
    ((e.currentTarget as HTMLElement).parentElement!.children[to] as HTMLElement).focus();
  };
  const held = all.some((one) => one.value === chosen) ? chosen : all[0]?.value;
  return html`<div class="segment" role="radiogroup" aria-label=${name}>${all.map((one, at) => html`<button role="radio" aria-checked=${one.value === chosen}
    tabindex=${one.value === held ? 0 : -1} @click=${() => choose(one.value)} @keydown=${(e: KeyboardEvent) => key(e, at)}>${one.icon ? i.icon(one.icon, 20) : nothing}${one.label}</button>`)}</div>`;
}

/** toggle returns a row with a switch. A tap anywhere on the row changes the switch. */
export function toggle(name: string, on: boolean, busy: boolean, set: (on: boolean) => unknown, path?: string, hint = ''): TemplateResult {
  return html`<button class="row toggle" role="switch" aria-checked=${on} aria-busy=${busy} @click=${() => set(!on)}>
    ${path ? i.icon(path) : nothing}<span class="name">${name}${hint ? html`<small>${hint}</small>` : nothing}</span><span class="muted">${on ? 'on' : 'off'}</span><span class="switch"></span></button>`;
}

/** Limits of a slider. */
export interface Limits { min: number; max: number; step: number; unit: string }

/** slider() returns a slider with two buttons, for people who cannot drag. A button moves it by a tenth, in whole steps. */
export function slider(name: string, value: number, l: Limits, set: (value: number) => unknown): TemplateResult {
  const span = l.max - l.min, rounded = (v: number) => Math.min(l.max, Math.max(l.min, +(l.min + Math.round((v - l.min) / l.step) * l.step).toFixed(6)));
  const move = (by: number) => set(rounded(value + by * Math.max(l.step, span / 10)));
  const text = `${+value.toFixed(2)}${l.unit ? ` ${l.unit}` : ''}`;
  return html`<div class="slider"><button class="iconic" aria-label="${name}, less" @click=${() => move(-1)}>${i.icon(i.mdiMinus)}</button>
    <input type="range" min=${l.min} max=${l.max} step=${l.step} aria-label=${name} aria-valuetext=${text} .value=${live(String(value))} .style=${`--at: ${span ? (value - l.min) / span * 100 : 0}%`}
      @change=${(e: Event) => set(+(e.currentTarget as HTMLInputElement).value)}>
    <button class="iconic" aria-label="${name}, more" @click=${() => move(1)}>${i.icon(i.mdiPlus)}</button></div>`;
}

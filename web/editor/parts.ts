// Controls that several screens use.
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import * as i from './icons';
import type { Model, Screen } from './model';
import { pieces } from './yaml';

export type Part = TemplateResult | typeof nothing | string;

/** lostWords() shows that the wall does not answer. */
export const lostWords = (size: number): TemplateResult => html`<span class="state lost">${i.icon(i.mdiLanDisconnect, size)}no connection</span>`;

/** lostLine() shows below the title of a header that the wall does not answer. */
export const lostLine = (m: Model): Part => (m.lost ? html`<p>${lostWords(16)}</p>` : nothing);

/** head() returns the header of a screen that covers the wall: a back button, the title, and other buttons. */
export function head(m: Model, title: Part, note: Part, buttons: Part, back: () => void = () => m.back()): TemplateResult {
  return html`<header><button class="iconic back" aria-label="Back" @click=${back}>${i.icon(i.mdiChevronLeft)}</button>
    <div class="name"><h1 tabindex="-1" data-start>${title}</h1>${m.lost ? lostLine(m) : note ? html`<p class="muted">${note}</p>` : nothing}</div>${buttons}</header>`;
}

/** undoButtons returns the buttons for undo and redo. A phone has no room for redo. */
export function undoButtons(m: Model, redo = true): TemplateResult {
  const d = m.draft!;
  return html`<button class="iconic" aria-label="Undo" title="Undo, Ctrl+Z" aria-disabled=${!d.can_undo} @click=${() => m.undo()}>${i.icon(i.mdiUndo)}</button>
    ${redo ? html`<button class="iconic" aria-label="Redo" title="Redo, Ctrl+Shift+Z" aria-disabled=${!d.can_redo} @click=${() => m.redo()}>${i.icon(i.mdiRedo)}</button>` : nothing}`;
}

export const whyNotApply = 'Apply is possible when there is no error.';

/**
 * applyButton opens the list of changes. If there are no changes, or if the draft has an error, it does nothing. The header then shows the
 * number of errors. With conflicts, it opens them.
 */
export function applyButton(m: Model): TemplateResult {
  const wrong = m.problems('error').length > 0 && (!m.conflicts || !!m.conflicts.undo), may = m.draft!.changes > 0 && !wrong;
  return html`<button class="main" aria-disabled=${!may} title=${wrong ? whyNotApply : nothing} @click=${() => may && m.go('apply')}>Apply</button>`;
}

/** tabs() switch between the parts of the editor, on a computer. */
export function tabs(m: Model): TemplateResult {
  const all: [Screen, string, string][] = [['wall', 'Wall', i.mdiViewDashboardOutline], ['layout', 'Layout', i.mdiViewSplitVertical], ['data', 'Data', i.mdiDatabaseOutline], ['theme', 'Theme', i.mdiPaletteOutline], ['files', 'Files', i.mdiTextBoxOutline]];
  const on = m.screen === 'form' ? 'wall' : m.screen;
  return html`<nav class="tabs" aria-label="Parts">${all.map(([screen, word, path]) => html`<button aria-current=${on === screen ? 'page' : 'false'} @click=${() => m.go(screen)}>${i.icon(path, 20)}<span>${word}</span></button>`)}</nav>`;
}

/** segment() is a group of choices of which exactly one is chosen. It has one tab stop, and the arrow keys move inside the group. */
export function segment(name: string, all: { value: string; label: Part; icon?: string }[], chosen: string, choose: (value: string) => unknown): TemplateResult {
  const key = (e: KeyboardEvent, at: number) => {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[e.key];
    if (!step || e.altKey) return;
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

export function toggle(name: string, on: boolean, hint: string, set: (on: boolean) => unknown): TemplateResult {
  return html`<button class="row toggle" role="switch" aria-checked=${on} @click=${() => set(!on)}>
    <span class="name">${name}${hint ? html`<small>${hint}</small>` : nothing}</span><span class="muted">${on ? 'on' : 'off'}</span><span class="switch"></span></button>`;
}

export function check(name: Part, on: boolean, note: Part, set: (on: boolean) => unknown, lead: Part = nothing): TemplateResult {
  return html`<button class="row check" role="checkbox" aria-checked=${on} @click=${() => set(!on)}>${lead}<span class="name">${name}</span>
    ${note ? html`<span class="muted">${note}</span>` : nothing}${i.icon(on ? i.mdiCheckboxMarked : i.mdiCheckboxBlankOutline, 28)}</button>`;
}

/** stepper() is a field with buttons − and +. */
export function stepper(name: string, id: string, value: string, unit: string, put: (v: string) => void, step: (by: number) => void, wrong = false, described = ''): TemplateResult {
  const key = (e: KeyboardEvent) => {
    if (e.key === 'ArrowUp' || e.key === 'ArrowDown') { e.preventDefault(); step(e.key === 'ArrowUp' ? 1 : -1); }
  };
  return html`<div class="step"><button class="iconic" aria-label="${name}, less" @click=${() => step(-1)}>${i.icon(i.mdiMinus)}</button>
    <span class="unit"><input id=${id} inputmode="decimal" autocomplete="off" aria-label=${name} aria-invalid=${wrong} aria-describedby=${described || nothing} .value=${live(value)} @keydown=${key}
      @input=${(e: Event) => put((e.currentTarget as HTMLInputElement).value)}>${unit ? html`<span aria-hidden="true">${unit}</span>` : nothing}</span>
    <button class="iconic" aria-label="${name}, more" @click=${() => step(1)}>${i.icon(i.mdiPlus)}</button></div>`;
}

/** select returns a list of the browser itself, because phones show it best. A quiet list is as wide as its chosen entry. */
export function select(name: string, id: string, all: { value: string; label: string }[], value: string, set: (v: string) => unknown, quiet = false): TemplateResult {
  return html`<span class="select ${quiet ? 'quiet' : ''}">${quiet ? html`<span aria-hidden="true">${all.find((one) => one.value === value)?.label ?? ''}</span>` : nothing}<select id=${id} aria-label=${name} .value=${live(value)} @change=${(e: Event) => set((e.currentTarget as HTMLSelectElement).value)}>
    ${all.map((one) => html`<option value=${one.value} ?selected=${one.value === value}>${one.label}</option>`)}</select>${i.icon(i.mdiMenuDown, 20)}</span>`;
}

/** code() shows a line of YAML in colors. */
export function code(line: string): TemplateResult[] {
  return pieces(line).map((p) => html`<span class=${p.role ? `y-${p.role}` : ''}>${p.text}</span>`);
}

export function search(name: string, value: string, put: (v: string) => void): TemplateResult {
  return html`<span class="search">${i.icon(i.mdiMagnify)}<input type="search" autocomplete="off" aria-label=${name} placeholder=${name} .value=${live(value)} @input=${(e: Event) => put((e.currentTarget as HTMLInputElement).value)}></span>`;
}

export function toast(m: Model): TemplateResult {
  const t = m.toast;
  return html`<aside class="toasts" aria-label="Message">${t ? html`<div class="toast">${t.bad ? i.icon(i.mdiAlertCircleOutline) : i.icon(i.mdiCheckCircle)}<span class="name">${said(t.text)}</span>
    ${t.label ? html`<button class="quiet" @click=${() => { m.toast = null; m.redraw(); t.run!(); }}>${t.label}</button>` : html`<button class="iconic plainly" aria-label="Close" @click=${() => { m.toast = null; m.redraw(); }}>${i.icon(i.mdiClose, 20)}</button>`}</div>` : nothing}</aside>`;
}

/** wrong() returns the box below a field with an error. It describes the error and the next step. */
export function wrong(id: string, text: string | undefined): Part {
  if (!text) return nothing;
  const [first, more] = halves(text), m = /^(.*?[.?!])\s+(.*)$/.exec(first);
  return html`<p class="wrong" id=${id}><b>${m ? m[1] : first}</b>${m ? ` ${m[2]}` : ''}${more}</p>`;
}

/** halves() returns the first line of a message, and the other lines, for example a drawing of areas, as they are. */
function halves(text: string): [string, Part] {
  const [first, ...more] = text.split('\n');
  return [first, more.length ? html`<code class="drawing">${more.map((line) => line.replace(/^ {2}/, '')).join('\n')}</code>` : nothing];
}

/** said() returns a message of the server with its lines. */
export function said(text: string): Part[] { return halves(text); }

/** coded() returns a message of the server. It shows the words in single quotes as code. */
export function coded(text: string): Part[] {
  const [first, more] = halves(text);
  return [...first.split(/'([\w./-]+)'/).map((piece, k) => (k % 2 ? html`<code>${piece}</code>` : piece)), more];
}

/** arrows() moves the focus inside a list with one tab stop. */
export function arrows(e: KeyboardEvent, selector: string): void {
  const to = { ArrowDown: 1, ArrowUp: -1, ArrowRight: 1, ArrowLeft: -1, Home: -1e6, End: 1e6 }[e.key];
  if (!to || e.altKey || e.ctrlKey) return;
  const all = [...(e.currentTarget as HTMLElement).querySelectorAll<HTMLElement>(selector)].filter((one) => one.offsetParent);
  const at = all.indexOf(document.activeElement as HTMLElement), next = all[Math.min(all.length - 1, Math.max(0, at + to))];
  if (at < 0 || !next) return;
  e.preventDefault();
  next.focus();
}

// The theme editor. It shows the color roles with their contrast, for night and day side by side.
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Role, ThemeState } from './api';
import * as i from './icons';
import type { Model } from './model';
import { head, segment, select, stepper, tabs, applyButton, undoButtons, wrong, type Part } from './parts';
import { setScale, setTheme, setToken } from './theming';
import { effects, picturePath, status } from './wall';

const floors: Record<string, number> = { text: 4.5, muted: 4.5, accent: 4.5, warn: 4.5, good: 4.5, bad: 4.5, faint: 3 };

export function themeScreen(m: Model): TemplateResult {
  const t = m.theme, phone = innerWidth < 720;
  const top = phone ? head(m, 'Theme', '', html`${undoButtons(m, false)}<button class="main" @click=${() => m.go('wall')}>Done</button>`)
    : html`<header><button class="iconic back" aria-label="Close" @click=${() => m.go('close')}>${i.icon(i.mdiClose)}</button><h1 tabindex="-1" data-start>${m.name}</h1>${tabs(m)}<span class="grow"></span>${status(m)}${undoButtons(m)}${applyButton(m)}</header>`;
  if (!t) return html`${top}<main class="one"><p class="muted">Reading the theme…</p></main>`;
  const size = Math.round(100 * Number(t.scale)) || 100, mode = m.portrait ? 'day' : 'night';
  return html`${top}<main class="theme"><div class="theme-set"><label for="th-start">Start from</label>${select('Start from', 'th-start', t.starts.map((s) => ({ value: s, label: s })), t.start, (v) => setTheme(m, 'from', v))}
      ${t.fonts?.length ? html`<label for="th-font">Font</label>${select('Font', 'th-font', t.fonts.map((s) => ({ value: s, label: s })), t.font, (v) => setTheme(m, 'typeface', v))}` : nothing}
      <label for="th-scale">Text size</label>${stepper('Text size', 'th-scale', String(size), '%', (v) => m.later('scale', 600, () => void setScale(m, Math.round(Number(v)) || 100)), (by) => void setScale(m, size + 10 * by))}
      <label for="th-see">Preview as</label>${select('Preview as', 'th-see', effects, m.look.effect, (v) => { m.look.effect = v; m.redraw(); })}</div>
    ${phone ? segment('Night or day', [{ value: 'night', label: 'Night', icon: i.mdiWeatherNight }, { value: 'day', label: 'Day', icon: i.mdiWeatherSunny }], mode, (v) => { m.portrait = v === 'day'; m.redraw(); }) : nothing}
    ${phone ? shot(m, mode) : html`${shot(m, 'night')}${shot(m, 'day')}`}
    <section class="card roles" aria-label="Colors">${t.roles.map((r) => roleRow(m, t, r, phone ? [mode] : ['night', 'day']))}</section></main>`;
}

function shot(m: Model, mode: 'night' | 'day'): TemplateResult {
  const p = m.pictures.of(`theme ${mode}`, picturePath(m, { theme: mode, size: null })), d = m.draft!;
  return html`<figure class="mode-shot" aria-hidden="true"><figcaption>${i.icon(mode === 'day' ? i.mdiWeatherSunny : i.mdiWeatherNight)}${mode === 'day' ? 'Day' : 'Night'}</figcaption><div .style=${`aspect-ratio: ${d.width} / ${d.height}`}>${p.url ? html`<img alt="" src=${p.url}>` : nothing}</div></figure>`;
}

type Mode = 'night' | 'day';

function roleRow(m: Model, t: ThemeState, r: Role, modes: Mode[]): TemplateResult {
  return html`<div class="role"><span class="role-name"><b>${r.name}</b> <span class="muted">${r.note}</span></span>${modes.map((mode) => cell(m, t, r, mode))}</div>
    ${modes.some((mode) => m.role === `${r.name} ${mode}`) ? editor(m, r, m.role.split(' ')[1] as Mode) : nothing}`;
}

/** cell() shows the color of a role by night or by day, and its contrast to the surface. */
function cell(m: Model, t: ThemeState, r: Role, mode: Mode): TemplateResult {
  const hex = r[mode], surface = t.roles.find((x) => x.name === 'surface')?.[mode], back = t.roles.find((x) => x.name === 'background')?.[mode];
  const at = `${r.name} ${mode}`, open = m.role === at, floor = floors[r.name];
  const c = floor && surface ? contrast(hex, surface) : 0, behind = floor && back ? contrast(hex, back) : 0, low = floor && c < floor;
  const fixed = low && surface ? enough(hex, surface, floor) : '';
  return html`<span class="role-cell"><button class="color-button" aria-expanded=${open} aria-label="${r.name} by ${mode}, ${hex}" @click=${() => { m.role = open ? '' : at; m.redraw(); }}><span class="swatch-large" .style=${`--swatch: ${hex}`}></span><code>${hex}</code></button>
    ${floor ? low ? html`<span class="contrast warn-words">${i.icon(i.mdiAlertOutline, 20)}<b>${c.toFixed(1)} : 1</b><span class="muted">needs ${floor}</span></span><button @click=${() => setToken(m, r.section || 'colors', r.name, `"${fixed}"`, mode)}>Use ${fixed}</button>`
      : html`<span class="contrast muted">${i.icon(i.mdiCheck, 20)}${c.toFixed(1)} : 1${behind < floor ? html` <span>${behind.toFixed(1)} on background</span>` : nothing}</span>` : nothing}</span>`;
}

function editor(m: Model, r: Role, mode: Mode): TemplateResult {
  const at = `theme ${mode}.${r.section || 'colors'}.${r.name}`, value = m.typed.get(at) ?? r[mode], bad = m.refused.get(at);
  const put = (e: Event) => {
    const t = (e.currentTarget as HTMLInputElement).value.trim();
    m.typed.set(at, t);
    m.later(at, 300, () => {
      if (/^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(t)) void setToken(m, r.section || 'colors', r.name, `"${t}"`, mode).then((ok) => { if (ok) m.typed.delete(at); });
      else m.refused.set(at, `“${t}” is not a color. Write # and six digits, such as ${r[mode]}.`);
      m.redraw();
    });
  };
  const others = m.theme!.roles.filter((x) => x.name !== r.name);
  return html`<div class="role-edit"><div class="field-block"><label for="th-hex">${r.name} by ${mode}</label><input id="th-hex" class="mono" autocomplete="off" autocapitalize="off" spellcheck="false" aria-invalid=${!!bad} aria-describedby="th-wrong" .value=${live(value)} @input=${put}>${wrong('th-wrong', bad)}</div>
    <div class="swatches" role="group" aria-label="Colors of the theme">${others.map((x) => html`<button class="swatch" aria-label="as ${x.name}" title=${x.name} .style=${`--swatch: ${x[mode]}`} @click=${() => setToken(m, r.section || 'colors', r.name, `"${x[mode]}"`, mode)}></button>`)}</div></div>` as Part as TemplateResult;
}

function channels(hex: string): number[] {
  const h = hex.replace('#', ''), six = h.length === 3 ? [...h].map((c) => c + c).join('') : h;
  return [0, 2, 4].map((k) => parseInt(six.slice(k, k + 2), 16) || 0);
}

function luminance(hex: string): number {
  const [r, g, b] = channels(hex).map((v) => { const s = v / 255; return s <= 0.03928 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4; });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** contrast() returns the contrast ratio of two colors, as WCAG 2.2 defines it. */
export function contrast(a: string, b: string): number {
  const [hi, lo] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (hi + 0.05) / (lo + 0.05);
}

/** enough() moves a color toward black or white until its contrast is large enough. */
function enough(hex: string, on: string, floor: number): string {
  const to = luminance(on) > 0.4 ? 0 : 255;
  for (let k = 1; k <= 40; k++) {
    const next = `#${channels(hex).map((v) => Math.round(v + ((to - v) * k) / 40).toString(16).padStart(2, '0')).join('')}`;
    if (contrast(next, on) >= floor) return next;
  }
  return to ? '#ffffff' : '#000000';
}

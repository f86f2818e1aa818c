// A conflict: the lines that two people have changed, with the lines around them, and the choice between the two.
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Conflict, Merged, Own } from './api';
import { differing } from './apply';
import * as i from './icons';
import { changedLines, pieces } from './merged';
import type { Model } from './model';
import { code, head, type Part } from './parts';
import { checkChosen, resolveConflicts } from './saving';
import { clock, device } from './words';

export function conflictScreen(m: Model): TemplateResult {
  const c = m.conflicts;
  if (!c) return html`${nothing}`;
  const ready = c.list.every((one) => c.choice[one.id]);
  const keep = html`<button class="quiet" @click=${() => (c.undo ? m.back() : m.go('wall'))}>${c.undo ? 'Cancel' : 'Keep as draft'}</button>`, phone = innerWidth < 720;
  return html`${head(m, c.undo ? 'Later saves changed the same lines' : 'Two saves changed the same lines', '', html`${phone ? nothing : keep}
      <button class="main" aria-disabled=${!ready} @click=${() => ready && void resolveConflicts(m)}>Apply</button>`)}
    <main class="one wide-page conflict"><section class="card warn"><div class="row">${i.icon(i.mdiSourceBranch)}<p class="name">${c.undo ? `${c.list.length === 1 ? 'One place needs' : `${c.list.length} places need`} you. All else of this save is undone, and all else of later saves stays.` : html`${whoSaved(c.list[0])} ${fitting(c.list.length, c.own)}`}</p><span class="muted">${Object.keys(c.choice).length} of ${c.list.length}</span></div></section>
    ${c.list.map((one, k) => conflict(m, one, k === c.list.length - 1 ? mergedCard(c.merged) : nothing))}${phone ? keep : nothing}</main>`;
}

/** mergedCard lists the changes that need no choice. */
function mergedCard(all: Merged[]): Part {
  return all.length ? html`<section class="card" aria-label="Merged without asking"><h2>Merged without asking</h2>${all.map((one) => html`<div class="row"><span class="good">${i.icon(i.mdiCheck, 20)}</span><div class="name"><p><code>${one.text || 'a blank line'}</code></p><p class="muted">${one.file}, line ${one.line}</p></div><span class="muted">${one.side}</span></div>`)}</section>` : nothing;
}

/** fitting() describes how many changes of this draft the merge applies without a choice, and how many places need a choice. */
function fitting(n: number, own?: Own): string {
  if (!own || own.all < 2) return `${n === 1 ? 'One change needs you.' : `${n} changes need you.`}${own ? '' : ' All others fit together.'}`;
  const fit = own.fit ? `${own.fit} of ${own.all} of your changes ${own.fit === 1 ? 'fits' : 'fit'}.` : `None of your ${own.all} changes fits.`;
  return `${fit} ${n === 1 ? 'One place needs you.' : `${n} places need you.`}`;
}

/** whoSaved names the device that has saved the file of a conflict, and the time. */
function whoSaved(one: Conflict): Part {
  const at = one.at ? ` at ${clock(one.at)}` : '';
  return one.caller && one.caller !== elsewhere ? html`<b>${one.caller}</b> saved <b>${one.file}</b>${at}.` : html`<b>${one.file}</b> was changed on disk${at}.`;
}

const elsewhere = 'changed on disk'; // value of caller if another program saved the file

const linesOf = (text = '') => (text ? text.replace(/\r?\n$/, '').split(/\r?\n/) : []);

/** indentOf returns the number of spaces with which all lines begin. */
const indentOf = (lines: string[]) => Math.min(...lines.filter((l) => l.trim()).map((l) => l.search(/\S/)), 80);

/** sideLines shows the lines of a side with the lines around them. The changed lines have a background. */
function sideLines(one: Conflict, kind: 'base' | 'yours' | 'theirs', name: string): TemplateResult {
  const around = one.around, texts = [one.base, one.yours, one.theirs, ...(around ? [around.base.before, around.base.after] : [])];
  const cut = indentOf(texts.flatMap(linesOf)), hits = changedLines(one[kind], kind === 'base' ? [one.yours, one.theirs] : [one.base]);
  const line = (text: string, hit = false) => html`<span class="wrap ${hit ? 'hit-line' : ''}" .style=${`--indent: ${text.slice(cut).search(/\S|$/) + 2}ch`}>${code(text.slice(cut))}</span>`;
  return html`<pre role="group" tabindex="0" aria-label="${name}, lines">${linesOf(around?.[kind].before).map((l) => line(l))}${linesOf(one[kind]).map((l, k) => line(l, hits[k]))}${linesOf(around?.[kind].after).map((l) => line(l))}</pre>`;
}

function conflict(m: Model, one: Conflict, merged: Part): TemplateResult {
  const c = m.conflicts!, chosen = c.choice[one.id];
  const set = (take: 'yours' | 'theirs' | 'text', text?: string) => { c.choice[one.id] = { take, ...(text === undefined ? {} : { text }) }; checkChosen(m); m.redraw(); };
  const text = chosen?.take === 'text' ? chosen.text ?? '' : chosen?.take === 'theirs' ? one.theirs : one.yours;
  const about = { base: differing(one.base, one.yours)[0], yours: differing(one.yours, one.base)[0], theirs: differing(one.theirs, one.base)[0] };
  const own = device(), when = { base: clock(one.base_at), yours: c.undo ? '' : [`this ${own === 'Computer' ? 'computer' : own}`, clock(one.own_at)].filter(Boolean).join(', '), theirs: [one.caller, clock(one.at)].filter(Boolean).join(', ') };
  const side = (title: string, path: string, on: boolean, word: string, run: () => void, kind: 'base' | 'yours' | 'theirs') => html`<section class="card side ${kind} ${on ? 'on' : ''}" aria-label=${title}><div class="row wraps">${i.icon(path)}<h2 class="name">${title}<small>${about[kind]}</small></h2><small class="muted when">${when[kind]}</small></div>
    ${sideLines(one, kind, title)}<button class=${on ? 'using' : ''} aria-pressed=${on} @click=${run}>${on ? i.icon(i.mdiCheck, 20) : nothing}${word}</button></section>`;
  return html`<p class="muted">${one.file}, line ${one.line}</p><div class="sides">
    ${side(c.undo ? 'As this save left it' : 'Before', i.mdiHistory, chosen?.take === 'text' && chosen.text === one.base, 'Go back to this', () => set('text', one.base), 'base')}
    ${side(c.undo ? 'Before this save' : 'Yours', c.undo ? i.mdiUndo : deviceIcon(own), chosen?.take === 'yours', c.undo ? 'Go back to this' : chosen?.take === 'yours' ? 'Using mine' : 'Use mine', () => set('yours'), 'yours')}
    ${side(c.undo ? 'Now' : 'Theirs', deviceIcon(one.caller), chosen?.take === 'theirs', c.undo ? 'Keep this' : chosen?.take === 'theirs' ? 'Using theirs' : 'Use theirs', () => set('theirs'), 'theirs')}</div>
    <div class=${merged === nothing ? '' : 'with-merged'}><section class="card" aria-label="Result"><div class="row wraps"><h2 class="name">Result <small class="inline">what will be in the file; type here to write it yourself</small></h2>${clean(m)}</div>
      ${resultText(one, text, lineOf(m, one), (typed) => set('text', typed))}</section>${merged}</div>`;
}

/** lineOf returns the line in the file at which the result of a conflict begins. The choices for earlier conflicts move this line. */
function lineOf(m: Model, one: Conflict): number {
  const c = m.conflicts!, rows = (text = '') => text.split('\n').length;
  const text = (of: Conflict) => { const chosen = c.choice[of.id]; return chosen?.take === 'text' ? chosen.text : chosen?.take === 'theirs' ? of.theirs : of.yours; };
  return c.list.slice(0, c.list.indexOf(one)).filter((of) => of.file === one.file).reduce((sum, of) => sum + rows(text(of)) - rows(of.base), one.around?.line ?? one.line);
}

/** numbered() splits the pieces into lines and numbers the lines, starting at `first`. */
function numbered(all: { text: string; side?: string }[], first: number): TemplateResult[] {
  const lines: Part[][] = [[]];
  for (const p of all) p.text.split('\n').forEach((text, k) => { if (k) lines.push([]); lines[lines.length - 1].push(p.side ? html`<mark class=${p.side}>${text}</mark>` : text); });
  return lines.map((line, k) => html`<span class="numbered" data-line=${first + k}>${line}\u200b</span>`);
}

/** resultText shows the field with the chosen text between the lines around it. The field does not show the line break at the end of the text. */
function resultText(one: Conflict, text: string, first: number, put: (text: string) => void): TemplateResult {
  const end = /\r?\n$/.exec(one.yours + one.theirs || one.base)?.[0] ?? '', shown = end && text.endsWith(end) ? text.slice(0, -end.length) : text;
  const wide = innerWidth < 720 ? 30 : 70, rows = shown.split('\n').reduce((sum, l) => sum + Math.max(1, Math.ceil(l.length / wide)), 0);
  const before = linesOf(one.around?.merged.before).length;
  const beside = (lines: string | undefined, name: string, from: number) => (lines ? html`<pre class="mono beside" role="group" aria-label=${name}>${linesOf(lines).map((l, k) => html`<span class="wrap numbered" data-line=${from + k} .style=${`--indent: ${l.search(/\S|$/) + 2}ch`}>${code(l)}</span>`)}</pre>` : nothing);
  return html`<div class="result-box">${beside(one.around?.merged.before, 'Lines before the result', first - before)}<div class="result-text"><pre class="mono" aria-hidden="true">${shown ? numbered(pieces(shown, one), first) : nothing}</pre>
    <textarea class="mono" aria-label="Result" spellcheck="false" autocapitalize="off" rows=${Math.min(12, rows)} .value=${live(shown)} @scroll=${follow} @input=${(e: Event) => { const typed = (e.currentTarget as HTMLTextAreaElement).value; put(typed && typed + end); }}></textarea></div>${beside(one.around?.merged.after, 'Lines after the result', first + linesOf(text).length)}</div>`;
}

/** follow scrolls the colored marks together with the text field in front of them. */
function follow(e: Event): void {
  const text = e.currentTarget as HTMLTextAreaElement;
  text.previousElementSibling!.scrollTop = text.scrollTop;
}

const deviceIcon = (name = '') => (/phone|iPad|Android/i.test(name) ? i.mdiCellphone : i.mdiLaptop);

/** clean() shows the result of the check of the chosen texts. */
function clean(m: Model): Part {
  const c = m.conflicts!.clean;
  if (!c) return nothing;
  return c.errors ? html`<p class="mark-bad" role="status">${i.icon(i.mdiAlertCircle, 20)}${c.words}</p>` : html`<p class="mark-good" role="status">${i.icon(i.mdiCheckCircleOutline, 20)}check is clean</p>`;
}


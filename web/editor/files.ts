// Files: the YAML as text. CodeMirror is loaded when this screen opens.
import { html, nothing, type TemplateResult } from 'lit';
import { Refused, type Draft } from './api';
import { deleted } from './held';
import * as i from './icons';
import type { Model } from './model';
import { coded, head, search, tabs, applyButton, undoButtons, whyNotApply, type Part } from './parts';
import { fileText } from './texts';
import { words, type Place, type Word } from './textwords';
import { picture, status } from './wall';
import { message } from './words';

/** TextEditor is the part of the bundle text.js that this page uses. */
interface TextEditor { show(text: string): void; text(): string; problems(all: { line: number; column: number; severity: 'error' | 'warning'; message: string }[]): void; focus(): void; replace(line: number, column: number, by: string): void; complete(word: string): void; jump(line: number): void }
interface TextModule { editor(parent: HTMLElement, o: { changed: () => void; words: (at: Place) => Word[]; typing: (beginning: string, at: Place) => void }): TextEditor }

let made: { editor: TextEditor; host: HTMLElement; file: string; hash: string; width: number } | null = null;
let loading = false;

export function filesScreen(m: Model): TemplateResult {
  const d = m.draft!, phone = innerWidth < 720, name = m.file || d.files[0]?.name || '';
  if (!m.file) m.file = d.files.find((f) => f.name === 'widgets.yaml')?.name ?? name;
  const top = phone ? head(m, m.file, '', html`${undoButtons(m, false)}<button class="main" @click=${() => m.go('wall')}>Done</button>`)
    : html`<header><button class="iconic back" aria-label="Close" @click=${() => m.go('close')}>${i.icon(i.mdiClose)}</button><h1 tabindex="-1" data-start>${m.name}</h1>${tabs(m)}<span class="grow"></span>${status(m)}${undoButtons(m)}${applyButton(m)}</header>`;
  queueMicrotask(() => void mount(m));
  const errors = m.problems().filter((p) => p.file === m.file);
  return html`${top}<main class="files"><div class="file-list">${search('Find in files', m.find, (v) => { m.find = v; m.redraw(); })}${m.find ? found(m) : d.files.map((f) => fileButton(m, f.name))}${phone ? nothing : small(m)}</div>
    <div class="text-pane"><div class="text-host" id="text-host"></div>
      ${m.refused.get('file') ? html`<p class="wrong"><b>${m.refused.get('file')}</b></p>` : nothing}
      ${errors.slice(0, 3).map((p) => html`<section class="card ${p.severity === 'error' ? 'error-card' : 'warn'}" aria-label=${p.severity === 'error' ? 'Error' : 'Warning'}><div class="row top">${i.icon(p.severity === 'error' ? i.mdiAlertCircleOutline : i.mdiAlertOutline)}<div class="name"><p class="what">Line ${p.line}: ${coded(p.text)}</p>
        ${p.severity === 'error' ? html`<p class="muted">Saved as a draft. ${whyNotApply}</p>` : nothing}</div>${meant(p.text) && m.file !== 'secrets.yaml' ? html`<button @click=${() => made?.editor.replace(p.line, p.column, meant(p.text))}>Change to ${meant(p.text)}</button>` : html`<button @click=${() => jump(m, p.line)}>Go there</button>`}</div></section>`)}
    </div></main>${phone ? wordRow(m) : nothing}`;
}

let begun = ''; // the typed part of the word before the cursor
let place: Place = { kind: '', key: '', line: 0 }; // place of the cursor

function typing(m: Model, text: string, at: Place): void {
  place = at;
  if (text === begun) return;
  begun = text;
  if (innerWidth < 720) m.redraw();
}

const mostWords = 8;

/** wordRow shows words that begin with the typed letters, above the keyboard of a phone. */
function wordRow(m: Model): Part {
  if (begun.length < 2) return nothing;
  const all = words(m, place).filter((w) => w.label.startsWith(begun) && w.label !== begun).slice(0, mostWords);
  if (!all.length) return nothing;
  const seen = visualViewport, below = seen ? Math.max(0, innerHeight - seen.height - seen.offsetTop) : 0;
  return html`<div class="word-row" role="group" aria-label="Words" .style=${`bottom: ${below}px`}>${all.map((w) => html`<button @pointerdown=${(e: Event) => e.preventDefault()} @click=${() => made?.editor.complete(w.label)}>${w.label}</button>`)}</div>`;
}

/** meant() returns the word that an error message suggests. */
function meant(text: string): string { return /did you mean [“"'`]?([\w.-]+)/.exec(text)?.[1] ?? ''; }

/** small() shows the last good draft beside the text. */
function small(m: Model): TemplateResult {
  const locked = m.problems('error').map((p) => (p.node ? m.node(p.node)?.title : undefined)).filter(Boolean);
  return html`<div class="file-picture">${picture(m)}<p>${m.problems('error').length ? `The last good draft.${locked.length ? ` Only ${locked.join(' and ')} is locked.` : ''}` : 'The draft, not on the wall yet.'}</p></div>`;
}

function fileButton(m: Model, name: string): TemplateResult {
  const f = m.draft!.files.find((one) => one.name === name)!, bad = m.problems('error').some((p) => p.file === name);
  return html`<button class="file-button" aria-current=${name === m.file} @click=${() => open(m, name, 0)}>${i.icon(name === 'secrets.yaml' || !f.writable ? i.mdiLockOutline : i.mdiFileOutline)}<span class="name">${name}</span>${bad ? html`<span class="bad">${i.icon(i.mdiAlertCircle, 20)}<span class="unseen">error</span></span>` : f.changed ? html`<small>changed</small>` : nothing}</button>`;
}

function open(m: Model, name: string, line: number): void {
  m.file = name;
  m.fileLine = line;
  m.refused.delete('file');
  m.redraw();
}

function jump(m: Model, line: number): void {
  m.fileLine = line;
  if (made?.file === m.file) reach(m, made.editor);
  else made?.editor.focus(); // mount moves the cursor when the editor shows the file
}

/** reach moves the cursor and the keyboard focus to the line that a person has chosen. */
function reach(m: Model, editor: TextEditor): void {
  editor.jump(m.fileLine);
  editor.focus();
  m.fileLine = 0;
}

const mostFound = 60;

/** found() lists the lines of all files that contain the searched words. */
function found(m: Model): Part {
  const out: { file: string; line: number; text: string }[] = [], find = m.find.toLowerCase();
  for (const f of m.draft!.files) {
    if (f.name === 'secrets.yaml') continue;
    (fileText(m, f.name) ?? '').split('\n').forEach((text, k) => { if (text.toLowerCase().includes(find) && out.length < mostFound) out.push({ file: f.name, line: k + 1, text: text.trim() }); });
  }
  return out.length ? html`${out.map((o) => html`<button class="file-button hit" @click=${() => { open(m, o.file, o.line); jump(m, o.line); }}><span class="name"><code>${o.text}</code><small>${o.file}, line ${o.line}</small></span></button>`)}` : html`<p class="muted empty">No line has it.</p>`;
}

/** mount puts the text editor into the page and shows the file of the draft in it. */
async function mount(m: Model): Promise<void> {
  const host = document.getElementById('text-host');
  if (!host || m.screen !== 'files') return;
  if (m.file === 'secrets.yaml') {
    host.textContent = 'Values of secrets are never sent to a browser. Data › a source has Replace for each of its secrets.';
    made = null;
    return;
  }
  if (!made || made.host !== host) {
    if (loading) return;
    loading = true;
    try {
      const url = new URL('../web/text.js', location.href).href;
      const text = await import(url) as TextModule;
      host.textContent = '';
      made = { host, file: '', hash: '', width: 0, editor: text.editor(host, { changed: () => changed(m), words: (at) => words(m, at), typing: (text, at) => typing(m, text, at) }) };
    } catch {
      host.textContent = 'The text editor could not be loaded. The forms work without it.';
      return;
    } finally {
      loading = false;
    }
  }
  const text = fileText(m, m.file), f = m.draft!.files.find((one) => one.name === m.file);
  if (text === null || !f) return;
  const kept = m.texts.get(m.file)!;
  if (made.file !== m.file || (made.hash !== kept.hash && made.editor.text() !== kept.text && !pending)) made.editor.show(kept.text);
  const name = document.querySelector('.file-list [aria-current=true]'), width = name?.clientWidth ?? 0;
  if (made.file !== m.file || made.width !== width) name?.scrollIntoView({ inline: 'center', block: 'nearest' }); // an icon makes the name wider
  made.width = width;
  made.file = m.file;
  made.hash = kept.hash;
  if (m.fileLine && kept.hash === f.hash) reach(m, made.editor);
  made.editor.problems(m.problems().filter((p) => p.file === m.file).map((p) => ({ line: p.line, column: p.column, severity: p.severity, message: p.text })));
}

let pending = false;

/** changed() saves the text as a draft, a moment after the last key. */
function changed(m: Model): void {
  pending = true;
  if (made) m.unsaved = { name: made.file, text: made.editor.text() };
  m.later('file', 500, () => void save(m));
}

async function save(m: Model): Promise<void> {
  pending &&= !!m.draft;
  if (!made || !m.draft) return;
  const name = made.file, text = made.editor.text(), hash = m.draft.files.find((f) => f.name === name)?.hash ?? '';
  await m.run(async () => {
    try {
      const d = await m.client.send<Draft>('PUT', m.at(`/file?name=${encodeURIComponent(name)}`), { text, hash });
      const now = d.files.find((f) => f.name === name);
      if (now) m.texts.set(name, { hash: now.hash, text });
      if (made?.file === name) made.hash = now?.hash ?? '';
      m.refused.delete('file');
      if (m.unsaved?.name === name && m.unsaved.text === text) m.unsaved = null;
      m.take(d);
    } catch (e) {
      if (await deleted(m, e)) return;
      m.refused.set('file', e instanceof Refused && e.status === 409 ? 'This file was changed elsewhere at the same time. Copy your text, and open the file again.' : message(e));
    }
  }, true);
  pending = false;
  m.redraw();
}

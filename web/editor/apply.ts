// Apply and versions: the changes of the files, line by line.
import { html, nothing, type TemplateResult } from 'lit';
import type { Diff, Line, Problem } from './api';
import * as i from './icons';
import { plural } from './live';
import type { Model } from './model';
import { check, code, head, said, whyNotApply, type Part } from './parts';
import { applyDraft, download, mayApply, restoreVersion, showVersion, undoVersion } from './saving';
import { openText } from './texts';
import { picturePath } from './wall';
import { changes, dayName, savedAt } from './words';

export function applyScreen(m: Model): TemplateResult {
  const d = m.draft!, errors = m.problems('error'), warnings = m.problems('warning');
  const before = m.pictures.of('before', `../frame?width=640&height=${Math.round((640 * d.height) / d.width)}${d.view && d.view !== 'main' ? `&view=${encodeURIComponent(d.view)}` : ''}`), after = d.drawn === -1 ? { url: '' } : m.pictures.of('wall', picturePath(m, { size: null, effect: '' }));
  const elsewhere = m.access?.read_only || d.files.some((f) => f.changed && !f.writable);
  return html`${head(m, d.changes ? `Apply ${changes(d.changes)}` : 'Nothing to apply', '', nothing)}<main class="one apply">
    <div class="two-shots" aria-hidden="true"><figure>${before.url ? html`<img alt="" src=${before.url}>` : html`<span></span>`}<figcaption>now on the wall</figcaption></figure>
      <figure>${after.url ? html`<img alt="" src=${after.url}>` : html`<span></span>`}<figcaption>after Apply</figcaption></figure></div>
    <section class="card" aria-label="Files"><div class="row">${errors.length ? html`<span class="bad">${i.icon(i.mdiAlertCircleOutline)}</span>` : html`<span class="good">${i.icon(i.mdiCheckCircleOutline)}</span>`}
        <h2 class="name">${errors.length ? `check: ${errors.length === 1 ? '1 error' : `${errors.length} errors`}` : 'check: no error'}</h2></div>
      ${m.diff ? m.diff.files.map((f) => fileRow(m, f)) : html`<p class="muted">Comparing…</p>`}
      ${m.diff && !m.diff.files.length ? html`<p class="muted">The draft is like the files.</p>` : nothing}</section>
    ${errors.map((p) => problemCard(m, p))}
    ${warnings.map((p) => html`<section class="card warn" aria-label="Warning"><div class="row top">${i.icon(i.mdiAlertOutline, 28)}<div class="name"><h2>${p.file}, line ${p.line}</h2><p>${said(p.text)}</p></div></div>
      <div class="accept">${check('Accept this warning', m.accepted.has(p.id), '', (on) => { if (on) m.accepted.add(p.id); else m.accepted.delete(p.id); m.redraw(); })}<button @click=${() => goTo(m, p)}>Go there</button></div></section>`)}
    ${elsewhere ? readOnly(m) : html`<div class="at-foot"><button class="main large" aria-disabled=${!mayApply(m)} aria-busy=${m.busy === 'apply'} @click=${() => void applyDraft(m)}>Apply to ${m.name}</button>
      ${mayApply(m) ? nothing : html`<p class="muted help">${why(m)}</p>`}</div>`}</main>`;
}

/** troubles() shows the first errors on the wall's own screen, so that a person finds the mistakes of a broken wall. */
export function troubles(m: Model): Part {
  const all = m.widgets().length || m.draft!.changes ? m.problems('error') : [], n = m.problems('warning').length;
  return all.length || (n && innerWidth < 1100) ? html`${all.slice(0, 3).map((p) => html`<section class="card error-card" aria-label="Error"><div class="row top">${i.icon(i.mdiAlertCircleOutline)}<div class="name"><p><b>${p.file}${p.line ? `, line ${p.line}` : ''}</b></p><p>${said(p.text)}</p></div>
    <button @click=${() => goTo(m, p)}>Go there</button></div></section>`)}${n && innerWidth < 1100 ? html`<button class="row plain-row card warn" @click=${() => m.go('problems')}>${i.icon(i.mdiAlertOutline)}<span class="name">${plural(n, 'warning', 'warnings')}</span>${i.icon(i.mdiChevronRight)}</button>` : nothing}` : nothing;
}

function problemCard(m: Model, p: Problem): TemplateResult {
  const bad = p.severity === 'error';
  return html`<section class="card ${bad ? 'error-card' : 'warn'}" aria-label=${bad ? 'Error' : 'Warning'}><div class="row top">${i.icon(bad ? i.mdiAlertCircleOutline : i.mdiAlertOutline, 28)}<div class="name"><h2>${p.file}${p.line ? `, line ${p.line}` : ''}</h2><p>${said(p.text)}</p></div>
      <button @click=${() => goTo(m, p)}>Go there</button></div></section>`;
}

/** problemsScreen lists all errors and warnings. */
export function problemsScreen(m: Model): TemplateResult {
  const all = [...m.problems('error'), ...m.problems('warning')];
  return html`${head(m, 'Errors and warnings', '', nothing)}<main class="one">${all.length ? all.map((p) => problemCard(m, p)) : html`<p class="empty">There are no errors and no warnings.</p>`}</main>`;
}

function why(m: Model): string {
  if (!m.draft!.changes) return 'Nothing has changed.';
  if (m.problems('error').length) return whyNotApply;
  return 'Accept each warning, or go there and change it.';
}

/** readOnly offers the changes as a file. It is for a wall whose files come from an address. */
function readOnly(m: Model): TemplateResult {
  const diff = async () => m.run(async () => download('wall.diff', new Blob([unified(m.diff!)], { type: 'text/x-diff' })));
  const zip = async () => m.run(async () => download('wall.zip', await m.client.blob(m.at('/zip'))));
  return html`<section class="card" aria-label="Elsewhere"><h2>The files of this wall cannot be saved here</h2><p class="muted">${m.access?.why ? `${m.access.why[0].toUpperCase()}${m.access.why.slice(1)}. ` : ''}Take the changes with you.</p>
    <div class="buttons"><button @click=${diff}>${i.icon(i.mdiDownload, 20)}As a diff</button><button @click=${zip}>${i.icon(i.mdiDownload, 20)}Files as zip</button></div></section>`;
}

function unified(d: Diff): string {
  return d.files.map((f) => `--- a/${f.name}\n+++ b/${f.name}\n${f.lines.map((l) => (l.kind === '@' ? l.text : l.kind + l.text)).join('\n')}\n`).join('');
}

/** goTo opens the form with a problem, and gives the focus to the field of the wrong key. A problem outside of all forms opens as text. */
function goTo(m: Model, p: Problem): void {
  const n = p.node ? m.node(p.node) : undefined, here = (n?.params ?? []).filter((one) => one.line === p.line);
  const key = (here.length > 1 ? here.find((one) => new RegExp(`\\b${one.key}\\b`).test(p.text)) : here[0])?.key;
  if (n && n.kind === 'widget' && !n.locked) { m.select(n.id); m.go('form'); m.focusLater(`f-${key}`); return; }
  if (n && n.kind === 'provider' && !n.locked) { m.provider = n.name ?? n.id; m.go('provider'); m.focusLater(`f-${key}`); return; }
  openText(m, p.file, p.line);
}

/** fileRow shows a changed file with the change in words. If a person opens it, it shows the changed lines. */
function fileRow(m: Model, f: { name: string; lines: Line[] }): TemplateResult {
  const open = m.shown === f.name;
  return html`<div class="row file"><div class="name"><p>${f.name}</p><p class="muted">${words(f.lines)}</p></div><button class="quiet" aria-expanded=${open} @click=${() => { m.shown = open ? '' : f.name; m.redraw(); }}>${open ? 'Hide diff' : 'Show diff'}</button></div>
    ${open ? diffLines(f.lines, f.name) : nothing}`;
}

/** words() describes which lines change. */
export function words(lines: Line[]): string {
  const plus = lines.filter((l) => l.kind === '+'), minus = lines.filter((l) => l.kind === '-');
  const span = (all: Line[], of: 'old' | 'new') => { const n = all.map((l) => l[of] ?? 0), a = Math.min(...n), z = Math.max(...n); return a === z ? `line ${a}` : `lines ${a} to ${z}`; };
  if (!minus.length && plus.length) return `${span(plus, 'new')} ${plus.length === 1 ? 'is' : 'are'} new`;
  if (!plus.length && minus.length) return `${span(minus, 'old')} ${minus.length === 1 ? 'is' : 'are'} removed`;
  if (plus.length === 1 && minus.length === 1) {
    const [a, b] = differing(minus[0].text, plus[0].text);
    return `line ${plus[0].new}: ${a.length + b.length < 48 ? `${a || 'nothing'} → ${b || 'nothing'}` : 'changes'}`;
  }
  return plus.length ? `${span(plus, 'new')} change` : 'no line changes';
}

/** differing() compares two lines. For each line it returns the part that differs, in whole words. */
export function differing(a: string, b: string): [string, string] {
  let from = 0, to = 0;
  const wide = (s: string) => { let end = s.length - to; while (end < s.length && /[^\s,}\]]/.test(s[end])) end++; return s.slice(from, end).trim(); };
  while (from < Math.min(a.length, b.length) && a[from] === b[from]) from++;
  while (to < Math.min(a.length, b.length) - from && a[a.length - 1 - to] === b[b.length - 1 - to]) to++;
  while (from > 0 && /[^\s,{[]/.test(a[from - 1])) from--;
  const key = /[\w.]+:\s+$/.exec(a.slice(0, from));
  if (key && !/[\s]/.test(a.slice(from, from + 1))) return [key[0] + wide(a), wide(b)];
  return [wide(a), wide(b)];
}

/** changedLine shows a line. If exactly one line replaces another line, the words that differ are bold. */
function changedLine(lines: Line[], k: number): Part {
  const l = lines[k], other = l.kind === '-' ? lines[k + 1] : l.kind === '+' ? lines[k - 1] : undefined, beyond = lines[l.kind === '-' ? k + 2 : k - 2];
  if (!other || other.kind === l.kind || !'+-'.includes(other.kind) || beyond?.kind === other.kind) return html`${code(l.text)}`;
  const [from, to] = unequal(l.text, other.text);
  return html`${code(l.text.slice(0, from))}<strong>${l.text.slice(from, to)}</strong>${code(l.text.slice(to))}`;
}

/** unequal() returns the part of `a` that differs from `b`, in whole words. */
function unequal(a: string, b: string): [number, number] {
  let from = 0, to = 0;
  while (from < Math.min(a.length, b.length) && a[from] === b[from]) from++;
  while (to < Math.min(a.length, b.length) - from && a[a.length - 1 - to] === b[b.length - 1 - to]) to++;
  let end = a.length - to;
  while (from > 0 && /[^\s,{[]/.test(a[from - 1])) from--;
  while (end < a.length && /[^\s,}\]]/.test(a[end])) end++;
  return [from, end];
}

const hanging = (text: string) => `--indent: ${text.search(/\S|$/) + 2}ch`;

export function diffLines(lines: Line[], name: string): TemplateResult {
  return html`<pre class="diff" role="group" tabindex="0" aria-label="Changed lines of ${name}">${lines.map((l, k) => html`<span class="ln ${l.kind === '+' ? 'plus' : l.kind === '-' ? 'minus' : ''}" .style=${hanging(l.text)}><b>${l.kind === '+' ? '+' : l.kind === '-' ? '−' : ' '}</b><i>${l.kind === '@' ? '' : l.new || l.old || ''}</i><code>${l.kind === '@' ? html`<span class="muted">${l.text}</span>` : changedLine(lines, k)}</code></span>`)}</pre>`;
}

/** versionsScreen lists the saved versions. On a phone, a tap on a version opens its lines below it. */
export function versionsScreen(m: Model): TemplateResult {
  const all = m.versions;
  const zip = async () => m.run(async () => download('wall.zip', await m.client.blob(m.at('/zip?all=1'))));
  return html`${head(m, 'Versions', `the last 50 saves${m.kept}`, m.draft ? html`<button aria-label="All as zip" @click=${zip}>${i.icon(i.mdiDownload, 20)}<span class="wide-only">All as zip</span></button>` : nothing)}<main class="versions">
    <div class="version-list">${!all ? html`<p class="muted">Reading…</p>` : all.length ? byDay(m) : html`<p class="empty">No save yet. Each Apply is one, and so is each change on disk.</p>`}</div>
    ${m.version ? html`<div class="version-lines">${versionCard(m)}</div>` : nothing}</main>`;
}

function byDay(m: Model): Part {
  let day = '';
  return html`${m.versions!.map((v, k) => {
    const at = new Date(v.time), name = dayName(at), first = name !== day;
    day = name;
    return html`${first ? html`<h2 class="group-name">${name}</h2>` : nothing}<button class="version" aria-current=${m.version?.n === v.n} @click=${() => void showVersion(m, v.n)}><b>${at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })}</b>
      <span class=${k ? 'muted' : 'good-words'}>${k ? `${v.files.length === 1 ? '1 file' : `${v.files.length} files`}, ${v.added + v.removed === 1 ? '1 line' : `${v.added + v.removed} lines`}` : 'now on the wall'}</span><span class="muted whole">${v.caller}: ${v.words}</span></button>`;
  })}`;
}

/** counts() returns the numbers of added and removed lines. */
function counts(lines: Line[]): string {
  const of = (kind: string, sign: string) => { const n = lines.filter((l) => l.kind === kind).length; return n ? `${sign} ${n}` : ''; };
  return [of('+', '+'), of('-', '−')].filter(Boolean).join(' ');
}

function versionCard(m: Model): TemplateResult {
  const v = m.version!, newest = m.versions?.[0]?.n === v.n;
  return html`<section class="card" aria-label="Version"><div class="row wraps"><div class="name"><h2>${savedAt(v.time)}</h2><p class="muted">${v.caller}, changed ${v.files.join(' and ')}</p></div>
      <button @click=${() => void undoVersion(m, v.n).then(() => m.entered())}>Undo only this</button>${newest ? nothing : html`<button class="main" @click=${() => void restoreVersion(m, v.n)}>Restore this version</button>`}</div>
    ${(v.diff && !Array.isArray(v.diff) ? v.diff.files : []).map((f) => html`<h3>${f.name} <small class="inline">${counts(f.lines)}</small></h3>${diffLines(f.lines, f.name)}`)}
    <p class="hint">${i.icon(i.mdiInformationOutline, 20)}Restoring makes a new save. Nothing is lost, and later versions stay in the list.</p></section>`;
}

// The text mode: CodeMirror for YAML with completion, problems and search. It is in a shadow root, because there its styles
// are constructed sheets, and the content security policy forbids style elements.
import { autocompletion, completionStatus, type Completion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { EditorState, Transaction } from '@codemirror/state';
import { hoverTooltip, keymap, tooltips } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { basicSetup, EditorView } from 'codemirror';
import { place, type Place } from './place';

interface Word { label: string; about: string; note: string; more: string; help: string }
interface Options { changed: () => void; words: (at: Place) => Word[]; typing: (beginning: string, at: Place) => void }

const colors = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--good)' },
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--fourth)' },
  { tag: [tags.content, tags.punctuation, tags.separator, tags.bracket, tags.meta, tags.typeName], color: 'var(--text)' },
]);

/** wavy() returns the styles of a wrong word. */
const wavy = (color: string) => ({ backgroundImage: 'none', textDecorationLine: 'underline', textDecorationStyle: 'wavy', textDecorationColor: color, textUnderlineOffset: '4px' });

const look = EditorView.theme({
  '.cm-lintRange-error': wavy('var(--bad)'),
  '.cm-lintRange-warning': wavy('var(--warn)'),
  '.cm-lintRange, .cm-lintRange *': { color: 'var(--text)' },
  '&': { color: 'var(--text)', backgroundColor: 'transparent', fontSize: '15px', minHeight: '320px', height: '100%' },
  '.cm-content': { fontFamily: 'ui-monospace, "Noto Sans Mono", monospace', lineHeight: '28px', caretColor: 'var(--accent)', padding: '12px 0' },
  '.cm-scroller': { overflow: 'auto' },
  '&.cm-focused': { outline: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--muted)', border: '0', lineHeight: '28px', fontSize: '13px', fontFamily: 'ui-monospace, monospace' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--tint-accent)' },
  '.cm-activeLineGutter': { color: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--line)' },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', color: 'var(--text)', border: '0', borderRadius: '14px', boxShadow: '0 24px 64px var(--shade)', overflow: 'hidden' },
  '.cm-tooltip.cm-tooltip-autocomplete': { width: 'min(470px, 100vw - 32px)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { padding: '6px', maxHeight: '260px', maxWidth: 'none', whiteSpace: 'normal', fontFamily: 'Inter, system-ui, sans-serif' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { display: 'grid', gridTemplateColumns: 'minmax(106px, max-content) 1fr auto', gap: '0 16px', alignItems: 'center', padding: '8px 12px', minHeight: '48px', borderRadius: '10px', boxSizing: 'border-box' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--tint-accent)', color: 'var(--text)' },
  '.cm-completionLabel': { fontFamily: 'ui-monospace, "Noto Sans Mono", monospace', gridColumn: '1' },
  '[aria-selected] > .cm-completionLabel': { color: 'var(--accent)' },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal', margin: '0', lineHeight: '20px', gridColumn: '2' },
  '[aria-selected] > .cm-completionDetail': { color: 'var(--text)' },
  '.note': { color: 'var(--muted)', fontSize: '13px', gridColumn: '3' },
  '.cm-tooltip.cm-completionInfo': { position: 'static', width: 'auto', maxWidth: 'none', padding: '10px 18px 12px', borderTop: '1px solid var(--line)', borderRadius: '0', boxShadow: 'none', color: 'var(--muted)', whiteSpace: 'normal', fontFamily: 'Inter, system-ui, sans-serif' },
  '@media (max-width: 719px)': { '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { gridTemplateColumns: '1fr auto' }, '.cm-completionDetail': { gridColumn: '1 / 3', gridRow: '2' }, '.note': { gridColumn: '2' } },
  '.cm-completionInfo b': { color: 'var(--text)', fontWeight: '400' },
  '.cm-completionMatchedText': { color: 'var(--accent)', textDecoration: 'none', fontWeight: '700' },
  '.cm-panels': { backgroundColor: 'var(--fill)', color: 'var(--text)' },
  '.cm-tooltip-hover, .cm-tooltip-lint': { padding: '8px 12px', maxWidth: '360px', fontFamily: 'Inter, system-ui, sans-serif' },
});

const edge = 16; // distance in px between the list and the edge of the window

/** narrow() reports whether a row of words replaces the list at the cursor. The list then opens only with Ctrl+Space. */
const narrow = () => innerWidth < 720;

/** editor() makes a text editor inside an element. */
export function editor(parent: HTMLElement, o: Options) {
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: 'open' });
  if (!root.adoptedStyleSheets) return plain(root, o); // Safari 15 has no constructed style sheets
  root.replaceChildren();
  const wordsAt = (view: EditorView, pos: number) => o.words(place(view.state.sliceDoc(0, pos)));
  const complete = (c: CompletionContext): CompletionResult | null => {
    const word = c.matchBefore(/[A-Za-z_]\w*/), begun = word?.text ?? '';
    if (!c.explicit && (!word || narrow())) return null;
    const all = o.words(place(c.state.sliceDoc(0, c.pos - begun.length))), starting = all.filter((w) => w.label.startsWith(begun));
    const options = (starting.length ? starting : all.filter((w) => w.label.includes(begun))).map((w) => ({ label: w.label, detail: w.about || undefined, note: w.note, info: w.more ? () => footer(w.more) : undefined }));
    return { from: word ? word.from : c.pos, options, filter: false, getMatch: (one) => { const at = one.label.indexOf(begun); return begun ? [at, at + begun.length] : []; } };
  };
  const hover = hoverTooltip((view, pos) => {
    const at = view.state.wordAt(pos), text = at && view.state.sliceDoc(at.from, at.to), known = text && wordsAt(view, at.from).find((w) => w.label === text);
    if (!at || !known || !known.help) return null;
    return { pos: at.from, end: at.to, create: () => { const dom = document.createElement('div'); dom.className = 'cm-tooltip-hover'; dom.textContent = known.help; return { dom }; } };
  });
  const typed = (view: EditorView) => {
    const begun = view.hasFocus && !completionStatus(view.state) ? beginning(view) : '';
    o.typing(begun, place(begun ? view.state.sliceDoc(0, view.state.selection.main.head - begun.length) : ''));
  };
  const quiet = Transaction.userEvent.of('show');
  const view = new EditorView({
    root, parent: root as unknown as HTMLElement,
    state: EditorState.create({
      extensions: [basicSetup, yaml(), syntaxHighlighting(colors), look, hover, tooltips({ tooltipSpace: () => ({ left: edge, top: 0, right: innerWidth - edge, bottom: visualViewport?.height ?? innerHeight }) }), autocompletion({ override: [complete], maxRenderedOptions: 40, icons: false, addToOptions: [{ render: note, position: 90 }], positionInfo: () => ({}) }), keymap.of([indentWithTab]),
        EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': 'YAML of the file. Escape, then Tab leaves the text.', autocapitalize: 'off', autocorrect: 'off', spellcheck: 'false' }),
        EditorView.updateListener.of((u) => { if (u.docChanged || u.selectionSet || u.focusChanged || completionStatus(u.startState) !== completionStatus(u.state)) typed(u.view); }),
        EditorView.updateListener.of((u) => { if (u.docChanged && !u.transactions.some((t) => t.isUserEvent('show'))) o.changed(); })],
    }),
  });
  const line = (n: number) => view.state.doc.line(Math.min(view.state.doc.lines, Math.max(1, n)));
  return {
    show(text: string) {
      const head = Math.min(view.state.selection.main.head, text.length);
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: head }, annotations: quiet });
    },
    text: () => view.state.doc.toString(),
    problems(all: { line: number; column: number; severity: 'error' | 'warning'; message: string }[]) {
      const marks: Diagnostic[] = all.filter((p) => p.line > 0).map((p) => {
        const l = line(p.line), from = Math.min(l.to, l.from + Math.max(0, p.column - 1)), word = view.state.wordAt(from);
        return { from: word ? word.from : from, to: word ? word.to : l.to, severity: p.severity, message: p.message };
      });
      view.dispatch(setDiagnostics(view.state, marks));
    },
    replace(n: number, column: number, by: string) {
      const l = line(n), word = view.state.wordAt(Math.min(l.to, l.from + Math.max(0, column - 1)));
      if (word) view.dispatch({ changes: { from: word.from, to: word.to, insert: by } });
    },
    complete(word: string) {
      const at = view.state.selection.main.head, from = at - beginning(view).length;
      view.dispatch({ changes: { from, to: at, insert: word }, selection: { anchor: from + word.length } });
      view.focus();
    },
    focus: () => view.focus(),
    jump(n: number) { const l = line(n); view.dispatch({ selection: { anchor: l.from }, effects: EditorView.scrollIntoView(l.from, { y: 'center' }) }); },
  };
}

/** note() shows the type of a key's values at the end of a row. */
function note(c: Completion): HTMLElement {
  const out = document.createElement('span');
  out.className = 'note';
  out.textContent = (c as Completion & { note: string }).note;
  return out;
}

/** footer() shows a text below the list. A list of names after a colon has the color of values. */
function footer(text: string): HTMLElement {
  const out = document.createElement('div'), names = /^In [^:]+: /.exec(text)?.[0].length ?? text.length, values = document.createElement('b');
  out.textContent = text.slice(0, names);
  values.textContent = text.slice(names);
  out.append(values);
  return out;
}

/** beginning() returns the part of a word before the cursor. */
function beginning(view: EditorView): string {
  const at = view.state.selection.main.head, line = view.state.doc.lineAt(at);
  return /[A-Za-z_]\w*$/.exec(line.text.slice(0, at - line.from))?.[0] ?? '';
}

/** plain() makes a text area, for browsers without constructed style sheets. */
function plain(root: ShadowRoot, o: Options) {
  const area = document.createElement('textarea');
  area.setAttribute('aria-label', 'YAML of the file');
  area.rows = 24;
  area.cols = 60;
  area.oninput = o.changed;
  root.replaceChildren(area);
  return { show: (text: string) => { area.value = text; }, text: () => area.value, problems: () => undefined, replace: () => undefined, complete: () => undefined, focus: () => area.focus(), jump: () => undefined };
}

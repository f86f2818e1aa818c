// Completion of jq programs: names of live values with their present values, and functions with their results.
import { html, nothing, type TemplateResult } from 'lit';
import type { Model } from './model';
import { evaluate, loadValues } from './sources';

/** A Suggestion replaces the last word of a program. */
export interface Suggestion { word: string; text: string; about: string; value: string }

const functions: [string, string][] = [
  ['round', 'to a whole number'], ['floor', 'down to a whole number'], ['ceil', 'up to a whole number'], ['fabs', 'without its sign'], ['length', 'how many, or how long'], ['keys', 'the names in it'], ['add', 'the sum of a list'],
  ['min', 'the least of a list'], ['max', 'the greatest of a list'], ['first', 'the first of a list'], ['last', 'the last of a list'], ['sort', 'in order'], ['reverse', 'from the end'], ['unique', 'each once'], ['tostring', 'as a text'], ['tonumber', 'as a number'],
  ['map(.)', 'for each of a list'], ['select(. > 0)', 'only if it holds'], ['join(", ")', 'as one text'], ['split(",")', 'as a list'], ['test("x")', 'whether it has the text'], ['ascii_upcase', 'in capitals'], ['now', 'seconds since 1970'],
];

export const most = 5;

/** suggestions() returns suggestions for the word at the end of the program. */
export function suggestions(m: Model, program: string): Suggestion[] {
  const path = /(\.[A-Za-z_][\w]*)*\.[\w]*$/.exec(program), word = /(^|[|\s(])([a-z_]{2,})$/.exec(program);
  if (path && !/\d\.\d*$/.test(program)) return ofValues(m, program, path[0]);
  if (!word) return [];
  const head = program.slice(0, program.length - word[2].length);
  return functions.filter(([f]) => f.startsWith(word[2]) && f !== word[2]).slice(0, most).map(([f, about]) => ({ word: f, text: head + f, about, value: resultOf(m, head + f) }));
}

/** ofValues completes a path with the names in the live values. */
function ofValues(m: Model, program: string, path: string): Suggestion[] {
  const cut = path.lastIndexOf('.'), begun = path.slice(cut + 1).toLowerCase(), key = path.slice(0, cut);
  if (!m.values.has(key)) { m.values.set(key, []); void loadValues(m, key); }
  const head = program.slice(0, program.length - begun.length);
  return (m.values.get(key) ?? []).filter((v) => v.name.toLowerCase().startsWith(begun) && v.name.toLowerCase() !== begun && /^[A-Za-z_]\w*$/.test(v.name)).slice(0, most).map((v) => ({ word: v.name, text: head + v.name, about: v.kind, value: v.value }));
}

/** resultOf returns the present result of a program. It requests the result only once. */
export function resultOf(m: Model, program: string): string {
  const at = `try ${program}`, got = m.results.get(at);
  if (!got) {
    m.results.set(at, {});
    void evaluate(m, program).then((r) => { m.results.set(at, r); m.redraw(); });
    return '';
  }
  return got.error || got.result === undefined ? '' : JSON.stringify(got.result);
}

/** suggestKeys handles the keys that move in the list of suggestions and choose a suggestion. */
export function suggestKeys(m: Model, e: KeyboardEvent, all: Suggestion[], take: (text: string) => void): void {
  if (!all.length) return;
  if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
    e.preventDefault();
    m.suggested = (m.suggested + (e.key === 'ArrowDown' ? 1 : -1) + all.length + 1) % (all.length + 1);
    m.redraw();
  } else if (e.key === 'Enter' && m.suggested > 0) {
    e.preventDefault();
    take(all[m.suggested - 1].text);
    m.suggested = 0;
  } else if (e.key === 'Escape' && m.suggested > 0) {
    e.stopPropagation();
    m.suggested = 0;
    m.redraw();
  }
}

/** suggestList shows the suggestions below a field. A tap chooses a suggestion. */
export function suggestList(m: Model, id: string, all: Suggestion[], take: (text: string) => void): TemplateResult | typeof nothing {
  if (!all.length) return nothing;
  return html`<div class="suggest" id=${id} role="listbox" aria-label="Completion">${all.map((s, k) => html`<button role="option" tabindex="-1" aria-selected=${m.suggested === k + 1} class=${m.suggested === k + 1 ? 'on' : ''} @click=${() => { m.suggested = 0; take(s.text); }}><code>${s.word}</code><span class="name">${s.about}</span><code class="y-number">${s.value}</code></button>`)}</div>`;
}

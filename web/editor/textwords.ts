// The words that the text editor completes: keys, kinds and values from the schemas.
import type { Node } from './api';
import { calendarsOf, sourceOf } from './live';
import type { Model } from './model';
import type { Field } from './schema';

/**
 * A Word is an entry of the completion list. `about` is a short description, and `note` is the type of its values. Below the entries, the
 * list shows `more` for the chosen entry.
 */
export interface Word { label: string; about: string; note: string; more: string; help: string }

/** A Place is the place of the cursor: the kind of the entry around it, the key whose value is there, and the line. */
export interface Place { kind: string; key: string; line: number }

/**
 * word returns an entry with a help text. The first sentence is next to the word, because it is short. The other sentences are below the
 * list.
 */
function word(label: string, note: string, help: string): Word {
  const parts = /^(.*?)\.(?:\s+(.*))?$/s.exec(help);
  return { label, note, help, about: parts?.[1] ?? help, more: parts?.[2] ?? '' };
}

function typeOf(f: Field): string {
  if (f.kind === 'switch') return 'true, false';
  if (f.choices?.length) return f.choices.slice(0, 3).join(', ');
  return f.kind === 'number' && f.min !== undefined && f.max !== undefined ? `${f.min} to ${f.max}` : f.kind;
}

/** nodeAt returns the widget of a kind that begins last before a line. */
function nodeAt(m: Model, at: Place): Node | undefined {
  return m.all().filter((n) => n.file === m.file && n.widget === at.kind && n.line <= at.line).sort((a, b) => b.line - a.line)[0];
}

/** keyWord describes a key. For calendars, it lists the names of the wall's calendars. */
function keyWord(m: Model, f: Field, at: Place): Word {
  const one = word(f.key, typeOf(f), f.help), n = f.key === 'calendars' ? nodeAt(m, at) : undefined;
  const names = n ? calendarsOf(m, n).map((c) => c.name) : [];
  return names.length ? { ...one, more: `In ${sourceOf(m, n!)!.name}: ${names.join(', ')}` } : one;
}

function valueWords(f: Field): Word[] {
  return (f.kind === 'switch' ? ['true', 'false'] : f.choices ?? []).map((v) => word(v, v === f.fallback ? 'default' : '', ''));
}

/**
 * words() returns the words that fit a place of the shown file, in the order of the form. At a place without a kind, it returns all words.
 */
export function words(m: Model, at: Place): Word[] {
  const kinds = m.schemas.kinds(), provider = m.file === 'providers.yaml';
  if (at.key === 'widget') return kinds.map((kind) => word(kind, 'widget', m.schemas.description(kind)));
  const fields = provider ? (at.kind ? m.schemas.fields(at.kind, true, true) : []) : kinds.includes(at.kind) ? m.schemas.fields(at.kind, false, true) : [];
  const f = fields.find((one) => one.key === at.key);
  if (f) return valueWords(f);
  return fields.length && !at.key ? fields.map((one) => keyWord(m, one, at)) : allWords(m);
}

function allWords(m: Model): Word[] {
  const out = new Map<string, Word>();
  for (const kind of m.schemas.kinds()) {
    out.set(kind, word(kind, 'widget', m.schemas.description(kind)));
    for (const f of m.schemas.fields(kind)) {
      if (!out.has(f.key)) out.set(f.key, word(f.key, typeOf(f), f.help));
      for (const c of f.choices ?? []) if (/^[a-z_]{3,}$/.test(c) && !out.has(c)) out.set(c, word(c, f.key, ''));
    }
  }
  return [...out.values()];
}

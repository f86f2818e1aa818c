// The texts that this tab holds, in case the wall deletes the draft.
import { Refused, type Client, type Draft, type Item, type Node } from './api';
import { announce } from './words';

/**
 * Held contains the texts of the changed files of a draft, and the texts of fields. `bases` has the hashes of the files without the
 * changes.
 */
export interface Held { draft: string; files: Record<string, string>; bases: Record<string, string>; fields: string[] }

/** Holder is the part of the editor's state that this file reads and changes. */
export interface Holder {
  draft: Draft | null;
  gone: Held | null;
  unsaved: { name: string; text: string } | null;
  readonly adding: { item: Item } | null;
  readonly bases: Map<string, string>;
  readonly texts: Map<string, { hash: string; text: string }>;
  readonly typed: Map<string, string>;
  readonly refused: Map<string, string>;
  readonly typing: { stop(): void };
  readonly client: Client;
  later(name: string, ms: number, run: () => void): void;
  node(id: string): Node | undefined;
  reload(): Promise<void>;
}

const place = 'dashboard_texts', pause = 1000; // ms
const most = 1 << 20; // maximum number of characters that the tab stores

/** hold() reads the changed files, a moment after a change, and stores them in this tab. A draft without changes needs no copy. */
export function hold(m: Holder, d: Draft): void {
  for (const f of d.files) if (!f.changed) m.bases.set(f.name, f.hash);
  if (d.changes) m.later('hold', pause, () => void store(m));
  else if (!m.gone) forget();
}

async function store(m: Holder): Promise<void> {
  const d = m.draft;
  if (!d) return;
  const held: Held = { draft: d.id, files: {}, bases: {}, fields: [] };
  try {
    for (const f of d.files.filter((one) => one.changed)) {
      if (m.texts.get(f.name)?.hash !== f.hash) m.texts.set(f.name, await m.client.get<{ hash: string; text: string }>(`../edit/drafts/${d.id}/file?name=${encodeURIComponent(f.name)}`));
      held.files[f.name] = m.texts.get(f.name)!.text;
      held.bases[f.name] = m.bases.get(f.name) ?? '';
    }
    const text = JSON.stringify(held);
    if (text.length <= most && m.draft?.id === d.id) sessionStorage.setItem(place, text);
  } catch { /* the wall does not answer, or the tab has no room */ }
}

/** stored() returns the texts that this tab has stored. */
function stored(): Held | null {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? 'null') as Held | null;
  } catch {
    return null; // another page has written the entry
  }
}

/**
 * recall shows the stored texts if they do not belong to the given draft. The page was closed before the person had decided about them.
 */
export function recall(m: Holder, draft: string | null): void {
  const kept = stored();
  if (kept && kept.draft !== draft) m.gone = kept;
}

/** forget deletes the stored texts. */
export function forget(): void { sessionStorage.removeItem(place); }

/** isGone reports whether a request has failed because the wall does not have the draft. */
export const isGone = (e: unknown) => e instanceof Refused && e.status === 404;

/** deleted() reports whether the wall has deleted the draft, after an error. In this case the page has opened a new draft. */
export async function deleted(m: Holder, e: unknown): Promise<boolean> {
  const id = m.draft?.id;
  if (isGone(e)) await m.reload();
  return id !== m.draft?.id;
}

/** secret() reports whether a typed text is a password. */
const secret = (m: Holder, at: string) => at.startsWith('secret ') || !!m.adding?.item.required?.some((r) => r.type === 'secret' && at === `need ${r.key}`);

/** lose shows the texts of a draft that the wall has deleted. It adds the texts that the wall has not received. */
export function lose(m: Holder, draft: string): void {
  if (m.gone?.draft === draft) return;
  const kept = stored(), held = kept?.draft === draft ? kept : { draft, files: {}, bases: {}, fields: [] };
  if (m.unsaved) {
    held.files[m.unsaved.name] = m.unsaved.text;
    held.bases[m.unsaved.name] ??= m.bases.get(m.unsaved.name) ?? '';
  }
  for (const [at, text] of m.typed) if (!secret(m, at)) held.fields.push(`${m.node(at.split(' ')[0])?.title ?? ''} ${at.split(' ').slice(1).join(' ')}: ${text}`.trim());
  m.unsaved = null;
  m.typing.stop();
  m.typed.clear();
  m.refused.clear();
  if (Object.keys(held.files).length || held.fields.length) { m.gone = held; announce('The wall has deleted your draft. This page still has your text.'); }
}

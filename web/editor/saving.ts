// From the draft to the files: differences, Apply, conflicts and versions.
import { Refused, type Conflict, type Diff, type Draft, type Merged, type Own, type Version } from './api';
import { forget } from './held';
import type { Model } from './model';
import { changes, message, savedAt } from './words';

export async function loadDiff(m: Model): Promise<void> {
  if (!m.draft || m.diff) return;
  m.diff = await m.run(() => m.client.get<Diff>(m.at('/diff'))) ?? null;
  m.redraw();
}

export function mayApply(m: Model): boolean {
  return !!m.draft?.changes && !m.problems('error').length && m.problems('warning').every((p) => m.accepted.has(p.id)) && !m.access?.read_only;
}

/** applyDraft writes the files. */
export async function applyDraft(m: Model): Promise<void> {
  await m.taken();
  if (!m.draft || !mayApply(m) || m.busy) return;
  m.busy = 'apply';
  m.justSaved = true;
  const n = m.draft.changes;
  m.redraw();
  try {
    const got = await m.client.post<{ saved: string[]; version: number }>(m.at('/apply'), { accept: [...m.accepted] });
    await m.reload();
    m.busy = '';
    m.go('wall');
    m.say({ text: `${changes(n)} ${n === 1 ? 'is' : 'are'} on the wall`, label: 'Undo', run: () => void undoVersion(m, got.version) });
  } catch (e) {
    m.busy = '';
    m.justSaved = false;
    if (e instanceof Refused && e.body.conflicts) {
      m.conflicts = { list: e.body.conflicts as Conflict[], merged: (e.body.merged ?? []) as Merged[], own: e.body.own as Own, choice: {} };
      m.go('conflict');
    } else {
      await m.reload();
      m.say({ text: message(e), bad: true });
    }
  }
  m.redraw();
}

const chosen = (m: Model) => m.conflicts!.list.map((one) => ({ id: one.id, ...m.conflicts!.choice[one.id] }));

/** checkChosen checks the files with the chosen texts, when each conflict has a choice. */
export function checkChosen(m: Model): void {
  const c = m.conflicts!;
  c.clean = undefined;
  if (!c.list.every((one) => c.choice[one.id])) return;
  m.later('clean', 300, () => void m.run(async () => { c.clean = await m.client.post(c.undo ? undoPath(c.undo) : m.at('/resolve'), { choices: chosen(m), check: true }); }, true));
}

export async function resolveConflicts(m: Model): Promise<void> {
  await m.taken();
  const c = m.conflicts;
  if (!c) return;
  const choices = chosen(m);
  if (c.undo) { await undoVersion(m, c.undo, choices); return; }
  const ok = await m.run(async () => { m.take(await m.client.post<Draft>(m.at('/resolve'), { choices })); return true; });
  if (!ok) return;
  m.conflicts = null;
  m.go('apply');
  await loadDiff(m);
  if (mayApply(m)) await applyDraft(m);
}

const undoPath = (n: number) => `../edit/versions/${n}/undo`;

/** undoVersion reverts a save and keeps later saves. If later saves changed the same lines, it asks which lines stay. */
export async function undoVersion(m: Model, n: number, choices?: object[]): Promise<void> {
  await m.run(async () => {
    m.justSaved = true;
    try {
      await m.client.post(undoPath(n), choices ? { choices } : {});
    } catch (e) {
      m.justSaved = false;
      if (!(e instanceof Refused && e.body.conflicts)) throw e;
      m.conflicts = { list: e.body.conflicts as Conflict[], merged: [], choice: {}, undo: n };
      m.go('conflict');
      return;
    }
    if (m.conflicts?.undo) m.conflicts = null;
    if (m.screen === 'conflict') {
      const chosen = m.version;
      m.go('versions');
      m.version = chosen;
    }
    m.say({ text: 'This save is undone. Later saves stay.' });
  });
  m.versions = null;
  await m.reload();
  if (m.screen === 'versions') await loadVersions(m);
}

export async function restoreVersion(m: Model, n: number): Promise<void> {
  m.justSaved = true;
  const ok = await m.run(async () => { await m.client.post(`../edit/versions/${n}/restore`); return true; }), v = m.version;
  m.justSaved &&= !!ok;
  if (!ok) return;
  m.say({ text: `The version ${v ? `of ${savedAt(v.time)}` : n} is on the wall again. The later versions stay in the list.` });
  m.versions = null;
  await loadVersions(m);
  await m.reload();
}

/** loadVersions reads the list of versions. On a wide page, the chosen version stays, or the newest one is shown. */
export async function loadVersions(m: Model): Promise<void> {
  const got = await m.run(() => m.client.get<{ versions: Version[]; size: number; most: number }>('../edit/versions')), mib = (n: number) => +(n / 2 ** 20).toFixed(1);
  m.versions = got?.versions ?? [];
  m.kept = got ? `, ${mib(got.size)} of ${mib(got.most)} MiB` : '';
  const chosen = m.versions.find((v) => v.n === m.version?.n) ?? m.versions[0]; // another save does not replace the version that a person reads
  if (chosen && innerWidth >= 720) await showVersion(m, chosen.n);
  m.redraw();
}

export async function showVersion(m: Model, n: number): Promise<void> {
  const one = await m.run(() => m.client.get<Version>(`../edit/versions/${n}`));
  const known = m.versions?.find((v) => v.n === n);
  if (one && known) m.version = { ...known, ...one, diff: Array.isArray(one.diff) ? { files: one.diff } : one.diff };
  m.redraw();
}

export function download(name: string, blob: Blob): void {
  const a = document.createElement('a');
  a.href = URL.createObjectURL(blob);
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}

export async function discard(m: Model): Promise<void> {
  m.leaving = true;
  await m.run(() => m.client.send('DELETE', m.at('')), true);
  sessionStorage.removeItem('dashboard_draft');
  forget();
  location.assign('../');
}

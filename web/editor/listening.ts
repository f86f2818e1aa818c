// The editor's event stream: changes and saves by other devices, and drafts that have ended.
import { silence, within, type Access } from './api';
import { lose } from './held';
import type { Model } from './model';
import { notice } from './newer';
import { open } from './open';
import { loadVersions, showVersion } from './saving';
import { announce } from './words';

interface Told { id?: string; revision?: number; why?: string; draft?: string; caller?: string; files?: string[] }

const shortest = 1000, longest = 15000; // pause in ms before the page connects again
const gather = 300; // time in ms in which several events cause only one request

/**
 * listen shows the changes of other devices, and whether the wall answers, as long as the page is open. Every request has a time limit, and
 * an error ends only the current try.
 */
export async function listen(m: Model): Promise<void> {
  let wake = () => {};
  addEventListener('online', () => wake());
  addEventListener('offline', () => connected(m, false));
  for (let pause = shortest, current = true; ; pause = Math.min(pause * 2, longest), current = false) {
    notice(m).catch(() => {}); // the wall does not answer
    try {
      for await (const e of m.client.events('../edit/events')) {
        connected(m, true);
        pause = shortest;
        if (!current) catchUp(m);
        current = true;
        if (e) hear(m, e.name, e.data);
      }
    } catch (e) {
      if ((e as Error).name === 'AbortError') connected(m, false); // the wall has been silent
    }
    const answers = await fetch('../healthz', { cache: 'no-store', signal: within(silence) }).then(() => true, () => false);
    connected(m, answers);
    if (answers) catchUp(m); // the wall may have no room for another stream
    await new Promise<void>((go) => { wake = go; setTimeout(go, pause); });
  }
}

/** connected shows in the header whether the wall answers. */
function connected(m: Model, answers: boolean): void {
  if (m.lost === !answers) return;
  m.lost = !answers;
  announce(answers ? 'Connected' : 'No connection');
  m.redraw();
}

/** catchUp loads the changes that the page has missed. The wall may have been started again without the newest changes. */
function catchUp(m: Model): void {
  m.later('catch up', gather, () => void m.queue.then(() => m.reload(m.draft?.revision)).then(() => loadAgain(m)).catch(() => {}));
}

let heardBefore: Promise<void> = Promise.resolve();

/** hear handles an event after all earlier ones. The stream does not wait, so that a lost connection is noticed meanwhile. */
function hear(m: Model, name: string, data: string): void {
  heardBefore = heardBefore.then(() => heard(m, name, data)).catch(() => {}); // a failed request
}

/** loadAgain loads what the screen shows, because a newly read draft has dropped it. */
function loadAgain(m: Model): void {
  if (m.screen === 'versions') void loadVersions(m).then(() => (m.version ? showVersion(m, m.version.n) : undefined));
  if (m.draft && (m.screen === 'apply' || m.screen === 'theme' || m.screen === 'pick')) open(m, m.screen);
}

async function heard(m: Model, name: string, data: string): Promise<void> {
  let told: Told;
  try { told = JSON.parse(data) as Told; } catch { return; }
  const known = () => told.id !== m.draft?.id || told.revision === m.draft?.revision;
  if (!m.draft && m.trouble && name === 'closed') m.trouble = 'Another draft has ended, so there is room for yours.';
  if (!m.draft) {
    m.later('drafts', gather, () => void loadDrafts(m));
    if (name === 'saved') loadAgain(m); // the list of versions is shown again when a draft opens
    return;
  }
  if (name !== 'saved' && known()) return;
  await m.queue;
  if (name !== 'saved' && known()) return;
  if (name === 'closed') { if (!m.leaving) await end(m, told.why); return; }
  await m.reload();
  loadAgain(m);
  if (name !== 'saved') return;
  if (told.caller && !m.busy && !m.justSaved) m.say({ text: `${told.caller} saved ${(told.files ?? []).join(', ')}. ${told.draft === m.draft?.id ? 'The changes of this draft are on the wall.' : 'Your changes stay.'}` });
  m.justSaved = false;
}

const reasons: Record<string, string> = {
  idle: 'The draft has ended, because nobody used it for ten minutes.',
  replaced: 'The draft has ended, because nobody used it and another device needed its place.',
};

/** end() shows that the draft has ended. It opens no new draft, because the other devices may need the place. */
async function end(m: Model, why = ''): Promise<void> {
  lose(m, m.draft!.id);
  m.ended = reasons[why] ?? 'Another device has thrown this draft away.';
  if (!m.gone) announce(m.ended);
  m.draft = m.places = m.adding = null;
  m.chosen = '';
  m.go('wall', true);
  m.entered();
  await loadDrafts(m);
}

/** loadDrafts loads the list of open drafts, which a page without a draft shows. */
async function loadDrafts(m: Model): Promise<void> {
  m.access = await m.client.get<Access>('../edit').catch(() => m.access);
  m.redraw();
}

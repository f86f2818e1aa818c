// The editor's event stream: changes and saves by other devices, and drafts that have ended.
import type { Access } from './api';
import { lose } from './held';
import type { Model } from './model';
import { notice } from './newer';
import { open } from './open';
import { loadVersions, showVersion } from './saving';
import { announce } from './words';

interface Told { id?: string; revision?: number; why?: string; draft?: string; caller?: string; files?: string[] }

const shortest = 1000, longest = 15000; // pause in ms before the page connects again
const gather = 300; // time in ms in which several events cause only one request

/** listen shows the changes of other devices as long as the page is open. */
export async function listen(m: Model): Promise<void> {
  for (let pause = shortest; ; pause = Math.min(pause * 2, longest)) {
    try {
      await notice(m);
      for await (const e of m.client.events('../edit/events', new AbortController().signal)) {
        m.lost = false;
        pause = shortest;
        await heard(m, e.name, e.data);
      }
    } catch { /* the request is sent again below */ }
    m.lost = !navigator.onLine || !(await fetch('../healthz').then(() => true, () => false));
    m.redraw();
    await new Promise((go) => setTimeout(go, pause));
    await m.queue;
    await m.reload(m.draft?.revision); // the wall may have been started again without the newest changes
    loadAgain(m);
  }
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

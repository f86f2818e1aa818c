// The offer to load the page again after an update of the program.
import { html, nothing } from 'lit';
import { newer } from '../shared/newer';
import { silence, within } from './api';
import * as i from './icons';
import type { Model } from './model';
import type { Part } from './parts';
import { announce } from './words';

const words = 'The wall has a new version of this page. A reload keeps the draft.';

/** notice sets m.newer if the wall serves a newer editor. It fails if the wall does not answer. */
export async function notice(m: Model): Promise<void> {
  if (!await newer(within(silence)) || m.newer) return;
  m.newer = true;
  announce(words);
  m.redraw();
}

/** reload loads the page again, unless the draft lacks a text. */
async function reload(m: Model): Promise<void> {
  await m.taken();
  if (m.unsaved || m.refused.size || m.gone) m.say({ text: 'The draft does not have all your texts yet. Save or remove them, then reload.' });
  else location.reload();
}

/** newerCard offers the reload. The editor does not reload by itself, because a field may contain a text that the wall has not received. */
export function newerCard(m: Model): Part {
  if (!m.newer) return nothing;
  return html`<aside class="card gone" aria-label="New version"><div class="row wraps"><p class="name">${words}</p>
    <button class="main" @click=${() => void reload(m)}>${i.icon(i.mdiRefresh, 20)}Reload</button></div></aside>`;
}

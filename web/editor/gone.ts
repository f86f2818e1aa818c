// The card with the texts of a draft that the wall has deleted.
import { html, nothing } from 'lit';
import type { Draft } from './api';
import { forget, hold, type Held } from './held';
import * as i from './icons';
import type { Model } from './model';
import type { Part } from './parts';
import { download } from './saving';

const shownText = 80; // number of characters of a field's text that the page shows

/**
 * fits reports whether the files are the same as before the changes, so that the held texts replace no other change. A page without a draft
 * first opens a new draft.
 */
const fits = (m: Model, g: Held) => Object.keys(g.files).length > 0 && (!m.draft || Object.keys(g.files).every((name) => m.draft!.files.some((f) => f.name === name && !f.changed && f.hash === g.bases[name])));

async function restore(m: Model, g: Held): Promise<void> {
  if (!m.draft) await m.start();
  if (!m.draft || !fits(m, g)) return;
  for (const [name, text] of Object.entries(g.files)) {
    const hash = m.draft!.files.find((f) => f.name === name)?.hash;
    if (!await m.run(async () => { m.take(await m.client.send<Draft>('PUT', m.at(`/file?name=${encodeURIComponent(name)}`), { text, hash })); return true; })) return;
  }
  m.gone = g.fields.length ? { ...g, files: {} } : null;
  m.say({ text: 'Your changes are in the new draft' });
}

function save(g: Held): void {
  const parts = [...Object.entries(g.files).map(([name, text]) => `# ${name}\n${text}`), ...(g.fields.length ? [`# fields\n${g.fields.join('\n')}\n`] : [])];
  download('my-text.txt', new Blob([parts.join('\n')], { type: 'text/plain' }));
}

/** goneCard offers the texts of a draft that the wall has deleted. */
export function goneCard(m: Model): Part {
  const g = m.gone;
  if (!g) return nothing;
  const names = Object.keys(g.files);
  const close = () => { m.gone = null; if (m.draft) hold(m, m.draft); else forget(); m.redraw(); };
  return html`<aside class="card warn gone" aria-label="Deleted draft"><div class="row top">${i.icon(i.mdiAlertOutline)}<div class="name"><p>The wall has deleted your draft.</p>
      ${names.length ? html`<p class="muted">This page still has your text of ${names.join(', ')}.</p>` : nothing}
      ${g.fields.map((text) => html`<p class="muted">Typed last: ${text.slice(0, shownText)}</p>`)}</div></div>
    <div class="buttons">${fits(m, g) ? html`<button class="main" @click=${() => void restore(m, g)}>Put it into a new draft</button>` : nothing}
      <button @click=${() => save(g)}>${i.icon(i.mdiDownload, 20)}Download my text</button><button @click=${close}>Throw away</button></div></aside>`;
}

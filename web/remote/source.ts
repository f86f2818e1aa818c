// The address from which a wall gets its files.
import { html, nothing, type TemplateResult } from 'lit';
import * as i from '../shared/icons';
import type { Source } from '../shared/api';
import type { Model } from './model';
import { ago, hour, length } from './words';

/** source() returns the page about this address. */
export function source(m: Model): TemplateResult {
  const s = m.source;
  if (!s) return html`<p class="card muted">The files of this wall are in its own folder.</p>`;
  return html`${s.problem ? refusal(s, s.problem) : nothing}
    <section class="card" aria-label="Files on the wall">
      <div class="row">${s.revision ? html`<span class="good">${i.icon(i.mdiCheckCircle, 26)}</span>` : i.icon(i.mdiCloudDownloadOutline, 26)}
        <span class="name">${s.revision ? `${s.revision} is on the wall` : 'No files yet'}<small>${s.refused ? 'last good · ' : ''}${s.since ? `since ${day(s.since)}` : 'the wall shows its own files'}</small></span></div>
      <div class="row">${i.icon(i.mdiCloudCheckOutline, 26)}<span class="name">${s.asked ? `Asked ${ago((Date.now() - Date.parse(s.asked)) / 1000)}` : 'Not asked yet'}</span>
        <span class="muted">${s.next ? `next ${hour(s.next)}` : ''}</span></div></section>
    <h2 class="caps">Source</h2>
    <dl class="card facts">${fact('Address', s.url)}${s.token ? fact('Token', `••••••••••${s.token_end ? ` ${s.token_end}` : ''}`) : nothing}
      ${s.folder ? fact('Folder in it', s.folder) : nothing}${fact('Ask every', `${length(s.every)}, up to ${length(s.jitter)} later`)}</dl>
    <p class="note">While this is on, the wall is edited there. The address is in <code>conf.yaml</code> of this wall.</p>
    <div class="at-foot"><button class="main large" aria-busy=${m.busy.has('source')} @click=${() => m.takeOver()}>${i.icon(i.mdiDownload, 24)}Take over now</button></div>`;
}

/** refusal() shows the reason why files were not accepted. */
function refusal(s: Source, problem: string): TemplateResult { return mistake(s.refused ? `${s.refused} is not taken over` : 'No answer with files', problem); }

/** mistake() shows the first error of files, with its position. */
export function mistake(title: string, problem: string, hint = ''): TemplateResult {
  const first = problem.split('\n', 1)[0], place = /^([^\s:]+:\d+(?::\d+)?):? (.*)$/.exec(first);
  return html`<section class="card bad-card" role="status"><div class="row top">${i.icon(i.mdiFileAlertOutline, 26)}<span class="name">${title}
    <small>${place ? html`<b>${place[1]}</b> ${place[2]}` : first}</small>${hint ? html`<small>${hint}</small>` : nothing}</span></div></section>`;
}

function fact(name: string, value: string): TemplateResult { return html`<div class="fact"><dt>${name}</dt><dd>${value}</dd></div>`; }

/** day() returns a time as text, such as "18:40", "yesterday, 18:40" or "15 May, 18:40". */
function day(at: string): string {
  const then = new Date(at), now = new Date(), midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  if (then.getTime() >= midnight) return hour(at);
  if (then.getTime() >= midnight - 864e5) return `yesterday, ${hour(at)}`;
  return `${then.toLocaleDateString('en-GB', { day: 'numeric', month: 'long' })}, ${hour(at)}`;
}

// The page of the editor: it chooses which screen is drawn, and it draws the wall with the controls around it.
import { html, nothing, type TemplateResult } from 'lit';
import { closeScreen, devicesScreen, keyHints, keysScreen, lockedScreen, moreScreen } from './access';
import { applyScreen, problemsScreen, troubles, versionsScreen } from './apply';
import { conflictScreen } from './conflict';
import { dataScreen, newDataScreen, providerScreen } from './data';
import { filesScreen } from './files';
import { formPanel, formScreen, iconsScreen } from './form';
import { goneCard } from './gone';
import { newerCard } from './newer';
import * as i from './icons';
import { layoutScreen } from './layout';
import { plural } from './live';
import type { Model } from './model';
import { applyButton, lostLine, tabs, toast, undoButtons } from './parts';
import { pickScreen } from './pick';
import { galleryScreen, needScreen, placesScreen } from './places';
import { themeScreen } from './theme';
import { actionButtons, bar, beginning, looks, picture, source, status, summary, tree } from './wall';
import { changes } from './words';

/** page() draws the screen that is open. */
export function page(m: Model): TemplateResult {
  if (!m.access) return html`<main class="one"><h1 class="unseen">Editor</h1><p class="muted">Connecting to the wall…</p></main>`;
  if (!m.access.may) return html`${lockedScreen(m)}${toast(m)}`;
  if (!m.draft) {
    return html`<header><a class="iconic back" href="../" aria-label="Back to the wall">${i.icon(i.mdiClose)}</a><div class="name"><h1>${m.name}</h1>${lostLine(m)}</div></header><main class="one">${newerCard(m)}${goneCard(m)}<p>${m.ended || m.trouble || 'Opening the draft…'}</p>
      ${(m.access.drafts ?? []).map((one) => html`<section class="card" aria-label="Draft"><h2>${one.view ?? 'main'}, ${changes(one.changes)}</h2><p class="muted">last touched ${one.idle_s < 90 ? `${one.idle_s} s` : `${Math.round(one.idle_s / 60)} min`} ago</p>
        <div class="buttons"><button class="main" @click=${() => void m.resume(one.id)}>Go on with it</button><button class="removes" @click=${() => void m.throwAway(one.id)}>Throw away</button></div></section>`)}
      ${m.ended ? html`<button class=${m.gone ? '' : 'main large'} data-start @click=${() => void m.start()}>Edit</button>` : m.trouble ? html`<button @click=${() => void m.start()}>${i.icon(i.mdiRefresh, 20)}Try now</button>` : nothing}</main>`;
  }
  return html`${newerCard(m)}${goneCard(m)}${screen(m)}${toast(m)}`;
}

function screen(m: Model): TemplateResult {
  switch (m.screen) {
    case 'form': return innerWidth < 720 ? formScreen(m) : wallScreen(m);
    case 'gallery': return galleryScreen(m);
    case 'need': return needScreen(m);
    case 'places': return placesScreen(m);
    case 'layout': return layoutScreen(m);
    case 'data': return dataScreen(m);
    case 'provider': return providerScreen(m);
    case 'pick': return pickScreen(m);
    case 'newdata': return newDataScreen(m);
    case 'theme': return themeScreen(m);
    case 'files': return filesScreen(m);
    case 'problems': return problemsScreen(m);
    case 'apply': return applyScreen(m);
    case 'conflict': return conflictScreen(m);
    case 'versions': return versionsScreen(m);
    case 'devices': return devicesScreen(m);
    case 'more': return moreScreen(m);
    case 'keys': return keysScreen(m);
    case 'icons': return iconsScreen(m);
    case 'close': return closeScreen(m);
  }
  return wallScreen(m);
}

function wallScreen(m: Model): TemplateResult {
  const d = m.draft!, w = innerWidth, phone = w < 720, wide = w >= 1100;
  const wrong = m.widgets().length || d.changes ? m.problems('error').length : 0;
  const close = () => { if (d.changes) m.go('close'); else location.assign('../'); };
  const head = html`<header class="top"><button class="iconic back" aria-label="Close" @click=${close}>${i.icon(i.mdiClose)}</button>
    <div class=${phone ? 'name' : 'title'}><h1 tabindex="-1">${m.name}</h1>${wide ? nothing : m.lost ? lostLine(m) : wrong || phone ? html`<p class="muted">${wrong ? plural(wrong, 'error', 'errors') : d.changes ? changes(d.changes) : 'no changes'}</p>` : nothing}</div>
    ${phone ? nothing : html`${tabs(m)}<span class="grow"></span>${wide ? status(m) : nothing}`}${undoButtons(m)}
    ${phone ? nothing : html`<button class="iconic" aria-label="Versions" title="Versions" @click=${() => m.go('versions')}>${i.icon(i.mdiHistory)}</button><button class="iconic" aria-label="More" title="More" @click=${() => m.go('more')}>${i.icon(i.mdiDotsHorizontal)}</button>`}
    ${applyButton(m)}</header>`;
  if (phone) {
    return html`${head}<main class="phone-wall" aria-label="The wall"><div class="stuck">${picture(m)}</div>${looks(m)}<div class="one">${troubles(m)}${beginning(m)}${summary(m)}<section class="card tree-card" aria-label="On this wall">${tree(m)}</section></div></main>${bar(m)}`;
  }
  return html`${head}<main class="desk ${wide ? 'three' : 'two-columns'}">${wide ? html`<div class="side">${tree(m)}${keyHints(m)}</div>` : nothing}
    <div class="middle" aria-label="The wall" role="group">${looks(m)}${picture(m)}${troubles(m)}${beginning(m)}${actionButtons(m)}${wide ? nothing : html`<details class="card tree-menu" ?open=${!m.chosen}><summary>Widgets of this wall</summary>${tree(m)}</details>`}${source(m)}</div>
    ${formPanel(m)}</main>`;
}

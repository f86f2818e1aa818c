// The page at /walls: all walls of the network, and actions on several of them.
import { html, nothing, render, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import * as i from '../shared/icons';
import { again, typed } from '../shared/newer';
import { tokenForm } from '../shared/token';
import { Adding } from './wallspair';
import { Fleet, shows, type Filter, type Result } from './wallsmodel';
import { tile } from './walltile';

type Menu = 'page' | 'theme' | 'power' | 'update';

const root = document.getElementById('app')!;
const fleet = new Fleet(draw);
let adding: Adding | null = null, menu: Menu | null = null, text = '', wrong = '', sought = false;

const filters: [Filter, string, string][] = [
  ['silent', 'silent', i.mdiLanDisconnect], ['updating', 'updating', i.mdiProgressDownload], ['stale', 'stale', i.mdiClockAlertOutline], ['battery', 'battery low', i.mdiBatteryLow],
];

function add(): void {
  adding = new Adding(fleet, () => { adding = null; draw(); });
}

function page(): TemplateResult {
  const list = fleet.walls.filter((w) => shows[fleet.filter](w) && w.name.toLowerCase().includes(fleet.find.toLowerCase()));
  const search = () => { sought = !sought; draw(); if (sought) root.querySelector<HTMLInputElement>('input[type=search]')?.focus(); };
  return html`<header class="walls-top"><h1>Walls</h1>
      <button class="iconic seek" aria-label="Find" aria-expanded=${sought} @click=${search}>${i.icon(i.mdiMagnify)}</button>
      <button class="add" aria-label="Add a wall" @click=${() => { add(); void adding!.list(); }}>${i.icon(i.mdiPlus, 20)}<span>Add</span></button>
      <input type="search" class=${sought ? 'sought' : ''} aria-label="Find a wall" placeholder="Find" .value=${live(fleet.find)} @input=${(e: Event) => { fleet.find = (e.currentTarget as HTMLInputElement).value; draw(); }}>
      <nav class="filters" aria-label="Filter">${chip('all', `All ${fleet.walls.length}`)}${filters.map(([f, word, icon]) => chip(f, word, icon))}</nav></header>
    <main class="walls">${fleet.problem ? html`<p class="card warn" role="alert">${fleet.problem}</p>` : nothing}
      ${fleet.known && !fleet.walls.length ? html`<p class="card muted">No wall was found yet. Walls on this network announce themselves; <code>walls</code> in <code>conf.yaml</code> lists others.</p>` : nothing}
      <ul class="tiles">${repeat(list, (w) => w.id, (w) => tile(fleet, w, (one) => { add(); void adding!.open(one); }))}</ul></main>
    <div role="status" class="unseen">${fleet.results ? summary(fleet.results) : ''}</div>
    ${fleet.results ? outcome(fleet.results) : fleet.chosen.size ? bar() : nothing}`;
}

function chip(f: Filter, word: string, icon = ''): TemplateResult | typeof nothing {
  const n = fleet.walls.filter(shows[f]).length;
  if (f !== 'all' && !n) return nothing;
  return html`<button class="chip ${f}" aria-pressed=${fleet.filter === f} @click=${() => fleet.sort(f)}>${icon ? html`${i.icon(icon, 20)}<span>${n} <span class="word">${word}</span></span>` : word}</button>`;
}

function bar(): TemplateResult {
  const submit = (e: Event) => {
    e.preventDefault();
    if (text.trim()) void fleet.act('message', text.trim()).then((sent) => { if (sent) text = ''; draw(); });
  };
  const none = () => { fleet.chosen.clear(); menu = null; draw(); };
  return html`<section class="dock" aria-label="Chosen walls"><div class="count-row"><b>${fleet.chosen.size} chosen</b><button class="quiet" @click=${none}>Choose none</button></div>
    <form class="write" @submit=${submit}><input aria-label="Message" placeholder="Message" maxlength="200" .value=${live(text)} @input=${(e: Event) => { text = (e.currentTarget as HTMLInputElement).value; }}>
      <button class="main" aria-busy=${fleet.busy}>Show</button></form>
    <div class="actions">${choice('page', 'Page', i.mdiViewCarouselOutline)}${choice('theme', 'Theme', i.mdiThemeLightDark)}${choice('power', 'Power', i.mdiPower)}
      ${action('Reload', i.mdiRefresh, () => run('reload'))}${action('Identify', i.mdiLightbulbOnOutline, () => run('identify'))}${choice('update', 'Update', i.mdiUpdate)}</div>
    ${menu ? html`<div class="menu" role="group" aria-label=${menu}>${menus[menu]()}</div>` : nothing}</section>`;
}

function action(name: string, icon: string, does: () => unknown): TemplateResult {
  return html`<button class="action" @click=${does}>${i.icon(icon, 22)}<span>${name}</span></button>`;
}

function choice(which: Menu, name: string, icon: string): TemplateResult {
  return html`<button class="action" aria-expanded=${menu === which} @click=${() => { menu = menu === which ? null : which; draw(); }}>${i.icon(icon, 22)}<span>${name}</span></button>`;
}

function run(name: string, value = ''): void {
  menu = null;
  void fleet.act(name, value);
}

/** named() returns the names of the chosen walls, for the question before a switch. */
const named = () => fleet.walls.filter((w) => fleet.chosen.has(w.id)).map((w) => w.name).join(', ');

const menus: Record<Menu, () => TemplateResult> = {
  page: () => html`<form class="write" @submit=${(e: Event) => {
    e.preventDefault();
    const name = ((e.currentTarget as HTMLFormElement).elements.namedItem('page') as HTMLInputElement).value.trim();
    if (name) run('page', name);
  }}><input name="page" aria-label="Name of the page" placeholder="Name of the page" required><button class="main">Show</button></form>`,
  theme: () => html`<button @click=${() => run('theme', 'day')}>Day</button><button @click=${() => run('theme', 'night')}>Night</button><button @click=${() => run('theme', 'auto')}>Auto</button>`,
  power: () => html`<p class="muted">Screens of <bdi>${named()}</bdi></p><button @click=${() => run('power', 'on')}>Switch on</button><button @click=${() => run('power', 'off')}>Switch off</button>`,
  update: () => html`<p class="muted">Install the update on <bdi>${named()}</bdi>?</p><button @click=${() => run('update')}>Update now</button>`,
};

function summary(all: Result[]): string { return `On ${all.filter((r) => r.success).length} of ${all.length} walls`; }

function outcome(all: Result[]): TemplateResult {
  const failed = all.filter((r) => !r.success).map((r) => r.id), last = fleet.last;
  const shown = last?.action === 'message' ? 'shown' : 'done';
  return html`<section class="dock result" aria-label="Result"><div><b>${summary(all)}</b>${last?.value ? html`<small>“<bdi>${last.value}</bdi>”</small>` : nothing}</div>
    <ul class="results" tabindex="0" aria-label="Result of each wall">${all.map((r) => html`<li class=${r.success ? 'good' : 'bad'}>${i.icon(r.success ? i.mdiCheckCircle : i.mdiAlertCircleOutline, 24)}<span><b><bdi>${r.name}</bdi></b>
      <small>${r.success ? `${shown} ${new Date(r.at).toLocaleTimeString('en-GB')}` : r.error}</small></span></li>`)}</ul>
    <div class="buttons-row">${failed.length && last ? html`<button aria-busy=${fleet.busy} @click=${() => fleet.act(last.action, last.value, failed)}>Send again</button>` : nothing}
      ${last?.action === 'message' ? html`<button @click=${() => fleet.act('take_back', '', all.map((r) => r.id))}>Take back</button>` : nothing}
      <button class="main" @click=${() => { fleet.results = null; fleet.chosen.clear(); draw(); }}>Done</button></div></section>`;
}

/** locked() asks for the control token of this wall. */
function locked(): TemplateResult {
  const take = (token: string) => {
    fleet.tokens.keep({ control: token });
    void fleet.load().then(() => { wrong = fleet.locked ? 'This is not the token of this wall.' : ''; draw(); });
  };
  return html`<header><h1>Walls</h1></header><main class="one adding">${tokenForm({ label: 'Control token of this wall', button: 'Open', wrong, kept: false, redraw: draw, take })}</main>`;
}

function draw(): void { render(fleet.locked ? locked() : adding ? adding.page() : page(), root); }

addEventListener('keydown', (e) => {
  if (e.key !== 'Escape') return;
  if (adding) adding = null;
  else if (menu) menu = null;
  else if (fleet.results) fleet.results = null;
  else fleet.chosen.clear();
  draw();
});

draw();
// The page is loaded again after an update of the program, unless a person is using it.
void fleet.run(() => {
  if (!adding && !fleet.chosen.size && !fleet.results && !typed()) again();
});

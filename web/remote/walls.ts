// The page at /walls: all walls of the network, and actions on several of them.
import { html, nothing, render, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import { ask, Refusal, Tokens } from '../shared/api';
import * as i from '../shared/icons';

interface Wall {
  id: string; name: string; url: string; listed: boolean; keyed: boolean; locked: boolean; version: string | null; silent: boolean; stale: number;
  problem: string | null; seconds_since_answer: number | null; seconds_since_picture: number | null;
}
interface Result { id: string; name: string; success: boolean; error: string | null; at: string }
type Filter = 'all' | 'silent' | 'stale';

const pause = 5000; // ms between requests
const root = document.getElementById('app')!;
const tokens = new Tokens();
const pictures = new Map<string, string>(); // blob addresses by id
const chosen = new Set<string>();
let walls: Wall[] = [], known = false, locked = false, wrong = '', problem = '', filter: Filter = 'all', find = '', text = '', busy = false;
let results: Result[] | null = null, keyFor: Wall | null = null, loaded = 0, last: { action: string; value: string } | null = null;

/** load asks for the walls and their pictures. */
async function load(): Promise<void> {
  try {
    const answer = await ask<{ walls: Wall[] }>(tokens, 'GET', 'walls');
    walls = answer.walls;
    known = true;
    locked = false;
    problem = '';
    loaded = Date.now();
    for (const id of chosen) if (!walls.some((w) => w.id === id)) chosen.delete(id);
    draw();
    await Promise.all(walls.filter((w) => !w.silent && w.seconds_since_picture !== null).map(picture));
  } catch (reason) {
    locked = reason instanceof Refusal && reason.status === 401;
    problem = locked ? '' : reason instanceof Refusal ? reason.message : 'This wall does not answer.';
  }
  draw();
}

async function picture(w: Wall): Promise<void> {
  const headers: Record<string, string> = tokens.control ? { Authorization: `Bearer ${tokens.control}` } : {};
  const answer = await fetch(`walls/${w.id}/picture`, { headers, cache: 'no-store' });
  if (!answer.ok) return;
  const old = pictures.get(w.id);
  pictures.set(w.id, URL.createObjectURL(await answer.blob()));
  if (old) setTimeout(() => URL.revokeObjectURL(old), 1000); // the page has drawn the new one by then
}

/** act does the same on the chosen walls and keeps the result of each. */
async function act(action: string, value = '', ids = [...chosen]): Promise<void> {
  if (busy || !ids.length) return;
  if (action === 'power' && ids.length > 1 && !confirm(`Switch ${value} ${walls.filter((w) => ids.includes(w.id)).map((w) => w.name).join(', ')}?`)) return;
  busy = true;
  last = { action, value };
  draw();
  try {
    results = (await ask<{ results: Result[] }>(tokens, 'POST', 'walls', value ? { walls: ids, action, value } : { walls: ids, action })).results;
    problem = '';
    if (action === 'message') text = '';
  } catch (reason) {
    problem = reason instanceof Refusal ? reason.message : 'This wall does not answer.';
  }
  busy = false;
  draw();
}

function age(seconds: number | null): string {
  if (seconds === null) return 'no picture';
  const s = seconds + Math.floor((Date.now() - loaded) / 1000);
  if (s < 60) return `${s} s ago`;
  if (s < 3600) return `${Math.floor(s / 60)} min ago`;
  return `${Math.floor(s / 3600)} h ago`;
}

const shows: Record<Filter, (w: Wall) => boolean> = { all: () => true, silent: (w) => w.silent, stale: (w) => w.stale > 0 && !w.silent };

function page(): TemplateResult {
  const list = walls.filter((w) => shows[filter](w) && w.name.toLowerCase().includes(find.toLowerCase()));
  return html`<header class="walls-top"><h1>Walls</h1><nav class="filters" aria-label="Filter">${(['all', 'silent', 'stale'] as Filter[]).map(chip)}</nav>
      <input type="search" aria-label="Find" placeholder="Find" .value=${live(find)} @input=${(e: Event) => { find = (e.currentTarget as HTMLInputElement).value; draw(); }}></header>
    <main class="walls">${problem ? html`<p class="card warn" role="alert">${problem}</p>` : nothing}
      ${known && !walls.length ? html`<p class="card muted">No wall was found yet. Walls on this network announce themselves; <code>walls</code> in <code>conf.yaml</code> lists others.</p>` : nothing}
      <ul class="tiles">${repeat(list, (w) => w.id, tile)}</ul></main>
    <div role="status" class="unseen">${results ? summary(results) : ''}</div>
    ${keyFor ? keyForm(keyFor) : results ? outcome(results) : chosen.size ? bar() : nothing}`;
}

function chip(f: Filter): TemplateResult | typeof nothing {
  const n = walls.filter(shows[f]).length;
  if (f !== 'all' && !n) return nothing;
  return html`<button class="chip ${f}" aria-pressed=${filter === f} @click=${() => { filter = f; draw(); }}>${f === 'all' ? `All ${n}` : `${n} ${f}`}</button>`;
}

function tile(w: Wall): TemplateResult {
  const toggle = () => { if (!chosen.delete(w.id)) chosen.add(w.id); results = null; draw(); };
  const state = w.silent ? html`<span class="bad">${i.icon(i.mdiLanDisconnect, 20)}${w.seconds_since_answer === null ? 'no answer' : `since ${since(w.seconds_since_answer)}`}</span>`
    : w.locked ? html`<button class="quiet" @click=${() => { keyFor = w; wrong = ''; draw(); }}>Enter its token</button>`
      : w.stale ? html`<span class="warn">${i.icon(i.mdiClockAlertOutline, 20)}${w.stale} stale</span>` : nothing;
  return html`<li class="tile ${w.silent ? 'silent' : ''} ${chosen.has(w.id) ? 'chosen' : ''}">
    <a href="${w.url}/">${pictures.has(w.id) ? html`<img alt="" src=${pictures.get(w.id)!}>` : html`<span class="empty"></span>`}
      <span class="words"><b>${w.name}</b><span class="muted">${w.silent ? 'silent' : age(w.seconds_since_picture)}</span></span></a>
    <div class="foot"><button class="check" role="checkbox" aria-checked=${chosen.has(w.id)} aria-label="Choose ${w.name}" @click=${toggle}>${i.icon(chosen.has(w.id) ? i.mdiCheck : i.mdiPlus, 20)}</button>
      <span class="muted">${w.version ?? ''}</span>${state}</div></li>`;
}

function since(seconds: number): string {
  return new Date(loaded - seconds * 1000).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}

function bar(): TemplateResult {
  const submit = (e: Event) => { e.preventDefault(); if (text.trim()) void act('message', text.trim()); };
  const paged = () => { const name = prompt('Name of the page'); if (name) void act('page', name); };
  return html`<section class="dock" aria-label="Chosen walls"><div class="row"><b class="name">${chosen.size} chosen</b><button class="quiet" @click=${() => { chosen.clear(); draw(); }}>Choose none</button></div>
    <form class="write" @submit=${submit}><input aria-label="Message" placeholder="Message" maxlength="200" .value=${live(text)} @input=${(e: Event) => { text = (e.currentTarget as HTMLInputElement).value; }}>
      <button class="main" aria-busy=${busy}>Show</button></form>
    <div class="actions"><button @click=${paged}>Page</button><button @click=${() => act('theme', 'day')}>Day</button><button @click=${() => act('theme', 'night')}>Night</button>
      <button @click=${() => act('theme', 'auto')}>Auto</button><button @click=${() => act('power', 'on')}>On</button><button @click=${() => act('power', 'off')}>Off</button>
      <button @click=${() => act('reload')}>Reload</button><button @click=${() => act('identify')}>Identify</button></div></section>`;
}

function summary(all: Result[]): string { return `On ${all.filter((r) => r.success).length} of ${all.length} walls`; }

function outcome(all: Result[]): TemplateResult {
  const failed = all.filter((r) => !r.success).map((r) => r.id);
  return html`<section class="dock" aria-label="Result"><b>${summary(all)}</b>
    <ul class="results" tabindex="0" aria-label="Result of each wall">${all.map((r) => html`<li class=${r.success ? 'good' : 'bad'}>${i.icon(r.success ? i.mdiCheck : i.mdiAlertCircleOutline, 22)}<span><b>${r.name}</b>
      <small>${r.success ? `done ${new Date(r.at).toLocaleTimeString('en-GB')}` : r.error}</small></span></li>`)}</ul>
    <div class="actions">${failed.length && last ? html`<button aria-busy=${busy} @click=${() => act(last!.action, last!.value, failed)}>Send again</button>` : nothing}
      ${last?.action === 'message' ? html`<button @click=${() => act('take_back', '', all.map((r) => r.id))}>Take back</button>` : nothing}
      <button class="main" @click=${() => { results = null; chosen.clear(); draw(); }}>Done</button></div></section>`;
}

/** keyForm asks for the control token of a wall. This wall keeps it. */
function keyForm(w: Wall): TemplateResult {
  return tokenForm(`Control token of ${w.name}`, 'Keep', async (token) => {
    try {
      await ask(tokens, 'POST', `walls/${w.id}`, { token });
      keyFor = null;
    } catch (reason) {
      wrong = reason instanceof Refusal ? reason.message : 'This wall does not answer.';
    }
    await load();
  }, () => { keyFor = null; draw(); });
}

function tokenForm(label: string, button: string, done: (token: string) => unknown, cancel?: () => void): TemplateResult {
  const submit = (e: Event) => {
    e.preventDefault();
    void done(((e.currentTarget as HTMLFormElement).elements.namedItem('token') as HTMLInputElement).value);
  };
  return html`<form class="dock" @submit=${submit}><label for="token">${label}</label><input id="token" name="token" type="password" autocomplete="off" required aria-describedby="wrong">
    <p id="wrong" class="error" role="alert" ?hidden=${!wrong}>${wrong}</p><div class="actions"><button class="main">${button}</button>${cancel ? html`<button type="button" @click=${cancel}>Cancel</button>` : nothing}</div></form>`;
}

function draw(): void {
  render(locked ? html`<header><h1>Walls</h1></header><main class="walls">${tokenForm('Control token of this wall', 'Open', async (token) => {
    tokens.keep({ control: token });
    await load();
    wrong = locked ? 'This is not the token of this wall.' : '';
    draw();
  })}</main>` : page(), root);
}

async function run(): Promise<void> {
  for (;;) {
    if (document.visibilityState === 'visible' && !locked) await load();
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

draw();
void run();

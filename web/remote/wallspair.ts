// Adding a wall to the page of all walls, by six digits on its screen or by its control token.
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from '../shared/api';
import * as i from '../shared/icons';
import { tokenForm } from '../shared/token';
import { ago } from './words';
import { words, type Fleet, type Peer, type Wall } from './wallsmodel';

const digits = 6;

/** Adding is the part of the page with which walls are added and removed. */
export class Adding {
  wall: Wall | null = null; // the wall whose code the page asks for. null: the page lists all walls
  private until = ''; // time when the code ends ("" while no code is shown)
  private byToken = false;
  private wrong = '';
  private busy = false;

  constructor(private readonly fleet: Fleet, private readonly close: () => void) {}

  private async do(run: () => Promise<unknown>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.wrong = '';
    this.fleet.changed();
    try {
      await run();
    } catch (reason) {
      this.wrong = words(reason);
    }
    this.busy = false;
    this.fleet.changed();
    return !this.wrong;
  }

  /** open makes a wall show its code. */
  async open(w: Wall): Promise<void> {
    Object.assign(this, { wall: w, until: '', byToken: false });
    const asked = await this.do(async () => { this.until = (await ask<{ until: string }>(this.fleet.tokens, 'POST', `walls/${w.id}/ask`)).until; });
    if (!asked) this.byToken = true;
    this.fleet.changed();
    document.querySelector<HTMLInputElement>('#code, #token')?.focus();
  }

  /** list() shows the added walls, and requests the walls that may control this wall. */
  async list(): Promise<void> {
    this.wall = null;
    this.wrong = '';
    await this.do(async () => { this.fleet.peers = (await ask<{ peers: Peer[] }>(this.fleet.tokens, 'GET', 'peers')).peers; });
  }

  private async add(url: string): Promise<void> {
    let id = '';
    const added = await this.do(async () => {
      id = (await ask<{ id: string }>(this.fleet.tokens, 'PUT', 'walls', { url })).id;
      await this.fleet.load();
    });
    const w = this.fleet.walls.find((one) => one.id === id);
    if (added && w) await this.open(w);
  }

  private async finish(run: () => Promise<unknown>): Promise<void> {
    if (!await this.do(run)) return;
    await this.fleet.load();
    this.close();
  }

  page(): TemplateResult {
    return html`<header><button class="iconic back" aria-label="Back" @click=${() => this.wall ? void this.list() : this.close()}>${i.icon(i.mdiArrowLeft)}</button></header>
      <main class="one adding">${this.wall ? this.byToken ? this.token(this.wall) : this.code(this.wall) : this.all()}</main>`;
  }

  private problem(): TemplateResult {
    return html`<p class="error" role="alert" id="wrong" ?hidden=${!this.wrong}>${i.icon(i.mdiAlertCircleOutline, 20)}<span>${this.wrong}</span></p>`;
  }

  private code(w: Wall): TemplateResult {
    const typed = (e: Event) => {
      const field = e.currentTarget as HTMLInputElement, code = field.value.replace(/\D/g, '').slice(0, digits);
      field.value = code;
      if (code.length < digits) return;
      void this.finish(() => ask(this.fleet.tokens, 'POST', `walls/${w.id}/code`, { code })).then(() => { field.value = ''; });
    };
    const end = this.until && new Date(this.until).toLocaleTimeString('en-GB', { hour: 'numeric', minute: '2-digit' });
    return html`<h1 class="headline">Enter the digits on the wall</h1>
      <p class="muted">${this.until ? html`<bdi>${w.name}</bdi> shows them until ${end}.` : html`Asking <bdi>${w.name}</bdi> …`}</p>
      <label class="unseen" for="code">Digits on the wall</label>
      <input id="code" class="digits" inputmode="numeric" autocomplete="one-time-code" maxlength="7" aria-describedby="wrong tries" ?disabled=${!this.until} @input=${typed}>
      ${this.problem()}
      <p class="muted" id="tries">Three tries. It goes on after the sixth digit.</p>
      <button class="quiet" @click=${() => { this.byToken = true; this.fleet.changed(); }}>Use its control token instead</button>`;
  }

  private token(w: Wall): TemplateResult {
    const take = (token: string) => void this.finish(() => ask(this.fleet.tokens, 'POST', `walls/${w.id}`, { token }));
    return html`<h1 class="headline">Control token of <bdi>${w.name}</bdi></h1>
      ${tokenForm({ label: 'Control token', button: 'Keep', wrong: this.wrong, kept: false, busy: this.busy, redraw: () => this.fleet.changed(), take })}
      <button class="quiet" @click=${() => void this.open(w)}>Ask for a code</button>`;
  }

  private all(): TemplateResult {
    const f = this.fleet, open = f.walls.filter((w) => !w.keyed && w.locked), kept = f.walls.filter((w) => w.keyed && !w.listed || w.added);
    const submit = (e: Event) => {
      e.preventDefault();
      const url = ((e.currentTarget as HTMLFormElement).elements.namedItem('url') as HTMLInputElement).value.trim();
      void this.add(url);
    };
    return html`<h1 class="headline">Add a wall</h1>
      ${group('Found on this network', open.map((w) => row(w.name, w.url, html`<button class="main" @click=${() => void this.open(w)}>Pair</button>`)))}
      <form class="card ask" @submit=${submit}><label for="url">Address of another wall</label><input id="url" name="url" inputmode="url" autocomplete="off" placeholder="hall.local:5000" required aria-describedby="wrong">
        ${this.problem()}<button class="main" aria-busy=${this.busy}>Add</button></form>
      ${group('Walls with a key', kept.map((w) => row(w.name, w.paired ? 'paired' : w.keyed ? 'control token' : 'no token', revoke(w.name, async () => {
        await this.do(() => ask(f.tokens, 'DELETE', `walls/${w.id}`));
        await f.load();
      }))))}
      ${group('May control this wall', f.peers.map((p) => row(p.name, `${p.address}${p.seen_at ? `, ${ago((Date.now() - Date.parse(p.seen_at)) / 1000)}` : ''}`, revoke(p.name, async () => {
        await this.do(() => ask(f.tokens, 'DELETE', `peers/${p.id}`));
        await this.list();
      }))))}`;
  }
}

function group(title: string, rows: TemplateResult[]): TemplateResult | typeof nothing {
  return rows.length ? html`<section class="card" aria-label=${title}><h2 class="label">${title}</h2>${rows}</section>` : nothing;
}

function row(name: string, about: string, button: TemplateResult): TemplateResult {
  return html`<div class="row"><span class="name"><bdi>${name}</bdi><small><bdi>${about}</bdi></small></span>${button}</div>`;
}

function revoke(name: string, run: () => unknown): TemplateResult {
  return html`<button class="remove" aria-label="Revoke ${name}" @click=${run}>Revoke</button>`;
}

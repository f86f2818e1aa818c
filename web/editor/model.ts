// The state of the editor: the server's draft, the selection, the open screen, and the operations.
import { Client, Refused, wantedView, type Access, type Asking, type Conflict, type Connection, type Merged, type Device, type Diff, type Draft, type Gallery, type Home, type Icon, type Item, type Live, type Node, type Op, type Own, type Param, type Place, type TestResult, type ThemeState, type Value, type Version } from './api';
import { deleted, hold, isGone, lose, recall, type Held } from './held';
import { Pictures } from './pictures';
import { Schemas } from './schema';
import { isShared, showsDraft } from './tabs';
import { closeToast, holdToast, type Toast } from './toast';
import { Typing } from './typing';
import { announce, changes, message, nameWidgets } from './words';

export type Screen = 'wall' | 'form' | 'gallery' | 'need' | 'places' | 'layout' | 'data' | 'provider' | 'pick' | 'newdata' | 'theme' | 'files' | 'problems' | 'apply' | 'conflict' | 'versions' | 'devices' | 'more' | 'keys' | 'icons' | 'close';

/** The size, the theme, the effect and the data of the draft's picture. */
export interface Look { size: [number, number] | null; theme: '' | 'day' | 'night'; data: 'live' | 'sample'; effect: string }

export class Model {
  readonly client = new Client();
  readonly schemas = new Schemas(this.client, () => this.redraw());
  readonly pictures = new Pictures(this.client, () => this.redraw());
  access: Access | null = null;
  trouble = '';
  draft: Draft | null = null;
  chosen = '';
  screen: Screen = 'wall';
  lost = false;
  newer = false; // true if the wall has a newer version of this page
  busy = '';
  toast: Toast | null = null;
  look: Look = { size: null, theme: '', data: 'live', effect: '' };
  lens: [number, number] | null = null;
  menu = '';
  closed = new Set<string>();
  texts = new Map<string, { hash: string; text: string }>();
  // Texts that a person has typed and texts that the draft has refused, by node and key.
  refused = new Map<string, string>();
  typed = new Map<string, string>();
  readonly typing = new Typing(this);
  unsaved: { name: string; text: string } | null = null; // text of a file that the draft does not have yet
  gone: Held | null = null; // texts of a draft that the wall has deleted
  readonly bases = new Map<string, string>(); // hashes of the files before the changes
  more = new Set<string>();
  shape = { id: '', keys: [] as string[], top: 0 }; // the first fields of the open form in their order, and the number of fields with a value
  // State of single screens.
  gallery: Gallery | null = null;
  find = '';
  category = '';
  adding: { item: Item; given: Record<string, string> } | null = null;
  places: { title: string; moving?: string; copying?: string; list: Place[] } | null = null;
  accepted = new Set<string>();
  diff: Diff | null = null;
  shown = '';
  // undo is the number of the save that a person undoes, if later saves have changed the same lines.
  conflicts: { list: Conflict[]; merged: Merged[]; own?: Own; undo?: number; choice: Record<string, { take: 'yours' | 'theirs' | 'text'; text?: string }>; clean?: { errors: number; words: string } } | null = null;
  versions: Version[] | null = null;
  kept = ''; // size of all versions in words
  version: Version | null = null;
  provider = '';
  tests = new Map<string, TestResult | 'busy'>();
  homes: Home[] | null = null; // null while they are being searched
  values = new Map<string, Value[]>();
  live: { key: string; at: number; list: Live[] } = { key: '', at: 0, list: [] };
  picked = { path: '', formula: '', result: '', error: '', unit: '' };
  card = ''; // widget with the chosen value, as the picture of the screen Pick shows it
  theme: ThemeState | null = null;
  role = '';
  icons: { for: string; key: string; find: string; list: Icon[] } | null = null;
  glyphs = new Map<string, string>();
  devices: Device[] | null = null;
  asking = { list: [] as Asking[], chosen: '', guest: false, digits: undefined as boolean | undefined, changed: 0 }; // devices that ask for the permission; the one to confirm, and whether as a guest; whether they can ask with six digits, if the wall shows such; time of the last change
  secrets: { name: string; set: boolean }[] = [];
  connections: Connection[] = [];
  file = '';
  fileLine = 0;
  code = { digits: '', name: '', asked: 0, ends: 0, wrong: '' };
  portrait = false;
  suggested = 0; // number of the chosen suggestion, from 1, or 0 for none
  shelfSize = 24;
  filling = ''; // free place into which an item of the gallery is put
  template: { kind: string; given: Record<string, string>; into?: string } | null = null;

  queue: Promise<unknown> = Promise.resolve(); // ends when all earlier requests have ended
  private timers = new Map<string, ReturnType<typeof setTimeout>>();

  /** opened loads what a screen shows. `listen` waits for changes by other devices. */
  constructor(readonly redraw: () => void, private readonly opened: (screen: Screen) => void, private readonly listen: () => void) {}

  get name(): string { return this.draft?.name || this.access?.name || this.draft?.view || 'Wall'; }

  /** start() requests access and opens the draft of this session. Then it listens for saves by other programs. */
  async start(): Promise<void> {
    this.ended = '';
    try {
      this.access = await this.client.get<Access>('../edit');
      this.trouble = '';
    } catch (e) {
      const body = e instanceof Refused ? e.body as unknown as Access : {} as Access;
      this.access = { ...body, may: false, error: e instanceof Refused ? e.message : 'The wall does not answer.', why: body.why ?? (e instanceof Refused ? 'token' : 'lost') };
    }
    if (this.access.may && !this.listening) this.listen();
    this.listening ||= this.access.may;
    if (this.access.may) await this.open();
    this.redraw();
  }

  private async open(): Promise<void> {
    const kept = sessionStorage.getItem('dashboard_draft');
    if (!this.draft) recall(this, kept);
    try {
      this.take(kept ? await this.client.get<Draft>(`../edit/drafts/${kept}`) : await this.fresh());
    } catch (gone) {
      try {
        if (kept && !isGone(gone)) throw gone; // a wall that is busy or does not answer may still have the draft
        if (kept) lose(this, kept);
        this.take(await this.fresh());
      } catch (e) {
        if (isGone(gone)) this.draft = null;
        this.trouble = message(e);
        this.access = await this.client.get<Access>('../edit').catch(() => this.access);
      }
    }
  }

  private listening = false;

  private fresh(): Promise<Draft> { return this.client.post<Draft>('../edit/drafts', wantedView ? { view: wantedView } : {}); }

  /** resume continues an open draft, which may be open on another device. */
  async resume(id: string): Promise<void> {
    sessionStorage.setItem('dashboard_draft', id);
    await this.start();
  }

  /** throwAway closes an open draft and starts a new draft. */
  async throwAway(id: string): Promise<void> {
    await this.run(() => this.client.send('DELETE', `../edit/drafts/${id}`));
    await this.start();
  }

  /** leave closes a draft without changes when the page closes, because the server holds only a few drafts. Another tab may still need it. */
  leave(): void {
    showsDraft('');
    if (this.draft && !this.draft.changes && !this.draft.can_undo && !isShared(this.draft.id)) void fetch(this.at(''), { method: 'DELETE', keepalive: true, headers: this.client.token ? { Authorization: `Bearer ${this.client.token}` } : {} });
  }

  /** switchView edits another view of the wall. */
  async switchView(view: string): Promise<void> {
    await this.run(async () => this.take(await this.client.post<Draft>('../edit/drafts', { view })));
    this.go('wall');
  }

  take(d: Draft | null): void {
    if (!d) return;
    if (!d.tree && !d.can_undo) d.changes = 0; // a new wall has only the first conf.yaml
    d.tree ??= { id: '', kind: 'screen', file: 'widgets.yaml', start: 0, end: 0, hash: '', line: 1, title: this.name, params: [], children: [] };
    nameWidgets(d.tree);
    if (this.toast?.revision !== undefined && this.toast.revision !== d.revision) this.toast = null; // its Undo would revert the newer change
    this.draft = d;
    if (d.conflicts?.length && JSON.stringify(this.conflicts?.list) !== JSON.stringify(d.conflicts)) this.conflicts = { list: d.conflicts, merged: d.merged ?? [], own: d.own, choice: {} };
    else if (d.conflicts?.length) Object.assign(this.conflicts!, { merged: d.merged ?? [], own: d.own });
    else if (!this.conflicts?.undo) this.conflicts = null;
    sessionStorage.setItem('dashboard_draft', d.id);
    showsDraft(d.id);
    hold(this, d);
    if (this.chosen && !this.node(this.chosen)) this.chosen = '';
    this.theme = null;
    this.diff = null;
    for (const p of this.accepted) if (!d.problems?.some((one) => one.id === p)) this.accepted.delete(p);
    this.redraw();
  }

  ended = ''; // reason why the draft has ended, until the page opens a new draft
  leaving = false; // true if the page itself throws its draft away

  justSaved = false; // true if this page itself has saved. The event about this save is ignored

  /**
   * reload reads the draft again. If the draft still has the revision `known`, nothing is replaced, so that open questions and lists stay
   * open.
   */
  async reload(known = -1): Promise<void> {
    if (!this.draft) return;
    try {
      const d = await this.client.get<Draft>(`../edit/drafts/${this.draft.id}`);
      if (d.revision !== known) this.take(d);
    } catch (e) {
      if (e instanceof Refused && e.status === 404) await this.open();
    }
  }

  at(path: string): string { return `../edit/drafts/${this.draft!.id}${path}`; }

  // The tree.

  all(): Node[] {
    const out: Node[] = [], walk = (n: Node) => { out.push(n); n.children?.forEach(walk); };
    if (this.draft) walk(this.draft.tree);
    return out;
  }

  /** widgets() returns the nodes of the tree that a person can select, in reading order. */
  widgets(): Node[] { return this.all().filter((n) => n.kind === 'widget'); }

  node(id: string): Node | undefined { return this.all().find((n) => n.id === id) ?? this.draft?.providers?.find((n) => n.id === id); }

  parent(id: string): Node | undefined { return this.all().find((n) => n.children?.some((c) => c.id === id)); }

  get selected(): Node | undefined { return this.chosen ? this.node(this.chosen) : undefined; }

  /** layoutOf returns the layout around a node, or the first layout of the wall. */
  layoutOf(id: string): Node | undefined {
    for (let n = id ? this.node(id) : undefined; n; n = this.parent(n.id)) if (n.widget === 'layout') return n;
    return this.widgets().find((n) => n.widget === 'layout');
  }

  select(id: string): void {
    this.chosen = id;
    this.shape.id = '';
    this.menu = '';
    if (id) {
      const n = this.node(id);
      if (n) announce(`${n.title}, ${n.widget ?? n.kind}`);
    }
    this.redraw();
  }

  /** step() selects the next or previous widget in reading order. */
  step(by: number): void {
    const all = this.widgets(), at = all.findIndex((n) => n.id === this.chosen);
    if (all.length) this.select(all[(at + by + all.length) % all.length].id);
  }

  param(n: Node | undefined, key: string): Param | undefined { return n?.params?.find((p) => p.key === key); }

  problems(severity?: 'error' | 'warning') { return (this.draft?.problems ?? []).filter((p) => !severity || p.severity === severity); }

  // Screens. The Back button of the browser closes a screen.

  go(screen: Screen, replace = false): void {
    this.menu = '';
    if (screen === 'apply' && this.conflicts && !this.conflicts.undo) screen = 'conflict';
    if (screen === this.screen) { this.redraw(); return; }
    if (screen === 'provider' || (screen === 'form' && this.screen === 'wall')) this.shape.id = '';
    if (screen === 'problems') this.backTo.problems = this.screen;
    this.screen = screen;
    closeToast(this);
    const address = screen === 'wall' ? location.pathname + location.search : `#${screen}`;
    if (replace) history.replaceState({ screen }, '', address);
    else history.pushState({ screen }, '', address);
    this.entered();
    this.redraw();
  }

  back(): void {
    if (this.screen === 'gallery') this.filling = '';
    const undoing = this.screen === 'conflict' && this.conflicts?.undo;
    if (undoing) this.conflicts = null;
    this.go(undoing ? 'versions' : this.backTo[this.screen] ?? 'wall');
  }

  private readonly backTo: Partial<Record<Screen, Screen>> = { need: 'gallery', provider: 'data', pick: 'provider', newdata: 'data', icons: 'form', versions: 'wall', conflict: 'apply' };

  /** entered() loads the data of the new screen and moves the focus to its heading, or to the selection on the wall. */
  entered(): void {
    const s = this.screen, before = document.activeElement;
    this.opened(s);
    requestAnimationFrame(() => requestAnimationFrame(() => {
      const now = document.activeElement; // a person may have moved to another control before this frame
      if (now === document.body || (s !== 'wall' && now === before)) (document.querySelector(s === 'wall' ? '[role=tree] [tabindex="0"]' : '[data-start]') as HTMLElement | null)?.focus({ preventScroll: true });
      if (s !== 'wall') scrollTo(0, 0);
    }));
  }

  /** focusLater gives the focus to an element that the page draws soon, after the heading of its screen has had the focus. */
  focusLater(id: string, tries = 50): void {
    const pause = 100; // in ms
    setTimeout(() => {
      const found = document.getElementById(id);
      if (found) found.focus();
      else if (tries) this.focusLater(id, tries - 1);
    }, pause);
  }

  // Operations. They are sent one after another, and each contains the newest hash.

  /** run calls a function that sends requests, after all earlier requests have ended. It shows an error of the server as a toast. */
  run<T>(what: () => Promise<T>, quiet = false): Promise<T | undefined> {
    const done = this.queue.then(async () => {
      try {
        return await what();
      } catch (e) {
        if (!quiet && !await deleted(this, e)) this.say({ text: message(e), bad: true });
        return undefined;
      } finally {
        this.redraw();
      }
    });
    this.queue = done;
    return done;
  }

  /**
   * ops() sends operations. It calls `make` when all earlier requests have ended, because the hashes must be the hashes of the newest
   * draft.
   */
  ops(make: () => Op[] | null, refusedAt = '', joins = ''): Promise<boolean> {
    const done = this.queue.then(() => this.send(make, refusedAt, joins, true));
    this.queue = done;
    return done;
  }

  private async send(make: () => Op[] | null, refusedAt: string, joins: string, again: boolean): Promise<boolean> {
    const ops = make();
    if (!ops?.length || !this.draft) return false;
    try {
      this.take(await this.client.post<Draft>(this.at('/ops'), { ops, joins }));
      if (refusedAt) this.refused.delete(refusedAt);
      return true;
    } catch (e) {
      if (again && e instanceof Refused && e.status === 409) {
        await this.reload();
        return this.send(make, refusedAt, joins, false);
      }
      if (await deleted(this, e)) return false;
      if (refusedAt) this.refused.set(refusedAt, message(e));
      else this.say({ text: message(e), bad: true });
      this.redraw();
      return false;
    }
  }

  /** set writes a key of a node. An empty text removes the key. Consecutive calls with the same `joins` are one undo step. */
  set(id: string, key: string, value: string, joins = ''): Promise<boolean> {
    const at = `${id} ${key}`;
    let seen: string | undefined; // the value at the first try
    return this.ops(() => {
      const n = this.node(id), deep = key.includes('.'), now = n ? this.param(n, key)?.value ?? '' : '';
      if (!n || (!deep && now === value)) return null;
      if (now !== (seen ??= now)) {
        this.refused.set(at, `Another save has just changed this to ${now || 'its default'}. Your value was not taken.`);
        return null;
      }
      return [value === '' ? { op: 'remove', node: id, hash: n.hash, key } : { op: 'set', node: id, hash: n.hash, key, value }];
    }, at, joins).then((ok) => {
      if (!this.typing.has(at)) this.typed.delete(at);
      else if (!document.activeElement?.matches('input, textarea')) this.typing.settle();
      this.redraw();
      return ok;
    });
  }

  /** taken() sends the texts that are still being typed, and waits until the draft has them. */
  async taken(): Promise<void> {
    this.typing.flush();
    await this.queue;
  }

  later(name: string, ms: number, run: () => void): void {
    clearTimeout(this.timers.get(name));
    this.timers.set(name, setTimeout(run, ms));
  }

  async undo(): Promise<void> {
    if (!this.draft?.can_undo) return;
    await this.run(async () => this.take(await this.client.post<Draft>(this.at('/undo'))));
    this.forget();
    announce(`Undone. ${changes(this.draft?.changes ?? 0)}`);
  }

  async redo(): Promise<void> {
    if (!this.draft?.can_redo) return;
    await this.run(async () => this.take(await this.client.post<Draft>(this.at('/redo'))));
    this.forget();
    announce(`Done again. ${changes(this.draft?.changes ?? 0)}`);
  }

  private forget(): void {
    this.typed.clear();
    this.refused.clear();
    this.redraw();
  }

  // State of single screens.

  readonly results = new Map<string, { result?: unknown; error?: string; at?: number }>();

  say(t: Toast): void {
    this.toast = t;
    announce(t.text);
    holdToast(this);
    this.redraw();
  }

  /** changed reports the last change, and offers to undo it. */
  changed(text: string): void { this.say({ text, label: 'Undo', revision: this.draft?.revision, run: () => void this.undo() }); }
}

// The state of the editor: the draft that the server holds, the selection, the screen that is open, and the operations.
import { Client, Refused, wantedView, type Access, type Conflict, type Device, type Diff, type Draft, type Gallery, type Icon, type Item, type Node, type Op, type Param, type Place, type TestResult, type ThemeState, type Value, type ValueSent, type Version } from './api';
import { Pictures } from './pictures';
import { Schemas } from './schema';
import { list, read } from './yaml';

export type Screen = 'wall' | 'form' | 'gallery' | 'need' | 'places' | 'layout' | 'data' | 'provider' | 'pick' | 'newdata' | 'theme' | 'files' | 'apply' | 'conflict' | 'versions' | 'devices' | 'more' | 'keys' | 'icons' | 'close';

export interface Toast { text: string; label?: string; run?: () => void; bad?: boolean }

const toastTime = 6000, undoToastTime = 10000; // ms
const typedTime = 300; // ms without a key until a typed text is taken

/** How the draft's picture is drawn. */
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
  busy = '';
  toast: Toast | null = null;
  look: Look = { size: null, theme: '', data: 'live', effect: '' };
  lens: [number, number] | null = null;
  menu = '';
  closed = new Set<string>();
  texts = new Map<string, { hash: string; text: string }>();
  // What was typed or refused, by node and key.
  refused = new Map<string, string>();
  typed = new Map<string, string>();
  more = new Set<string>();
  // Parts of screens.
  gallery: Gallery | null = null;
  find = '';
  category = '';
  adding: { item: Item; given: Record<string, string> } | null = null;
  places: { title: string; moving?: string; list: Place[] } | null = null;
  accepted = new Set<string>();
  diff: Diff | null = null;
  shown = '';
  conflicts: { list: Conflict[]; choice: Record<string, { take: 'yours' | 'theirs' | 'text'; text?: string }> } | null = null;
  versions: Version[] | null = null;
  version: Version | null = null;
  provider = '';
  tests = new Map<string, TestResult | 'busy'>();
  values = new Map<string, Value[]>();
  picked = { path: '', formula: '', result: '', error: '', unit: '' };
  theme: ThemeState | null = null;
  role = '';
  icons: { for: string; key: string; find: string; list: Icon[] } | null = null;
  glyphs = new Map<string, string>();
  devices: Device[] | null = null;
  secrets: { name: string; set: boolean }[] = [];
  file = '';
  fileLine = 0;
  code = { digits: '', name: '', asked: 0, ends: 0, wrong: '' };
  portrait = false;
  suggested = 0; // the chosen line of a completion, from 1
  shelfSize = 24;
  filling = ''; // the free place that the gallery fills
  template: { kind: string; given: Record<string, string>; into?: string } | null = null;

  private queue: Promise<unknown> = Promise.resolve();
  private timers = new Map<string, ReturnType<typeof setTimeout>>();
  private toastTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly redraw: () => void) {}

  get name(): string { return this.draft?.name || this.access?.name || this.draft?.view || 'Wall'; }

  /** start asks for access, opens the draft of this session and listens for saves made elsewhere. */
  async start(): Promise<void> {
    try {
      this.access = await this.client.get<Access>('../edit');
      this.trouble = '';
    } catch (e) {
      const body = e instanceof Refused ? e.body as unknown as Access : {} as Access;
      this.access = { ...body, may: false, error: e instanceof Refused ? e.message : 'The wall does not answer.', why: body.why ?? (e instanceof Refused ? 'token' : 'lost') };
    }
    if (this.access.may) await this.open();
    this.redraw();
  }

  private async open(): Promise<void> {
    const kept = sessionStorage.getItem('dashboard_draft');
    try {
      this.take(kept ? await this.client.get<Draft>(`../edit/drafts/${kept}`) : await this.fresh());
    } catch {
      try {
        this.take(await this.fresh());
      } catch (e) {
        this.trouble = message(e);
        this.access = await this.client.get<Access>('../edit').catch(() => this.access);
        return;
      }
    }
    if (!this.listening) void this.listen();
    this.listening = true;
  }

  private listening = false;

  private fresh(): Promise<Draft> { return this.client.post<Draft>('../edit/drafts', wantedView ? { view: wantedView } : {}); }

  /** resume goes on with a draft that is open elsewhere, or was left. */
  async resume(id: string): Promise<void> {
    sessionStorage.setItem('dashboard_draft', id);
    await this.start();
  }

  /** throwAway closes an open draft and begins a new one. */
  async throwAway(id: string): Promise<void> {
    await this.run(() => this.client.send('DELETE', `../edit/drafts/${id}`));
    await this.start();
  }

  /** leave closes the draft with the page if nothing was changed in it, so that it does not take a place. */
  leave(): void {
    if (this.draft && !this.draft.changes && !this.draft.can_undo) void fetch(this.at(''), { method: 'DELETE', keepalive: true, headers: this.client.token ? { Authorization: `Bearer ${this.client.token}` } : {} });
  }

  /** switchView edits another view of the wall. */
  async switchView(view: string): Promise<void> {
    await this.run(async () => this.take(await this.client.post<Draft>('../edit/drafts', { view })));
    this.go('wall');
  }

  take(d: Draft | null): void {
    if (!d) return;
    d.tree ??= { id: '', kind: 'screen', file: 'widgets.yaml', start: 0, end: 0, hash: '', line: 1, title: this.name, params: [], children: [] };
    const named = (n: Node) => {
      if (n.kind === 'widget' && (!n.title || n.title === n.widget)) n.title = titleOf(n.widget ?? 'widget') + (n.widget === 'space' && n.area ? ` “${n.area}”` : '');
      if (n.widget === 'use' && n.params) { // a recipe has no title of its own
        const recipe = n.params.find((one) => one.key === 'recipe')?.value.replace(/["']/g, '').replace(/-/g, ' ') ?? 'recipe';
        n.title = recipe[0].toUpperCase() + recipe.slice(1);
      }
      n.children?.forEach(named);
    };
    named(d.tree);
    this.draft = d;
    if (d.conflicts?.length && this.conflicts?.list.length !== d.conflicts.length) this.conflicts = { list: d.conflicts, choice: {} };
    else if (!d.conflicts?.length) this.conflicts = null;
    sessionStorage.setItem('dashboard_draft', d.id);
    if (this.chosen && !this.node(this.chosen)) this.chosen = '';
    this.theme = null;
    this.diff = null;
    for (const p of this.accepted) if (!d.problems?.some((one) => one.id === p)) this.accepted.delete(p);
    this.redraw();
  }

  private async listen(): Promise<void> {
    for (let pause = 1000; ; pause = Math.min(pause * 2, 15000)) {
      try {
        for await (const e of this.client.events('../edit/events', new AbortController().signal)) {
          this.lost = false;
          pause = 1000;
          await this.heard(e.name, e.data);
        }
      } catch { /* tried again below */ }
      this.lost = !navigator.onLine || !(await fetch('../healthz').then(() => true, () => false));
      this.redraw();
      await new Promise((go) => setTimeout(go, pause));
    }
  }

  private async heard(name: string, data: string): Promise<void> {
    let body: { type?: string; id?: string; revision?: number; caller?: string; files?: string[] } = {};
    try { body = JSON.parse(data); } catch { return; }
    const kind = name || body.type;
    if (kind === 'draft' && (body.id !== this.draft?.id || body.revision === this.draft?.revision)) return;
    if (kind !== 'draft' && kind !== 'saved') return;
    await this.queue;
    await this.reload();
    if (kind === 'saved' && body.caller && !this.busy && !this.justSaved) this.say({ text: `${body.caller} saved ${(body.files ?? []).join(', ')}. Your changes stay.` });
    if (kind === 'saved') this.justSaved = false;
  }

  private justSaved = false;

  async reload(): Promise<void> {
    if (!this.draft) return;
    try {
      this.take(await this.client.get<Draft>(`../edit/drafts/${this.draft.id}`));
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

  /** widgets are the nodes of the tree that a person selects, in reading order. */
  widgets(): Node[] { return this.all().filter((n) => n.kind === 'widget'); }

  node(id: string): Node | undefined { return this.all().find((n) => n.id === id) ?? this.draft?.providers?.find((n) => n.id === id); }

  parent(id: string): Node | undefined { return this.all().find((n) => n.children?.some((c) => c.id === id)); }

  get selected(): Node | undefined { return this.chosen ? this.node(this.chosen) : undefined; }

  /** layoutOf is the layout around a node, or the first of the wall. */
  layoutOf(id: string): Node | undefined {
    for (let n = id ? this.node(id) : undefined; n; n = this.parent(n.id)) if (n.widget === 'layout') return n;
    return this.widgets().find((n) => n.widget === 'layout');
  }

  select(id: string): void {
    this.chosen = id;
    this.menu = '';
    if (id) {
      const n = this.node(id);
      if (n) announce(`${n.title}, ${n.widget ?? n.kind}`);
    }
    this.redraw();
  }

  /** step selects the next or previous widget in reading order. */
  step(by: number): void {
    const all = this.widgets(), at = all.findIndex((n) => n.id === this.chosen);
    if (all.length) this.select(all[(at + by + all.length) % all.length].id);
  }

  param(n: Node | undefined, key: string): Param | undefined { return n?.params?.find((p) => p.key === key); }

  problems(severity?: 'error' | 'warning') { return (this.draft?.problems ?? []).filter((p) => !severity || p.severity === severity); }

  // Screens. The browser's Back closes a screen.

  go(screen: Screen, replace = false): void {
    this.menu = '';
    if (screen === 'apply' && this.conflicts) screen = 'conflict';
    if (screen === this.screen) { this.redraw(); return; }
    this.screen = screen;
    const address = screen === 'wall' ? location.pathname + location.search : `#${screen}`;
    if (replace) history.replaceState({ screen }, '', address);
    else history.pushState({ screen }, '', address);
    this.entered();
    this.redraw();
  }

  back(): void { if (this.screen === 'gallery') this.filling = ''; this.go(this.backTo[this.screen] ?? 'wall'); }

  private readonly backTo: Partial<Record<Screen, Screen>> = { need: 'gallery', provider: 'data', pick: 'provider', newdata: 'data', icons: 'form', versions: 'wall', conflict: 'apply' };

  /** entered loads what the new screen shows and moves the focus to its heading. */
  entered(): void {
    const s = this.screen;
    if (s === 'gallery') void this.loadGallery();
    if (s === 'apply') void this.loadDiff();
    if (s === 'versions') void this.loadVersions();
    if (s === 'theme') void this.loadTheme();
    if (s === 'devices') void this.loadDevices();
    if (s === 'data' || s === 'provider' || s === 'newdata') void this.loadSecrets();
    if (s === 'pick') void this.loadValues(`.${this.provider}`);
    requestAnimationFrame(() => requestAnimationFrame(() => {
      if (s !== 'wall' || document.activeElement === document.body) (document.querySelector('[data-start]') as HTMLElement | null)?.focus({ preventScroll: true });
      if (s !== 'wall') scrollTo(0, 0);
    }));
  }

  // Operations: one after the other, each with the newest hash.

  /** run does something that talks to the server, in order, and shows a refusal as a toast. */
  run<T>(what: () => Promise<T>, quiet = false): Promise<T | undefined> {
    const done = this.queue.then(async () => {
      try {
        return await what();
      } catch (e) {
        if (!quiet) this.say({ text: message(e), bad: true });
        return undefined;
      } finally {
        this.redraw();
      }
    });
    this.queue = done;
    return done;
  }

  /** ops sends operations. make is called when it is their turn, so that hashes are of the newest draft. */
  ops(make: () => Op[] | null, refusedAt = ''): Promise<boolean> {
    const done = this.queue.then(() => this.send(make, refusedAt, true));
    this.queue = done;
    return done;
  }

  private async send(make: () => Op[] | null, refusedAt: string, again: boolean): Promise<boolean> {
    const ops = make();
    if (!ops?.length || !this.draft) return false;
    try {
      this.take(await this.client.post<Draft>(this.at('/ops'), { ops }));
      if (refusedAt) this.refused.delete(refusedAt);
      return true;
    } catch (e) {
      if (again && e instanceof Refused && e.status === 409) {
        await this.reload();
        return this.send(make, refusedAt, false);
      }
      if (refusedAt) this.refused.set(refusedAt, message(e));
      else this.say({ text: message(e), bad: true });
      this.redraw();
      return false;
    }
  }

  /** set writes a key of a node; an empty text removes the key. */
  set(id: string, key: string, value: string): Promise<boolean> {
    const at = `${id} ${key}`;
    return this.ops(() => {
      const n = this.node(id);
      const deep = key.includes('.');
      if (!n || (!deep && (this.param(n, key)?.value ?? '') === value)) return null;
      return [value === '' ? { op: 'remove', node: id, hash: n.hash, key } : { op: 'set', node: id, hash: n.hash, key, value }];
    }, at).then((ok) => {
      if (!this.fromFields.has(at)) this.typed.delete(at);
      else if (!document.activeElement?.matches('input, textarea')) this.settle();
      this.redraw();
      return ok;
    });
  }

  // Typed texts that the draft has, or will have. They stay while a field has the focus, so that nothing changes under the cursor.
  private readonly fromFields = new Set<string>();

  /** settle shows the values of the draft again, when a field loses the focus. Refused texts stay. */
  settle(): void {
    for (const at of this.fromFields) {
      if (this.timers.has(at) || this.refused.has(at)) continue;
      this.typed.delete(at);
      this.fromFields.delete(at);
    }
    this.redraw();
  }

  /** type takes a typed value a moment after the last key. */
  type(id: string, key: string, raw: string, value: () => string | { error: string }): void {
    const at = `${id} ${key}`;
    this.typed.set(at, raw);
    this.fromFields.add(at);
    clearTimeout(this.timers.get(at));
    this.timers.set(at, setTimeout(() => {
      this.timers.delete(at);
      const v = value();
      if (typeof v === 'string') void this.set(id, key, v);
      else { this.refused.set(at, v.error); this.redraw(); }
    }, typedTime));
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

  async remove(id: string): Promise<void> {
    const n = this.node(id);
    if (!n) return;
    const all = this.widgets(), at = all.findIndex((one) => one.id === id), next = all.find((_, k) => k > at && !within(n, all[k].id)) ?? all[at - 1];
    const frees = n.area && this.parent(id)?.widget === 'layout' && n.widget !== 'space';
    if (!await this.ops(() => removal(this, id))) return;
    if (!frees) this.select(next && this.node(next.id) ? next.id : '');
    this.say({ text: frees ? `${n.title} is deleted. Its place is free.` : `${n.title} is deleted`, label: 'Undo', run: () => void this.undo() });
  }

  /** divide gives an empty wall its plan. All places are free. */
  async divide(yaml: string): Promise<void> {
    const root = this.draft!.tree;
    if (!await this.ops(() => [{ op: 'add', parent: root.id, hash: root.hash, index: 0, yaml }])) return;
    this.select(this.widgets().find((n) => n.widget === 'space')?.id ?? '');
    announce('The wall has places now. Fill the first one.');
  }

  async duplicate(id: string): Promise<void> {
    const n = this.node(id), before = new Set(this.widgets().map((one) => one.id));
    if (!n || !await this.ops(() => { const now = this.node(id); return now ? [{ op: 'duplicate', node: id, hash: now.hash }] : null; })) return;
    const made = this.widgets().find((one) => !before.has(one.id));
    if (made) this.select(made.id);
    this.say({ text: `${n.title} is there twice`, label: 'Undo', run: () => void this.undo() });
  }

  /** startMove asks for the places that a widget may have. */
  async startMove(id: string): Promise<void> {
    const n = this.node(id);
    if (!n) return;
    const found = await this.run(() => this.client.get<{ places: Place[] }>(this.at(`/places?move=${encodeURIComponent(id)}`)));
    if (!found) return;
    this.places = { title: `Move ${n.title}`, moving: id, list: this.able(found.places, id) };
    this.go('places');
  }

  /** able opens the places that an area with a widget can have: a free place is filled, and two widgets of a layout change places. */
  private able(all: Place[], moving?: string): Place[] {
    const around = moving ? this.parent(moving) : undefined, own = moving ? this.node(moving)?.area : undefined;
    const list = all.map((p): Place => {
      const parent = this.node(p.parent), there = p.area ? parent?.children?.find((c) => c.area === p.area) : undefined;
      if (p.row) return { ...p, area: undefined, rect: undefined, words: 'A new row below all' };
      if (there?.widget === 'space') return { ...p, words: `The free place “${p.area}”`, why_not: undefined, rect: p.rect ?? there.rect };
      if (there && own && around?.id === parent?.id) return { ...p, words: `Change places with ${there.title}`, why_not: undefined, rect: p.rect ?? there.rect };
      return !p.area && parent?.kind === 'widget' ? { ...p, words: '' } : p;
    }).filter((p) => !moving || !p.area || !this.node(p.parent)?.children?.some((c) => c.area === p.area && within(c, moving)));
    const rest = list.filter((p) => p.why_not), plan = this.widgets().find((n) => n.widget === 'layout' && n.id !== moving);
    if (plan && !list.some((p) => p.row)) list.push({ number: 0, parent: plan.id, index: plan.children?.length ?? 0, row: true, words: 'A new row below all' });
    return [...list.filter((p) => !p.why_not).map((p, k) => ({ ...p, number: k + 1 })), ...rest];
  }

  /** place moves the widget or adds the new one at a lit place. */
  async place(p: Place): Promise<void> {
    if (p.why_not) return;
    const moving = this.places?.moving, adding = this.adding, words = this.wordsOf(p);
    const before = new Set(this.widgets().map((one) => one.id));
    const ok = await this.ops(() => {
      const parent = this.node(p.parent);
      if (!parent) return null;
      if (p.row) return this.inNewRow(parent, p);
      const area = p.area ? { area: p.area } : {};
      if (moving) {
        const n = this.node(moving), there = parent.children?.find((c) => p.area && c.area === p.area && c.id !== moving);
        if (n?.area && there && this.parent(moving)?.id === parent.id) return this.swap(n, there);
        if (n && there && there.widget !== 'space') return this.exchange(n, parent, there, p);
        return n ? this.movement(n, parent, p) : null;
      }
      if (!adding) return null;
      const free = parent.children?.find((c) => p.area && c.area === p.area && c.widget === 'space');
      const add: Op = { op: 'add', parent: p.parent, hash: parent.hash, index: free ? parent.children!.indexOf(free) : p.index, ...area, yaml: filled(adding.item, adding.given) };
      return free ? [add, { op: 'remove', node: free.id, hash: free.hash }] : [add];
    });
    if (!ok) return;
    this.places = null;
    this.adding = null;
    const made = this.widgets().find((one) => !before.has(one.id));
    this.go('wall');
    if (!moving && made) this.select(made.id);
    this.say({ text: moving ? `Moved. ${words}` : `${made?.title ?? 'The widget'} is in the draft`, label: 'Undo', run: () => void this.undo() });
  }

  /** swap lets two widgets of a layout change their areas. */
  private swap(a: Node, b: Node): Op[] {
    return [{ op: 'set', node: a.id, hash: a.hash, key: 'area', value: b.area! }, { op: 'set', node: b.id, hash: b.hash, key: 'area', value: a.area! }];
  }

  /** exchange lets two widgets of different parents change places. */
  private exchange(n: Node, parent: Node, there: Node, p: Place): Op[] | null {
    const from = this.parent(n.id);
    if (!from) return null;
    const at = from.children!.indexOf(n), to = parent.children!.indexOf(there);
    return [
      { op: 'move', node: n.id, hash: n.hash, parent: parent.id, index: to, area: p.area ?? '' },
      { op: 'move', node: there.id, hash: there.hash, parent: from.id, index: at, area: n.area ?? '' },
    ];
  }

  /** inNewRow gives the plan of a layout one more row, and puts the widget into it. */
  private inNewRow(plan: Node, p: Place): Op[] | null {
    const n = this.places?.moving ? this.node(this.places.moving) : undefined, inside = !!n && this.parent(n.id)?.id === plan.id;
    const taken = new Set((plan.children ?? []).map((c) => c.area)), kind = (n?.title ?? this.adding?.item.title ?? '').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'new';
    let area = inside ? n.area! : kind;
    for (let k = 2; !inside && taken.has(area); k++) area = `${kind}${k}`;
    const op = planWith(this, plan, (cells) => [...cells.map((row) => row.map((c) => (c === area ? '.' : c))), cells[0]?.map(() => area) ?? [area]]);
    if (n) return inside ? [op] : [op, ...this.movement(n, plan, { ...p, area, index: plan.children?.length ?? 0 })];
    return this.adding ? [op, { op: 'add', parent: plan.id, hash: plan.hash, index: plan.children?.length ?? 0, area, yaml: filled(this.adding.item, this.adding.given) }] : null;
  }

  /** copyHere replaces a use of an anchor by a copy, so that the others stay as they are. */
  async copyHere(id: string): Promise<void> {
    if (await this.ops(() => { const n = this.node(id); return n ? [{ op: 'copy', node: id, hash: n.hash }] : null; })) this.say({ text: 'This one is a copy now. The others stay as they are.', label: 'Undo', run: () => void this.undo() });
  }

  /** movement moves a widget to another parent. A free place there is filled, and a place of a layout that it leaves is free. */
  private movement(n: Node, parent: Node, p: Place): Op[] {
    const from = this.parent(n.id), free = parent.children?.find((c) => p.area && c.area === p.area && c.widget === 'space');
    const leaves = from?.widget === 'layout' && from.id !== parent.id && n.area;
    return [
      { op: 'move', node: n.id, hash: n.hash, parent: p.parent, index: free ? parent.children!.indexOf(free) : p.index, area: p.area ?? '' },
      ...(free ? [{ op: 'remove', node: free.id, hash: free.hash } as Op] : []),
      ...(leaves ? [{ op: 'add', parent: from.id, hash: from.hash, index: from.children!.indexOf(n), area: n.area, yaml: 'widget: space\n' } as Op] : []),
    ];
  }

  wordsOf(p: Place): string {
    if (p.words) return p.words;
    const there = this.widgets().find((n) => p.area && n.area === p.area && this.parent(n.id)?.id === p.parent);
    const parent = this.node(p.parent), before = parent?.children?.[p.index];
    if (there) return `Change places with ${there.title}`;
    if (p.area) return `The free area “${p.area}”`;
    return before ? `In ${parent?.title ?? 'the wall'}, before ${before.title}` : `In ${parent?.title ?? 'the wall'}, at the end`;
  }

  /** nudge moves the selection by one place among its neighbors, for Alt and the arrows. */
  async nudge(by: number): Promise<void> {
    const id = this.chosen, parent = this.parent(id), all = parent?.children ?? [], at = all.findIndex((n) => n.id === id);
    const to = all[at + by];
    if (at < 0 || !to) { announce('There is no place in this direction.'); return; }
    const n = this.node(id)!;
    if (parent!.widget === 'layout' && to.area && n.area) {
      if (!await this.ops(() => { const now = this.node(id), there = this.node(to.id); return now && there ? this.swap(now, there) : null; })) return;
    } else if (!await this.ops(() => { const now = this.node(id); return now ? [{ op: 'move', node: id, hash: now.hash, parent: parent!.id, index: by > 0 ? at + 2 : at - 1 }] : null; })) return;
    announce(`${n.title} moved, ${by > 0 ? 'after' : 'before'} ${to.title}`);
    this.say({ text: `${n.title} changed places with ${to.title}`, label: 'Undo', run: () => void this.undo() });
  }

  // Parts of screens.

  private async loadGallery(): Promise<void> {
    if (!this.gallery) this.gallery = await this.run(() => this.client.get<Gallery>('../edit/gallery'), true) ?? null;
    const order = this.gallery?.categories ?? [];
    this.gallery?.items.sort((a, b) => order.indexOf(a.category) - order.indexOf(b.category));
    for (const one of this.gallery?.items ?? []) {
      if (one.id !== one.kind) continue; // a recipe
      if (one.title.toLowerCase() === one.kind) one.title = titleOf(one.kind);
      one.yaml = `widget: ${one.kind}\n`; // the example names sources that this wall does not have
    }
    if (!this.gallery) this.schemas.get('widgets');
    this.redraw();
  }

  /** shelf is the gallery, or the kinds of widgets without pictures if the wall has no gallery. */
  shelf(): Gallery | null {
    if (this.gallery) return this.gallery;
    const kinds = this.schemas.kinds();
    if (!kinds.length) return null;
    const items = kinds.map((kind): Item => ({
      id: kind, kind, title: titleOf(kind), text: this.schemas.description(kind), category: '', yaml: `widget: ${kind}\n`, picture: '',
      required: this.schemas.fields(kind).filter((f) => f.needed).map((f) => ({ key: f.key, type: f.kind, help: f.help })),
    }));
    return { categories: [], items: items.filter((one) => one.kind !== 'space') };
  }

  /** choose begins to add an item of the gallery. */
  async choose(item: Item): Promise<void> {
    this.adding = { item, given: {} };
    if (item.required?.length) { this.go('need'); return; }
    await this.askPlaces();
  }

  /** keepSecrets stores the passwords of what is added, so that they are not in the file of the widgets. */
  private async keepSecrets(): Promise<boolean> {
    for (const r of this.adding?.item.required ?? []) {
      const value = this.adding!.given[r.key];
      if (r.type !== 'secret' || !value || value.startsWith('!secret ')) continue;
      const name = `${this.adding!.item.id.replace(/^recipe-/, '').replace(/[^A-Za-z0-9_]/g, '_')}_${r.key}`;
      if (!await this.setSecret(name, value)) return false;
      this.adding!.given[r.key] = `!secret ${name}`;
    }
    return true;
  }

  async askPlaces(): Promise<void> {
    const item = this.adding?.item, free = this.filling ? this.node(this.filling) : undefined, around = free && this.parent(free.id);
    if (!item || !await this.keepSecrets()) return;
    this.filling = '';
    if (free && around) { await this.place({ number: 1, parent: around.id, index: around.children!.indexOf(free), area: free.area }); return; }
    const found = await this.run(() => this.client.get<{ places: Place[] }>(this.at(`/places?add=${encodeURIComponent(item.kind)}`)));
    if (!found) return;
    this.places = { title: `Add ${item.title}`, list: this.able(found.places) };
    const able = this.places.list.filter((p) => !p.why_not);
    if (able.length === 1) { await this.place(able[0]); return; }
    this.go('places');
  }

  async loadDiff(): Promise<void> {
    if (!this.draft || this.diff) return;
    this.diff = await this.run(() => this.client.get<Diff>(this.at('/diff'))) ?? null;
    this.redraw();
  }

  get mayApply(): boolean {
    return !!this.draft?.changes && !this.problems('error').length && this.problems('warning').every((p) => this.accepted.has(p.id)) && !this.access?.read_only;
  }

  /** apply writes the files. */
  async apply(): Promise<void> {
    if (!this.draft || !this.mayApply || this.busy) return;
    this.busy = 'apply';
    this.justSaved = true;
    const n = this.draft.changes;
    this.redraw();
    try {
      const got = await this.client.post<{ saved: string[]; version: number }>(this.at('/apply'), { accept: [...this.accepted] });
      await this.reload();
      this.busy = '';
      this.go('wall');
      this.say({ text: `${changes(n)} ${n === 1 ? 'is' : 'are'} on the wall`, label: 'Undo', run: () => void this.undoVersion(got.version) });
    } catch (e) {
      this.busy = '';
      this.justSaved = false;
      if (e instanceof Refused && e.body.conflicts) {
        this.conflicts = { list: e.body.conflicts as Conflict[], choice: {} };
        this.go('conflict');
      } else {
        await this.reload();
        this.say({ text: message(e), bad: true });
      }
    }
    this.redraw();
  }

  async resolve(): Promise<void> {
    const c = this.conflicts;
    if (!c) return;
    const choices = c.list.map((one) => ({ id: one.id, ...c.choice[one.id] }));
    const ok = await this.run(async () => { this.take(await this.client.post<Draft>(this.at('/resolve'), { choices })); return true; });
    if (!ok) return;
    this.conflicts = null;
    this.go('apply');
    await this.loadDiff();
    if (this.mayApply) await this.apply();
  }

  async undoVersion(n: number): Promise<void> {
    await this.run(() => this.client.post(`../edit/versions/${n}/undo`));
    this.versions = null;
    await this.reload();
  }

  async restore(n: number): Promise<void> {
    const ok = await this.run(async () => { await this.client.post(`../edit/versions/${n}/restore`); return true; });
    if (!ok) return;
    this.say({ text: `Version ${n} is on the wall again. The later versions stay in the list.` });
    this.versions = null;
    await this.loadVersions();
    await this.reload();
  }

  private async loadVersions(): Promise<void> {
    this.versions = (await this.run(() => this.client.get<{ versions: Version[] }>('../edit/versions')))?.versions ?? [];
    if (this.versions.length && innerWidth >= 720) await this.showVersion(this.versions[0].n);
    this.redraw();
  }

  async showVersion(n: number): Promise<void> {
    const one = await this.run(() => this.client.get<Version>(`../edit/versions/${n}`));
    const known = this.versions?.find((v) => v.n === n);
    if (one && known) this.version = { ...known, ...one, diff: Array.isArray(one.diff) ? { files: one.diff } : one.diff };
    this.redraw();
  }

  async loadTheme(): Promise<void> {
    if (!this.draft || this.theme) return;
    this.theme = await this.run(() => this.client.get<ThemeState>(this.at('/theme'))) ?? null;
    this.redraw();
  }

  /** token sets a color of the theme. Where night and day have their own, mode names which. */
  token(section: string, name: string, value: string, mode: string): Promise<boolean> {
    return this.ops(() => [{ op: 'token', section, name, value, mode }], `theme ${mode}.${section}.${name}`).then(async (ok) => {
      if (ok) await this.loadTheme();
      return ok;
    });
  }

  /** setTheme sets a key of the theme: the built-in one that it starts from, or the typeface. */
  setTheme(key: 'from' | 'typeface', value: string): Promise<boolean> {
    const root = this.draft!.tree, now = this.param(root, 'theme')?.value ?? '', mapping = /^\s*(\{|[\w-]+:(\s|$))/.test(now);
    const [path, text] = mapping ? [`theme.${key}`, value] : key === 'from' ? ['theme', value] : ['theme', `{from: ${now.trim() || 'calm'}, typeface: ${value}}`];
    return this.set(root.id, path, text).then(async (ok) => {
      const bad = this.refused.get(`${root.id} ${path}`);
      if (bad) this.say({ text: bad, bad: true });
      await this.loadTheme();
      return ok;
    });
  }

  private async loadDevices(): Promise<void> {
    this.devices = (await this.run(() => this.client.get<{ devices: Device[] }>('../edit/devices')))?.devices ?? [];
    this.redraw();
  }

  async removeDevice(d: Device): Promise<void> {
    const ok = await this.run(async () => { await this.client.send('DELETE', `../edit/devices/${encodeURIComponent(d.id)}`); return true; });
    if (ok) this.say({ text: `${d.name} may not edit any more` });
    await this.loadDevices();
  }

  async loadSecrets(): Promise<void> {
    const got = await this.run(() => this.client.get<{ secrets?: { name: string; set: boolean }[]; names?: { name: string; set: boolean }[] }>('../edit/secrets'), true);
    this.secrets = got?.secrets ?? got?.names ?? [];
    this.redraw();
  }

  setSecret(name: string, value: string): Promise<boolean> {
    return this.run(async () => {
      await this.client.post('../edit/secrets', { name, value });
      await this.loadSecretsNow();
      this.say({ text: `${name} is kept in secrets.yaml` });
      return true;
    }).then((ok) => !!ok);
  }

  private async loadSecretsNow(): Promise<void> {
    const got = await this.client.get<{ secrets?: { name: string; set: boolean }[] }>('../edit/secrets');
    this.secrets = got.secrets ?? [];
  }

  async test(name: string): Promise<void> {
    this.tests.set(name, 'busy');
    this.redraw();
    const got = await this.run(() => this.client.post<TestResult>(this.at('/test'), { provider: name }), true).catch(() => undefined);
    this.tests.set(name, got ?? { words: 'The test did not end. One test runs at a time, at most 10 s.' });
    this.redraw();
  }

  async loadValues(path: string): Promise<void> {
    const got = await this.run(() => this.client.get<{ path: string; keys: ValueSent[] }>(this.at(`/values?path=${encodeURIComponent(path)}`)), true);
    if (got) this.values.set(path, (got.keys ?? []).map(shownValue));
    this.redraw();
  }

  /** evaluate runs the picked path and the formula. An error leaves the last good result. */
  async evaluate(program: string): Promise<{ result?: unknown; error?: string; column?: number }> {
    try {
      return await this.client.post(this.at('/eval'), { program });
    } catch (e) {
      return { error: message(e) };
    }
  }

  readonly results = new Map<string, { result?: unknown; error?: string }>();

  /** evaluateLater shows the result of a formula a moment after the last key. */
  evaluateLater(at: string, program: string): void {
    this.later(`eval ${at}`, typedTime, () => void this.evaluate(program).then((got) => { this.results.set(at, got); this.redraw(); }));
  }

  async loadIcons(find: string): Promise<void> {
    const got = await this.run(() => this.client.get<{ icons: Icon[] }>(`../edit/icons?q=${encodeURIComponent(find)}`), true);
    const all = (got?.icons ?? []).map((one) => ({ ...one, name: bareIcon(one.name) }));
    if (this.icons) this.icons.list = all;
    for (const one of all) this.glyphs.set(one.name, one.path);
    this.redraw();
  }

  /** glyph is the outline of an icon by its name; it is loaded when it is first asked for. */
  glyph(name: string): string {
    const bare = bareIcon(name);
    if (!this.glyphs.has(bare) && /^[a-z0-9-]+$/.test(bare)) {
      this.glyphs.set(bare, '');
      this.wanted.add(bare);
      this.later('glyphs', 30, () => {
        const names = [...this.wanted].join(',');
        this.wanted.clear();
        void this.client.get<{ icons: Icon[] }>(`../edit/icons?names=${encodeURIComponent(names)}`).then((got) => {
          for (const one of got.icons) this.glyphs.set(bareIcon(one.name), one.path);
          this.redraw();
        }, () => undefined);
      });
    }
    return this.glyphs.get(bare) ?? '';
  }

  private wanted = new Set<string>();

  /** text is the text of a file, loaded when it is not the one of the draft. */
  text(name: string): string | null {
    const f = this.draft?.files.find((one) => one.name === name), kept = this.texts.get(name);
    if (f && kept?.hash !== f.hash && !this.loading.has(name)) {
      this.loading.add(name);
      void this.client.get<{ text: string; hash: string }>(this.at(`/file?name=${encodeURIComponent(name)}`)).then((got) => {
        this.texts.set(name, { hash: f.hash, text: got.text });
      }, () => this.texts.set(name, { hash: f.hash, text: '' })).finally(() => { this.loading.delete(name); this.redraw(); });
    }
    return kept?.text ?? null;
  }

  private loading = new Set<string>();

  /** slice is the YAML of a node: the whole lines that it takes. */
  slice(n: Node): string | null {
    const text = this.text(n.file);
    if (text === null) return null;
    return new TextDecoder().decode(new TextEncoder().encode(text).slice(n.start, n.end));
  }

  save(name: string, blob: Blob): void {
    const a = document.createElement('a');
    a.href = URL.createObjectURL(blob);
    a.download = name;
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 1000);
  }

  async discard(): Promise<void> {
    await this.run(() => this.client.send('DELETE', this.at('')), true);
    sessionStorage.removeItem('dashboard_draft');
    location.assign('../');
  }

  // Access.

  async askCode(): Promise<void> {
    const got = await this.run(() => this.client.post<{ expires_in?: number } | null>('../edit/allow', { name: this.code.name }));
    if (got === undefined) return;
    this.code = { ...this.code, asked: Date.now(), ends: Date.now() + (got?.expires_in ?? 120) * 1000, wrong: '', digits: '' };
    this.redraw();
  }

  async allow(): Promise<void> {
    if (this.code.digits.length !== 6) return;
    try {
      const got = await this.client.post<{ left?: number } | null>('../edit/allow/code', { code: this.code.digits });
      if (got?.left === undefined) { await this.start(); return; }
      this.wrongCode(got.left);
    } catch (e) {
      const left = e instanceof Refused ? e.body.left : undefined;
      if (typeof left === 'number') this.wrongCode(left);
      else this.code = { ...this.code, digits: '', wrong: message(e) };
    }
    this.redraw();
  }

  private wrongCode(left: number): void {
    const words = ['No try is left. Show the code again.', 'One try is left.', 'Two tries are left.'];
    this.code = { ...this.code, digits: '', wrong: `This is not the code. ${words[left] ?? `${left} tries are left.`}`, ...(left ? {} : { asked: 0 }) };
  }

  say(t: Toast): void {
    this.toast = t;
    announce(t.text);
    this.holdToast();
    this.redraw();
  }

  /** holdToast starts the time of the toast again; it stays while it has the focus. */
  holdToast(): void {
    clearTimeout(this.toastTimer);
    this.toastTimer = setTimeout(() => {
      if (document.querySelector('.toast')?.contains(document.activeElement)) { this.holdToast(); return; }
      this.toast = null;
      this.redraw();
    }, this.toast?.label ? undoToastTime : toastTime);
  }
}

/** announce says something to a reader, in the one live region of the page. */
export function announce(text: string): void {
  const said = document.getElementById('said');
  if (said) said.textContent = text;
}

export function message(e: unknown): string {
  if (e instanceof Refused) return sentence(e.message);
  return 'The wall does not answer. What you did stays here.';
}

function sentence(text: string): string {
  const t = text.trim();
  return t ? t[0].toUpperCase() + t.slice(1) + (/[.?!]$/.test(t) ? '' : '.') : t;
}

export function changes(n: number): string { return n === 1 ? '1 change' : `${n} changes`; }

/** shownValue is a live value as the tree shows it. */
function shownValue(v: ValueSent): Value {
  const text = v.kind === 'list' ? `list of ${v.count ?? 0}` : v.count !== undefined ? (v.count === 1 ? '1 name' : `${v.count} names`) : v.value === null || v.value === undefined ? 'null' : typeof v.value === 'string' && v.kind === 'text' ? JSON.stringify(v.value) : String(v.value);
  return { name: v.name, kind: v.kind, path: v.path, value: text };
}

/** bareIcon is the name of an icon without the name of its set. */
export function bareIcon(name: string): string { return name.replace(/^mdi:/, ''); }

/** removal deletes a widget. Its place in a layout stays as a free place. A free place is taken out of the plan. */
function removal(m: Model, id: string): Op[] | null {
  const n = m.node(id), layout = m.parent(id);
  if (!n) return null;
  const gone: Op = { op: 'remove', node: id, hash: n.hash };
  if (layout?.widget !== 'layout' || !n.area) return [gone];
  if (n.widget !== 'space') return [{ op: 'text', node: id, hash: n.hash, yaml: `{widget: space, area: ${n.area}}` }];
  return [gone, ...without(m, layout, n.area)];
}

/** without is the plan of a layout in which an area is free. */
function without(m: Model, layout: Node, area: string): Op[] {
  return [planWith(m, layout, (cells) => cells.map((row) => row.map((c) => (c === area ? '.' : c))))];
}

/** planWith changes the areas of both plans of a layout. A new row has the height of an average one. */
function planWith(m: Model, layout: Node, change: (cells: string[][]) => string[][]): Op {
  const up = m.param(layout, 'portrait') ? read(m.param(layout, 'portrait')!.value) : null;
  const part = (areas: string[], rows: string[]) => {
    const next = change(areas.map((row) => row.trim().split(/\s+/))).map((row) => row.join(' ')), sizes = rows.map(Number), mean = sizes.every((n) => n > 0) ? Math.max(1, Math.round(sizes.reduce((a, b) => a + b, 0) / sizes.length)) : 1;
    return { areas: next, ...(rows.length && next.length !== rows.length ? { rows: next.map((_, k) => rows[k] ?? String(mean)) } : {}) };
  };
  const lines = (key: string) => list(m.param(layout, key)?.value), texts = (v: unknown) => (Array.isArray(v) ? v.map(String) : []);
  const portrait = up && typeof up === 'object' && !Array.isArray(up) ? part(texts(up.areas), texts(up.rows)) : undefined;
  return { op: 'layout', node: layout.id, hash: layout.hash, ...part(lines('areas'), lines('rows')), ...(portrait ? { portrait } : {}) };
}

/** titleOf names a kind of widget as people write it. */
export function titleOf(kind: string): string {
  const known: Record<string, string> = { qr: 'QR code', airquality: 'Air quality', nextevent: 'Next event', sunpath: 'Sun path', agenda: 'Calendar', space: 'Free place' };
  return known[kind] ?? kind[0].toUpperCase() + kind.slice(1);
}

function within(n: Node, id: string): boolean { return n.id === id || !!n.children?.some((c) => within(c, id)); }

/** filled is the YAML of an item of the gallery with the required values that were typed. */
export function filled(item: Item, given: Record<string, string>): string {
  let text = item.yaml;
  for (const [key, value] of Object.entries(given)) {
    const line = new RegExp(`^(\\s*(?:- )?)${key.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}:.*$`, 'm');
    text = line.test(text) ? text.replace(line, (_, lead: string) => `${lead}${key}: ${value}`) : `${text.replace(/\n*$/, '')}\n${key}: ${value}\n`;
  }
  return text;
}

// Operations on the places of widgets: move, exchange, add, duplicate, delete.
import type { Item, Node, Op, Place } from './api';
import type { Model } from './model';
import { announce } from './words';
import { list, read } from './yaml';

export async function removeWidget(m: Model, id: string): Promise<void> {
  const n = m.node(id);
  if (!n) return;
  const all = m.widgets(), at = all.findIndex((one) => one.id === id), next = all.find((_, k) => k > at && !within(n, all[k].id)) ?? all[at - 1];
  const frees = n.area && m.parent(id)?.widget === 'layout' && n.widget !== 'space';
  if (!await m.ops(() => removal(m, id))) return;
  if (!frees) m.select(next && m.node(next.id) ? next.id : '');
  m.changed(frees ? `${n.title} is deleted. Its place is free.` : `${n.title} is deleted`);
}

/** divideWall gives an empty wall a plan in which all places are free. */
export async function divideWall(m: Model, yaml: string): Promise<void> {
  const root = m.draft!.tree;
  if (!await m.ops(() => [{ op: 'add', parent: root.id, hash: root.hash, index: 0, yaml }])) return;
  m.select(m.widgets().find((n) => n.widget === 'space')?.id ?? '');
  announce('The wall has places now. Fill the first one.');
}

/**
 * duplicateWidget inserts a copy after a widget. For a widget of a layout it asks for a place, because each child of a layout needs an
 * area of its own.
 */
export async function duplicateWidget(m: Model, id: string): Promise<void> {
  const n = m.node(id), around = m.parent(id), before = new Set(m.widgets().map((one) => one.id));
  if (!n || n.locked || n.widget === 'space' || around?.kind !== 'widget') return;
  if (around.widget === 'layout') {
    const found = await m.run(() => m.client.get<{ places: Place[] }>(m.at(`/places?add=${encodeURIComponent(n.widget ?? '')}`)));
    if (!found) return;
    m.places = { title: `Duplicate ${n.title}`, copying: id, list: openPlaces(m, found.places) };
    m.go('places');
    return;
  }
  if (!await m.ops(() => { const now = m.node(id); return now ? [{ op: 'duplicate', node: id, hash: now.hash }] : null; })) return;
  const made = m.widgets().find((one) => !before.has(one.id));
  if (made) m.select(made.id);
  m.changed(`${n.title} is there twice`);
}

/** startMove requests the places to which a widget can move. */
export async function startMove(m: Model, id: string): Promise<void> {
  const n = m.node(id);
  if (!n) return;
  const found = await m.run(() => m.client.get<{ places: Place[] }>(m.at(`/places?move=${encodeURIComponent(id)}`)));
  if (!found) return;
  m.places = { title: `Move ${n.title}`, moving: id, list: openPlaces(m, found.places, id) };
  m.go('places');
}

/** openPlaces adds two kinds of places: free places, and the places of other widgets in the same layout. */
export function openPlaces(m: Model, all: Place[], moving?: string): Place[] {
  const around = moving ? m.parent(moving) : undefined, own = moving ? m.node(moving)?.area : undefined;
  const list = all.map((p): Place => {
    const parent = m.node(p.parent), there = p.area ? parent?.children?.find((c) => c.area === p.area) : undefined;
    if (p.row) return { ...p, area: undefined, rect: undefined, words: 'A new row below all' };
    if (there?.widget === 'space') return { ...p, words: `The free place “${p.area}”`, rect: p.rect ?? there.rect };
    if (there && own && around?.id === parent?.id) return { ...p, words: `Change places with ${there.title}`, rect: p.rect ?? there.rect };
    return !p.area && parent?.kind === 'widget' ? { ...p, words: '' } : p;
  }).filter((p) => !moving || !p.area || !m.node(p.parent)?.children?.some((c) => c.area === p.area && within(c, moving)));
  const rest = list.filter((p) => p.why_not), plan = m.widgets().find((n) => n.widget === 'layout' && n.id !== moving);
  if (plan && !list.some((p) => p.row)) list.push({ number: 0, parent: plan.id, index: plan.children?.length ?? 0, row: true, words: 'A new row below all' });
  return [...list.filter((p) => !p.why_not).map((p, k) => ({ ...p, number: k + 1 })), ...rest];
}

/** placeAt moves the widget, or adds the new widget, to a highlighted place. */
export async function placeAt(m: Model, p: Place): Promise<void> {
  if (p.why_not) return;
  const moving = m.places?.moving, copying = m.places?.copying, adding = m.adding, words = wordsOf(m, p);
  const before = new Set(m.widgets().map((one) => one.id));
  const ok = await m.ops(() => {
    const parent = m.node(p.parent);
    if (!parent) return null;
    if (p.row) return inNewRow(m, parent, p);
    const area = p.area ? { area: p.area } : {};
    if (moving) {
      const n = m.node(moving), there = parent.children?.find((c) => p.area && c.area === p.area && c.id !== moving);
      if (n?.area && there && m.parent(moving)?.id === parent.id) return swap(n, there);
      if (n && there && there.widget !== 'space') return exchange(m, n, parent, there, p);
      return n ? movement(m, n, parent, p) : null;
    }
    const free = parent.children?.find((c) => p.area && c.area === p.area && c.widget === 'space');
    const add = newWidget(m, parent, { ...area, index: free ? parent.children!.indexOf(free) : p.index });
    return !add ? null : free ? [add, { op: 'remove', node: free.id, hash: free.hash }] : [add];
  });
  if (!ok) return;
  m.places = null;
  m.adding = null;
  if (adding) m.find = m.category = ''; // the next place usually gets another widget
  const made = m.widgets().find((one) => !before.has(one.id));
  m.go('wall');
  if (!moving && made) m.select(made.id);
  m.changed(moving ? `Moved. ${words}` : copying ? `${made?.title ?? 'The widget'} is there twice` : `${made?.title ?? 'The widget'} is in the draft`);
}

/** newWidget returns the operation that adds the chosen item of the gallery, or a copy of a widget. */
function newWidget(m: Model, parent: Node, at: { index: number; area?: string }): Op | null {
  const copying = m.places?.copying, of = copying && m.node(copying);
  const what = copying ? of && { node: of.id } : m.adding && { yaml: filled(m.adding.item, m.adding.given) };
  return what ? { op: 'add', parent: parent.id, hash: parent.hash, ...at, ...what } : null;
}

/** filled() returns the YAML of an item of the gallery, with the typed values of the required keys. */
function filled(item: Item, given: Record<string, string>): string {
  let text = item.yaml;
  for (const [key, value] of Object.entries(given)) {
    const line = new RegExp(`^(\\s*(?:- )?)${key.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}:.*$`, 'm');
    text = line.test(text) ? text.replace(line, (_, lead: string) => `${lead}${key}: ${value}`) : `${text.replace(/\n*$/, '')}\n${key}: ${value}\n`;
  }
  return text;
}

/** swap exchanges the areas of two widgets in a layout. */
function swap(a: Node, b: Node): Op[] {
  return [{ op: 'set', node: a.id, hash: a.hash, key: 'area', value: b.area! }, { op: 'set', node: b.id, hash: b.hash, key: 'area', value: a.area! }];
}

/** exchange exchanges the places of two widgets with different parents. */
function exchange(m: Model, n: Node, parent: Node, there: Node, p: Place): Op[] | null {
  const from = m.parent(n.id);
  if (!from) return null;
  const at = from.children!.indexOf(n), to = parent.children!.indexOf(there);
  return [
    { op: 'move', node: n.id, hash: n.hash, parent: parent.id, index: to, area: p.area ?? '' },
    { op: 'move', node: there.id, hash: there.hash, parent: from.id, index: at, area: n.area ?? '' },
  ];
}

/** inNewRow adds a row to the plan of a layout and puts the widget into it. */
function inNewRow(m: Model, plan: Node, p: Place): Op[] | null {
  const n = m.places?.moving ? m.node(m.places.moving) : undefined, inside = !!n && m.parent(n.id)?.id === plan.id;
  const taken = new Set((plan.children ?? []).map((c) => c.area)), copied = m.places?.copying ? m.node(m.places.copying) : undefined, kind = ((n ?? copied)?.title ?? m.adding?.item.title ?? '').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'new';
  let area = inside ? n.area! : kind;
  for (let k = 2; !inside && taken.has(area); k++) area = `${kind}${k}`;
  const op = planWith(m, plan, (cells) => [...cells.map((row) => row.map((c) => (c === area ? '.' : c))), cells[0]?.map(() => area) ?? [area]]);
  if (n) return inside ? [op] : [op, ...movement(m, n, plan, { ...p, area, index: plan.children?.length ?? 0 })];
  const add = newWidget(m, plan, { index: plan.children?.length ?? 0, area });
  return add && [op, add];
}

/** copyHere replaces a use of an anchor by a copy, so that a change does not affect the other uses. */
export async function copyHere(m: Model, id: string): Promise<void> {
  if (await m.ops(() => { const n = m.node(id); return n ? [{ op: 'copy', node: id, hash: n.hash }] : null; })) m.changed('This one is a copy now. The others stay as they are.');
}

/** movement() moves a widget to another parent. It fills a free place there, and leaves a free place in the layout that it came from. */
function movement(m: Model, n: Node, parent: Node, p: Place): Op[] {
  const from = m.parent(n.id), free = parent.children?.find((c) => p.area && c.area === p.area && c.widget === 'space');
  const leaves = from?.widget === 'layout' && from.id !== parent.id && n.area;
  return [
    { op: 'move', node: n.id, hash: n.hash, parent: p.parent, index: free ? parent.children!.indexOf(free) : p.index, area: p.area ?? '' },
    ...(free ? [{ op: 'remove', node: free.id, hash: free.hash } as Op] : []),
    ...(leaves ? [{ op: 'add', parent: from.id, hash: from.hash, index: from.children!.indexOf(n), area: n.area, yaml: 'widget: space\n' } as Op] : []),
  ];
}

export function wordsOf(m: Model, p: Place): string {
  if (p.words) return p.words;
  const there = m.widgets().find((n) => p.area && n.area === p.area && m.parent(n.id)?.id === p.parent);
  const parent = m.node(p.parent), before = parent?.children?.[p.index];
  if (there) return `Change places with ${there.title}`;
  if (p.area) return `The free area “${p.area}”`;
  return before ? `In ${parent?.title ?? 'the wall'}, before ${before.title}` : `In ${parent?.title ?? 'the wall'}, at the end`;
}

/** nudge moves the selection by one place among its neighbors, for the keys Alt and an arrow. */
export async function nudge(m: Model, by: number): Promise<void> {
  const id = m.chosen, parent = m.parent(id), all = parent?.children ?? [], at = all.findIndex((n) => n.id === id);
  const to = all[at + by];
  if (at < 0 || !to) { announce('There is no place in this direction.'); return; }
  const n = m.node(id)!;
  if (parent!.widget === 'layout' && to.area && n.area) {
    if (!await m.ops(() => { const now = m.node(id), there = m.node(to.id); return now && there ? swap(now, there) : null; })) return;
  } else if (!await m.ops(() => { const now = m.node(id); return now ? [{ op: 'move', node: id, hash: now.hash, parent: parent!.id, index: by > 0 ? at + 2 : at - 1 }] : null; })) return;
  announce(`${n.title} moved, ${by > 0 ? 'after' : 'before'} ${to.title}`);
  m.changed(`${n.title} changed places with ${to.title}`);
}

/** removal() deletes a widget and leaves a free place in its layout. It removes a widget that is a free place from the plan. */
function removal(m: Model, id: string): Op[] | null {
  const n = m.node(id), layout = m.parent(id);
  if (!n) return null;
  const gone: Op = { op: 'remove', node: id, hash: n.hash };
  if (layout?.widget !== 'layout' || !n.area) return [gone];
  if (n.widget !== 'space') return [{ op: 'text', node: id, hash: n.hash, yaml: `{widget: space, area: ${n.area}}` }];
  return [gone, ...without(m, layout, n.area)];
}

/** without() returns the plan of a layout in which the cells of an area are free. */
function without(m: Model, layout: Node, area: string): Op[] {
  return [planWith(m, layout, (cells) => cells.map((row) => row.map((c) => (c === area ? '.' : c))))];
}

/** planWith changes the areas in both plans of a layout. A new row gets the average height. */
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

function within(n: Node, id: string): boolean { return n.id === id || !!n.children?.some((c) => within(c, id)); }

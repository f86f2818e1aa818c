// The gallery of widgets and recipes, and the way from it to a place on the wall.
import type { Gallery, Item, Place } from './api';
import type { Model } from './model';
import { openPlaces, placeAt } from './placing';
import { loadSecrets, setSecret } from './sources';
import { titleOf } from './words';

const need = (key: string, help: string, example: string, type = 'string') => [{ key, type, help, example }];

/** The key that the gallery asks for, by kind of widget, if one of several keys is required. */
const oneOf: Record<string, NonNullable<Item['required']>> = {
  camera: need('url', 'Address of the picture or the stream.', 'http://camera.local/picture'),
  chart: need('value', 'Number whose history is shown. A value of a source begins with !data.', '!data .solar.power', 'any'),
  countdown: need('to', 'Day, as month and day, or a moment.', '12-25'),
  markdown: need('text', 'Text. Later you can add headings and lists.', 'Good morning'),
  nowplaying: need('entity', 'Media player of Home Assistant.', 'media_player.kitchen'),
  qr: need('text', 'Text or address in the code.', 'https://example.org'),
  ticker: need('text', 'Text that moves.', 'Story hour at four'),
};

/** The first text of widgets that must contain other widgets. */
const holders: Record<string, string> = {
  layout: 'widget: layout\nareas: [left right]\nchildren:\n  - {widget: space, area: left}\n  - {widget: space, area: right}\n',
  pages: 'widget: pages\nchildren:\n  - {widget: clock}\n',
};

export async function loadGallery(m: Model): Promise<void> {
  if (!m.gallery) m.gallery = await m.run(() => m.client.get<Gallery>('../edit/gallery'), true) ?? null;
  const order = m.gallery?.categories ?? [];
  m.gallery?.items.sort((a, b) => order.indexOf(a.category) - order.indexOf(b.category));
  for (const one of m.gallery?.items ?? []) {
    if (one.id !== one.kind) continue; // this item is a recipe
    if (one.title.toLowerCase() === one.kind) one.title = titleOf(one.kind);
    one.yaml = holders[one.kind] ?? `widget: ${one.kind}\n`; // because the example uses providers that this wall does not have
    if (holders[one.kind]) one.required = [];
    else if (!one.required?.length) one.required = oneOf[one.kind] ?? [];
  }
  if (!m.gallery) m.schemas.get('widgets');
  m.redraw();
}

/** shelfOf returns the gallery, or the kinds of widgets without pictures if the wall has no gallery. */
export function shelfOf(m: Model): Gallery | null {
  if (m.gallery) return m.gallery;
  const kinds = m.schemas.kinds();
  if (!kinds.length) return null;
  const items = kinds.map((kind): Item => ({
    id: kind, kind, title: titleOf(kind), text: m.schemas.description(kind), category: '', yaml: holders[kind] ?? `widget: ${kind}\n`, picture: '',
    required: holders[kind] ? [] : oneOf[kind] ?? m.schemas.fields(kind).filter((f) => f.needed).map((f) => ({ key: f.key, type: f.kind, help: f.help })),
  }));
  return { categories: [], items: items.filter((one) => one.kind !== 'space') };
}

/** chooseItem starts to add an item of the gallery. */
export async function chooseItem(m: Model, item: Item): Promise<void> {
  m.adding = { item, given: {} };
  if (item.required?.length) { m.go('need'); return; }
  await askPlaces(m);
}

/** keepSecrets stores the passwords of a new widget as secrets, so that the file of the widgets does not contain them. */
async function keepSecrets(m: Model): Promise<boolean> {
  if (m.adding?.item.required?.some((r) => r.type === 'secret')) await loadSecrets(m);
  for (const r of m.adding?.item.required ?? []) {
    const value = m.adding!.given[r.key];
    if (r.type !== 'secret' || !value || value.startsWith('!secret ')) continue;
    const base = `${m.adding!.item.id.replace(/^recipe-/, '').replace(/[^A-Za-z0-9_]/g, '_')}_${r.key}`;
    let name = base;
    for (let k = 2; m.secrets.some((s) => s.name === name); k++) name = `${base}_${k}`; // another use of the recipe keeps its secret
    if (!await setSecret(m, name, value)) return false;
    m.adding!.given[r.key] = `!secret ${name}`;
  }
  return true;
}

export async function askPlaces(m: Model): Promise<void> {
  const item = m.adding?.item, free = m.filling ? m.node(m.filling) : undefined, around = free && m.parent(free.id);
  if (!item || !await keepSecrets(m)) return;
  m.filling = '';
  m.places = null; // places of a widget that a person has not moved after all
  if (free && around) { await placeAt(m, { number: 1, parent: around.id, index: around.children!.indexOf(free), area: free.area }); return; }
  const found = await m.run(() => m.client.get<{ places: Place[] }>(m.at(`/places?add=${encodeURIComponent(item.kind)}`)));
  if (!found) return;
  m.places = { title: `Add ${item.title}`, list: openPlaces(m, found.places) };
  const able = m.places.list.filter((p) => !p.why_not);
  if (able.length === 1) { await placeAt(m, able[0]); return; }
  m.go('places');
}

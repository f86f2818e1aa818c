// Outlines of icons, loaded by name.
import type { Icon } from './api';
import type { Model } from './model';

export async function loadIcons(m: Model, find: string): Promise<void> {
  const got = await m.run(() => m.client.get<{ icons: Icon[] }>(`../edit/icons?q=${encodeURIComponent(find)}`), true);
  const all = (got?.icons ?? []).map((one) => ({ ...one, name: bareIcon(one.name) }));
  if (m.icons) m.icons.list = all;
  for (const one of all) m.glyphs.set(one.name, one.path);
  m.redraw();
}

const wanted = new Set<string>(); // names for the next request

/** glyphOf returns the outline of an icon by its name. It loads the outline the first time. */
export function glyphOf(m: Model, name: string): string {
  const bare = bareIcon(name);
  if (!m.glyphs.has(bare) && /^[a-z0-9-]+$/.test(bare)) {
    m.glyphs.set(bare, '');
    wanted.add(bare);
    m.later('glyphs', 30, () => {
      const names = [...wanted].join(',');
      wanted.clear();
      void m.client.get<{ icons: Icon[] }>(`../edit/icons?names=${encodeURIComponent(names)}`).then((got) => {
        for (const one of got.icons) m.glyphs.set(bareIcon(one.name), one.path);
        m.redraw();
      }, () => undefined);
    });
  }
  return m.glyphs.get(bare) ?? '';
}

/** bareIcon returns the name of an icon without the name of its set. */
function bareIcon(name: string): string { return name.replace(/^mdi:/, ''); }

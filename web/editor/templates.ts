// Templates of new sources: what the form asks for, and the YAML of the source.
import * as i from './icons';
import type { Model } from './model';
import { loadHomes } from './sources';
import { fileText } from './texts';
import { scalar } from './yaml';

export interface Template { kind: string; title: string; text: string; icon: string; ask: { key: string; title: string; hint: string; secret?: boolean }[]; yaml: (g: Record<string, string>) => string }

const slug = (s: string) => s.trim().toLowerCase().replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '') || 'source';

export const templates: Template[] = [
  { kind: 'calendar', title: 'Calendar', text: 'a private address that ends in .ics', icon: i.sourceIcon('calendar'), ask: [{ key: 'name', title: 'Name', hint: 'Anna' }, { key: 'secret', title: 'Private address', hint: 'ends in .ics', secret: true }],
    yaml: (g) => `${slug(g.name)}_calendar:\n  type: calendar\n  calendars:\n    - {name: ${scalar(g.name)}, url: !secret ${slug(g.name)}_ics}\n` },
  { kind: 'weather', title: 'Weather', text: 'of a town, needs no key', icon: i.sourceIcon('weather'), ask: [{ key: 'town', title: 'Town', hint: 'Lisbon' }], yaml: (g) => `weather:\n  type: weather\n${g.town ? `  location: ${scalar(g.town)}\n` : ''}` },
  { kind: 'homeassistant', title: 'Home Assistant', text: 'its entities and switches', icon: i.sourceIcon('homeassistant'), ask: [{ key: 'url', title: 'Address', hint: 'http://192.168.1.5:8123' }, { key: 'secret', title: 'Token', hint: 'in Home Assistant: profile, Security', secret: true }],
    yaml: (g) => `home:\n  type: homeassistant\n  url: ${g.url}\n  token: !secret home_token\n` },
  { kind: 'rest', title: 'JSON address', text: 'pick values from its answer', icon: i.sourceIcon('rest'), ask: [{ key: 'name', title: 'Name', hint: 'solar' }, { key: 'url', title: 'Address', hint: 'as in your browser' }], yaml: (g) => `${slug(g.name)}:\n  type: rest\n  url: ${scalar(g.url)}\n` },
];

export const secretName = (t: Template, g: Record<string, string>) => (t.kind === 'homeassistant' ? 'home_token' : `${slug(g.name)}_ics`);

/** hasPlace reports whether conf.yaml has the location of the wall. Until the file is loaded, it returns false. */
export const hasPlace = (m: Model) => m.draft!.files.some((f) => f.name === 'conf.yaml') && /^(location|latitude):/m.test(fileText(m, 'conf.yaml') ?? '');

/** fillIn opens the form of a template and moves the focus to its first field. A calendar is added to the source `into`, if there is one. */
export function fillIn(m: Model, kind: string, into?: string): void {
  m.template = { kind, given: {}, into };
  if (kind === 'homeassistant') void loadHomes(m);
  if (m.screen === 'newdata') m.redraw();
  else m.go('newdata');
  m.focusLater(`t-${templates.find((one) => one.kind === kind)!.ask[0].key}`);
}

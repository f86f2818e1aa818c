// Live state of the sources: the counts, ages and values next to the fields that choose from them.
import { html, nothing } from 'lit';
import type { Live, Node } from './api';
import type { Model } from './model';
import type { Part } from './parts';
import { loadValues, resultNow } from './sources';
import { colorOf } from './theming';
import { most, resultOf, type Suggestion } from './suggest';
import { list, plain, read } from './yaml';

const freshFor = 20000; // time in ms after which the states are loaded again, at the next change of the page
const usualDays = 7;

/** live() returns the state of a provider. It loads all states if they are old or of another revision. */
function live(m: Model, name: string, days = usualDays): Live | undefined {
  const key = `${m.draft!.id} ${m.draft!.revision} ${days}`;
  if (m.live.key !== key || Date.now() - m.live.at > freshFor) {
    m.live = { key, at: Date.now(), list: m.live.list };
    void m.client.get<{ keys: Live[] }>(m.at(`/values?days=${days}`)).then((got) => { m.live.list = got.keys ?? []; m.redraw(); }, () => undefined);
  }
  return m.live.list.find((one) => one.name === name);
}

export const plural = (n: number, one: string, many: string) => (n === 1 ? `1 ${one}` : `${n} ${many}`);

const events = (n: number) => plural(n, 'event', 'events');

function age(m: Model, s: number): string {
  const t = s + Math.round((Date.now() - m.live.at) / 1000);
  return t < 60 ? `${t} s old` : t < 3600 ? `${Math.floor(t / 60)} min old` : `${Math.floor(t / 3600)} h old`;
}

/** content() describes the value of a provider. The parameter `of` lists the calendars whose events are counted. */
function content(v: Live, of?: string[]): string {
  if (v.events) return events(Object.entries(v.events).reduce((sum, [name, n]) => (of && !of.includes(name) ? sum : sum + n), 0));
  if (v.count !== undefined) return v.type === 'homeassistant' ? plural(v.count, 'entity', 'entities') : v.kind === 'list' ? plural(v.count, 'entry', 'entries') : plural(v.count, 'value', 'values');
  return String(v.value).slice(0, 40);
}

/** daysOf returns the number of days that a widget shows. */
function daysOf(m: Model, n: Node): number {
  const given = m.param(n, 'days')?.value ?? m.schemas.fields(n.widget ?? '').find((f) => f.key === 'days')?.fallback;
  return Number(given) || usualDays;
}

/** liveWords describes the newest value of a provider for a widget: its content, the next event and its age. */
export function liveWords(m: Model, name: string, n: Node, of?: string[]): Part {
  const v = live(m, name, daysOf(m, n));
  if (!v) return nothing;
  const bad = v.error !== null, none = v.age === null;
  const words = none ? (bad ? 'no value' : 'no value yet') : [content(v, of), !of && v.next ? `next ${v.next}` : '', age(m, v.age!)].filter(Boolean).join(', ');
  return html`<span class="dot ${bad ? 'bad-dot' : none || v.stale ? 'warn-dot' : ''}"></span>${words}${bad && !none ? ', the last try failed' : ''}`;
}

/** stateWords describes the age of a provider's newest value, or the error of its last request. */
export function stateWords(m: Model, name: string): { words: string; bad: boolean } {
  const v = live(m, name);
  if (!v || (v.age === null && v.error === null)) return { words: '', bad: false };
  return { words: [v.error === null ? '' : 'the last request failed', v.age === null ? '' : age(m, v.age)].filter(Boolean).join(', '), bad: v.error !== null };
}

/** sourceOf returns the provider that a widget uses: the provider that it names, or the only provider of the type in its schema. */
export function sourceOf(m: Model, n: Node): Node | undefined {
  const f = m.schemas.fields(n.widget ?? '').find((one) => one.key === 'provider'), type = f && /type (\w+)/.exec(f.help)?.[1];
  const wanted = plain(m.param(n, 'provider')?.value ?? ''), all = (m.draft!.providers ?? []).filter((s) => !type || plain(m.param(s, 'type')?.value ?? '') === type);
  return wanted ? all.find((s) => s.name === wanted) : type && all.length ? all[0] : undefined;
}

/** nowOf describes the content that a widget shows now. */
export function nowOf(m: Model, n: Node): Part {
  const from = sourceOf(m, n), chosen = list(m.param(n, 'calendars')?.value);
  return from?.name ? liveWords(m, from.name, n, chosen.length ? chosen : undefined) : nothing;
}

/** colorsOf returns the color of each calendar of a provider, by name. */
export function colorsOf(m: Model, from: Node): Map<string, string> {
  const v = m.param(from, 'calendars') ? read(m.param(from, 'calendars')!.value) : [], all = new Map<string, string>();
  if (!Array.isArray(v)) return all;
  v.forEach((c, k) => {
    if (typeof c !== 'object' || Array.isArray(c) || typeof c.name !== 'string') return;
    all.set(c.name, colorOf(m, typeof c.color === 'string' ? c.color.replace(/^!color\s+/, '') : `series${(k % 4) + 1}`));
  });
  return all;
}

/** calendarsOf returns the calendars of the provider that a widget uses, with their color and the number of events. */
export function calendarsOf(m: Model, n: Node): { name: string; note: string; color: string }[] {
  const from = sourceOf(m, n);
  if (!from?.name) return [];
  const counted = live(m, from.name, daysOf(m, n))?.events ?? {};
  return [...colorsOf(m, from)].map(([name, color]) => ({ name, color, note: counted[name] === undefined ? '' : events(counted[name]) }));
}

/** homeOf returns the name of the Home Assistant provider that a widget uses. */
function homeOf(m: Model, n: Node): string {
  const homes = (m.draft!.providers ?? []).filter((p) => plain(m.param(p, 'type')?.value ?? '') === 'homeassistant');
  return plain(m.param(n, 'provider')?.value ?? '') || homes[0]?.name || '';
}

/** entityProgram returns the formula that reads an entity of Home Assistant. */
const entityProgram = (m: Model, n: Node, entity: string) => `.${homeOf(m, n)}["${entity.replace(/["\\]/g, '')}"]`;

/** entityNow shows the present state of an entity. */
export function entityNow(m: Model, n: Node, entity: string): Part {
  if (!entity || !homeOf(m, n)) return nothing;
  const v = resultNow(m, `${n.id} now ${entity}`, entityProgram(m, n, entity))?.result as { state?: unknown; attributes?: Record<string, unknown> } | null | undefined;
  if (v?.state === undefined) return nothing;
  return html`<p class="result"><b>${String(v.state)}${v.attributes?.unit_of_measurement ? ` ${String(v.attributes.unit_of_measurement)}` : ''}</b> <span class="muted">now</span></p>`;
}

/** entitiesLike returns the entities whose names contain the typed text, with their states. */
export function entitiesLike(m: Model, n: Node, typed: string): Suggestion[] {
  const home = homeOf(m, n), path = `.${home}`, text = typed.trim().toLowerCase();
  if (!home || text.length < 2) return [];
  if (!m.values.has(path)) { m.values.set(path, []); void loadValues(m, path); }
  const all = (m.values.get(path) ?? []).filter((v) => v.name.includes(text) && v.name !== text).slice(0, most);
  return all.map((v) => ({ word: v.name, text: v.name, about: '', value: resultOf(m, `${entityProgram(m, n, v.name)}.state`) }));
}

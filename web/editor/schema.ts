// Makes the fields of forms from JSON Schemas.
import type { Client } from './api';

interface Schema {
  $ref?: string; anyOf?: Schema[]; oneOf?: Schema[]; allOf?: Schema[]; type?: string | string[]; enum?: unknown[]; const?: unknown;
  minimum?: number; maximum?: number; pattern?: string; description?: string; default?: unknown; items?: Schema; deprecationMessage?: string;
  properties?: Record<string, Schema>; definitions?: Record<string, Schema>; required?: string[]; if?: Schema; then?: Schema; additionalProperties?: Schema | boolean; enumDescriptions?: string[];
}

export type Kind = 'switch' | 'choice' | 'number' | 'length' | 'duration' | 'time' | 'color' | 'icon' | 'checks' | 'list' | 'text' | 'code';

/** One field of a form. */
export interface Field { key: string; kind: Kind; help: string; needed: boolean; min?: number; max?: number; whole?: boolean; choices?: string[]; fallback?: string; program: boolean; old: boolean }

// Keys that every widget has. They come after the keys of the widget's kind.
const common = ['grow', 'size', 'margin', 'padding', 'inset', 'place', 'card', 'background', 'radius', 'opacity', 'color', 'accent', 'align', 'vertical_align', 'style', 'weight', 'text_size', 'text_group', 'empty', 'note', 'name', 'when', 'trigger', 'dwell', 'only', 'on_tap', 'on_hold', 'on_double_tap', 'on_swipe'];
const first = ['title', 'icon', 'text', 'value', 'path', 'url', 'provider'];
const firstOfSource = ['url', 'host', 'location', 'latitude', 'longitude', 'path', 'topic', 'entity', 'token', 'key', 'query', 'stops', 'value', 'project'], lastOfSource = ['headers', 'jitter', 'timeout', 'at', 'only_when_visible', 'write', 'ca_file'];
const hidden = ['widget', 'children', 'area', 'areas', 'columns', 'rows', 'portrait', 'type'];

export class Schemas {
  private readonly all = new Map<string, Schema | null>();

  constructor(private readonly client: Client, private readonly redraw: () => void) {}

  get(name: string): Schema | null {
    if (!this.all.has(name)) {
      this.all.set(name, null);
      void this.client.get<Schema>(`../edit/schema/${name}`).then((s) => { this.all.set(name, s); this.redraw(); }, () => undefined);
    }
    return this.all.get(name) ?? null;
  }

  private resolve(root: Schema, s: Schema | undefined): Schema {
    for (let k = 0; s?.$ref && k < 8; k++) {
      const m = /#\/definitions\/(.+)$/.exec(s.$ref), outside = !s.$ref.startsWith('#');
      if (!m || outside) return s;
      const { $ref: _, ...rest } = s;
      s = { ...root.definitions?.[m[1]], ...rest };
    }
    return s ?? {};
  }

  /** description() returns the sentence that describes a kind of widget. */
  description(widget: string): string { return this.get('widgets')?.definitions?.[widget]?.description ?? ''; }

  kinds(): string[] { return Object.entries(this.get('widgets')?.definitions ?? {}).filter(([, s]) => s.properties?.widget).map(([k]) => k); }

  /** providerSchema returns the root of the schema for providers, and the schema for a type of provider. */
  private providerSchema(type: string): [Schema, Schema] | null {
    const root = this.get('providers');
    if (!root) return null;
    const entry = this.resolve(root, (this.resolve(root, root.properties?.providers).additionalProperties as Schema | undefined));
    for (const one of entry.allOf ?? []) {
      if (one.if?.properties?.type?.const === type && one.then) return [root, this.resolve(root, one.then)];
    }
    return [root, entry];
  }

  /**
   * fields() returns the keys of a kind of widget or a type of provider, the usual keys first. If `every` is true, the result includes keys
   * that no form shows.
   */
  fields(kind: string, provider = false, every = false): Field[] {
    const root = this.get('widgets'), found = provider ? this.providerSchema(kind) : root && ([root, root.definitions?.[kind] ?? {}] as [Schema, Schema]);
    if (!found) return [];
    const [base, s] = found, needed = new Set(s.required ?? []);
    const own = Object.entries(s.properties ?? {}).filter(([k]) => every || !hidden.includes(k)).map(([k, v]) => this.field(base, k, v, needed.has(k)));
    const rank = (f: Field) => provider ? (f.needed ? -100 : 0) + (firstOfSource.indexOf(f.key) + 1 || (lastOfSource.indexOf(f.key) + 1 || -50) + 100) : (f.needed ? -1 : 0) + (first.includes(f.key) ? first.indexOf(f.key) : common.includes(f.key) ? 1000 + common.indexOf(f.key) : 100);
    return own.filter((f) => !f.old).sort((a, b) => rank(a) - rank(b));
  }

  /** isRare reports whether a form shows a key without a value only after a tap on the button for more fields. */
  isRare(key: string, provider: boolean): boolean { return (provider ? lastOfSource : common).includes(key); }

  private field(root: Schema, key: string, given: Schema, needed: boolean): Field {
    const s = this.resolve(root, given), parts = this.flat(root, s);
    const fallback = s.default === undefined ? undefined : String(s.default);
    const f: Field = { key, kind: 'text', help: s.description ?? '', needed, fallback, program: parts.some((p) => p.description?.includes('!data')), old: !!s.deprecationMessage };
    const enums = parts.flatMap((p) => p.enum ?? (p.const !== undefined ? [p.const] : [])).filter((e) => e !== null).map(String);
    const has = (type: string) => parts.some((p) => p.type === type || (Array.isArray(p.type) && p.type.includes(type)));
    const num = parts.find((p) => p.type === 'integer' || p.type === 'number');
    const patterns = parts.map((p) => p.pattern ?? '').join(' '), array = parts.find((p) => p.type === 'array' || (Array.isArray(p.type) && p.type.includes('array')));
    const items = array && this.flat(root, this.resolve(root, array.items ?? {}));
    if (parts.some((p) => p.$ref?.includes('icons.json'))) f.kind = 'icon';
    else if (/color|background|accent/.test(key) && (has('string') || parts.some((p) => p.enum)) && /#/.test(patterns + JSON.stringify(parts.slice(0, 3)))) f.kind = 'color';
    else if (parts.some((p) => p.type === 'boolean') && !enums.length) f.kind = 'switch';
    else if (items?.some((p) => p.enum)) { f.kind = 'checks'; f.choices = items.flatMap((p) => p.enum ?? []).filter((e) => e !== null).map(String); }
    else if (/ms\|/.test(patterns) || /\(ms\|s\|m\|h/.test(patterns) || /\bms\b/.test(patterns)) f.kind = 'duration';
    else if (/px/.test(patterns) && num) { f.kind = 'length'; f.min = num.minimum; f.max = num.maximum; }
    else if (enums.length && !num && !has('object')) { f.kind = 'choice'; f.choices = [...new Set(enums)]; }
    else if (num && !has('object')) { f.kind = 'number'; f.min = num.minimum; f.max = num.maximum; f.whole = num.type === 'integer'; }
    else if (has('object') && (!has('string') || key.startsWith('on_'))) f.kind = 'code';
    else if (items) f.kind = items.some((p) => p.type === 'object') ? 'code' : 'list';
    return f;
  }

  private flat(root: Schema, s: Schema, depth = 0): Schema[] {
    const parts = [...(s.anyOf ?? []), ...(s.oneOf ?? [])];
    if (!parts.length || depth > 4) return [s];
    return parts.flatMap((p) => this.flat(root, this.resolve(root, p), depth + 1));
  }
}

/** label() writes a key as the name of a field: "vertical_align" is "Vertical align", and "ca_file" is "CA file". */
export function label(key: string): string {
  const words = key === 'url' ? 'address' : key.replace(/_/g, ' ').replace(/\b(ca|id|json|mqtt|qr|rgb|ssid|ttl|tty|url)\b/g, (w) => w.toUpperCase());
  return words.startsWith('jq ') ? words : words[0].toUpperCase() + words.slice(1);
}

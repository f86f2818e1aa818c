// A small reader and writer of YAML values for forms: scalars, lists and mappings, in flow or block style. The server parses the files. The
// page only shows values and writes new values.

export type Value = string | Value[] | { [key: string]: Value };

/** scalar() writes a text as a YAML scalar, in quotes if YAML would otherwise read it as another type. */
export function scalar(text: string): string {
  if (text === '') return '""';
  const plain = /^[A-Za-zÀ-￿_/.(][^\n]*$/.test(text) && !/^(true|false|yes|no|on|off|null|y|n|~)$/i.test(text);
  if (plain && !/[:#]\s|\s#|:$|[,[\]{}]|^[.]\d|\s$|[\x00-\x1f]/.test(text)) return text;
  if (/[\x00-\x1f]/.test(text) || text.includes('\\')) return JSON.stringify(text);
  return text.includes('"') ? `'${text.replace(/'/g, "''")}'` : `"${text}"`;
}

/** number() writes a number without the rounding error of floating-point arithmetic. */
export function number(n: number): string { return String(+n.toFixed(4)); }

/** plain() returns a scalar without its quotes. Tags such as !data stay. */
export function plain(text: string): string {
  const t = text.trim();
  if (/^"[^]*"$/.test(t)) {
    try { return JSON.parse(t) as string; } catch { return t.slice(1, -1); }
  }
  return /^'[^]*'$/.test(t) ? t.slice(1, -1).replace(/''/g, "'") : t;
}

/** read parses a value to a text, a list or a mapping. If it does not support the form of the value, the result is the text. */
export function read(text: string): Value {
  const t = text.trim();
  if (t.startsWith('[') || t.startsWith('{')) {
    const r = new Flow(t), v = r.value();
    if (r.ok && r.done()) return v;
    return t;
  }
  const lines = text.split('\n').filter((l) => l.trim() && !l.trim().startsWith('#'));
  if (lines.length && /^\s*-(\s|$)/.test(lines[0])) return block(lines) ?? t;
  if (lines.length && /^\s*[\w.-]+:(\s|$)/.test(lines[0]) && !t.startsWith('!')) return block(lines) ?? t;
  return plain(uncommented(t));
}

/** uncommented() removes a comment after a scalar. */
function uncommented(t: string): string {
  return /^["']/.test(t) ? t.replace(/^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s+#[^]*$/, '$1') : t.replace(/\s+#[^]*$/, '');
}

/** block() reads lists and mappings by their indentation. The first line may be without its indentation. */
function block(lines: string[]): Value | null {
  const indent = (l: string) => /^\s*/.exec(l)![0].length;
  const at = lines.length > 1 ? Math.max(0, Math.min(...lines.slice(1).map(indent))) : indent(lines[0]);
  const own = lines.map((l, n) => (n === 0 && indent(l) < at ? ' '.repeat(at) + l.trim() : l)), base = indent(own[0]);
  const groups: string[][] = [];
  for (const l of own) {
    if (indent(l) <= base && (/^\s*-(\s|$)/.test(own[0]) ? /^\s*-(\s|$)/.test(l) : true)) groups.push([l]);
    else if (groups.length) groups[groups.length - 1].push(l);
  }
  if (/^\s*-(\s|$)/.test(own[0])) return groups.map((g) => read([' '.repeat(base) + g[0].trim().replace(/^-/, ' '), ...g.slice(1)].join('\n')));
  const map: { [key: string]: Value } = {};
  for (const g of groups) {
    const m = /^\s*(?:"([^"]*)"|'([^']*)'|([^:#]+?)):(?:\s+(.*))?$/.exec(g[0]);
    if (!m) return null;
    const rest = uncommented((m[4] ?? '').trim()).replace(/^#.*/, '');
    map[m[1] ?? m[2] ?? m[3]] = rest && g.length === 1 ? read(rest) : read([...(rest ? [rest] : []), ...g.slice(1)].join('\n'));
  }
  return map;
}

/** Flow parses values in the forms [a, b] and {a: b}. */
class Flow {
  private i = 0;
  ok = true;

  constructor(private readonly t: string) {}

  done(): boolean {
    this.space();
    return this.i >= this.t.length;
  }

  private space(): void {
    for (let m; (m = /^(\s+|#[^\n]*)/.exec(this.t.slice(this.i)));) this.i += m[0].length;
  }

  private take(c: string): boolean {
    this.space();
    if (this.t[this.i] !== c) return false;
    this.i++;
    return true;
  }

  value(): Value {
    if (this.take('[')) return this.list();
    if (this.take('{')) return this.map();
    this.space();
    const m = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,[\]{}]+?(?=\s*(?:[,\]}]|:\s|$)))/.exec(this.t.slice(this.i));
    if (!m) { this.ok = false; return ''; }
    this.i += m[0].length;
    return plain(m[0]);
  }

  private list(): Value[] {
    const all: Value[] = [];
    for (; this.ok && !this.take(']') && this.i < this.t.length; this.take(',')) all.push(this.value());
    return all;
  }

  private map(): Value {
    const all: { [key: string]: Value } = {};
    for (; this.ok && !this.take('}') && this.i < this.t.length; this.take(',')) {
      const key = this.value();
      if (!this.take(':')) { this.ok = false; break; }
      all[String(key)] = this.value();
    }
    return all;
  }
}

/** list() reads a value as a list of texts. A single value becomes a list with one text. */
export function list(text: string | undefined): string[] {
  if (!text) return [];
  const v = read(text);
  return Array.isArray(v) ? v.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))) : typeof v === 'string' && v ? [v] : [];
}

/** flow() writes a list of texts on one line. */
export function flow(all: string[]): string {
  return `[${all.map((one) => (/^-?\d+(\.\d+)?$/.test(one) ? one : scalar(one))).join(', ')}]`;
}

/** short() writes a value on one line, for a summary. */
export function short(text: string): string {
  const v = read(text), of = (x: Value): string => (typeof x === 'string' ? x : Array.isArray(x) ? x.map(of).join(', ') : Object.entries(x).map(([k, y]) => `${k} ${of(y)}`).join(', '));
  return of(v);
}

/** A part of a line of YAML, and the role that gives its color. */
export interface Piece { text: string; role: '' | 'key' | 'number' | 'string' | 'comment' }

/** pieces() splits a line of YAML into parts. Each part has a role that gives its color. */
export function pieces(line: string): Piece[] {
  const all: Piece[] = [], rule = /(#.*$)|("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')(?=\s*(:)?)|([A-Za-z_][\w.-]*)(?=:(?:\s|$))|(-?\d+(?:\.\d+)?(?=[\s,\]}]|$)|(?:true|false|null)(?=[\s,\]}]|$))/g;
  let at = 0;
  for (const m of line.matchAll(rule)) {
    if (m[1] && m.index! > 0 && !/\s/.test(line[m.index! - 1])) continue;
    if (m[5] && m.index! > 0 && !/[\s[,:(]/.test(line[m.index! - 1])) continue;
    if (m.index! > at) all.push({ text: line.slice(at, m.index), role: '' });
    all.push({ text: m[0], role: m[1] ? 'comment' : m[2] ? (m[3] ? 'key' : 'string') : m[4] ? 'key' : 'number' });
    at = m.index! + m[0].length;
  }
  if (at < line.length) all.push({ text: line.slice(at), role: '' });
  return all;
}

// The place of the cursor in a YAML text.

/** A Place has the kind of the widget or the type of the provider around the cursor, the key whose value is there, and the line. */
export interface Place { kind: string; key: string; line: number }

const widget = /(?:^|[,{\s])widget:\s*["']?(\w+)/, type = /(?:^|[,{\s])type:\s*["']?(\w+)/;
const value = /(?:^|[,{\s])([A-Za-z_]\w*):\s+(?:\[[^\]]*|[^,[\]{}]*)$/;

const kindIn = (text: string) => (widget.exec(text) ?? type.exec(text))?.[1] ?? '';

/** column() returns the column of the first key of a line. */
const column = (line: string) => /^\s*(?:- +)*/.exec(line)![0].length;

/** braces() returns the text after the last brace that is still open, or null. */
function braces(line: string): string | null {
  const open: number[] = [];
  for (let k = 0; k < line.length; k++) {
    if (line[k] === '{') open.push(k + 1);
    else if (line[k] === '}') open.pop();
  }
  return open.length ? line.slice(open.pop()) : null;
}

/** place() returns the place at the end of a text. It looks only at the lines above, because an entry begins with its kind. */
export function place(before: string): Place {
  const lines = before.split('\n'), line = lines.length, last = lines.pop()!, inside = braces(last);
  if (inside !== null) return { kind: kindIn(inside), key: value.exec(inside)?.[1] ?? '', line };
  const at = column(last), own = last.slice(at);
  let kind = kindIn(own);
  for (let k = lines.length - 1, first = /^\s*- /.test(last); k >= 0 && !kind && !first; k--) {
    const start = column(lines[k]);
    if (!lines[k].trim() || start > at) continue;
    if (start < at) break;
    kind = kindIn(lines[k].slice(start));
    first = /^\s*- /.test(lines[k]);
  }
  return { kind, key: value.exec(own)?.[1] ?? '', line };
}

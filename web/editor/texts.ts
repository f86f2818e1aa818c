// Texts of the draft's files.
import type { Node } from './api';
import type { Model } from './model';

const loading = new Set<string>();

/** fileText returns the text of a file. If the stored text is not the newest text of the draft, it loads the text again. */
export function fileText(m: Model, name: string): string | null {
  const f = m.draft?.files.find((one) => one.name === name), kept = m.texts.get(name);
  if (f && kept?.hash !== f.hash && !loading.has(name)) {
    loading.add(name);
    void m.client.get<{ text: string; hash: string }>(m.at(`/file?name=${encodeURIComponent(name)}`)).then((got) => {
      m.texts.set(name, { hash: f.hash, text: got.text });
    }, () => m.texts.set(name, { hash: f.hash, text: '' })).finally(() => { loading.delete(name); m.redraw(); });
  }
  return kept?.text ?? null;
}

/** openText shows a line of a file in the text mode. */
export function openText(m: Model, file: string, line: number): void {
  Object.assign(m, { file, fileLine: line });
  m.go('files');
}

/** yamlOf returns the YAML of a node, in whole lines. */
export function yamlOf(m: Model, n: Node): string | null {
  const text = fileText(m, n.file);
  if (text === null) return null;
  return new TextDecoder().decode(new TextEncoder().encode(text).slice(n.start, n.end));
}

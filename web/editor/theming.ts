// The theme of the draft, as the server computes it, and changes of it.
import type { Draft, ThemeState } from './api';
import type { Model } from './model';

export async function loadTheme(m: Model, quiet = false): Promise<void> {
  if (!m.draft || m.theme) return;
  m.theme = await m.run(() => m.client.get<ThemeState>(m.at('/theme')), quiet) ?? null;
  m.redraw();
}

let wanted: Draft | null = null;

/**
 * wantTheme loads the theme for a screen that also works without the theme. It tries once for each state of the draft, because a draft
 * with an error may have no theme.
 */
export function wantTheme(m: Model): void {
  if (m.theme || wanted === m.draft) return;
  wanted = m.draft;
  void loadTheme(m, true);
}

/** colorOf returns the color of a role as the wall draws it. A color in hex stays. */
export function colorOf(m: Model, name: string): string {
  if (name.startsWith('#')) return name;
  wantTheme(m);
  return m.theme?.roles.find((r) => r.name === name)?.[m.draft!.theme === 'day' ? 'day' : 'night'] ?? `var(--${name}, var(--accent))`;
}

/** setToken sets a color of the theme. If night and day have different colors, `mode` selects one of them. */
export function setToken(m: Model, section: string, name: string, value: string, mode: string): Promise<boolean> {
  return m.ops(() => [{ op: 'token', section, name, value, mode }], `theme ${mode}.${section}.${name}`).then(async (ok) => {
    if (ok) await loadTheme(m);
    return ok;
  });
}

/** setTheme sets a key of the theme: the built-in theme that it starts from, or the typeface. */
export function setTheme(m: Model, key: 'from' | 'typeface', value: string): Promise<boolean> {
  const root = m.draft!.tree, now = m.param(root, 'theme')?.value ?? '', mapping = /^\s*(\{|[\w-]+:(\s|$))/.test(now);
  const [path, text] = mapping ? [`theme.${key}`, value] : key === 'from' ? ['theme', value] : ['theme', `{from: ${now.trim() || 'calm'}, typeface: ${value}}`];
  return m.set(root.id, path, text).then(async (ok) => {
    const bad = m.refused.get(`${root.id} ${path}`);
    if (bad) m.say({ text: bad, bad: true });
    await loadTheme(m);
    return ok;
  });
}

/** setScale sets the factor of all text, in percent. */
export async function setScale(m: Model, percent: number): Promise<void> {
  const value = String(Math.min(300, Math.max(50, percent)) / 100);
  if (await m.ops(() => [{ op: 'scale', value }], '', 'scale')) await loadTheme(m);
}

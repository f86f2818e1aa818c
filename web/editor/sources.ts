// Secrets, tests and live values of the providers.
import type { Home, Node, TestResult, Value, ValueSent } from './api';
import type { Model } from './model';
import { message } from './words';
import { scalar } from './yaml';

const typedTime = 300; // time in ms from the last key until a formula is computed

export async function loadSecrets(m: Model): Promise<void> {
  const got = await m.run(() => m.client.get<{ secrets?: { name: string; set: boolean }[]; names?: { name: string; set: boolean }[] }>('../edit/secrets'), true);
  m.secrets = got?.secrets ?? got?.names ?? [];
  m.redraw();
}

export function setSecret(m: Model, name: string, value: string): Promise<boolean> {
  return m.run(async () => {
    await m.client.post('../edit/secrets', { name, value });
    await loadSecretsNow(m);
    m.say({ text: `${name} is kept in secrets.yaml` });
    return true;
  }).then((ok) => !!ok);
}

async function loadSecretsNow(m: Model): Promise<void> {
  const got = await m.client.get<{ secrets?: { name: string; set: boolean }[] }>('../edit/secrets');
  m.secrets = got.secrets ?? [];
}

/** loadHomes searches the network for Home Assistants. */
export async function loadHomes(m: Model): Promise<void> {
  m.homes = null;
  const got = await m.client.get<{ homes: Home[] }>('../edit/homes').catch(() => ({ homes: [] }));
  m.homes = got.homes;
  m.redraw();
}

/** useLink replaces the address of a web page by the calendar's address that the test has found there. The server keeps a secret address. */
export async function useLink(m: Model, p: Node, t: TestResult): Promise<void> {
  if (!t.link_to || await m.set(p.id, t.link_key!, scalar(t.link_to))) await testSource(m, m.provider, !t.link_to);
}

export async function testSource(m: Model, name: string, use = false): Promise<void> {
  m.tests.set(name, 'busy');
  m.redraw();
  const got = await m.run(() => m.client.post<TestResult>(m.at('/test'), { provider: name, use }), true).catch(() => undefined);
  for (const path of m.values.keys()) if (path === `.${name}` || path.startsWith(`.${name}.`)) m.values.delete(path); // the test may have returned other entries
  m.tests.set(name, { ...got ?? { words: 'The test did not end. One test runs at a time, at most 10 s.' }, at: Date.now() });
  m.redraw();
}

export async function loadValues(m: Model, path: string): Promise<void> {
  const got = await m.run(() => m.client.get<{ path: string; keys: ValueSent[] }>(m.at(`/values?path=${encodeURIComponent(path)}`)), true);
  if (got) m.values.set(path, (got.keys ?? []).map(shownValue));
  m.redraw();
}

/** evaluate runs the chosen path and the formula. After an error, the last good result stays. */
export async function evaluate(m: Model, program: string): Promise<{ result?: unknown; error?: string; column?: number }> {
  try {
    return await m.client.post(m.at('/eval'), { program });
  } catch (e) {
    return { error: message(e) };
  }
}

/** evaluateLater shows the result of a formula a moment after the last key. */
export function evaluateLater(m: Model, at: string, program: string): void {
  m.later(`eval ${at}`, typedTime, () => void evaluate(m, program).then((got) => { m.results.set(at, { ...got, at: Date.now() }); m.redraw(); }));
}

const freshFor = 20000; // time in ms after which a result is computed again, at the next change of the page

/** resultNow returns the present result of a formula. It computes the result if there is none, or if it is old. */
export function resultNow(m: Model, at: string, program: string): { result?: unknown; error?: string } | undefined {
  const got = m.results.get(at);
  if (program.trim() && Date.now() - (got?.at ?? 0) > freshFor) evaluateLater(m, at, program);
  return got;
}

/** shownValue returns a live value in the form that the tree shows. */
function shownValue(v: ValueSent): Value {
  const text = v.kind === 'list' ? `list of ${v.count ?? 0}` : v.count !== undefined ? (v.count === 1 ? '1 name' : `${v.count} names`) : v.value === null || v.value === undefined ? 'null' : typeof v.value === 'string' && v.kind === 'text' ? JSON.stringify(v.value) : String(v.value);
  return { name: v.name, kind: v.kind, path: v.path, value: text };
}

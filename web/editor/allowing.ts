// Devices that may edit, and the code with which this device gets the permission.
import { Refused, type Asking, type Device } from './api';
import type { Model } from './model';
import { announce, message } from './words';

const every = 2000; // interval in ms at which the page asks whether a device waits, or whether this device was allowed
const settle = 1000; // time in ms after a change of the list in which a tap is ignored, because it may be for the button that was there before

export const guestDays = 50; // number of days after which the permission of a guest ends

const doubleTap = 400; // time in ms after a tap on Allow in which the second tap of a double tap is ignored

const pause = (): Promise<void> => new Promise((done) => { setTimeout(done, every); });
const isStatus = (e: unknown, ...all: number[]): boolean => e instanceof Refused && all.includes(e.status);

let loads = 0, watches = 0, waits = 0; // number of lists that were requested, and of loops that were started. Only the newest one counts

/** readDevices shows the list of devices, unless a newer list was requested in the meantime. */
async function readDevices(m: Model): Promise<void> {
  const own = ++loads, got = await m.client.get<{ devices: Device[]; asking?: Asking[]; codes?: boolean; digits?: boolean }>('../edit/devices');
  if (own !== loads) return;
  const ids = () => [...m.asking.list.map((d) => d.id + String(d.allowed)), ...(m.devices ?? []).map((d) => d.id)].join();
  const before = ids(), first = !m.devices, known = new Set(m.asking.list.map((d) => d.id));
  m.devices = got.devices;
  m.asking.list = got.asking ?? [];
  m.asking.digits = got.codes ? got.digits : undefined;
  if (!first && ids() !== before) m.asking.changed = Date.now();
  for (const d of m.asking.list) if (!d.allowed && !known.has(d.id)) announce(`${d.name} asks now`);
  m.redraw();
}

async function loadDevices(m: Model): Promise<void> {
  await m.run(() => readDevices(m));
  m.devices ??= [];
  m.redraw();
}

/** watchDevices loads the list, and loads it again as long as the screen is open and the page can be seen. */
export async function watchDevices(m: Model): Promise<void> {
  const own = ++watches;
  m.asking.chosen = '';
  for (await loadDevices(m); await pause(), own === watches && m.screen === 'devices';) {
    if (document.hidden) continue;
    try {
      await readDevices(m);
    } catch (e) { // another part of the page shows a lost connection
      if (isStatus(e, 401, 403, 404)) return;
    }
  }
}

const settled = (m: Model): boolean => Date.now() - m.asking.changed >= settle;

const withdraw = (m: Model, id: string): Promise<unknown> => m.client.send('DELETE', `../edit/devices/${encodeURIComponent(id)}`);

/** askToAllow asks whether a waiting device gets the permission. */
export function askToAllow(m: Model, d: Asking): void {
  if (!settled(m)) return;
  m.asking.chosen = d.id;
  m.asking.guest = false;
  m.asking.changed = Date.now() - settle + doubleTap;
  announce(`Allow ${d.name}?`);
  m.redraw();
}

export async function answerAsking(m: Model, d: Asking, allow: boolean): Promise<void> {
  if (!settled(m)) return;
  const guest = m.asking.guest;
  m.asking.chosen = '';
  const ok = await m.run(async () => { await (allow ? m.client.post(`../edit/devices/${encodeURIComponent(d.id)}`, guest ? { days: guestDays } : {}) : withdraw(m, d.id)); return true; });
  if (ok) m.say({ text: allow ? `${d.name} may edit` : `${d.name} was refused` });
  await loadDevices(m);
}

/** setDigits sets whether other devices can ask with the six digits on the wall. */
export async function setDigits(m: Model, on: boolean): Promise<void> {
  await m.run(() => m.client.post('../edit/devices', { digits: on }));
  await loadDevices(m);
}

export async function removeDevice(m: Model, d: { id: string; name: string }): Promise<void> {
  if (!settled(m)) return;
  const ok = await m.run(async () => { await withdraw(m, d.id); return true; });
  if (ok) m.say({ text: `${d.name} may not edit any more`, ...('allowed' in d ? {} : { label: 'Undo', run: () => void restore(m, [d]) }) });
  await loadDevices(m);
}

/** restore gives removed devices their permission back. */
async function restore(m: Model, removed: { id: string }[]): Promise<void> {
  for (const d of removed) await m.run(() => m.client.post(`../edit/devices/${encodeURIComponent(d.id)}/undo`));
  await loadDevices(m);
}

/** removeOthers removes all devices except this one. */
export async function removeOthers(m: Model, others: { id: string }[]): Promise<void> {
  if (!settled(m)) return;
  const removed: { id: string }[] = [];
  const ok = await m.run(async () => {
    for (const d of others) {
      await withdraw(m, d.id).then(() => { if (!('allowed' in d)) removed.push(d); }).catch((e: unknown) => {
        if (!isStatus(e, 404)) throw e; // the device was removed already
      });
    }
    return true;
  });
  if (ok) m.say({ text: `${others.length} devices may not edit any more`, ...(removed.length ? { label: 'Undo', run: () => void restore(m, removed) } : {}) });
  await loadDevices(m);
}

export async function askCode(m: Model): Promise<void> {
  const got = await m.run(() => m.client.post<{ expires_in?: number } | null>('../edit/allow', { name: m.code.name }));
  if (got === undefined) return;
  m.code = { ...m.code, asked: Date.now(), ends: Date.now() + (got?.expires_in ?? 120) * 1000, wrong: '', digits: '' };
  m.redraw();
  void waitForOther(m, m.code.asked);
}

/**
 * waitForOther opens the editor if another device allows this one. `asked` is the start of the request. If another device allows it at its
 * end, the permission can be collected for the same time again.
 */
async function waitForOther(m: Model, asked: number): Promise<void> {
  const own = ++waits, end = 2 * m.code.ends - asked + every;
  while (await pause(), own === waits && Date.now() < end) {
    if (document.hidden || m.code.digits.length === 6) continue; // six digits are being sent
    let state: string | undefined;
    try {
      state = (await m.client.post<{ state?: string } | null>('../edit/allow/code', { code: '' }))?.state;
    } catch (e) {
      if (isStatus(e, 401, 403, 404)) return;
      if (own === waits && isStatus(e, 409)) m.code.wrong = message(e);
      continue;
    }
    if (state === 'paired') { // this counts even if there is a newer request, because the answer comes only once
      waits++;
      await m.start();
      return;
    }
    if (own !== waits || state === 'waiting') continue;
    const wrong = state === 'refused' ? 'The request was refused. Try again in ten minutes.' : 'This code has ended. Show the code again.';
    if (m.code.asked === asked && m.code.digits.length !== 6 && (state === 'refused' || Date.now() < m.code.ends)) m.code = { ...m.code, asked: 0, digits: '', wrong };
    m.redraw();
    return;
  }
}

export async function allowDevice(m: Model): Promise<void> {
  if (m.code.digits.length !== 6) return;
  try {
    const got = await m.client.post<{ left?: number } | null>('../edit/allow/code', { code: m.code.digits });
    if (got?.left === undefined) {
      waits++;
      await m.start();
      return;
    }
    wrongCode(m, got.left);
  } catch (e) {
    const left = e instanceof Refused ? e.body.left : undefined;
    if (typeof left === 'number') wrongCode(m, left);
    else m.code = { ...m.code, digits: '', wrong: message(e) };
  }
  m.redraw();
}

function wrongCode(m: Model, left: number): void {
  const words = ['No try is left. Show the code again.', 'One try is left.', 'Two tries are left.'];
  m.code = { ...m.code, digits: '', wrong: `This is not the code. ${words[left] ?? `${left} tries are left.`}`, ...(left ? {} : { asked: 0 }) };
}

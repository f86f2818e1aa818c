// Devices that may edit, and the code with which this device gets the permission.
import { Refused, type Asking, type Device } from './api';
import type { Model } from './model';
import { message } from './words';

export async function loadDevices(m: Model): Promise<void> {
  take(m, await m.run(() => listDevices(m)));
}

interface List { devices: Device[]; asking?: Asking[] }

const listDevices = (m: Model): Promise<List> => m.client.get<List>('../edit/devices');

function take(m: Model, list?: List): void {
  m.devices = list?.devices ?? [];
  m.asking = list?.asking ?? [];
  m.redraw();
}

const every = 2000; // interval in ms at which the page asks whether a device waits or was allowed

/** watchDevices loads the devices, and shows new requests as long as the screen is open. */
export async function watchDevices(m: Model): Promise<void> {
  await loadDevices(m);
  while (m.screen === 'devices') {
    await new Promise((done) => { setTimeout(done, every); });
    if (m.screen !== 'devices') return;
    await listDevices(m).then((list) => take(m, list), () => {}); // a lost connection is shown elsewhere
  }
}

export async function answerAsking(m: Model, d: Asking, allow: boolean): Promise<void> {
  const path = `../edit/devices/${encodeURIComponent(d.id)}`;
  const ok = await m.run(async () => { await (allow ? m.client.post(path) : m.client.send('DELETE', path)); return true; });
  if (ok) m.say({ text: allow ? `${d.name} may edit` : `${d.name} may not edit` });
  await loadDevices(m);
}

export async function removeDevice(m: Model, d: Device): Promise<void> {
  const ok = await m.run(async () => { await m.client.send('DELETE', `../edit/devices/${encodeURIComponent(d.id)}`); return true; });
  if (ok) m.say({ text: `${d.name} may not edit any more` });
  await loadDevices(m);
}

/** removeOthers removes all devices except this one. */
export async function removeOthers(m: Model, others: Device[]): Promise<void> {
  const ok = await m.run(async () => {
    for (const d of others) {
      await m.client.send('DELETE', `../edit/devices/${encodeURIComponent(d.id)}`).catch((e: unknown) => {
        if (!(e instanceof Refused) || e.status !== 404) throw e; // the device was removed already
      });
    }
    return true;
  });
  if (ok) m.say({ text: `${others.length} devices may not edit any more` });
  await loadDevices(m);
}

export async function askCode(m: Model): Promise<void> {
  const got = await m.run(() => m.client.post<{ expires_in?: number } | null>('../edit/allow', { name: m.code.name }));
  if (got === undefined) return;
  m.code = { ...m.code, asked: Date.now(), ends: Date.now() + (got?.expires_in ?? 120) * 1000, wrong: '', digits: '' };
  m.redraw();
  void waitForOther(m, m.code.asked);
}

/** waitForOther opens the editor if another device allows this one, as long as the request that began at `asked` waits. */
async function waitForOther(m: Model, asked: number): Promise<void> {
  while (m.code.asked === asked && Date.now() < m.code.ends) {
    await new Promise((done) => { setTimeout(done, every); });
    if (m.code.asked !== asked || m.code.digits.length === 6) continue;
    const state = await m.client.post<{ state?: string } | null>('../edit/allow/code', { code: '' }).then((got) => got?.state, () => '');
    if (m.code.asked !== asked) return;
    if (state === 'paired') { await m.start(); return; }
    if (state === 'refused') m.code = { ...m.code, asked: 0, digits: '', wrong: 'The request was refused. Try again in ten minutes.' };
    m.redraw();
  }
}

export async function allowDevice(m: Model): Promise<void> {
  if (m.code.digits.length !== 6) return;
  try {
    const got = await m.client.post<{ left?: number } | null>('../edit/allow/code', { code: m.code.digits });
    if (got?.left === undefined) { await m.start(); return; }
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

// Devices that may edit, and the code with which this device gets the permission.
import { Refused, type Device } from './api';
import type { Model } from './model';
import { message } from './words';

export async function loadDevices(m: Model): Promise<void> {
  m.devices = (await m.run(() => m.client.get<{ devices: Device[] }>('../edit/devices')))?.devices ?? [];
  m.redraw();
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

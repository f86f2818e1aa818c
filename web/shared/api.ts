// The client of a wall's HTTP API: tokens, requests, and the two streams (state and frames).

/** The error of a refused request. It contains the HTTP status and the server's error text. */
export class Refusal extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

export interface Pages { name: string | null; page: string; why: string; rule: string | null; at: number; until: string | null; pages: string[] }
export interface Power { on: boolean; why: string; hand: string; hand_until: string | null; brightness: number | null; brightness_by?: string | null; brightness_rule?: boolean; screens: { problem: string | null; dimmer: string | null }[] }
export interface Theme { mode: string; following_sun: boolean; held_until: string | null; next_change: string | null; next_mode: string | null }
export interface Notice { id?: string; widget: string; state: string; title?: string; text?: string; icon?: string; posted: string; actions?: string[] }
export interface Timer { name: string; label?: string; state: 'ready' | 'running' | 'stopped' | 'over'; duration: number | null; usual?: number; left: number | null; passed: number; ends_at: string | null }

/** The state of the card's updates. */
export interface Update {
  version: string; channel: string; window: string; source: boolean; latest?: string; ready?: boolean; waits?: string; size?: number; notes?: string[];
  phase?: 'fetch' | 'write' | 'check' | 'trial'; percent?: number; problem?: string; warning?: string; failed?: string; why?: string; seen?: boolean;
  back?: string; asked?: string; next?: string;
}

/** One answer of GET /state. A part is null if the wall does not have it. */
export interface State {
  name: string; version: string; now: string; may: 'control' | 'look'; view: string; views: string[];
  width: number; height: number; stream: boolean; touch: boolean; text: boolean; edit?: boolean; source?: boolean;
  pages: Pages | null; power: Power | null; theme: Theme | null;
  notices: { widgets: string[]; list: Notice[]; more: number } | null; timers: Timer[]; tasks: TaskList[]; waiting: number; update: Update | null; problem: string | null;
}

/**
 * A task without an id cannot be changed yet. `waiting` is true if the source has not received the last change. `problem` is the reason why
 * the source has refused it.
 */
export interface Task { task: string | null; title: string; done: boolean; waiting: boolean; problem: string | null }

/** A list of tasks, open tasks first, and the titles that were added often. */
export interface TaskList { name: string; tasks: Task[]; more: number; often: string[] }

/** The address of the files, and the result of the last requests. */
export interface Source {
  url: string; token: boolean; token_end: string; folder: string; every: number; jitter: number;
  revision: string | null; since: string | null; asked: string | null; next: string | null; refused: string | null; problem: string | null;
}

/** A screen that has a token, and a screen that asks for permission. */
export interface Screen { id: string; name: string; view: string; address: string; seen_at: string | null }
export interface Asking { id: string; name: string; address: string; code: string }

/** An e-reader. */
export interface Reader {
  id: string; friendly_id: string; listed: boolean; seen_at: string | null;
  battery_percent: number | null; battery_volts: number | null; charging: boolean; signal_dbm: number | null;
}

export interface Screens { devices: Screen[]; waiting: Asking[]; views: string[] }
export interface Readers { readers: Reader[]; waiting: { id: string; friendly_id: string }[] }

/** A provider of a widget, with its newest value. */
export interface Source { name: string; value: string; seconds_since_value: number | null; stale: boolean; error: string | null; warnings: string[] }

/** A widget of GET /widgets, in pixels of the wall. */
export interface Widget {
  kind: string; name: string; file: string; first_line: number; last_line: number;
  x: number; y: number; width: number; height: number; providers: Source[];
}

/** A number of an entity that can be set. */
export interface Slider { entity: string; provider: string; value: number; min: number; max: number; step: number; unit: string }

/** An area that reacts to taps, and the effect of a tap there. */
export interface Tap { label: string; state: string | null; icon_path: string | null; x: number; y: number; toggles: boolean; slider: Slider | null }

export interface Survey { width: number; height: number; widgets: Widget[]; taps: Tap[] }

const tokenKey = 'dashboard_tokens';

/** The tokens that this browser keeps: one for the controls, one for the frames. They are often the same. */
export class Tokens {
  control = '';
  stream = '';

  constructor() {
    const brought = new URLSearchParams(location.hash.slice(1)).get('token');
    try {
      Object.assign(this, JSON.parse(localStorage.getItem(tokenKey) ?? '{}'));
    } catch { /* a value of another program is ignored */ }
    if (brought) { // the token is in the QR code on the wall, after the #. Browsers do not send this part to a server
      this.keep({ control: brought, stream: this.stream || brought });
      history.replaceState(null, '', location.pathname + location.search);
    }
  }

  keep(given: Partial<Pick<Tokens, 'control' | 'stream'>>): void {
    Object.assign(this, given);
    localStorage.setItem(tokenKey, JSON.stringify({ control: this.control, stream: this.stream }));
  }
}

export const view = new URLSearchParams(location.search).get('view') ?? '';

function address(path: string, query: Record<string, string | number> = {}): string {
  const all = new URLSearchParams();
  if (view) all.set('view', view);
  for (const [key, value] of Object.entries(query)) all.set(key, String(value));
  const text = all.toString();
  return text ? `${path}?${text}` : path;
}

async function refusal(answer: Response): Promise<Refusal> {
  const body = await answer.json().catch(() => ({})) as { error?: string };
  return new Refusal(answer.status, body.error ?? `status ${answer.status}`);
}

/** ask() sends a request with the control token and returns the JSON body. */
export async function ask<T>(tokens: Tokens, method: string, path: string, body?: object): Promise<T> {
  const headers: Record<string, string> = {};
  const token = tokens.control || tokens.stream; // without a control token, the stream token is needed to manage devices
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body) headers['Content-Type'] = 'application/json';
  const answer = await fetch(address(path), { method, headers, cache: 'no-store', body: body && JSON.stringify(body) });
  if (!answer.ok) throw await refusal(answer);
  return await answer.json() as T;
}

const heartbeat = 5000; // time in ms without a byte after which a stream counts as lost. The server writes every 2 s

/** lines() reads a stream of server-sent events until it ends. It returns the data of each event, or '' for a heartbeat. */
export async function* lines(path: string, token: string, signal: AbortSignal, silence = heartbeat): AsyncGenerator<string> {
  const quiet = new AbortController();
  const stop = () => quiet.abort();
  signal.addEventListener('abort', stop);
  let timer = setTimeout(stop, silence);
  try {
    const headers: Record<string, string> = { Accept: 'text/event-stream' };
    if (token) headers.Authorization = `Bearer ${token}`;
    const answer = await fetch(address(path), { headers, signal: quiet.signal, cache: 'no-store' });
    if (!answer.ok) throw await refusal(answer);
    const reader = answer.body!.getReader(), decoder = new TextDecoder();
    for (let rest = ''; ;) {
      const { value, done } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(stop, silence);
      rest += decoder.decode(value, { stream: true });
      const all = rest.split('\n');
      rest = all.pop()!;
      for (const line of all) {
        if (line.startsWith('data: ')) yield line.slice(6);
        else if (line.startsWith(':')) yield '';
      }
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** A picture of the wall as the server sent it. */
export interface Picture { bitmap: ImageBitmap; etag: string; width: number; height: number }

/** frame() requests the newest picture, at most `width` pixels wide. It returns null if the picture has the given etag. */
export async function frame(tokens: Tokens, width: number, height: number, etag: string, signal: AbortSignal): Promise<Picture | null> {
  const headers: Record<string, string> = {};
  if (tokens.stream) headers.Authorization = `Bearer ${tokens.stream}`;
  if (etag) headers['If-None-Match'] = etag;
  const answer = await fetch(address('frame', width ? { width, height } : {}), { headers, signal, cache: 'no-store' });
  if (answer.status === 304) return null;
  if (!answer.ok) throw await refusal(answer);
  const bitmap = await createImageBitmap(await answer.blob());
  const size = /^(\d+)x(\d+)$/.exec(answer.headers.get('X-Frame-Render-Size') ?? '');
  return { bitmap, etag: answer.headers.get('ETag') ?? '', width: size ? +size[1] : bitmap.width, height: size ? +size[2] : bitmap.height };
}

/** panel() requests the picture in the inks of the wall's panel. It returns null if the wall has no panel. */
export async function panel(tokens: Tokens, signal?: AbortSignal): Promise<Picture | null> {
  const headers: Record<string, string> = tokens.stream ? { Authorization: `Bearer ${tokens.stream}` } : {};
  const answer = await fetch(address('panel'), { headers, signal, cache: 'no-store' });
  if (!answer.ok) return null;
  const bitmap = await createImageBitmap(await answer.blob());
  return { bitmap, etag: '', width: bitmap.width, height: bitmap.height };
}

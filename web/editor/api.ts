// The client of the editor's HTTP API: the types of its bodies and one function for requests.
import { Refusal, Tokens, view } from '../shared/api';

export { Refusal, Tokens };

/** One key of a node: its YAML text and its bytes in the file. */
export interface Param { key: string; value: string; start: number; end: number; hash: string; line: number }

/**
 * A widget, provider, page or theme in the files. `start` and `end` are positions in bytes. `rect` is in pixels of the wall. `locked` is the
 * line of a mistake in the file's text that must be corrected before the node can be changed.
 */
export interface Node {
  id: string; kind: string; file: string; start: number; end: number; hash: string; line: number;
  widget?: string; name?: string; title: string; area?: string; rect?: [number, number, number, number]; used?: number; of?: string; locked?: number;
  params: Param[] | null; children: Node[] | null;
}

export interface Problem { id: string; severity: 'error' | 'warning'; file: string; line: number; column: number; text: string; node?: string; instead?: string }
export interface FileState { name: string; hash: string; changed: boolean; writable: boolean }

/** A draft: the files with the changes of this session, as a tree. */
export interface Draft {
  id: string; view: string; name?: string; width: number; height: number; revision: number; changes: number; can_undo: boolean; can_redo: boolean;
  theme: string; files: FileState[]; tree: Node; providers: Node[] | null; problems: Problem[] | null; picture: string;
  drawn?: number; modes?: string[]; conflicts?: Conflict[] | null; merged?: Merged[]; own?: Own;
}

export interface Access {
  may: boolean; why?: string; read_only?: boolean; name?: string; views?: { name: string; width: number; height: number }[];
  drafts?: { id: string; view?: string; changes: number; idle_s: number }[]; revision?: number; error?: string;
}

export type Op =
  | { op: 'set'; node: string; hash: string; key: string; value: string; secret?: { name: string; value: string } }
  | { op: 'remove'; node: string; hash: string; key?: string }
  | { op: 'add'; parent: string; hash: string; index: number; area?: string; yaml?: string; node?: string } // the text of the new widget, or the widget to copy
  | { op: 'move'; node: string; hash: string; parent: string; index: number; area?: string }
  | { op: 'duplicate' | 'copy'; node: string; hash: string }
  | { op: 'scale'; value: string }
  | { op: 'token'; section: string; name: string; value: string; mode?: string }
  | { op: 'provider'; yaml: string; secret?: { name: string; value: string } }
  | { op: 'layout'; node: string; hash: string; columns?: string[]; rows?: string[]; areas?: string[]; portrait?: { columns?: string[]; rows?: string[]; areas?: string[] } }
  | { op: 'text'; node: string; hash: string; yaml: string };

export interface Place { number: number; parent: string; index: number; area?: string; swap?: string; rect?: [number, number, number, number]; words?: string; why_not?: string; row?: boolean }
export interface Item { id: string; kind: string; title: string; text: string; category: string; required: { key: string; type: string; help: string; example?: string }[] | null; yaml: string; picture: string }
export interface Gallery { categories: string[]; items: Item[] }
export interface Line { kind: ' ' | '+' | '-' | '@'; old?: number; new?: number; text: string }
export interface Diff { files: { name: string; lines: Line[] }[] }
/** The number of this draft's changes, and how many of them the merge applies without a choice. */
export interface Own { all: number; fit: number }
/**
 * The lines before and after a conflict: in the old file, on both sides, and in the merged file. `line` is the place in the merged file.
 */
export interface Lines { before: string; after: string }
export interface Conflict { id: string; file: string; line: number; base: string; yours: string; theirs: string; around?: { line: number; base: Lines; yours: Lines; theirs: Lines; merged: Lines }; caller?: string; at?: string; own_at?: string; base_at?: string }
export interface Merged { file: string; line: number; text: string; side: string }
export interface Version { n: number; time: string; caller: string; files: string[]; added: number; removed: number; words: string; diff?: Diff | Diff['files'] }
export interface Event { title: string; start: string; end?: string; all_day?: boolean; now?: boolean; calendar?: string }
/**
 * Answer is the result of a test of a source, or of one of its calendars. `count` is the number of a calendar's events that have not ended.
 */
export interface Answer { works?: boolean; status?: string | number; status_text?: string; seconds?: number; size?: number; headers?: { name: string; value: string }[]; excerpt?: string; words?: string; details?: string; error?: string; events?: Event[]; count?: number }
/** `at` is the time of the answer, in ms. `calendars` has the result of each calendar by its name. */
export interface TestResult extends Answer { at?: number; calendars?: Record<string, Answer>; link?: string; link_key?: string; link_to?: string }
export interface Home { name: string; url: string }
export interface Value { name: string; kind: string; value: string; path: string }

/** ValueSent is a value in the form that the server sends. Mappings and lists have a `count`. */
export interface ValueSent { name: string; kind: string; value: unknown; path: string; count?: number }
/** Live is the state of a provider. `events` has the number of events of each calendar in the next days. */
export interface Live {
  name: string; kind: string; type: string; value: unknown; count?: number; age: number | null; stale: boolean; error: string | null;
  events?: Record<string, number>; next?: string;
}

export interface Role { name: string; note: string; section: string; night: string; day: string }
export interface ThemeState { start: string; starts: string[]; font: string; fonts: string[]; scale: string; modes?: string[]; roles: Role[] }
export interface Icon { name: string; path: string }
/** A source that needs a permission. While a person gives the permission, `url` is the address to open in a browser. */
export interface Connection { provider: string; state: 'none' | 'connected' | 'revoked'; url?: string; redirect?: string; pasted?: string }
/** A device that asks for the permission to edit. `allowed` is true if another device has allowed it. */
export interface Asking { id: string; name: string; address: string; browser?: string; allowed?: boolean }
export interface Device { id: string; name: string; address?: string; browser?: string; own?: boolean; allowed_at?: string; seen_at?: string | null; ends_at?: string | null }

/** The error of an operation that the server has refused. `body` is the body of the server's answer. */
export class Refused extends Refusal {
  constructor(status: number, message: string, readonly body: Record<string, unknown>) { super(status, message); }
}

/** silence is the time in ms without a byte after which the wall counts as lost. The page shows it within 5 s. The stream has a heartbeat every 2 s. */
export const silence = 4500;

const longestWait = 2; // maximum time in s that the wall can make this page wait
const tries = 3; // number of tries of a request that a busy wall postpones

/** within() returns a signal that ends a request after a time in ms. Safari 15 lacks AbortSignal.timeout. */
export function within(ms: number): AbortSignal {
  if ('timeout' in AbortSignal) return AbortSignal.timeout(ms);
  const end = new AbortController();
  setTimeout(() => end.abort(), ms);
  return end.signal;
}

/** patient() sends a request. If the wall is busy or has too many requests, it sends the request again later. */
async function patient(ask: () => Promise<Response>): Promise<Response> {
  for (let k = 1; ; k++) {
    const answer = await ask();
    const wait = Number(answer.headers.get('Retry-After') ?? 0);
    if ((answer.status !== 429 && answer.status !== 503) || !wait || wait > longestWait || k === tries) return answer;
    await new Promise((go) => setTimeout(go, 700 * k));
  }
}

const editToken = 'dashboard_edit_token';
const answerWithin = 60000; // time limit for an answer in ms. The slowest ones are tests of sources in several steps

/** Client sends requests with the token of this browser. Addresses are relative to /edit/. */
export class Client {
  private readonly tokens = new Tokens();

  /** token returns the config token that a person has typed here, or otherwise the control token of the remote. */
  get token(): string { return localStorage.getItem(editToken) || this.tokens.control; }

  keep(token: string): void { localStorage.setItem(editToken, token); }

  private headers(body: boolean): Record<string, string> {
    const token = this.token;
    return { Accept: 'application/json', ...(body ? { 'Content-Type': 'application/json' } : {}), ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  }

  /** send sends a request and returns its JSON body, or null if the body is empty. It fails without an answer within `answerWithin`, because later requests wait for it. */
  async send<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await patient(() => fetch(path, { method, headers: this.headers(!!body), cache: 'no-store', body: body && JSON.stringify(body), signal: within(answerWithin) }));
    const text = await answer.text();
    let data: Record<string, unknown> = {};
    try {
      data = text ? JSON.parse(text) as Record<string, unknown> : {};
    } catch { /* the body may be the page of a proxy */ }
    if (!answer.ok) throw new Refused(answer.status, String(data.error ?? `The wall answered ${answer.status}.`), data);
    return (text ? data : null) as T;
  }

  get<T>(path: string): Promise<T> { return this.send('GET', path); }

  post<T>(path: string, body: object = {}): Promise<T> { return this.send('POST', path, body); }

  /** blob() loads a picture or an archive. */
  async blob(path: string): Promise<Blob> {
    const headers = this.token ? { Authorization: `Bearer ${this.token}` } : undefined;
    const answer = await patient(() => fetch(path, { headers, cache: 'no-store', signal: within(answerWithin) }));
    if (!answer.ok) throw new Refusal(answer.status, `The wall answered ${answer.status}.`);
    return answer.blob();
  }

  /** events() returns the data of each server-sent event until the stream ends, and null when bytes arrive. It fails after a `silence`. */
  async* events(path: string): AsyncGenerator<{ name: string; data: string } | null> {
    const quiet = new AbortController(), wait = () => setTimeout(() => quiet.abort(), silence);
    let timer = wait();
    try {
      const answer = await fetch(path, { headers: { ...this.headers(false), Accept: 'text/event-stream' }, cache: 'no-store', signal: quiet.signal });
      if (!answer.ok || !answer.body) throw new Refusal(answer.status, 'no events');
      const reader = answer.body.getReader(), decoder = new TextDecoder();
      for (let rest = '', name = ''; ;) {
        const { value, done } = await reader.read();
        if (done) return;
        clearTimeout(timer);
        timer = wait();
        yield null;
        rest += decoder.decode(value, { stream: true });
        const all = rest.split('\n');
        rest = all.pop()!;
        for (const line of all) {
          if (line.startsWith('event: ')) name = line.slice(7);
          else if (line.startsWith('data: ')) { yield { name, data: line.slice(6) }; name = ''; }
        }
      }
    } finally {
      clearTimeout(timer);
      quiet.abort();
    }
  }
}

export const wantedView = view;

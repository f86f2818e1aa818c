// The state of the page: the last report of the wall, and the unfinished input of the user.
import { ask, frame, lines, panel, Refusal, Tokens, view, type Notice, type Readers, type Screens, type Source, type State, type Survey, type Tap, type Task, type Timer } from '../shared/api';
import { Restart, restartPause } from './restart';
import type { Spoken } from './spoken';
import { length } from './words';

/** The connection to the wall. It is locked if the wall requires a token. */
export type Link = 'connecting' | 'live' | 'lost' | 'locked';

/** The message that is being written. If `more` is true, all icons are shown. */
export interface Message { text: string; icon: string; more: boolean; seconds: number; hold: boolean; wake: boolean }

/** A message at the bottom of the page, with at most one button. */
export interface Toast { text: string; label?: string; run?: () => void }

const pauses = [1, 2, 4, 8, 15]; // times in s between attempts to connect. The last pause repeats
const toastTime = 6000, undoTime = 10000; // time in ms for which a toast is shown
const answered = 700; // time in ms that an entity needs to report its new state
const refresh = 5000; // minimum time in ms between two requests for a changing picture
const joinPause = 1000, joinTries = 60; // time in ms between two checks whether an allowed screen has collected its token, and the maximum number of checks
const settled = 500; // time in ms that the wall needs to show a new page
const adviceTime = 10000; // time in ms without a connection after which the page shows advice
export const longestText = 200; // number of characters in a message

/** reasonOf returns the reason why there is no picture. If the token is missing, the page asks for it instead. */
function reasonOf(problem: unknown): string {
  if (!(problem instanceof Refusal) || problem.status === 401) return '';
  return problem.status === 503 ? 'The wall has not painted a picture yet.' : `No picture: ${problem.message}`;
}

export class Model {
  tokens = new Tokens();
  spoken: Spoken | null = null; // content of the wall in words
  link: Link = 'connecting';
  state: State | null = null;
  skew = 0; // time in ms by which the wall's clock is ahead of the browser's clock
  lostAt = 0; // time when the connection was lost, in ms
  restart = new Restart();
  retryAt = 0; // time of the next attempt, in ms
  shownAt = 0; // time when the last picture was shown, in ms
  sheet: 'remote' | 'message' | 'more' | 'keys' | 'pages' | 'devices' | 'inspect' | 'updates' | 'source' = 'remote';
  source: Source | null = null; // null if the files are in the wall's own folder
  screens: Screens | null = null; // null if the wall pairs no screens
  joining = ''; // name of the screen that was allowed and has not collected its token yet
  readers: Readers | null = null;
  viewOf = new Map<string, string>(); // views chosen for screens that ask for permission, by their id
  survey: Survey | null = null;
  inspected = -1; // number of the chosen widget (-1 for none)
  inks: boolean | null = null; // true if the picture has the colors of the panel. null if there is no panel
  message: Message = { text: '', icon: '', more: false, seconds: 300, hold: false, wake: true };
  timing: { name: string; seconds: number } | null = null; // timer for which the page asks for a time
  toast: Toast | null = null;
  busy = new Set<string>(); // controls that wait for an answer
  wrong = ''; // reason why a token was refused
  noPicture = ''; // reason why the last request for a picture was refused
  framesLocked = false; // true if the stream requires a token of its own
  repaint = () => {}; // draws the picture again
  private attempts = 0;
  private toastTimer = 0;
  private retry = () => {};
  private life = new AbortController();

  constructor(private changed: () => void, private canvas: () => HTMLCanvasElement | null) {}

  /** now() returns the wall's time, in ms. */
  now(): number { return Date.now() + this.skew; }

  restarting(): boolean { return this.link === 'lost' && this.restart.waits(); }

  advises(): boolean { return this.link === 'lost' && Date.now() - this.lostAt >= adviceTime; }

  /** run keeps the connection to the wall until the page is closed. */
  async run(): Promise<void> {
    for (;;) {
      this.life = new AbortController();
      try {
        await this.follow(this.life.signal);
        this.lose();
      } catch (problem) {
        if (problem instanceof Refusal && problem.status === 404 && view.startsWith('~')) { // the view of this phone has ended
          location.search = `?view=${encodeURIComponent(view.slice(1).replace(/-\d+x\d+$/, ''))}`;
          return;
        }
        if (problem instanceof Refusal && problem.status === 401) await this.locked();
        else this.lose();
      }
      this.life.abort();
      if (this.link === 'lost') await this.pause();
    }
  }

  private async follow(signal: AbortSignal): Promise<void> {
    let frames: Promise<void> | null = null;
    for await (const data of lines('state', this.tokens.control || this.tokens.stream, signal)) {
      if (!data) continue;
      const before = this.state?.pages?.page;
      this.state = JSON.parse(data) as State;
      if (!frames || before !== this.state.pages?.page) setTimeout(() => void this.look(), settled);
      this.skew = Date.parse(this.state.now) - Date.now();
      this.attempts = 0;
      this.restart.live(this.state.update, this.link !== 'live');
      this.link = 'live';
      this.busy.clear();
      this.changed();
      if (this.state.stream && !frames) frames = this.watch(signal);
    }
  }

  /** watch shows each new picture. If the stream of frames ends or requires its own token, only the stream of the state continues. */
  private async watch(signal: AbortSignal): Promise<void> {
    const minute = 60000; // in ms. The time between two pings of /events is 20 s
    let etag = '';
    const show = this.newest(async () => {
      const canvas = await this.drawnCanvas(signal);
      if (!canvas || !this.state) return;
      const width = Math.min(this.state.width, Math.round(canvas.clientWidth * devicePixelRatio));
      const height = Math.round(width * this.state.height / this.state.width);
      const inks = this.inks && this.sheet === 'inspect';
      const picture = inks ? await panel(this.tokens, signal) : await frame(this.tokens, width, height, etag, signal);
      if (!picture) return;
      etag = picture.etag;
      canvas.width = picture.bitmap.width;
      canvas.height = picture.bitmap.height;
      canvas.getContext('2d', { alpha: false })!.drawImage(picture.bitmap, 0, 0);
      picture.bitmap.close();
      this.shownAt = this.now();
      canvas.dataset.shown = etag;
      if (Date.now() - this.lookedAt > refresh) this.lookLater();
    });
    const ask = () => show().then(() => this.refusedPicture(''), (problem) => this.refusedPicture(reasonOf(problem)));
    const again = () => { etag = ''; void ask(); };
    this.repaint = again;
    addEventListener('resize', again);
    try {
      this.framesLocked = false;
      for await (const data of lines('events', this.tokens.stream, signal, minute)) if (data) void ask();
    } catch (problem) {
      this.framesLocked = problem instanceof Refusal && problem.status === 401;
      this.changed();
    } finally {
      removeEventListener('resize', again);
    }
  }

  private refusedPicture(why: string): void {
    if (this.noPicture !== why) { this.noPicture = why; this.changed(); }
  }

  /** drawnCanvas waits until the page has drawn the canvas. If the connection ends first, it returns null. */
  private async drawnCanvas(signal: AbortSignal): Promise<HTMLCanvasElement | null> {
    const pause = 50; // in ms
    while (!this.canvas() && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, pause));
    return this.canvas();
  }

  /** newest() returns a function that runs work, but never twice at the same time. A call during a run causes one more run. */
  private newest(work: () => Promise<void>): () => Promise<void> {
    let running = false, again = false;
    return async () => {
      again = true;
      if (running) return;
      running = true;
      try {
        while (again) { again = false; await work(); }
      } finally {
        running = false;
      }
    };
  }

  private lose(): void {
    if (this.link !== 'lost') {
      this.lostAt = Date.now();
      this.restart.lost(this.state?.update);
    }
    this.link = 'lost';
    this.busy.clear();
  }

  private async pause(): Promise<void> {
    const usual = pauses[Math.min(this.attempts++, pauses.length - 1)] * 1000, wait = this.restarting() ? Math.min(usual, restartPause) : usual;
    this.retryAt = Date.now() + wait;
    this.changed();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, wait);
      this.retry = () => { clearTimeout(timer); resolve(); };
    });
  }

  private locked(): Promise<void> {
    if (this.link === 'locked' && (this.tokens.control || this.tokens.stream)) this.wrong = 'This is not the token of this wall.';
    this.link = 'locked';
    this.changed();
    return new Promise((resolve) => { this.retry = resolve; });
  }

  /** tryNow connects at once. */
  tryNow(): void { this.retry(); }

  /** unlock stores a token and connects with it. */
  unlock(token: string): void {
    this.wrong = '';
    if (this.link !== 'live') this.tokens.keep({ control: token, stream: token });
    else this.tokens.keep(this.framesLocked ? { stream: token } : { control: token });
    if (this.link === 'live') this.life.abort();
    this.retry();
  }

  name(): string { return this.state?.name ?? (/^[\d.:[\]]+$/.test(location.hostname) ? 'Wall' : location.hostname.split('.')[0]); }

  /** act sends a request. It shows a refusal as a toast. While the request runs, `busy` contains `key`. */
  async act(key: string, method: string, path: string, body?: object): Promise<boolean> {
    if (this.link !== 'live') return false;
    this.busy.add(key);
    this.changed();
    try {
      await ask(this.tokens, method, path, body);
      return true;
    } catch (problem) {
      this.say({ text: problem instanceof Refusal ? problem.message : 'The wall does not answer.' });
      return false;
    } finally {
      this.busy.delete(key);
      this.changed();
    }
  }

  say(toast: Toast): void {
    this.toast = toast;
    clearTimeout(this.toastTimer);
    this.toastTimer = setTimeout(() => { this.toast = null; this.changed(); }, toast.run ? undoTime : toastTime);
    this.changed();
  }

  page(name: string): Promise<boolean> { return this.act('page', 'POST', 'page', { page: name }); }

  power(on: boolean): Promise<boolean> { return this.act('power', 'POST', 'power', { state: on ? 'on' : 'off' }); }

  followRule(): Promise<boolean> { return this.act('power', 'POST', 'power', { state: 'auto' }); }

  brightness(share: number | 'auto'): Promise<boolean> { return this.act('brightness', 'POST', 'brightness', { brightness: share }); }

  theme(mode: string): Promise<boolean> { return this.act('theme', 'POST', 'remote/theme', { mode }); }

  /** update makes the card search for an update, install or undo an update, or change the channel. */
  async update(action: string): Promise<boolean> {
    const done = await this.act('update', 'POST', 'update', { action });
    if (done && action === 'back') this.restart.at = Date.now();
    return done;
  }

  /** updateWindow sets the hours in which updates are installed, as 03:00-04:00. */
  updateWindow(window: string): Promise<boolean> { return this.act('update', 'POST', 'update', { window }); }

  dismiss(n: Notice): Promise<boolean> { return this.act(`notice ${n.id}`, 'DELETE', `notify/${encodeURIComponent(n.id!)}`); }

  dismissAll(): Promise<boolean> { return this.act('notices', 'DELETE', 'notify'); }

  choose(n: Notice, action: number): Promise<boolean> { return this.act(`notice ${n.id}`, 'POST', `notify/${encodeURIComponent(n.id!)}`, { action }); }

  startTimer(t: Timer, seconds?: number): Promise<boolean> {
    return this.act(`timer ${t.name}`, 'POST', 'timer', { name: t.name, action: 'start', ...(seconds ? { duration: seconds } : {}) });
  }

  /** startFor starts a timer for a time. If the timer was running, the toast has a button that restores the time that was left. */
  async startFor(t: Timer, seconds: number): Promise<void> {
    const left = this.left(t);
    if (await this.startTimer(t, seconds) && t.state === 'running') this.say({ text: `${t.label || t.name} starts again with ${length(seconds)}`, label: 'Undo', run: () => void this.startTimer(t, left) });
  }

  /** addMinute starts a timer again with one minute more than is left. */
  addMinute(t: Timer): Promise<boolean> { return this.startTimer(t, this.left(t) + 60); }

  stopTimer(t: Timer): Promise<boolean> { return this.act(`timer ${t.name}`, 'POST', 'timer', { name: t.name, action: 'reset' }); }

  /** left() returns the time in s that is left of a timer, or that has passed of a stopwatch. */
  left(t: Timer): number {
    if (t.ends_at) return Math.max(0, (Date.parse(t.ends_at) - this.now()) / 1000);
    return t.left ?? t.passed;
  }

  /** touch acts like a finger at a point of the picture. A moment later it loads the names and states of the widgets again. */
  async touch(x: number, y: number): Promise<void> {
    if (await this.act('touch', 'POST', 'touch', { x, y })) this.lookLater();
  }

  /** adjust sets the number of an entity. The slider shows the new number at once. If the wall refuses, it shows the old number again. */
  async adjust(tap: Tap, value: number): Promise<void> {
    const s = tap.slider!, before = s.value;
    s.value = value;
    if (await this.act('adjust', 'POST', 'adjust', { entity: s.entity, value, ...(s.provider ? { provider: s.provider } : {}) })) this.lookLater();
    else s.value = before;
    this.changed();
  }

  private lookTimer = 0;
  private lookedAt = 0;

  /** lookLater loads the states of the shown page again, after the time that an entity needs to answer. */
  private lookLater(after = answered): void {
    clearTimeout(this.lookTimer);
    this.lookTimer = setTimeout(() => void this.look(), after);
  }

  /** open shows a part of the page, and requests the data for it. */
  open(sheet: Model['sheet']): void {
    const inked = this.inks && this.sheet === 'inspect';
    this.sheet = sheet;
    if (inked) this.repaint();
    this.changed();
    void this.look();
  }

  /** look() requests the devices or the widgets, while they are shown. A part that the wall does not have is null. */
  async look(): Promise<void> {
    if (this.link !== 'live') return;
    this.lookedAt = Date.now();
    const get = <T>(path: string) => ask<T>(this.tokens, 'GET', path).catch(() => null);
    if (this.sheet === 'devices') [this.screens, this.readers] = await Promise.all([get<Screens>('devices'), get<Readers>('readers')]);
    else if (this.sheet === 'source') this.source = await get<Source>('source');
    else if (this.sheet === 'inspect' || this.sheet === 'remote' && this.state?.touch && this.state.may === 'control' && !document.hidden) {
      this.survey = await get<Survey>('widgets');
      if (this.sheet === 'inspect' && this.inks === null && await panel(this.tokens).catch(() => null)) this.inks ??= false; // an earlier look may have set it
    } else return;
    this.changed();
  }

  /** decide changes the permission of a device, and loads the list of devices again. */
  async decide(method: string, path: string, body?: object): Promise<void> {
    await this.act('devices', method, path, body);
    await this.look();
  }

  /**
   * allow lets a screen show the wall. The page requests the list again until the screen has collected its token. `known` is the number of
   * paired screens.
   */
  async allow(one: Screens['waiting'][number], known: number): Promise<void> {
    if (!await this.act('devices', 'POST', 'devices', { code: one.code, view: this.viewOf.get(one.id) ?? '' })) return;
    this.joining = one.name;
    for (let left = joinTries; left && this.sheet === 'devices'; left--) {
      await this.look();
      if ((this.screens?.devices.length ?? 0) > known) break;
      await new Promise((go) => setTimeout(go, joinPause));
    }
    this.joining = '';
    this.changed();
  }

  /** takeOver makes the wall request its files from their address now. */
  async takeOver(): Promise<void> {
    await this.act('source', 'POST', 'take_over');
    await this.look();
  }

  /** fit() opens a view of the wall in the size of this phone. */
  async fit(): Promise<void> {
    if (this.link !== 'live') return;
    this.busy.add('fit');
    this.changed();
    const bars = 250; // height of the page around the picture, in CSS px
    try {
      const size = { width: Math.max(240, innerWidth), height: Math.max(240, innerHeight - bars), scale: Math.min(4, devicePixelRatio) };
      const answer = await ask<{ view: string }>(this.tokens, 'POST', 'remote/phone', size);
      location.search = `?view=${encodeURIComponent(answer.view)}`;
    } catch (problem) {
      this.busy.delete('fit');
      this.say({ text: problem instanceof Refusal ? problem.message : 'The wall does not answer.' });
    }
  }

  /** tick() completes a task or opens it again. The toast about a completed task has a button that opens it again. */
  async tick(list: string, t: Task): Promise<void> {
    const set = (action: string) => this.act(`task ${t.task}`, 'POST', 'todo', { item: t.task, action, list });
    if (await set(t.done ? 'open' : 'done') && !t.done) this.say({ text: `“${t.title}” is done`, label: 'Undo', run: () => void set('open') });
  }

  /** add adds a task to a list. */
  add(list: string, title: string): Promise<boolean> { return this.act(`add ${list}`, 'POST', 'todo', { item: title, action: 'add', list }); }

  /** send shows the message on the wall, and a button that removes it again. */
  async send(): Promise<void> {
    const { text, icon, seconds, hold, wake } = this.message;
    const notices = this.state?.notices;
    if (!text.trim() || !notices) return;
    const id = `remote-${Math.random().toString(36).slice(2, 10)}`;
    const over = notices.widgets.includes('wall');
    const body = {
      text: text.trim(), id, wake, ...(over ? {} : { widget: notices.widgets[0] }), ...(icon ? { icon: `mdi:${icon}` } : {}),
      ...(hold && over ? { hold: true } : { duration: seconds }),
    };
    if (!await this.act('message', 'POST', 'notify', body)) return;
    this.message = { ...this.message, text: '', more: false };
    this.sheet = 'remote';
    this.say({
      text: hold ? 'On the wall until it is dismissed' : `On the wall for ${length(seconds)}`, label: 'Take it back',
      run: () => void this.act('message', 'DELETE', `notify/${id}`),
    });
  }
}

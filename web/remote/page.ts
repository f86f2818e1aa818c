// The parts of the page as templates. The templates only read the model. Each control calls a method of the model.
// Styles are set as a property, because the content security policy forbids the attribute.
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import * as i from '../shared/icons';
import { nextFrame } from '../shared/frame';
import { tokenForm } from '../shared/token';
import { view, type Notice, type Power, type State, type Timer } from '../shared/api';
import { segment, slider, toggle } from './controls';
import { asking, devices } from './devices';
import { inspect, outline, under } from './inspect';
import { longestText, type Model } from './model';
import { mistake, source } from './source';
import { beside, live as regions } from './spoken';
import { taps } from './taps';
import { tasks } from './tasks';
import { restart, updates, updating } from './updates';
import { clock, hour, length } from './words';

type Part = TemplateResult | typeof nothing;

const icons: Record<string, string> = {
  pasta: i.mdiPasta, 'bell-outline': i.mdiBellOutline, door: i.mdiDoor, 'heart-outline': i.mdiHeartOutline,
  'silverware-fork-knife': i.mdiSilverwareForkKnife, 'washing-machine': i.mdiWashingMachine, dog: i.mdiDog, 'timer-outline': i.mdiTimerOutline,
};
const words: Record<string, string> = {
  pasta: 'Pasta', 'bell-outline': 'Bell', door: 'Door', 'heart-outline': 'Heart',
  'silverware-fork-knife': 'Meal', 'washing-machine': 'Washing machine', dog: 'Dog', 'timer-outline': 'Timer',
};

/** page() returns the whole page for the state of the model. */
export function page(m: Model, redraw: () => void): TemplateResult {
  const go = (sheet: Model['sheet']) => m.open(sheet);
  if (m.link === 'locked') return html`${header(m, go, false)}<main class="one">${picture(m, true)}${askToken(m, redraw)}</main>`;
  if (m.sheet === 'message' && m.state?.notices && m.link === 'live') return html`${sheetHead('Message', go)}<main class="one message">${message(m, redraw)}</main>${toast(m)}`;
  const away = m.link === 'lost';
  if (m.sheet === 'devices') return html`${sheetHead('Devices', go)}<main class="one">${away ? lost(m) : devices(m)}</main>${toast(m)}`;
  if (m.sheet === 'updates' && m.state?.update) return html`${sheetHead('Updates', go)}<main class="one">${away ? lost(m) : updates(m, m.state.update, redraw)}</main>${toast(m)}`;
  if (m.sheet === 'source') return html`${sheetHead('Files from an address', go)}<main class="one source">${away ? lost(m) : source(m)}</main>${toast(m)}`;
  if (m.sheet === 'inspect') return html`${sheetHead('Widgets', go)}<main class="two"><div class="wall ${view.startsWith('~') ? 'fitted' : ''}">${picture(m, false)}</div><div class="panel">${inspect(m, redraw)}</div></main>${toast(m)}`;
  if (m.sheet === 'more') return html`${sheetHead(m.name(), go)}<main class="one">${more(m, go)}</main>`;
  if (m.sheet === 'keys') return html`${sheetHead('Keys', go)}<main class="one">${keys()}</main>`;
  const s = m.state, wide = isWide(), below = wide && s?.may === 'control' && m.link === 'live' ? html`${s.notices ? html`<div class="below">${notices(m, s)}${writing(m, s, go, redraw)}</div>` : nothing}${keyLine()}` : nothing;
  return html`${header(m, go, true)}<main class="two"><div class="wall">${m.spoken ? beside(m.spoken) : nothing}${picture(m, false)}${m.link === 'live' ? pages(m, go) : nothing}${below}</div>${panel(m, go, redraw, wide)}</main>${m.spoken ? regions(m.spoken) : nothing}${toast(m)}`;
}

let wasWide = false;

/** isWide reports whether the message is below the wall. The message stays where it is while a person types, because a screen keyboard shrinks the page. */
function isWide(): boolean {
  if (!document.activeElement?.matches('input, textarea')) wasWide = innerWidth >= 720 && innerHeight >= 600;
  return wasWide;
}

function header(m: Model, go: (s: Model['sheet']) => void, menu: boolean): TemplateResult {
  const size = m.state ? html`<span class="wide">, ${m.state.width} × ${m.state.height}</span>` : nothing;
  const link = {
    connecting: html`<span class="link">connecting</span>`, locked: nothing,
    live: html`<span class="link"><i class="dot"></i>live${size}</span>`,
    lost: html`<span class="link lost">${m.restarting() ? html`${i.icon(i.mdiRestart, 22)}restarting` : html`${i.icon(i.mdiLanDisconnect, 22)}no connection`}</span>`,
  }[m.link];
  return html`<header class="top"><h1>${m.name()}</h1><span role="status">${link}</span><span class="gap"></span>
    ${menu && document.fullscreenEnabled ? html`<button class="quiet wide-link" @click=${fullScreen}>${i.icon(i.mdiFullscreen, 20)}Full screen</button>` : nothing}
    ${menu && m.state?.text ? html`<a class="quiet edit wide-link" href="text${view ? `?view=${encodeURIComponent(view)}` : ''}">${i.icon(i.mdiMessageTextOutline, 20)}As text</a>` : nothing}
    ${menu && m.state?.edit ? html`<a class="quiet edit" href="edit/${view ? `?view=${encodeURIComponent(view)}` : ''}">${i.icon(i.mdiPencil, 20)}Edit</a>` : nothing}
    ${menu ? html`<button class="iconic" aria-label="More" @click=${() => go('more')}>${i.icon(i.mdiDotsVertical)}</button>` : nothing}</header>`;
}

function sheetHead(title: string, go: (s: Model['sheet']) => void): TemplateResult {
  return html`<header><button class="iconic back" aria-label="Back" @click=${() => go('remote')}>${i.icon(i.mdiChevronLeft, 30)}</button><h1>${title}</h1></header>`;
}

/** picture() shows the wall. A tap on it is sent as a touch, if the wall accepts touches. */
function picture(m: Model, locked: boolean): TemplateResult {
  const s = m.state;
  const tap = (e: PointerEvent) => {
    const box = (e.currentTarget as HTMLElement).getBoundingClientRect();
    const x = (e.clientX - box.left) / box.width, y = (e.clientY - box.top) / box.height;
    if (m.sheet === 'inspect' && m.survey) { m.inspected = under(m.survey, x, y); m.open('inspect'); }
    else if (s?.touch && s.may === 'control') void m.touch(x, y);
  };
  return html`<figure class="picture ${m.link} ${view.startsWith('~') ? 'fitted' : ''}" .style=${`--ratio: ${s?.width ? s.width / s.height : 16 / 9}`}>
    ${locked ? i.icon(i.mdiLockOutline, 44) : html`<canvas aria-hidden="true" @click=${tap}></canvas>${outline(m)}`}
    ${m.link === 'live' && m.noPicture ? html`<figcaption role="status">${i.icon(i.mdiAlertCircleOutline, 20)}${m.noPicture}</figcaption>` : nothing}
    ${m.link === 'lost' && m.shownAt ? html`<figcaption>${i.icon(i.mdiClockAlertOutline, 20)}picture from ${hour(m.shownAt, true)}</figcaption>` : nothing}
  </figure>`;
}

function askToken(m: Model, redraw: () => void): TemplateResult {
  return html`<div class="ask"><h2 class="headline">This wall asks for its token</h2><p class="muted">Once. This browser keeps it.</p>
    ${unlockForm(m, redraw, 'Token', 'Open the wall')}
    <section class="card"><h3 class="label">Where it is</h3>
      <div class="row top">${i.icon(i.mdiQrcode)}<div><p>In the QR code on the wall</p><p class="muted">A card shows it for two minutes after each start. Scan it with the camera.</p></div></div>
      <div class="row top">${i.icon(i.mdiFileKeyOutline)}<div><p>In <code>secrets.yaml</code></p><p class="muted">on the machine that draws the wall, for <code>server.auth</code> in <code>conf.yaml</code></p></div></div>
    </section></div>`;
}

/** unlockForm asks for a token of the wall. */
function unlockForm(m: Model, redraw: () => void, label: string, button: string): TemplateResult {
  return tokenForm({ label, button, wrong: m.wrong, first: m.link === 'locked', redraw, take: (token) => m.unlock(token) });
}

/** panel() shows the controls. If the page is `wide`, the notifications and the message are below the wall instead. */
function panel(m: Model, go: (s: Model['sheet']) => void, redraw: () => void, wide: boolean): TemplateResult {
  const s = m.state;
  if (m.link === 'lost') return html`<div class="panel">${lost(m)}</div>`;
  if (!s) return html`<div class="panel"><p class="card muted">Connecting to the wall…</p></div>`;
  if (s.may !== 'control') return html`<div class="panel">${unlockForm(m, redraw, 'Control token', 'Unlock the controls')}${views(m, s)}</div>`;
  return html`<div class="panel">
    ${m.framesLocked ? unlockForm(m, redraw, 'Stream token', 'Show the picture') : nothing}
    ${s.problem ? mistake('The files of the wall have an error', s.problem, s.edit ? 'The wall keeps running. Correct the file, or open the editor.' : 'The wall keeps running. Correct the file.') : nothing}${asking(m, go)}${updating(s.update, go)}${wide ? nothing : notices(m, s)}${screen(m, s)}${theme(m, s)}${wide ? nothing : writing(m, s, go, redraw)}${timers(m, s, redraw)}${tasks(m, s)}${taps(m)}${views(m, s)}
  </div>`;
}

function lost(m: Model): TemplateResult {
  if (m.restarting()) return restart(m);
  const rest = Math.max(0, Math.ceil((m.retryAt - Date.now()) / 1000));
  return html`<section class="card warn">
      <div class="row">${i.icon(i.mdiLanDisconnect, 28)}<div><h2>The wall does not answer</h2>
        <p class="muted">Since ${hour(m.lostAt)}. Trying again in <b>${rest} s</b>.${m.restart.at ? '' : ' The wall itself goes on.'}</p></div></div>
      <button @click=${() => m.tryNow()}>${i.icon(i.mdiRefresh)}Try now</button>
    </section>
    ${m.advises() ? html`<section class="card"><h2 class="label">If it stays like this</h2>
      <div class="row">${i.icon(i.mdiWifi)}<p>Is this device in the home network?</p></div>
      <div class="row">${i.icon(i.mdiPowerPlugOutline)}<p>${m.restart.at ? 'It has not come back after its restart. If its screen is dark, unplug the wall and plug it in again.' : 'Does the wall have power?'}</p></div>
      <div class="row">${i.icon(i.mdiQrcode)}<p>Has its address changed? Scan the code on the wall again.</p></div></section>` : nothing}
    ${lastKnown(m)}`;
}

/** lastKnown shows the state before the connection was lost, with its time. Its rows have no controls. */
function lastKnown(m: Model): Part {
  const s = m.state, at = m.lostAt, ahead = m.now() - Date.now();
  if (!s || s.may !== 'control') return nothing;
  const rest = (t: Timer) => (t.state === 'running' && t.ends_at ? Math.max(0, (Date.parse(t.ends_at) - at - ahead) / 1000) : t.left ?? t.passed);
  const row = (path: string, name: string, value: string) => html`<div class="row">${i.icon(path)}<span class="name muted">${name}</span><span class="muted">${value}</span></div>`;
  const rows = [
    ...(s.power ? [row(i.mdiMonitor, 'Screen', 'unknown')] : []),
    ...s.timers.filter((t) => t.state !== 'ready').map((t) => row(i.mdiTimerOutline, titleOf(t), `${clock(rest(t))} at ${hour(at)}`)),
    ...(m.survey?.taps ?? []).filter((t) => t.state).map((t) => row(i.mdiHomeOutline, t.label, `was ${t.state}`)),
  ];
  return rows.length ? html`<section class="card" aria-label="Before">${rows}</section>` : nothing;
}

const longestSegment = 4; // number of pages shown side by side. More pages become a list

function pages(m: Model, go: (s: Model['sheet']) => void): Part {
  const p = m.state?.pages;
  if (!p || m.state!.may !== 'control') return nothing;
  const open = m.sheet === 'pages';
  const choice = p.pages.length > longestSegment
    ? html`<button class="grow" aria-expanded=${open} @click=${() => go(open ? 'remote' : 'pages')}>${p.page}</button>`
    : segment('Pages', p.pages.map((name) => ({ value: name, label: name })), p.page, (name) => m.page(name));
  return html`<nav class="pages" aria-label="Pages">
      <button class="iconic" aria-label="Previous page" @click=${() => m.page('previous')}>${i.icon(i.mdiChevronLeft)}</button>
      ${choice}
      <button class="iconic" aria-label="Next page" @click=${() => m.page('next')}>${i.icon(i.mdiChevronRight)}</button>
    </nav>
    ${open && p.pages.length > longestSegment ? html`<ul class="card list">${p.pages.map((name) => html`<li><button class="plain" aria-current=${name === p.page ? 'page' : 'false'}
      @click=${() => { void m.page(name); go('remote'); }}>${name}${name === p.page ? i.icon(i.mdiCheck) : nothing}</button></li>`)}</ul>` : nothing}
    ${p.until ? html`<p class="note">Chosen by hand until ${hour(p.until)}. <button class="quiet" @click=${() => m.page('auto')}>Follow the rule</button></p>` : nothing}`;
}

function screen(m: Model, s: State): Part {
  const p = s.power;
  if (!p) return nothing;
  const dims = p.brightness !== null || p.brightness_rule, percent = Math.round((p.brightness ?? 1) * 100), why = reason(p), by = p.hand === 'auto' ? nothing : html` <button class="quiet" @click=${() => m.followRule()}>Follow the rule</button>`;
  const problem = p.screens.find((one) => one.problem)?.problem;
  return html`<section class="card" aria-label="Screen">
    ${toggle('Screen', p.on, m.busy.has('power'), (on) => m.power(on), i.mdiMonitor)}
    ${why || p.hand !== 'auto' ? html`<p class="rule">${why}${by}</p>` : nothing}
    ${problem ? html`<p class="rule error">${i.icon(i.mdiAlertCircleOutline, 20)}${problem}</p>` : nothing}
    ${dims ? html`<div class="row line">${i.icon(i.mdiBrightness6)}<span class="name">Brightness</span><span>${p.brightness === null ? 'not set yet' : html`<b>${percent}</b> %`}</span></div>
      ${slider('Brightness', percent, { min: 0, max: 100, step: 1, unit: '%' }, (to) => m.brightness(to / 100))}
      ${dimming(m, p)}` : nothing}
  </section>`;
}

/** dimming() shows what sets the brightness. */
function dimming(m: Model, p: Power): Part {
  const rule = { fixed: 'Set by', schedule: 'By its schedule.', sensor: 'By the light in the room.', theme: 'By day and night.' }[p.brightness_by ?? ''];
  if (rule) return html`<p class="rule">${rule} <code>display.brightness</code></p>`;
  const auto = p.brightness_rule ? html` <button class="quiet" @click=${() => m.brightness('auto')}>Follow the rule</button>` : nothing;
  return p.brightness_by === 'hand' ? html`<p class="rule">Set by hand.${auto}</p>` : nothing;
}

/** reason() shows the rule that decided whether the screen is on, and the key of the rule. */
function reason(p: Power): TemplateResult | string {
  const state = p.on ? 'On' : 'Off', until = p.hand_until ? ` until ${hour(p.hand_until)}` : '';
  switch (p.why) {
    case 'hand': return `${state} by hand${until}.`;
    case 'notification': return 'On for a notification.';
    case 'touch': return 'On because the wall was touched.';
    case 'trigger': return 'On because a page asks for it.';
    case 'presence': return html`${state} by presence. <code>display.presence</code>`;
    case 'when': return p.on ? '' : html`Off by its hours. <code>display.when</code>`;
  }
  return '';
}

function theme(m: Model, s: State): Part {
  if (!s.theme) return nothing;
  const chosen = s.theme.following_sun ? 'auto' : s.theme.mode;
  const next = s.theme.next_change && s.theme.next_mode ? `${s.theme.next_mode} from ${hour(s.theme.next_change)}` : `${s.theme.mode} now`;
  return html`<section class="card" aria-label="Theme"><h2 class="label">${i.icon(i.mdiThemeLightDark, 22)}<span class="name">Theme</span><span class="state">${next}</span></h2>
    ${segment('Theme', [
      { value: 'auto', label: 'Auto', icon: i.mdiBrightnessAuto }, { value: 'day', label: 'Day', icon: i.mdiWeatherSunny }, { value: 'night', label: 'Night', icon: i.mdiWeatherNight },
    ], chosen, (mode) => m.theme(mode))}</section>`;
}

function notices(m: Model, s: State): Part {
  if (!s.notices?.list.length) return nothing;
  const all = s.notices.list.length + s.notices.more;
  return html`${repeat(s.notices.list, (n) => n.id ?? n.posted + n.widget, (n) => notice(m, n))}
    ${all > 1 ? html`<p class="note">${s.notices.more ? `${s.notices.more} more. ` : ''}<button class="quiet" @click=${() => m.dismissAll()}>Dismiss all ${all}</button></p>` : nothing}`;
}

function notice(m: Model, n: Notice): TemplateResult {
  const name = n.icon?.startsWith('mdi:') ? n.icon.slice(4) : '';
  const title = n.title ?? n.text ?? 'A picture', body = n.title ? n.text : '';
  return html`<section class="card notice" aria-label="Notification">
    <div class="row top">${i.icon(icons[name] ?? i.mdiBellOutline, 28)}<div class="name"><h2>${title}</h2>${body ? html`<p class="muted">${body}</p>` : nothing}</div><span class="muted">${hour(n.posted)}</span></div>
    ${n.id ? html`<div class="buttons">${(n.actions ?? []).map((label, at) => html`<button @click=${() => m.choose(n, at + 1)}>${label}</button>`)}
      <button class="main" aria-busy=${m.busy.has(`notice ${n.id}`)} @click=${() => m.dismiss(n)}>Dismiss</button></div>` : nothing}</section>`;
}

function writing(m: Model, s: State, go: (sheet: Model['sheet']) => void, redraw: () => void): Part {
  if (!s.notices) return nothing;
  const input = (e: Event) => { m.message.text = (e.currentTarget as HTMLInputElement).value; redraw(); };
  const ready = m.message.text.trim() !== '';
  const submit = (e: Event) => { e.preventDefault(); void m.send(); }; // send checks the text, because the page may not be drawn since the last key
  return html`<section class="card" aria-label="Message"><h2 class="label">${i.icon(i.mdiMessageTextOutline, 22)}Message</h2>
    <form class="write" @submit=${submit}><input aria-label="Message" placeholder="Write on the wall…" maxlength=${longestText} .value=${live(m.message.text)} @input=${input}>
      <button class="iconic" aria-label="Send" aria-disabled=${!ready} aria-busy=${m.busy.has('message')}>${i.icon(i.mdiSend)}</button></form>
    <button class="quiet" @click=${() => go('message')}>Icon, duration, hold${i.icon(i.mdiChevronRight, 20)}</button></section>`;
}

const durations = [60, 300, 1800]; // in s

function message(m: Model, redraw: () => void): TemplateResult {
  const d = m.message, over = m.state!.notices!.widgets.includes('wall');
  const set = (change: Partial<Model['message']>) => { Object.assign(d, change); redraw(); };
  const other = !durations.includes(d.seconds), ready = d.text.trim() !== '';
  return html`<section class="card notice" aria-label="Preview"><div class="row top">${i.icon(icons[d.icon] ?? i.mdiBellOutline, 32)}
      <div class="name"><h2 class="preview">${d.text || 'Your text'}</h2></div><span class="muted">${hour(m.now())}</span></div></section>
    ${over ? html`<p class="note">This is how the wall shows it${m.state!.pages ? `, over page ${m.state!.pages.page}` : ''}.</p>` : nothing}
    <section class="card">
      <label for="text">Text <span class="muted count">${d.text.length} of ${longestText}</span></label>
      <textarea id="text" rows="2" maxlength=${longestText} .value=${live(d.text)} @input=${(e: Event) => set({ text: (e.currentTarget as HTMLTextAreaElement).value })}></textarea>
      ${over ? html`<h3 class="field">Icon</h3>${choice(d, set)}` : nothing}
      <h3 class="field">For</h3>
      ${segment('For', [...durations.map((s) => ({ value: String(s), label: length(s) })), { value: 'other', label: 'Other' }], other ? 'other' : String(d.seconds),
        (v) => set({ seconds: v === 'other' ? 600 : +v }))}
      ${other ? minutes(d.seconds, (seconds) => set({ seconds })) : nothing}
      ${over ? html`${toggle('Hold until dismissed', d.hold, false, (on) => set({ hold: on }), undefined, 'somebody has to tap it')}
        ${m.state!.power ? toggle('Wake the screen', d.wake, false, (on) => set({ wake: on })) : nothing}` : nothing}
    </section>
    <button class="main large" aria-disabled=${!ready} @click=${() => ready && m.send()}>${i.icon(i.mdiSend)}Send to ${m.name()}</button>
    ${ready ? nothing : html`<p class="note">Send is possible when there is a text.</p>`}`;
}

/**
 * minutes() is a field for a time in minutes. `seconds` is its value in s. The text stays while a person types, because the page is drawn
 * every second.
 */
function minutes(seconds: number, set: (seconds: number) => void): TemplateResult {
  const change = (e: Event) => {
    const box = e.currentTarget as HTMLInputElement, n = Math.min(1440, Math.max(1, Math.round(+box.value) || 1));
    box.value = String(n);
    set(60 * n);
  };
  return html`<label class="stepper">Minutes, 1 to 1440<input type="number" inputmode="numeric" min="1" max="1440" .value=${String(Math.round(seconds / 60))} @change=${change}></label>`;
}

const firstIcons = 4; // number of icons before the button More

/** choice() shows the first icons and the button More, which shows the others. */
function choice(d: Model['message'], set: (change: Partial<Model['message']>) => void): TemplateResult {
  const names = Object.keys(icons), all = d.more || names.indexOf(d.icon) >= firstIcons;
  const more = (e: Event) => {
    const box = (e.currentTarget as HTMLElement).parentElement!;
    set({ more: true });
    nextFrame(() => (box.children[firstIcons] as HTMLElement).focus()); // the first new icon. The new icons are drawn now
  };
  return html`<div class="icons" role="group" aria-label="Icon">${names.slice(0, all ? names.length : firstIcons).map((name) => html`<button class="iconic" aria-label=${words[name]}
    aria-pressed=${d.icon === name} @click=${() => set({ icon: d.icon === name ? '' : name })}>${i.icon(icons[name])}</button>`)}
    ${all ? nothing : html`<button class="grow" aria-label="More icons" @click=${more}>More</button>`}</div>`;
}

const lengths = [180, 300, 600]; // in s

const titleOf = (t: Timer): string => t.label || t.name;

function timers(m: Model, s: State, redraw: () => void): Part {
  if (!s.timers.length) return nothing;
  return html`<section class="card" aria-label="Timers"><h2 class="label">${i.icon(i.mdiTimerOutline, 22)}Timers</h2>
    ${repeat(s.timers, (t) => t.name, (t) => html`${t.state === 'ready' ? nothing : running(m, t)}
      ${t.state !== 'ready' && t.duration === null ? nothing : html`<div class="idle">${t.state === 'ready' ? html`<span class="name">${titleOf(t)}</span>` : nothing}<div class="buttons">
      ${t.duration === null ? html`<button @click=${() => m.startTimer(t)}>Start</button>`
        : timed(m, t, t.usual ?? lengths[0], redraw)}</div>${m.timing?.name === t.name ? ownTime(m, t, redraw) : nothing}</div>`}`)}
  </section>`;
}

/** timed() returns the buttons of a timer, which are the same while it is running. Three buttons with different texts start it with a usual time. The button Other lets a person enter any time. */
function timed(m: Model, t: Timer, usual: number, redraw: () => void): TemplateResult[] {
  const open = m.timing?.name === t.name;
  const other = () => { m.timing = open ? null : { name: t.name, seconds: usual }; redraw(); };
  return [...[usual, ...lengths.filter((s) => length(s) !== length(usual))].slice(0, 3).map((seconds) => html`<button aria-label="${titleOf(t)}, ${length(seconds)}" @click=${() => m.startFor(t, seconds)}>${length(seconds)}</button>`),
    html`<button aria-label="${titleOf(t)}, other time" aria-expanded=${open} @click=${other}>Other</button>`];
}

/** ownTime asks for the time of a timer, and starts it. */
function ownTime(m: Model, t: Timer, redraw: () => void): TemplateResult {
  const start = (e: Event) => { e.preventDefault(); void m.startFor(t, m.timing!.seconds).then(() => { m.timing = null; redraw(); }); };
  return html`<form class="own" @submit=${start}>${minutes(m.timing!.seconds, (seconds) => { m.timing!.seconds = seconds; redraw(); })}<button class="main">Start</button></form>`;
}

function running(m: Model, t: Timer): TemplateResult {
  const part = t.duration ? 100 - m.left(t) / t.duration * 100 : 0;
  const state = t.ends_at ? `until ${hour(t.ends_at)}` : { over: 'time is over', stopped: 'stopped', running: 'running', ready: '' }[t.state];
  return html`<div class="timer"><div class="name"><span class="figure">${clock(m.left(t))}</span><p class="muted">${titleOf(t)}, ${state}</p></div>
    ${t.duration && t.state === 'running' ? html`<button @click=${() => m.addMinute(t)} aria-label="${titleOf(t)}, +1 min">+1 min</button>` : nothing}
    ${t.state === 'stopped' ? html`<button @click=${() => m.startTimer(t)}>Go on</button>` : nothing}
    <button class="remove" @click=${() => m.stopTimer(t)} aria-label="${titleOf(t)}, stop">${i.icon(i.mdiStop, 20)}Stop</button></div>
    ${t.duration ? html`<div class="bar" aria-hidden="true"><i .style=${`width: ${part}%`}></i></div>` : nothing}`;
}

function views(m: Model, s: State): Part {
  const fitted = view.startsWith('~'), narrow = innerWidth < 720 && innerHeight > innerWidth && s.may === 'control' && s.touch;
  if (s.views.length < 2 && !fitted && !narrow) return nothing;
  return html`<nav class="card" aria-label="Views"><h2 class="label">${i.icon(i.mdiMonitorCellphone, 22)}Views</h2>
    ${s.views.map((name) => {
      const here = (view || s.views[0]) === name;
      return html`<a class="row link-row" href="?view=${encodeURIComponent(name)}" aria-current=${here ? 'page' : 'false'}><span class="name">${s.views.length > 1 ? name : `The wall, ${s.width} × ${s.height}`}</span>${here ? i.icon(i.mdiCheck) : i.icon(i.mdiChevronRight)}</a>`;
    })}
    ${fitted || narrow ? html`<button class="row plain" aria-busy=${m.busy.has('fit')} aria-current=${fitted ? 'page' : 'false'} @click=${() => { if (!fitted) void m.fit(); }}>
      <span class="name">Fit this phone<small>portrait plan, for ten minutes</small></span>${fitted ? i.icon(i.mdiCheck) : i.icon(i.mdiChevronRight)}</button>` : nothing}</nav>`;
}

function fullScreen(): void { void document.documentElement.requestFullscreen?.().catch(() => {}); }

function more(m: Model, go: (s: Model['sheet']) => void): TemplateResult {
  const full = () => { m.sheet = 'remote'; fullScreen(); };
  const here = view ? `?view=${encodeURIComponent(view)}` : '';
  return html`<section class="card">
      ${document.fullscreenEnabled ? html`<button class="row plain" @click=${full}>${i.icon(i.mdiFullscreen)}<span class="name">Full screen</span></button>` : nothing}
      ${m.state?.may === 'control' ? html`<button class="row plain" @click=${() => go('devices')}>${i.icon(i.mdiMonitorCellphone)}<span class="name">Devices<small>screens and e-readers that show the wall</small></span></button>
      <button class="row plain" @click=${() => go('inspect')}>${i.icon(i.mdiTools)}<span class="name">Widgets<small>their lines in the files, and their values</small></span></button>
      ${m.state.update ? html`<button class="row plain" @click=${() => go('updates')}>${i.icon(i.mdiUpdate)}<span class="name">Updates<small>this wall has ${m.state.update.version}</small></span></button>` : nothing}` : nothing}
      ${m.state?.may === 'control' && m.state.source ? html`<button class="row plain" @click=${() => go('source')}>${i.icon(i.mdiCloudDownloadOutline)}<span class="name">Files from an address<small>revision, and take over now</small></span></button>` : nothing}
      ${m.state?.text ? html`<a class="row link-row" href="text${here}">${i.icon(i.mdiMessageTextOutline)}<span class="name">As text</span></a>` : nothing}
      ${m.state?.may === 'control' ? html`<a class="row link-row" href="walls">${i.icon(i.mdiTabletDashboard)}<span class="name">All walls<small>of this network</small></span></a>` : nothing}
      <button class="row plain" @click=${() => go('keys')}>${i.icon(i.mdiKeyboardOutline)}<span class="name">Keys</span></button>
    </section>
    <p class="note">dashboard ${m.state?.version ?? ''}${m.state ? `, ${m.state.width} × ${m.state.height}` : ''}</p>`;
}

function keys(): TemplateResult {
  const all: [string, string][] = [['← →', 'previous and next page'], ['1 – 9', 'the page with this number'], ['Space', 'screen on or off'], ['?', 'this list'], ['Esc', 'back']];
  return html`<dl class="card keys">${all.map(([key, does]) => html`<div class="row"><dt><kbd>${key}</kbd></dt><dd>${does}</dd></div>`)}</dl>`;
}

/** keyLine shows the keys below the wall, on a computer. */
function keyLine(): TemplateResult {
  return html`<footer class="key-line">${[['← →', 'pages'], ['1 – 9', 'page'], ['Space', 'screen'], ['?', 'all keys']].map(([key, does]) => html`<span><kbd>${key}</kbd> ${does}</span>`)}</footer>`;
}

function toast(m: Model): TemplateResult {
  const t = m.toast;
  return html`<div class="toasts" role="status">${t ? html`<div class="toast"><span>${t.text}</span>${t.label ? html`<button class="quiet" @click=${() => { t.run?.(); m.toast = null; }}>${t.label}</button>` : nothing}</div>` : nothing}</div>`;
}

'use strict';
// The live preview: it reads /events, and for each asks /frame in just the pixels it can show. Both are read with
// fetch, because an EventSource cannot send the token.

const firstPause = 1000, lastPause = 5000; // ms between attempts to connect
const silence = 45000;                     // ms without a byte of /events (which pings every 20 s) that mean it is dead
const frameTime = 30000;                   // ms a frame may take
const settle = 200;                        // ms a window keeps its size before a frame of that size is asked for
const rhythmTime = 10000;                  // ms over which frames are counted
const shy = 4000;                          // ms after which a good state is no longer shown

const $ = (id) => document.getElementById(id);
const view = new URLSearchParams(location.search).get('view');
const canvas = $('frame'), screen2d = canvas.getContext('2d', { alpha: false });

let token = sessionStorage.getItem('stream_token') || '';
let wall = null;      // the render size, px, once known
let etag = '';        // of the frame shown
let stream = null;    // aborts the attempt under way
let wake = () => {};  // ends the pause under way
let shyTimer = 0;
let changes = [];     // when the latest frames were shown, ms

class Refusal extends Error {
  constructor(status, text) { super(text); this.status = status; }
}

function say(state, text) {
  document.body.dataset.state = $('state').dataset.state = state;
  $('state').lastElementChild.textContent = text;
  retire(false);
  clearTimeout(shyTimer);
  if (state === 'connected') shyTimer = setTimeout(() => retire(true), shy);
}

// retire takes state and tools away, or brings them back.
function retire(away) {
  for (const id of ['state', 'tools']) $(id).classList.toggle('quiet', away);
}

// rhythm says how the wall lives: its theme, how many frames came in a second, when the last one did.
function rhythm() {
  const now = Date.now(), theme = $('state').dataset.theme;
  changes = changes.filter((at) => now - at < rhythmTime || at === changes.at(-1));
  const rate = changes.filter((at) => now - at < rhythmTime).length / (rhythmTime / 1000);
  const words = ['Connected'];
  if (theme) words.push(theme);
  if (rate) words.push(rate.toFixed(1) + ' frames/s');
  if (changes.length) words.push('changed ' + since(Math.round((now - changes.at(-1)) / 1000)));
  return words.join(' · ');
}

function note(text) {
  $('note').textContent = text;
  $('note').hidden = !text || !canvas.hidden || !$('ask').hidden;
}

// get asks the service; what is not ok is thrown with the service's own words.
async function get(path, headers, signal) {
  if (token) headers.Authorization = 'Bearer ' + token;
  const answer = await fetch(path, { headers, signal, cache: 'no-store' });
  if (answer.ok || answer.status === 304) return answer;
  const body = await answer.json().catch(() => ({}));
  throw new Refusal(answer.status, body.error || 'status ' + answer.status);
}

// fit is the scale at which the wall fills the window, in device pixels, and the size to ask for. Enlarging is left to
// the browser: a bigger picture would cost more and show no more.
function fit() {
  const dots = window.devicePixelRatio || 1;
  const scale = Math.min(innerWidth * dots / wall.w, innerHeight * dots / wall.h);
  const ask = Math.min(scale, 1);
  return { scale, dots, w: Math.max(1, Math.round(wall.w * ask)), h: Math.max(1, Math.round(wall.h * ask)) };
}

function query() {
  const asked = new URLSearchParams();
  if (view) asked.set('view', view);
  if (wall) {
    const f = fit();
    asked.set('width', f.w);
    asked.set('height', f.h);
  }
  return asked.size ? '?' + asked : '';
}

// lay puts the canvas in the middle, on whole device pixels: one for each of the frame's, unless it is enlarged.
function lay() {
  if (!wall) return;
  const f = fit();
  const put = (at, side, room, length) => {
    const dots = Math.round(length * f.scale);
    canvas.style[side] = dots / f.dots + 'px';
    canvas.style[at] = Math.floor((room * f.dots - dots) / 2) / f.dots + 'px';
  };
  put('left', 'width', innerWidth, wall.w);
  put('top', 'height', innerHeight, wall.h);
}

async function draw(answer) {
  const bitmap = await createImageBitmap(await answer.blob());
  const m = /^(\d+)x(\d+)$/.exec(answer.headers.get('X-Frame-Render-Size') || '');
  wall = m ? { w: +m[1], h: +m[2] } : wall || { w: bitmap.width, h: bitmap.height };
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  screen2d.drawImage(bitmap, 0, 0);
  bitmap.close();
  canvas.hidden = false;
  changes.push(Date.now());
  lay();
  note('');
}

// showFrame shows the current frame, and again if the window or the wall has another size by then.
async function showFrame(attempt) {
  for (let asked = null; asked !== query();) {
    asked = query();
    const answer = await get((inked() ? 'panel' : 'frame') + asked, etag ? { 'If-None-Match': etag } : {}, attempt.signal);
    if (answer.status === 304) continue;
    await draw(answer);
    etag = answer.headers.get('ETag') || '';
  }
}

// A latest-wins shower: one frame at a time under way, one more to come however many events there were meanwhile.
function shower(attempt) {
  let busy = false, again = false;
  return async function show() {
    again = true;
    if (busy || document.hidden) return;
    busy = true;
    try {
      while (again) {
        again = false;
        const late = setTimeout(() => attempt.abort(new Error('slow')), frameTime);
        await showFrame(attempt).finally(() => clearTimeout(late));
      }
    } catch (problem) {
      if (problem.status === 503) note('Waiting for the first frame…');
      else attempt.abort(problem);
    }
    busy = false;
  };
}

// inked reports whether the picture is that of the panel: the wall in the inks that it has.
const inked = () => $('panel').getAttribute('aria-pressed') === 'true';

// offerPanel shows the button of a wall that has a panel.
async function offerPanel(attempt) {
  const answer = await get('panel' + query(), {}, attempt.signal).catch(() => null);
  $('panel').hidden = !answer;
  if (!answer) $('panel').setAttribute('aria-pressed', false);
}

let show = () => {};

// follow reads one event stream to its end. It always ends with an exception.
async function follow(attempt) {
  const answer = await get('events' + query(), { 'A-IM': 'tiles' }, attempt.signal);
  say('connected', 'Connected');
  $('ask').hidden = true;
  if (token) sessionStorage.setItem('stream_token', token);
  if (canvas.hidden) note('Waiting for the first frame…');
  show = shower(attempt);
  show();
  offer();
  offerPanel(attempt);
  const reader = answer.body.getReader(), decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const dead = setTimeout(() => attempt.abort(new Error('silent')), silence);
    const { value, done } = await reader.read().finally(() => clearTimeout(dead));
    if (done) throw new Error('ended');
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop();
    if (lines.some((line) => line.startsWith('data:'))) show();
  }
}

function askToken(text) {
  say('locked', 'Token needed');
  $('wrong').textContent = token ? 'The service does not accept this token.' : '';
  $('ask').hidden = false;
  canvas.hidden = true;
  note('');
  $('token').focus();
}

function explain(problem) {
  if (problem.status === 401) return askToken();
  say('reconnecting', 'Reconnecting');
  if (problem.status === 404) {
    canvas.hidden = true;
    note('The dashboard runs, but ' + problem.message + '.');
  } else {
    note('The dashboard does not answer. It is tried again and again.');
  }
}

async function live() {
  for (let pause = firstPause; ; pause = Math.min(2 * pause, lastPause)) {
    stream = new AbortController();
    const began = Date.now();
    try {
      await follow(stream);
    } catch (problem) {
      const reason = stream.signal.aborted ? stream.signal.reason : problem;
      stream.abort();
      show = () => {};
      explain(reason);
      if (Date.now() - began > lastPause) pause = firstPause;
      await new Promise((go) => { wake = go; if (reason.status !== 401) setTimeout(go, pause); });
    }
  }
}

$('ask').addEventListener('submit', (e) => {
  e.preventDefault();
  token = $('token').value;
  $('token').value = '';
  wake();
});
$('panel').addEventListener('click', () => {
  $('panel').setAttribute('aria-pressed', !inked());
  etag = '';
  show();
});
let settling = 0;
addEventListener('resize', () => {
  lay();
  clearTimeout(settling);
  settling = setTimeout(() => show(), settle);
});
document.addEventListener('visibilitychange', () => { if (!document.hidden) { wake(); show(); } });
addEventListener('online', () => wake());
for (const kind of ['pointermove', 'pointerdown']) {
  addEventListener(kind, () => { if (document.body.dataset.state === 'connected') say('connected', rhythm()); });
}
setInterval(() => {
  if (document.body.dataset.state === 'connected') $('state').lastElementChild.textContent = rhythm();
}, 1000);
canvas.addEventListener('dblclick', () => {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => {});
});

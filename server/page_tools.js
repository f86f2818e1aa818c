// The tools, for whoever may control the wall: its theme, a test notification, and what is under the pointer.

const surveyPause = 2000; // ms between two looks at what the widgets show

// The code on an appliance's screen brings the token behind the #, which browsers send to nobody.
const brought = new URLSearchParams(location.hash.slice(1)).get('token');
if (brought) {
  sessionStorage.setItem('control_token', brought);
  history.replaceState(null, '', location.pathname + location.search);
}
let controlToken = sessionStorage.getItem('control_token') || '';
let survey = null;   // the answer of GET /widgets
let surveyed = 0;    // when it came, ms
let pointer = null;  // where the pointer is on the page, px

// control asks for what the control token guards.
async function control(path, body) {
  const headers = controlToken ? { Authorization: 'Bearer ' + controlToken } : {};
  const options = { headers, cache: 'no-store' };
  if (body) Object.assign(options, { method: 'POST', body: JSON.stringify(body), headers: { ...headers, 'Content-Type': 'application/json' } });
  const answer = await fetch(path, options);
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refusal(answer.status, told.error || 'status ' + answer.status);
  return told;
}

// may runs what needs control. Without the right token it offers to take one; other refusals are told.
async function may(action) {
  try {
    await action();
    $('unlock').hidden = true;
  } catch (problem) {
    if (problem.status === 401) $('unlock').hidden = false;
    else if (problem.status !== 404) tell(problem.message);
  }
}

let telling = 0;
function tell(text) {
  $('told').textContent = text;
  clearTimeout(telling);
  telling = setTimeout(() => { $('told').textContent = ''; }, shy);
}

// offer shows the tools that this wall has.
async function offer() {
  $('theme').hidden = $('ring').hidden = $('inspect').hidden = true;
  await may(async () => showTheme(await control('theme')));
  await may(lookAround);
  lookForScreens();
  lookForReaders();
  lookForNotices();
}

function showTheme(state) {
  $('theme').hidden = false;
  const worn = state.following_sun ? 'auto' : state.mode;
  for (const b of $('theme').children) b.setAttribute('aria-pressed', b.dataset.mode === worn);
  $('state').dataset.theme = state.mode;
}

async function lookAround() {
  surveyed = Date.now();
  survey = await control('widgets' + (view ? '?view=' + encodeURIComponent(view) : ''));
  $('inspect').hidden = false;
  $('ring').hidden = !bell();
}

// bell is the widget that shows texts, if there is one.
function bell() {
  return survey?.widgets.find((w) => w.kind === 'notifiabletext');
}

// under is the innermost widget at a point of the page.
function under(at) {
  if (!survey || !wall || !at || canvas.hidden) return null;
  const box = canvas.getBoundingClientRect(), scale = survey.width / box.width;
  const x = (at.x - box.left) * scale, y = (at.y - box.top) * scale;
  const hit = (w) => x >= w.x && y >= w.y && x < w.x + w.width && y < w.y + w.height;
  return survey.widgets.findLast(hit) || null;
}

const inspecting = () => $('inspect').getAttribute('aria-pressed') === 'true';

// inspect shows what is under the pointer.
function inspect() {
  const w = inspecting() ? under(pointer) : null;
  $('outline').hidden = $('about').hidden = !w;
  if (!w) return;
  if (Date.now() - surveyed > surveyPause) may(lookAround).then(inspect);
  const box = canvas.getBoundingClientRect(), scale = box.width / survey.width;
  place($('outline'), box.left + w.x * scale, box.top + w.y * scale);
  $('outline').style.width = w.width * scale + 'px';
  $('outline').style.height = w.height * scale + 'px';
  describe(w);
  const about = $('about'), gap = 16;
  const right = pointer.x + gap + about.offsetWidth <= innerWidth, below = pointer.y + gap + about.offsetHeight <= innerHeight;
  place(about, Math.max(0, right ? pointer.x + gap : pointer.x - gap - about.offsetWidth),
    Math.max(0, below ? pointer.y + gap : pointer.y - gap - about.offsetHeight));
}

function place(element, x, y) {
  element.style.left = x + 'px';
  element.style.top = y + 'px';
}

// describe says in words what a widget is and shows.
function describe(w) {
  const lines = [['b', w.name === w.kind ? w.kind : w.kind + ' “' + w.name + '”']];
  lines.push(['span', w.file + ', ' + (w.first_line === w.last_line ? 'line ' + w.first_line : `lines ${w.first_line} to ${w.last_line}`)]);
  for (const p of w.providers) {
    const age = p.seconds_since_value === null ? 'no value yet' : since(p.seconds_since_value);
    lines.push(['i', `${p.name}: ${age}${p.stale ? ', stale' : ''}`]);
    if (p.error) lines.push(['em', p.error]);
    for (const warning of p.warnings || []) lines.push(['em', warning]);
    if (p.value) lines.push(['code', p.value]);
  }
  $('about').replaceChildren(...lines.map(([tag, text]) => Object.assign(document.createElement(tag), { textContent: text })));
}

function since(seconds) {
  if (seconds < 2) return 'just now';
  if (seconds < 120) return seconds + ' s ago';
  if (seconds < 7200) return Math.round(seconds / 60) + ' min ago';
  return Math.round(seconds / 3600) + ' h ago';
}

$('theme').addEventListener('click', (e) => {
  const mode = e.target.dataset.mode;
  if (mode) may(async () => showTheme(await control('theme', { mode })));
});
$('ring').addEventListener('click', () => {
  may(async () => {
    await control('notify', { widget: bell().name, text: 'Test notification' });
    tell('Sent');
  });
});
$('inspect').addEventListener('click', () => {
  $('inspect').setAttribute('aria-pressed', !inspecting());
  inspect();
});
$('unlock').addEventListener('click', () => $('key').showModal());
$('key').addEventListener('close', () => {
  if ($('key').returnValue !== 'ok') return;
  controlToken = $('control').value;
  $('control').value = '';
  sessionStorage.setItem('control_token', controlToken);
  offer();
});
for (const kind of ['pointermove', 'pointerdown']) {
  addEventListener(kind, (e) => {
    pointer = $('tools').contains(e.target) ? null : { x: e.clientX, y: e.clientY };
    inspect();
  });
}
document.documentElement.addEventListener('pointerleave', () => { pointer = null; inspect(); });

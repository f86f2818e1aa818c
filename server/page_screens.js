// Screens that are paired, and those that ask for it: six digits to compare.

const screensPause = 5000; // ms between two looks at who asks

let screensTimer = 0;

// screensAsk asks for what decides on screens. Where there is no control token the stream token does.
async function screensAsk(path, method, body) {
  const word = controlToken || token;
  const headers = word ? { Authorization: 'Bearer ' + word } : {};
  if (body) headers['Content-Type'] = 'application/json';
  const answer = await fetch(path, { method, headers, cache: 'no-store', body: body && JSON.stringify(body) });
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refusal(answer.status, told.error || 'status ' + answer.status);
  return told;
}

// lookForScreens shows the button where there is pairing, and how many wait.
async function lookForScreens() {
  clearTimeout(screensTimer);
  try {
    const all = await screensAsk('devices', 'GET');
    const n = all.waiting.length;
    $('screens').textContent = n ? `Screens (${n} ${n === 1 ? 'waits' : 'wait'})` : 'Screens';
    $('screens').hidden = false;
    if (n) retire(false);
    if ($('paired').open && !$('paired').contains(document.activeElement?.closest('select'))) showScreens(all);
  } catch (problem) {
    $('screens').hidden = true;
    if (problem.status === 404) return; // nothing is paired here
  }
  screensTimer = setTimeout(lookForScreens, screensPause);
}

function element(tag, fields, ...inside) {
  const e = Object.assign(document.createElement(tag), fields);
  e.append(...inside);
  return e;
}

// viewsFor lets one choose what a screen shows; null where there is one view.
function viewsFor(all, shown) {
  if (all.views.length < 2) return '';
  const list = all.views.map((name) => element('option', { value: name, textContent: name, selected: name === (shown || all.views[0]) }));
  return element('select', { ariaLabel: 'View' }, ...list);
}

function button(text, what, id, kind) {
  const b = element('button', { type: 'button', textContent: text, className: kind || '' });
  Object.assign(b.dataset, { do: what, id });
  return b;
}

function showScreens(all) {
  const rows = all.waiting.map((r) => element('li', { className: 'waits' },
    element('b', { textContent: r.code.slice(0, 3) + ' ' + r.code.slice(3) }), element('span', { textContent: `${r.name}, ${r.address}` }),
    viewsFor(all), button('Allow', 'allow', r.code), button('Refuse', 'remove', r.id, 'plain')));
  for (const d of all.devices) {
    const li = element('li', {}, element('b', { textContent: d.name }), element('span', { textContent: d.seen_at ? 'here ' + since(Math.max(0, Math.round((Date.now() - Date.parse(d.seen_at)) / 1000))) : 'not here since the start' }),
      viewsFor(all, d.view), button('Remove', 'remove', d.id, 'plain'));
    li.dataset.id = d.id;
    rows.push(li);
  }
  if (!rows.length) rows.push(element('li', { textContent: 'No screen is paired, and none asks for it.' }));
  $('pairedList').replaceChildren(...rows);
}

async function decide(action, done) {
  try {
    await action();
    tell(done);
  } catch (problem) {
    tell(problem.message);
  }
  document.activeElement?.blur();
  await lookForScreens();
}

$('screens').addEventListener('click', () => {
  $('paired').showModal();
  lookForScreens();
});
$('pairedList').addEventListener('click', (e) => {
  const { do: what, id } = e.target.dataset, li = e.target.closest('li');
  if (what === 'allow') decide(() => screensAsk('devices', 'POST', { code: id, view: li.querySelector('select')?.value || '' }), 'Allowed');
  if (what === 'remove') decide(() => screensAsk('devices/' + encodeURIComponent(id), 'DELETE'), 'Removed');
});
$('pairedList').addEventListener('change', (e) => {
  const li = e.target.closest('li');
  if (li.dataset.id) decide(() => screensAsk('devices/' + encodeURIComponent(li.dataset.id), 'POST', { view: e.target.value }), 'Changed');
});

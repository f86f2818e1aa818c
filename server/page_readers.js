// E-readers: how they are, and those that wait to be allowed.

let readersTimer = 0;

// lookForReaders shows the button where there is an output for e-readers, and how many wait.
async function lookForReaders() {
  clearTimeout(readersTimer);
  try {
    const all = await screensAsk('readers', 'GET');
    const n = all.waiting.length;
    $('readers').textContent = n ? `E-readers (${n} ${n === 1 ? 'waits' : 'wait'})` : 'E-readers';
    $('readers').hidden = false;
    if (n) retire(false);
    if ($('reading').open) showReaders(all);
  } catch (problem) {
    $('readers').hidden = true;
    if (problem.status === 404) return; // there are none
  }
  readersTimer = setTimeout(lookForReaders, screensPause);
}

// saysOf is what a device told of itself last.
function saysOf(d) {
  const says = [d.seen_at ? 'here ' + since(Math.max(0, Math.round((Date.now() - Date.parse(d.seen_at)) / 1000))) : 'not here since the start'];
  if (d.battery_percent !== null) says.push(`battery ${Math.round(d.battery_percent)} %`);
  else if (d.battery_volts !== null) says.push(`battery ${d.battery_volts.toFixed(2)} V`);
  if (d.charging) says.push('charging');
  if (d.signal_dbm !== null) says.push(`signal ${Math.round(d.signal_dbm)} dBm`);
  return says.join(', ');
}

function showReaders(all) {
  const rows = all.waiting.map((r) => element('li', { className: 'waits' },
    element('b', { textContent: r.friendly_id }), element('span', { textContent: r.id }),
    button('Allow', 'allow', r.id), button('Refuse', 'remove', r.id, 'plain')));
  for (const d of all.readers) {
    rows.push(element('li', {}, element('b', { textContent: d.friendly_id }), element('span', { textContent: `${d.id}: ${saysOf(d)}` }),
      d.listed ? '' : button('Remove', 'remove', d.id, 'plain')));
  }
  if (!rows.length) rows.push(element('li', { textContent: 'No e-reader is shown the wall, and none asks for it.' }));
  $('readingList').replaceChildren(...rows);
}

async function decideOnReader(action, done) {
  await decide(action, done);
  await lookForReaders();
}

$('readers').addEventListener('click', () => {
  $('reading').showModal();
  lookForReaders();
});
$('readingList').addEventListener('click', (e) => {
  const { do: what, id } = e.target.dataset;
  if (what === 'allow') decideOnReader(() => screensAsk('readers', 'POST', { id }), 'Allowed');
  if (what === 'remove') decideOnReader(() => screensAsk('readers/' + encodeURIComponent(id), 'DELETE'), 'Removed');
});

// The notifications of the wall: what waits, is shown or is held, with its buttons.

const noticesPause = 5000, noticesSoon = 1500; // ms between two looks at them; while their list is open
const noticesMost = 64;                        // rows of the list
const noticeText = 300;                        // characters of a text in the list

let noticesTimer = 0;
let noticesShown = ''; // what the list was made of
const viewQuery = view ? '?view=' + encodeURIComponent(view) : '';

// lookForNotices shows the button where notifications are taken, and how many there are.
async function lookForNotices() {
  clearTimeout(noticesTimer);
  try {
    if (!document.hidden) showNotices((await screensAsk('notify' + viewQuery, 'GET')).notifications);
  } catch (problem) {
    $('notices').hidden = true;
    if (problem.status === 401) return; // the controls are locked
  }
  clearTimeout(noticesTimer); // another look may have begun meanwhile
  noticesTimer = setTimeout(lookForNotices, $('noticed').open ? noticesSoon : noticesPause);
}

// showNotices writes the list. It leaves alone what is as it was: a finger may be on one of its buttons.
function showNotices(all) {
  $('notices').textContent = all.length ? `Notifications (${all.length})` : 'Notifications';
  $('notices').hidden = false;
  $('noticedAll').hidden = !all.length;
  const made = JSON.stringify(all.map((n) => ({ ...n, seconds_left: 0 })));
  if (made === noticesShown) return;
  noticesShown = made;
  const rows = all.slice(0, noticesMost).map(noticeRow);
  if (all.length > noticesMost) rows.push(element('li', { textContent: `${all.length - noticesMost} more` }));
  if (!all.length) rows.push(element('li', { textContent: 'There are none now.' }));
  $('noticedList').replaceChildren(...rows);
}

function noticeRow(n) {
  const text = [...(n.text || '')], short = text.length > noticeText ? text.slice(0, noticeText).join('') + '…' : n.text || '';
  const head = n.title || (short ? '' : n.id || 'A picture'), count = n.count > 1 ? ` ×${n.count}` : '';
  const li = element('li', {});
  if (head) li.append(element('b', { textContent: head }));
  if (short) li.append(element('span', { textContent: short }));
  li.append(element('i', { textContent: `${n.state}, on ${n.widget}${count}` }));
  const row = element('div', {}, ...(n.actions || []).map((label, at) => button(label, String(at + 1), n.id)));
  if (n.id) row.append(button('Dismiss', 'dismiss', n.id, 'plain'));
  li.append(row);
  return li;
}

// chooseNotice does what a button of the list says, which may take as long as what it asks.
async function chooseNotice(b, action, done) {
  b.disabled = true;
  $('noticedTold').textContent = '';
  try {
    await action();
    $('noticedTold').textContent = done;
  } catch (problem) {
    $('noticedTold').textContent = problem.message;
  }
  b.disabled = false;
  await lookForNotices();
}

$('notices').addEventListener('click', () => {
  $('noticedTold').textContent = '';
  $('noticed').showModal();
  lookForNotices();
});
$('noticedList').addEventListener('click', (e) => {
  const { do: what, id } = e.target.dataset, path = 'notify/' + encodeURIComponent(id) + viewQuery;
  if (what === 'dismiss') chooseNotice(e.target, () => screensAsk(path, 'DELETE'), 'Dismissed');
  else if (what) chooseNotice(e.target, () => screensAsk(path, 'POST', { action: +what }), 'Done: ' + e.target.textContent);
});
$('noticedAll').addEventListener('click', (e) => chooseNotice(e.target, () => screensAsk('notify' + viewQuery, 'DELETE'), 'Dismissed'));

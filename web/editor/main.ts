// The page at /edit/: the editor of the wall.
import { render } from 'lit';
import { watchConnections } from './connecting';
import { listen } from './listening';
import { Model, type Screen } from './model';
import { open } from './open';
import { page } from './page';
import { duplicateWidget, nudge, placeAt, removeWidget, startMove } from './placing';
import { closeToast } from './toast';
import { nextFrame } from '../shared/frame';
import { fill, focusRow, isFree } from './wall';

const root = document.getElementById('app')!;
let drawn = false;
const model = new Model(draw, (screen) => open(model, screen), () => void listen(model));

/** draw draws the page once before the next frame, even if there were many changes. */
function draw(): void {
  if (drawn) return;
  drawn = true;
  nextFrame(() => {
    drawn = false;
    document.title = model.draft?.changes ? `${model.name}, ${model.draft.changes} changes` : `Edit ${model.name}`;
    render(page(model), root);
  });
}

watchConnections(model);

const fields = 'input, textarea, select, .text-host';

/** The keys of the editor. While a field has the focus, only Escape and keys with Ctrl work. */
addEventListener('keydown', (e) => {
  if (!model.draft) return;
  const target = e.target as HTMLElement, typing = !!target.closest(fields), control = e.ctrlKey || e.metaKey;
  const act = (run: () => unknown) => { e.preventDefault(); void run(); };
  if (control && !target.closest('.text-host') && !(typing && target.matches('textarea'))) {
    const key = e.key.toLowerCase();
    if (key === 'z' && !typing) return act(() => (e.shiftKey ? model.redo() : model.undo()));
    if (key === 'y' && !typing) return act(() => model.redo());
    if (key === 's') return act(() => model.draft!.changes && model.go('apply'));
    if (key === 'd' && model.chosen && !typing) return act(() => duplicateWidget(model, model.chosen));
    return;
  }
  if (e.key === 'Escape') return e.defaultPrevented ? undefined : act(escape); // the list of words in the text closes first
  if (typing || control) return;
  const onWall = model.screen === 'wall' || model.screen === 'form';
  if (e.altKey) {
    const by = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[e.key];
    if (by && onWall && model.chosen) act(() => nudge(model, by).then(() => focusRow(model.chosen)));
    return;
  }
  if (model.screen === 'places' && /^[1-9]$/.test(e.key)) {
    const p = model.places?.list.find((one) => one.number === +e.key && !one.why_not);
    if (p) act(() => placeAt(model, p));
    return;
  }
  if (e.key === '?') return act(() => model.go('keys'));
  if (!onWall) return;
  const onButton = !!target.closest('button, a, summary');
  if (e.key === 'Delete' && model.chosen) act(() => removeWidget(model, model.chosen).then(() => focusRow(model.chosen)));
  else if (e.key === 'Enter' && model.selected && !onButton) act(() => (isFree(model, model.selected!) ? fill(model) : openForm()));
  else if (e.key.toLowerCase() === 'm' && model.chosen) act(() => startMove(model, model.chosen));
  else if (e.key.toLowerCase() === 'a') act(() => (model.selected && isFree(model, model.selected) ? fill(model) : model.go('gallery')));
});

/** openForm moves the focus to the first field of the form. */
function openForm(): void {
  model.go('form');
  const focus = (left: number) => requestAnimationFrame(() => {
    const first = document.querySelector<HTMLElement>('.fields input, .fields select, .fields textarea, .fields button');
    if (first) first.focus();
    else if (left) focus(left - 1);
  });
  focus(120);
}

/** escape goes one step back: from a field to the tree, or from a screen to the wall. */
function escape(): void {
  if (model.lens) { model.lens = null; draw(); return; }
  if (model.screen === 'places') { model.places = null; model.adding = null; }
  if (model.screen === 'wall' || model.screen === 'form') {
    model.go('wall');
    if (model.chosen) focusRow(model.chosen);
    return;
  }
  model.back();
  if (model.chosen) focusRow(model.chosen);
}

addEventListener('popstate', (e) => {
  model.screen = (e.state as { screen?: Screen } | null)?.screen ?? 'wall';
  closeToast(model);
  model.entered();
  draw();
});

addEventListener('resize', draw);
addEventListener('focusout', (e) => { if ((e.target as HTMLElement).matches('input, textarea')) setTimeout(() => model.typing.settle()); });
document.addEventListener('visibilitychange', () => { if (!document.hidden) void (model.ended ? model.start() : model.reload(model.draft?.revision)); });
addEventListener('pagehide', () => model.leave());
addEventListener('beforeunload', (e) => { if (model.busy) e.preventDefault(); });
setInterval(() => { if (document.querySelector('.drawn') || (model.access && !model.access.may)) draw(); }, 1000); // because the page shows the age of the picture, or the remaining time of the code

if (location.hash) history.replaceState(null, '', location.pathname + location.search);
void model.start();
draw();

// The page at /. It shows the wall as a picture, and controls for the wall.
import { render } from 'lit';
import { Model } from './model';
import { page } from './page';
import { Spoken } from './spoken';
import { again, typed } from '../shared/newer';
import { nextFrame } from '../shared/frame';

const root = document.getElementById('app')!;

let drawn = false;
const model: Model = new Model(draw, () => root.querySelector('canvas'));
model.spoken = new Spoken(model.tokens, draw);

/** draw draws the page once before the next frame, even if there were many changes. */
function draw(): void {
  if (drawn) return;
  drawn = true;
  nextFrame(() => {
    drawn = false;
    document.title = model.name();
    render(page(model, draw), root);
    const canvas = root.querySelector('canvas');
    if (canvas && !canvas.dataset.shown) model.repaint(); // draw on a new canvas, because another part of the page was shown before
  });
}

const busyKeys = 'input, textarea, select, dialog[open]';

/** The keys of the wall: arrows and digits choose a page, space switches the screen, ? lists the keys. */
addEventListener('keydown', (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  if (e.key === 'Escape' && model.sheet !== 'remote') {
    model.open('remote');
    return;
  }
  const target = e.target as HTMLElement;
  if (target.closest(busyKeys) || !model.state || model.state.may !== 'control') return;
  const pages = model.state.pages, onControl = target.closest('button, [role=radio], [role=slider]');
  if (e.key === 'ArrowLeft' && pages && !onControl) void model.page('previous');
  else if (e.key === 'ArrowRight' && pages && !onControl) void model.page('next');
  else if (e.key === ' ' && model.state.power && !onControl) void model.power(!model.state.power.on);
  else if (/^[1-9]$/.test(e.key) && pages?.pages[+e.key - 1]) void model.page(pages.pages[+e.key - 1]);
  else if (e.key === '?') { model.sheet = 'keys'; draw(); } else return;
  e.preventDefault();
});

/** renew loads the page again after an update of the program, unless the reload would delete a text. Then the same part of the page is open. */
function renew(): void {
  if (!model.restart.outdated || model.link !== 'live' || model.message.text || typed()) return;
  again(() => history.replaceState(model.sheet, ''));
}

if (typeof history.state === 'string') {
  model.sheet = history.state as Model['sheet'];
  history.replaceState(null, '');
}
setInterval(() => { draw(); renew(); }, 1000); // because timers run and the retry counts down
setInterval(() => void model.look(), 5000); // because new devices can appear and values change
draw();
void model.run();
void model.spoken.run();

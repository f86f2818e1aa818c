// The page at /text, which contains only the text of the wall. The server writes the first text, and this script updates it.
import { html, nothing, render, type TemplateResult } from 'lit';
import { ask, Refusal, Tokens, view } from '../shared/api';
import { tokenForm } from '../shared/token';
import { content, live, Spoken, type Words } from './spoken';

const root = document.getElementById('app')!;
const tokens = new Tokens();
const spoken = new Spoken(tokens, draw);
let drawn = false, problem = '', wrong = '';

function draw(): void {
  if (drawn) return;
  drawn = true;
  requestAnimationFrame(() => {
    drawn = false;
    if (!spoken.words && !spoken.locked) return;
    if (!root.dataset.live) root.replaceChildren();
    root.dataset.live = 'yes';
    const w = spoken.words;
    if (w) {
      document.title = w.name;
      document.documentElement.lang = w.language;
      document.documentElement.dir = w.direction;
    }
    render(w && !spoken.locked ? page(w) : form(), root);
  });
}

function page(w: Words): TemplateResult {
  return html`<header class="spoken-top"><nav><a href=${view ? `./?view=${encodeURIComponent(view)}` : './'}>${w.picture}</a></nav><span class="muted">${w.as_of}</span></header>
    <main class="spoken"><h1>${w.name}</h1><p>${w.when}.${w.pages ? ` ${w.pages}.` : ''}</p>
      ${problem ? html`<p class="alert" role="alert">${problem}</p>` : nothing}${content(w.parts, 0, { label: w.dismiss, choose, dismiss })}</main>${live(spoken)}`;
}

function form(): TemplateResult {
  const take = (token: string) => {
    tokens.keep({ stream: token });
    void spoken.load().then(() => { wrong = spoken.locked ? 'This is not the token of the wall.' : ''; draw(); });
  };
  return html`<main class="spoken"><h1>This wall asks for its token</h1>${tokenForm({ label: 'Token', button: 'Open the wall', wrong, redraw: draw, take })}</main>`;
}

/** choose presses a button of a notification. */
function choose(notice: string, action: number): Promise<void> { return act('POST', notice, { action }); }

function dismiss(notice: string): Promise<void> { return act('DELETE', notice); }

/** act sends a request about a notification and then loads the words again. */
async function act(method: string, notice: string, body?: object): Promise<void> {
  try {
    await ask(tokens, method, `notify/${encodeURIComponent(notice)}`, body);
    problem = '';
  } catch (reason) {
    problem = reason instanceof Refusal ? reason.message : 'The wall does not answer.';
  }
  await spoken.load().catch(() => {});
  draw();
}

void spoken.run();

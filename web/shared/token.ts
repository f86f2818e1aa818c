// The form that asks for a token. All pages have the same form.
import { html, type TemplateResult } from 'lit';
import * as i from './icons';

/** TokenAsk describes a form: its words, the last error, and the function that receives the token. */
export interface TokenAsk { label: string; button: string; wrong: string; kept?: boolean; busy?: boolean; first?: boolean; redraw: () => void; take: (token: string) => void }

let shown = false; // whether the typed characters are visible

/** tokenForm asks for a token. It reads the field when it is drawn, because a browser can fill in a stored token without an event. */
export function tokenForm(a: TokenAsk): TemplateResult {
  const field = () => document.querySelector<HTMLInputElement>('#token');
  const submit = (e: Event) => {
    e.preventDefault();
    shown = false;
    const token = field()?.value;
    if (token) a.take(token);
    a.redraw();
  };
  const show = () => { shown = !shown; a.redraw(); };
  return html`<form class="card" @submit=${submit} @input=${a.redraw}><label for="token">${a.label}</label>
    <div class="secret"><input id="token" name="token" type=${shown ? 'text' : 'password'} autocomplete=${a.kept === false ? 'off' : 'current-password'} autocapitalize="off" spellcheck="false" aria-required="true" ?autofocus=${!!a.first} aria-invalid=${!!a.wrong} aria-describedby="wrong">
      <button type="button" class="iconic" aria-label="${shown ? 'Hide' : 'Show'} the token" aria-controls="token" @click=${show}>${i.icon(shown ? i.mdiEyeOffOutline : i.mdiEyeOutline)}</button></div>
    <p id="wrong" class="error" role="alert" ?hidden=${!a.wrong}>${i.icon(i.mdiAlertCircleOutline, 20)}<span>${a.wrong}</span></p>
    <button class="main large" aria-disabled=${!field()?.value} aria-busy=${!!a.busy}>${a.button}</button></form>`;
}

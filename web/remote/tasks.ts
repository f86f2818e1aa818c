// The lists of tasks: a field for new tasks, the titles that were added often, and the tasks.
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { State, Task, TaskList } from '../shared/api';
import * as i from '../shared/icons';
import type { Model } from './model';

const longestTitle = 200; // maximum number of characters in a title

/** tasks() shows the lists of the wall that can be changed. */
export function tasks(m: Model, s: State): TemplateResult[] { return s.tasks.map((l) => list(m, l)); }

function list(m: Model, l: TaskList): TemplateResult {
  const open = l.tasks.filter((t) => !t.done), done = l.tasks.filter((t) => t.done);
  const there = new Set(open.map((t) => t.title.toLowerCase())), often = l.often.filter((title) => !there.has(title.toLowerCase()));
  const submit = async (e: Event) => {
    e.preventDefault();
    const field = (e.currentTarget as HTMLFormElement).elements.namedItem('title') as HTMLInputElement, title = field.value.trim();
    if (title && await m.add(l.name, title)) field.value = '';
  };
  return html`<section class="card tasks" aria-label=${l.name}><h2 class="label">${i.icon(i.mdiFormatListChecks, 22)}<span class="name">${l.name}</span><span class="state">${open.length ? `${open.length} open` : 'all done'}</span></h2>
    <form class="write" @submit=${submit}><input name="title" aria-label="Add to ${l.name}" placeholder="Add to ${l.name}…" maxlength=${longestTitle} autocomplete="off" enterkeyhint="done">
      <button class="iconic" aria-label="Add" aria-busy=${m.busy.has(`add ${l.name}`)}>${i.icon(i.mdiPlus)}</button></form>
    ${often.length ? html`<div class="buttons" role="group" aria-label="Added often">${often.map((title) => html`<button @click=${() => m.add(l.name, title)}>${i.icon(i.mdiPlus, 20)}${title}</button>`)}</div>` : nothing}
    ${rows(m, l, open)}
    ${done.length ? html`<details><summary class="row">${done.length} done</summary>${rows(m, l, done)}</details>` : nothing}
    ${l.more ? html`<p class="note">${l.more} more are not listed here.</p>` : nothing}</section>`;
}

function rows(m: Model, l: TaskList, all: Task[]): unknown { return repeat(all, (t) => t.task ?? t.title, (t) => row(m, l, t)); }

/** row() shows a task as a checkbox. */
function row(m: Model, l: TaskList, t: Task): TemplateResult {
  const why = t.problem ? `Not changed: ${t.problem}` : t.waiting ? 'waits for its server' : '';
  const icon = t.problem ? i.mdiAlertCircleOutline : t.done ? t.waiting ? i.mdiProgressCheck : i.mdiCheckCircle : i.mdiCheckboxBlankCircleOutline;
  return html`<button class="row plain ${t.problem ? 'refused' : ''}" role="checkbox" aria-checked=${t.done} aria-disabled=${!t.task} aria-busy=${m.busy.has(`task ${t.task}`)} @click=${() => t.task && m.tick(l.name, t)}>
    ${i.icon(icon)}<span class="name">${t.done ? html`<s>${t.title}</s>` : t.title}${why ? html`<small>${why}</small>` : nothing}</span></button>`;
}

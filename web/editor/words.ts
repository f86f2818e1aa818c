// Names that people read, and the live region for screen readers.
import { Refused, type Node } from './api';

/** announce makes screen readers say a text. The page has one live region for it. */
export function announce(text: string): void {
  const said = document.getElementById('said');
  if (said) said.textContent = text;
}

export function message(e: unknown): string {
  if (e instanceof Refused) return sentence(e.message);
  return 'The wall does not answer. What you did stays here.';
}

function sentence(text: string): string {
  const t = text.trim();
  return t ? t[0].toUpperCase() + t.slice(1) + (/[.?!|]$/.test(t) ? '' : '.') : t;
}

export function changes(n: number): string { return n === 1 ? '1 change' : `${n} changes`; }

/** device() returns the kind of the device that shows this page. */
export function device(): string {
  const ua = navigator.userAgent;
  return /iPhone/.test(ua) ? 'iPhone' : /iPad/.test(ua) ? 'iPad' : /Android/.test(ua) ? 'Android phone' : /Mac/.test(ua) ? 'Mac' : /Windows/.test(ua) ? 'Windows computer' : 'Computer';
}

/** clock() returns the time of a moment, with the day if it is not today. */
export function clock(moment: string | undefined): string {
  if (!moment) return '';
  const at = new Date(moment), today = at.toDateString() === new Date().toDateString();
  return at.toLocaleString('en-GB', { hour: '2-digit', minute: '2-digit', ...(today ? {} : { day: 'numeric', month: 'short' }) });
}

/** titleOf returns the name of a kind of widget, as people write it. */
export function titleOf(kind: string): string {
  const known: Record<string, string> = { qr: 'QR code', airquality: 'Air quality', nextevent: 'Next event', sunpath: 'Sun path', agenda: 'Calendar', space: 'Free place' };
  return known[kind] ?? kind[0].toUpperCase() + kind.slice(1);
}

/** nameWidgets gives each widget of a tree the title that people read. */
export function nameWidgets(n: Node): void {
  if (n.kind === 'widget' && (!n.title || n.title === n.widget)) n.title = titleOf(n.widget ?? 'widget') + (n.widget === 'space' && n.area ? ` “${n.area}”` : '');
  if (n.widget === 'use' && n.params) { // because a recipe has no title of its own
    const recipe = n.params.find((one) => one.key === 'recipe')?.value.replace(/["']/g, '').replace(/-/g, ' ') ?? 'recipe';
    n.title = recipe[0].toUpperCase() + recipe.slice(1);
  }
  n.children?.forEach(nameWidgets);
}

export function dayName(at: Date): string {
  const day = (d: Date) => d.toDateString();
  if (day(at) === day(new Date())) return 'Today';
  if (day(at) === day(new Date(Date.now() - 864e5))) return 'Yesterday';
  return at.toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });
}

/** savedAt returns the day and the time of a save. */
export function savedAt(time: string): string {
  const at = new Date(time);
  return `${dayName(at)}, ${at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })}`;
}

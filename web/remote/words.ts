// Numbers and times as people write them.

/** length() returns a number of seconds as text, such as "5 min" or "1 h 30 min". */
export function length(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60), hours = Math.floor(minutes / 60);
  if (!hours) return `${minutes} min`;
  return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
}

/** ago() returns an age as text, such as "just now", "75 s ago", "3 min ago" or "4 d ago". */
export function ago(seconds: number): string {
  if (seconds < 2) return 'just now';
  if (seconds < 120) return `${Math.round(seconds)} s ago`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min ago`;
  return seconds < 172800 ? `${Math.round(seconds / 3600)} h ago` : `${Math.round(seconds / 86400)} d ago`;
}

/** clock() returns a remaining time as a timer shows it, such as "6:42" or "1:06:42". */
export function clock(seconds: number): string {
  const s = Math.ceil(seconds), two = (n: number) => String(n).padStart(2, '0');
  const h = Math.floor(s / 3600), m = Math.floor(s / 60) % 60;
  return h ? `${h}:${two(m)}:${two(s % 60)}` : `${m}:${two(s % 60)}`;
}

/** hour() returns a time of day in the 24-hour clock. */
export function hour(at: string | number, seconds = false): string {
  return new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', ...(seconds ? { second: '2-digit' } : {}) });
}

// The version of the page's script. After an update of the program, the wall serves another script.

const script = document.querySelector<HTMLScriptElement>('script[type=module]')!.src;
let running = ''; // ETag of the running script

/**
 * newer() reports whether the wall serves another script than the running one. The first answer notes the running script. newer() fails if
 * the wall does not answer.
 */
export async function newer(signal?: AbortSignal): Promise<boolean> {
  const answer = await fetch(script, { method: 'HEAD', cache: 'no-store', signal });
  const tag = answer.ok ? answer.headers.get('ETag') ?? '' : '';
  running ||= tag;
  return tag !== '' && tag !== running;
}

const fields = 'input:not([type=range]), textarea';

void newer().catch(() => {}); // notes the running script before an update can replace it

/**
 * again() loads the page again, but at most once in ten minutes, because a proxy may change the ETag of each answer. It calls `before` just
 * before the reload.
 */
export function again(before = () => {}): void {
  const last = Number(sessionStorage.getItem('loaded again'));
  if (Date.now() - last < 600_000) return;
  sessionStorage.setItem('loaded again', String(Date.now()));
  before();
  location.reload();
}

/** typed() reports whether a field contains a text that a reload would delete. */
export function typed(): boolean {
  return [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(fields)].some((f) => f.value !== f.defaultValue);
}

// The other tabs of this browser that have the same draft, for example after a person has duplicated a tab.

interface Told { tab: string; draft: string; ask: boolean }

const channel = 'BroadcastChannel' in window ? new BroadcastChannel('dashboard_edit') : null; // Safari has it since version 15.4
const me = Math.random().toString(36).slice(2), others = new Map<string, string>(); // drafts of the other tabs
let mine = '';

const tell = (ask: boolean): void => channel?.postMessage({ tab: me, draft: mine, ask } satisfies Told);

channel?.addEventListener('message', (e: MessageEvent<Told>) => {
  others.set(e.data.tab, e.data.draft);
  if (e.data.ask) tell(false);
});

/** showsDraft tells the other tabs which draft this tab shows. An empty id means that this tab closes. */
export function showsDraft(id: string): void {
  if (id === mine) return;
  mine = id;
  tell(!!id);
}

/** isShared reports whether another tab shows a draft. */
export const isShared = (id: string): boolean => [...others.values()].includes(id);

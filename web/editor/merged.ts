// The words of a conflict that differ from the lines before both changes.

/** Side names the version to which a changed word belongs. */
export type Side = 'yours' | 'theirs';

/** Piece is a part of a text. If the part is changed, `side` is its version. */
export interface Piece { text: string; side?: Side }

const mostWords = 400; // maximum number of words of a text that are compared. Longer texts have no marks

const wordsOf = (text: string) => text.match(/[\p{L}\p{N}_.-]+|\s+|[^\p{L}\p{N}\s]/gu) ?? [];

/** fresh() reports for each word of a text whether it is missing in the base. It compares the longest common sequences. */
function fresh(text: string[], base: string[]): boolean[] {
  if (Math.max(text.length, base.length) > mostWords) return text.map(() => false);
  const common = Array.from({ length: text.length + 1 }, () => new Uint16Array(base.length + 1));
  for (let a = text.length - 1; a >= 0; a--) for (let b = base.length - 1; b >= 0; b--) common[a][b] = text[a] === base[b] ? common[a + 1][b + 1] + 1 : Math.max(common[a + 1][b], common[a][b + 1]);
  const all = text.map(() => true);
  for (let a = 0, b = 0; a < text.length && b < base.length;) {
    if (text[a] === base[b]) { all[a++] = false; b++; } else if (common[a + 1][b] >= common[a][b + 1]) a++; else b++;
  }
  return all;
}

/**
 * pieces divides the result of a conflict at the words that differ from the base. A changed word gets the side "theirs" if only the other
 * version has it, otherwise "yours".
 */
export function pieces(text: string, one: { base: string; yours: string; theirs: string }): Piece[] {
  const base = wordsOf(one.base), all = wordsOf(text), isNew = fresh(all, base);
  const of = (side: string) => { const list = wordsOf(side), made = fresh(list, base); return new Set(list.filter((_, k) => made[k])); };
  const yours = of(one.yours), theirs = of(one.theirs), list: Piece[] = [];
  all.forEach((word, k) => {
    const side = !isNew[k] || word.includes('\n') ? undefined : theirs.has(word) && !yours.has(word) ? 'theirs' : 'yours', last = list[list.length - 1];
    if (last && last.side === side) last.text += word; else list.push({ text: word, side });
  });
  return list;
}

/** changedLines reports for each line of a text whether at least one of the other texts does not have it. */
export function changedLines(text: string, others: string[]): boolean[] {
  const sets = others.map((other) => new Set(other.split('\n')));
  return text.split('\n').map((line) => !sets.every((set) => set.has(line)));
}

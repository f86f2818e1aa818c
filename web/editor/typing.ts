// Texts that a person has typed and that are not in the draft yet.

/** A Form contains the texts of the fields, the refused texts, and the draft that receives the texts. */
export interface Form {
  readonly typed: Map<string, string>;
  readonly refused: Map<string, string>;
  set(id: string, key: string, value: string, joins: string): Promise<boolean>;
  redraw(): void;
}

/** Written returns the YAML of a typed text. `left` is true if the field has lost the focus, so that no key follows. */
export type Written = (left: boolean) => string | { error: string };

const typedTime = 300; // time in ms from the last key until a typed text is sent to the draft

export class Typing {
  private turn = 0; // changes when a field loses the focus
  private readonly waiting = new Map<string, { timer: ReturnType<typeof setTimeout>; take: (left: boolean) => void }>();

  // Fields with a typed text. They stay while a field has the focus, because the field must not change while a person types.
  private readonly fields = new Set<string>();

  constructor(private readonly form: Form) {}

  /** has() reports whether a person has typed into a field. */
  has(at: string): boolean { return this.fields.has(at); }

  /** type() sends a typed text to the draft, a moment after the last key or when the field loses the focus. */
  type(id: string, key: string, raw: string, written: Written): void {
    const at = `${id} ${key}`, joins = `${at} ${this.turn}`;
    const take = (left: boolean) => {
      const v = written(left);
      if (left || v === written(true)) this.waiting.delete(at);
      if (typeof v === 'string') void this.form.set(id, key, v, joins);
      else { this.form.refused.set(at, v.error); this.form.redraw(); }
    };
    this.form.typed.set(at, raw);
    this.fields.add(at);
    clearTimeout(this.waiting.get(at)?.timer);
    this.waiting.set(at, { timer: setTimeout(() => take(false), typedTime), take });
  }

  /** flush sends all typed texts to the draft now, because the next operation needs them. */
  flush(): void {
    for (const w of [...this.waiting.values()]) {
      clearTimeout(w.timer);
      w.take(true);
    }
  }

  /** stop forgets all typed texts, because the wall has deleted the draft. */
  stop(): void {
    for (const w of this.waiting.values()) clearTimeout(w.timer);
    this.waiting.clear();
    this.fields.clear();
  }

  /** settle shows the values of the draft again when a field loses the focus. Refused texts stay. */
  settle(): void {
    const late = new Set(this.waiting.keys());
    this.flush();
    this.turn++;
    for (const at of this.fields) {
      if (late.has(at) || this.form.refused.has(at)) continue;
      this.form.typed.delete(at);
      this.fields.delete(at);
    }
    this.form.redraw();
  }
}

// The text of an expression with its lines, for positions and for the snippets in messages.

/** A line and column of an expression. */
export interface Location {
  /** From 1. Line -1 means that the message has no position. */
  readonly line: number;
  /** From 0, in code points. */
  readonly column: number;
}

export const nowhere: Location = { line: -1, column: -1 };

/** The text of an expression, with its lines. */
export class Source {
  readonly text: string;
  readonly description: string;
  private starts: readonly number[] | undefined;

  constructor(text: string, description = '<input>') {
    this.text = text;
    this.description = description;
  }

  private lineStarts(): readonly number[] {
    if (this.starts === undefined) {
      const starts = [0];
      for (let at = this.text.indexOf('\n'); at >= 0; at = this.text.indexOf('\n', at + 1))
        starts.push(at + 1);
      this.starts = starts;
    }
    return this.starts;
  }

  location(offset: number): Location {
    if (offset < 0) return nowhere;
    const starts = this.lineStarts();
    let low = 0;
    for (let high = starts.length - 1; low < high; ) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: [...this.text.slice(starts[low], offset)].length };
  }

  line(number: number): string | undefined {
    const starts = this.lineStarts();
    const start = starts[number - 1];
    if (start === undefined) return undefined;
    const next = starts[number];
    return this.text.slice(start, next === undefined ? undefined : next - 1);
  }
}

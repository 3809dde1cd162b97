// The line of a YAML file on which a field of a definition is. It reads block style by its indentation, which
// is how definitions are written, and not flow style: there it gives the line of the parent. Good enough for
// annotations, not for editing.

export interface FieldPlace {
  readonly crd: string;
  readonly version?: string | undefined;
  /** As findings have it: spec.rules[*].name. */
  readonly path?: string | undefined;
}

interface Line {
  readonly number: number;
  /** Keys and indices, joined: spec/versions/0/name. */
  readonly at: string;
  readonly value: string;
}

/**
 * Reads the text once. Lines count from 1: that of the closest parent if the field does not exist; 1 if
 * nothing does.
 */
export function lineFinder(text: string): (place: FieldPlace) => number {
  const documents = new Map(
    documentsOf(text).map((lines) => [nameIn(lines), { lines, byPlace: firstLines(lines) }]),
  );
  return ({ crd, version, path }) => {
    const document = documents.get(crd);
    if (document === undefined) return 1;
    const steps = stepsOf(document.lines, version, path);
    for (let length = steps.length; length > 0; length--) {
      const found = document.byPlace.get(steps.slice(0, length).join('/'));
      if (found !== undefined) return found;
    }
    return document.lines[0]?.number ?? 1;
  };
}

const nameIn = (lines: readonly Line[]): string | undefined =>
  lines.find(({ at }) => at === 'metadata/name')?.value;

function firstLines(lines: readonly Line[]): Map<string, number> {
  return new Map([...lines].reverse().map(({ at, number }) => [at, number]));
}

function stepsOf(lines: readonly Line[], version: string | undefined, path: string | undefined): string[] {
  const own = lines.find(({ at, value }) => value === version && /^spec\/versions\/\d+\/name$/.test(at));
  if (own === undefined) return ['spec'];
  const index = own.at.split('/')[2]!;
  const steps = ['spec', 'versions', index];
  if (path === undefined || path === '') return [...steps, 'name'];
  const fields = (path.match(/\[\*\]|[^.[\]]+/g) ?? []).flatMap((step) =>
    step === '[*]' ? ['items'] : step === '*' ? ['additionalProperties'] : ['properties', step],
  );
  return [...steps, 'schema', 'openAPIV3Schema', ...fields];
}

const KEY = /^(\s*)((?:- +)*)(?:"([^"]+)"|'([^']+)'|([^\s#'"{[&*!|>%@`-][^:]*?|-[^\s:][^:]*?)):(?:\s+(.*))?$/;

function documentsOf(text: string): Line[][] {
  const documents: Line[][] = [[]];
  const reader = new Reader();
  text.split(/\r?\n/).forEach((line, index) => {
    if (/^---(\s|$)/.test(line)) {
      documents.push([]);
      reader.restart();
      return;
    }
    const read = reader.read(line);
    if (read !== undefined) documents.at(-1)!.push({ ...read, number: index + 1 });
  });
  return documents;
}

interface Level {
  readonly indent: number;
  readonly step: string;
  /** Of the items below, if there are any. */
  items: number;
}

/** Follows indentation from line to line. */
class Reader {
  #levels: Level[] = [];
  /** Deeper lines belong to a multi-line text. */
  #textAbove: number | undefined;

  restart(): void {
    this.#levels = [];
    this.#textAbove = undefined;
  }

  read(line: string): { at: string; value: string } | undefined {
    const depth = line.search(/\S/);
    if (depth < 0) return undefined;
    if (this.#textAbove !== undefined && depth > this.#textAbove) return undefined;
    this.#textAbove = undefined;
    const found = KEY.exec(line);
    if (found === null) return undefined;
    const [, space = '', dashes = '', double, single, plain, rest = ''] = found;
    this.#enter(space.length, dashes);
    const indent = space.length + dashes.length;
    this.#levels.push({ indent, step: (double ?? single ?? plain)!, items: 0 });
    if (/^[|>][-+0-9]*\s*(#.*)?$/.test(rest)) this.#textAbove = indent;
    return {
      at: this.#levels.map(({ step }) => step).join('/'),
      value: rest
        .replace(/\s+#.*$/, '')
        .replace(/^(["'])(.*)\1$/, '$2')
        .trim(),
    };
  }

  /** Leaves levels that are as deep or deeper; a dash begins the next item of the list above it. */
  #enter(indent: number, dashes: string): void {
    const isItem = dashes !== '';
    // A list may be indented as deep as its key.
    while (this.#levels.length > 0 && this.#leaves(this.#levels.at(-1)!, indent, isItem)) this.#levels.pop();
    if (!isItem) return;
    const holder = this.#levels.at(-1);
    const index = holder === undefined ? 0 : holder.items++;
    this.#levels.push({ indent, step: String(index), items: 0 });
  }

  #leaves({ indent, step }: Level, next: number, isItem: boolean): boolean {
    if (indent > next) return true;
    if (indent < next) return false;
    return !isItem || /^\d+$/.test(step);
  }
}

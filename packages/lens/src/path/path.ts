// Paths of a lens: parsed, printed, compared. A path is a list of segments; the wildcards represent every
// item of a list or every value of a map.

export type Segment = { readonly key: string } | typeof ITEMS | typeof VALUES;
export type Path = readonly Segment[];

export const ITEMS = '[*]';
export const VALUES = '{*}';

const NAME = /[^.[\]{}'"\s]+/y;
const QUOTED = /\['([^']*)'\]/y;

/** The error, if it is not a path. `.` is the empty path: the value itself. */
export function parsePath(text: string): Path | string {
  if (text === '.') return [];
  const segments: Segment[] = [];
  let at = 0;
  while (at < text.length) {
    const read = segmentAt(text, at, segments.length > 0);
    if (typeof read === 'string') return read;
    segments.push(read.segment);
    at = read.end;
  }
  return segments.length === 0 ? 'must not be empty' : segments;
}

function segmentAt(text: string, at: number, isLater: boolean): { segment: Segment; end: number } | string {
  if (text.startsWith(ITEMS, at)) return { segment: ITEMS, end: at + ITEMS.length };
  if (text.startsWith(VALUES, at)) return { segment: VALUES, end: at + VALUES.length };
  const quoted = matchAt(QUOTED, text, at);
  if (quoted !== null) return keyed(quoted[1]!, at + quoted[0].length);
  const start = text[at] === '.' && isLater ? at + 1 : at;
  if (isLater && start === at)
    return `expected "." before ${JSON.stringify(text.slice(at))}: write a.b, a[*].b, a{*}.b or a['b.c']`;
  const name = matchAt(NAME, text, start);
  if (name === null)
    return `expected a field name at ${JSON.stringify(text.slice(start))}: write a.b, a[*].b for items of a list, a{*}.b for values of a map`;
  return keyed(name[0], start + name[0].length);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function keyed(key: string, end: number): { segment: Segment; end: number } | string {
  return key === '__proto__' ? 'must not name __proto__' : { segment: { key }, end };
}

export function printPath(path: Path): string {
  if (path.length === 0) return '.';
  return path.map(printSegment).join('').replace(/^\./, '');
}

function printSegment(segment: Segment): string {
  if (segment === ITEMS || segment === VALUES) return segment;
  return /^[^.[\]{}'"\s]+$/.test(segment.key) ? `.${segment.key}` : `['${segment.key}']`;
}

export const isWildcard = (segment: Segment): segment is typeof ITEMS | typeof VALUES =>
  segment === ITEMS || segment === VALUES;

export function samePath(a: Path, b: Path): boolean {
  return a.length === b.length && startsWith(a, b);
}

/** Whether `prefix` is `path` or a parent of it. */
function startsWith(path: Path, prefix: Path): boolean {
  return prefix.every((segment, index) => path[index] !== undefined && sameSegment(path[index], segment));
}

export const overlaps = (a: Path, b: Path): boolean => startsWith(a, b) || startsWith(b, a);

export function sameSegment(a: Segment, b: Segment): boolean {
  return isWildcard(a) || isWildcard(b) ? a === b : a.key === b.key;
}

/** The length of a path up to and including its last wildcard. */
export function wildcardLength(path: Path): number {
  return path.findLastIndex(isWildcard) + 1;
}

/** The keys of a path without wildcards. */
export function keysOf(path: Path): string[] {
  return path.map((segment) => {
    if (isWildcard(segment)) throw new Error('a wildcard has no key');
    return segment.key;
  });
}

/** How many segments two paths share from the start. */
export function sharedLength(a: Path, b: Path): number {
  let n = 0;
  while (n < a.length && n < b.length && sameSegment(a[n]!, b[n]!)) n++;
  return n;
}

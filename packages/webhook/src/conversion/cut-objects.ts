// Finds the objects of a large ConversionReview without parsing them: their texts, and the review with an empty list in their place.
// Follows only brackets and quotes; what stands between them is judged when it is parsed.

export interface CutReview {
  readonly objects: readonly string[];
  readonly rest: string;
}

/** Undefined if the text does not look like a review with objects: whoever parses it whole will say why. */
export function cutObjects(text: string): CutReview | undefined {
  const request = memberAt(text, skipSpace(text, 0), 'request');
  const list = request === undefined ? undefined : memberAt(text, request, 'objects');
  if (list === undefined || text[list] !== '[') return undefined;
  const objects: string[] = [];
  let at = skipSpace(text, list + 1);
  while (text[at] !== ']') {
    const end = endOfValue(text, at);
    if (end === undefined) return undefined;
    objects.push(text.slice(at, end));
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
    else if (text[at] !== ']') return undefined;
    if (text[at] === ']' && text[at - 1] === ',') return undefined;
  }
  return { objects, rest: `${text.slice(0, list)}[]${text.slice(at + 1)}` };
}

/** Where the value of that member starts, in the object that starts at `start`. */
function memberAt(text: string, start: number, name: string): number | undefined {
  if (text[start] !== '{') return undefined;
  let at = skipSpace(text, start + 1);
  while (text[at] === '"') {
    const keyEnd = endOfString(text, at);
    const key = text.slice(at + 1, keyEnd - 1);
    const colon = skipSpace(text, keyEnd);
    if (text[colon] !== ':') return undefined;
    const value = skipSpace(text, colon + 1);
    if (key === name) return value;
    const end = endOfValue(text, value);
    if (end === undefined) return undefined;
    at = skipSpace(text, end);
    if (text[at] !== ',') return undefined;
    at = skipSpace(text, at + 1);
  }
  return undefined;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  for (let unit = text.charCodeAt(at); unit === 0x20 || (unit >= 0x09 && unit <= 0x0d); unit = text.charCodeAt(at)) at++;
  return at;
}

/** Behind the value that starts at `start`; undefined if it does not end, or is none. */
function endOfValue(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) {
      at = endOfString(text, at) - 1;
      if (depth === 0) return at + 1;
    } else if (unit === 0x7b || unit === 0x5b) depth++;
    else if (unit === 0x7d || unit === 0x5d) {
      // The end of what holds a number or a word.
      if (depth === 0) return at > start ? at : undefined;
      if (--depth === 0) return at + 1;
    } else if (unit === 0x2c && depth === 0) return at > start ? at : undefined;
  }
  return undefined;
}

/** Behind the closing quote. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at > 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return at + 1;
  }
  return text.length;
}

// The continue token of a paged list: the revision that is listed, and the last key of the page before. It
// has upstream's format, so that people can read it.
import { apiErrors, JsonParseError, parseJson } from '@instar/machinery';

export interface ContinueToken {
  /** -1: the revision of the first page is compacted, the rest is listed at the current one. */
  readonly revision: number;
  /** The last key of the page before, relative to the prefix of the list. */
  readonly start: string;
}

const VERSION = 'meta.k8s.io/v1';

export function continueTokenFor(revision: number, lastKey: string): string {
  return Buffer.from(JSON.stringify({ v: VERSION, rv: revision, start: `${lastKey}\0` })).toString(
    'base64url',
  );
}

export function parseContinueToken(text: string): ContinueToken {
  const value = decode(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('not valid: it is not an object');
  const { v, rv, start } = value;
  if (v !== VERSION) {
    const sent = typeof v === 'string' ? v : '';
    throw invalid(`not valid: server does not recognize this encoded version ${sent}`);
  }
  if (typeof rv !== 'number' || !Number.isSafeInteger(rv) || rv === 0)
    throw invalid('not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  if (typeof start !== 'string' || start === '')
    throw invalid('not valid: encoded start key empty (version meta.k8s.io/v1)');
  if (start.startsWith('/') || start.split('/').includes('..')) throw invalid(`not valid: ${start}`);
  return { revision: rv, start: start.endsWith('\0') ? start.slice(0, -1) : start };
}

function decode(text: string) {
  const wrong = /[^A-Za-z0-9_-]/.exec(text)?.index ?? (text.length % 4 === 1 ? text.length - 1 : -1);
  if (wrong >= 0) throw invalid(`not valid: illegal base64 data at input byte ${wrong}`);
  try {
    return parseJson(Buffer.from(text, 'base64url').toString('utf8')).value;
  } catch (error) {
    if (error instanceof JsonParseError) throw invalid(`not valid: ${error.message}`);
    throw error;
  }
}

function invalid(why: string) {
  return apiErrors.badRequest(`invalid continue token: continue key is ${why}`);
}
